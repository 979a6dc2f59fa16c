import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Client, FinishedRequest } from '#shared/ipc/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Context } from '../command.ts';
import type { Workbench } from '../workbench.ts';
import { toFiles, writeExport } from '../write-export.ts';

const reports = { junit: 'junit', 'report-json': 'json', html: 'html' } as const;

export interface ReportFile {
  readonly as: (typeof reports)[keyof typeof reports];
  readonly path: string;
}

/** Returns the reports that the options name. Fails with `invalid_input` if one could not be written. */
export function reportFiles(args: Arguments): ReportFile[] {
  const names = Object.keys(reports) as (keyof typeof reports)[];
  const files = names.flatMap((name) => {
    const path = args.value(name);
    return path === undefined ? [] : [{ as: reports[name], path: resolve(path) }];
  });
  // Checked before the first call, so that a run does not lose its report at the end.
  const lost = files.find(({ path }) => !existsSync(dirname(path)));
  if (lost !== undefined)
    throw new AppError('invalid_input', `There is no folder ${dirname(lost.path)} for a report. Create it first.`);
  if (new Set(files.map(({ path }) => path)).size < files.length) {
    throw new AppError('invalid_input', 'Two reports have the same file. Choose a file for each.');
  }
  return files;
}

/** Writes the reports of a run, in place of older files. */
export async function writeReports(client: Client, runId: string, files: readonly ReportFile[]): Promise<void> {
  if (files.length === 0) return;
  const { writeFileDurably } = await import('#core/app/app.ts');
  for (const { as, path } of files)
    await writeFileDurably(path, (await client.call('runs.export', { runId, as })).text, 'shared');
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
    throw new AppError('invalid_input', `The directory ${directory} for the support pack cannot be made.`, undefined, { cause });
  });
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
      if (count > callIds.length) terminal.note(`croupier: the support pack has the first ${mostPacked} of ${count} calls.`);
      const request = { callIds, format: 'support', form: 'as-sent', keepTokens: false } as const;
      await writeExport(workbench, request, toFiles(join(directory, `support-${runId}.html`), context), context);
    },
  };
}
