import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { NewFile } from '#core/app/app.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { UsageError, type Arguments } from '../arguments.ts';
import type { Context } from '../command.ts';
import type { Terminal } from '../../process/terminal.ts';
import { openTargets } from '../targets.ts';
import type { Workbench } from '../workbench.ts';
import { toFiles, writeExport } from '../write-export.ts';

const reports = { junit: 'junit', 'report-json': 'json', html: 'html', 'code-quality': 'gitlab' } as const;

/** A report with its file, which is held open. */
export interface ReportFile {
  readonly as: (typeof reports)[keyof typeof reports] | 'blob';
  readonly file: NewFile;
}

/** The options that name the reports of a run. */
export const reportOptions = {
  junit: { value: 'FILE', help: 'Write a JUnit XML report' },
  'report-json': { value: 'FILE', help: 'Write the report as JSON' },
  html: { value: 'FILE', help: 'Write the report as a page' },
} as const;

/** Begins the reports that the options name. Fails as `openTargets` does if one could not be written. */
export async function reportFiles(args: Arguments): Promise<ReportFile[]> {
  const names = Object.keys(reports) as (keyof typeof reports)[];
  const files = names.flatMap((name) => args.values(name).map((path) => ({ as: reports[name], path: resolve(path) })));
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw new AppError('invalid_input', 'Two reports have the same file. Choose a file for each.');
  }
  const opened = await openTargets(
    files.map(({ path }) => path),
    { new: false },
  );
  return opened.map((file, at) => ({ as: files[at]?.as ?? 'json', file }));
}

/** Writes the reports of a run, in place of older files. */
export async function writeReports(
  files: readonly ReportFile[],
  text: (as: ReportFile['as']) => string | Promise<string>,
  terminal: Pick<Terminal, 'note'>,
): Promise<void> {
  if (files.length === 0) return;
  const { vouched } = await import('#core/app/app.ts');
  for (const { as, file } of files) {
    await file.write(vouched('report', 'core', await text(as)));
    await file.finish();
  }
  for (const { file } of files) terminal.note(`croupier: wrote ${file.path}`);
}

/** Returns the file of the part that `--shard` names in the directory of `--blob`, without one of an earlier run: a part that is killed must be missing. */
export async function blobFile(
  args: Arguments,
  shard: { readonly part: number; readonly of: number } | null,
): Promise<ReportFile[]> {
  const given = args.value('blob');
  if (given === undefined) return [];
  if (shard === null) throw new UsageError('--blob needs --shard, such as --shard 1/4.');
  const path = join(resolve(given), `part-${shard.part}-of-${shard.of}.jsonl`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { force: true });
    return (await openTargets([path], { new: false })).map((file) => ({ as: 'blob', file }));
  } catch (cause) {
    throw new AppError('invalid_input', `${path} can't be written. Choose another folder for --blob.`, undefined, { cause });
  }
}

/** Number of calls of a support pack: more of them are read by nobody, and the first ones show what failed. */
const mostPacked = 200;

/** A support pack of the requests of a run that did not pass. */
export interface RunPack {
  add(finished: FinishedRequest): void;
  /** Writes the pack, if a call did not pass. */
  write(workbench: Workbench, runId: string): Promise<void>;
}

/** Prepares the pack that `--support-pack` names: its directory is made before the first call. Null without the option. */
export async function createRunPack(args: Arguments, context: Context): Promise<RunPack | null> {
  const given = args.value('support-pack');
  if (given === undefined) return null;
  const directory = resolve(given);
  await mkdir(directory, { recursive: true }).catch((cause: unknown) => {
    const message = `Croupier can't create ${directory} for the support pack: ${reasonAndAdvice(cause)}`;
    throw new AppError('invalid_input', message, undefined, { cause });
  });
  // Its name has the ID of the run, which is known when the run has begun.
  for (const file of await openTargets([join(directory, 'support.html')], { new: false })) await file.discard();
  const callIds: number[] = [];
  let count = 0;
  return {
    add({ request: { state, callId } }) {
      if (callId === null || state === 'passed') return;
      count += 1;
      if (callIds.length < mostPacked) callIds.push(callId);
    },
    async write(workbench, runId) {
      const { terminal } = context;
      if (callIds.length === 0) return terminal.note('croupier: no call failed, so no support pack was written.');
      const writeFirst = (calls: number) =>
        writeExport(
          workbench,
          { callIds: callIds.slice(0, calls), format: 'support', form: 'as-sent', keepTokens: false },
          toFiles(join(directory, `support-${runId}.html`), context),
          context,
        );
      const written = await writeCallsThatFit(callIds.length, writeFirst);
      if (count > written) terminal.note(`croupier: the support pack has the first ${written} of ${count} calls.`);
    },
  };
}

/**
 * Has the first calls written, half as many as long as their support pack is too large to be opened. Returns the number that was written; fails as
 * `write` does, and if the pack of one call is too large.
 */
export async function writeCallsThatFit(calls: number, write: (calls: number) => Promise<unknown>): Promise<number> {
  try {
    await write(calls);
    return calls;
  } catch (error) {
    const { tooLarge } = (error instanceof AppError ? (error.details ?? {}) : {}) as { tooLarge?: unknown };
    if (tooLarge !== true || calls === 1) throw error;
    return writeCallsThatFit(Math.floor(calls / 2), write);
  }
}
