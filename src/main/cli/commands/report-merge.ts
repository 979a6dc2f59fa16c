import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RunReport } from '#shared/collections/run-report.ts';
import { AppError } from '#shared/errors.ts';
import { exits, printResult, type Command, type ExitCode } from '../command.ts';
import { finalLine, linesOf } from './run-lines.ts';
import { reportFiles, reportOptions, writeReports } from './run-output.ts';
import { readInputFile } from '../read-input.ts';

export const reportMergeCommand: Command = {
  spec: {
    name: 'report merge',
    summary: 'Merge the parts of a run into one report. Exits with 0 if no part is missing and everything passed.',
    positionals: ['DIR…'],
    options: {
      ...reportOptions,
      json: { help: 'Print the report as one JSON document' },
    },
    notes: [
      'DIR is a folder with parts that "croupier run --shard I/N --blob DIR" wrote, or with folders of them.',
      'Requests of a missing or duplicate part count as unfinished. Parts of another collection, plan or version are refused.',
      'This command needs no home and no key.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const files = await reportFiles(args);
    const paths = (await Promise.all(args.positionals.map((given) => partsIn(resolve(given))))).flat();
    const { mergeReports } = await import('#core/app/tools.ts');
    const parts = await Promise.all(
      [...new Set(paths)]
        .toSorted()
        .map(async (path) => ({ path, bytes: await readInputFile('input.reportPart', path, context) })),
    );
    const { report, problems, write } = await mergeReports(parts);
    for (const warning of [...report.warnings, ...problems]) terminal.note(`croupier: ${warning}`);
    await printResult(args, terminal, report, lines(report));
    await writeReports(files, (as) => (as === 'blob' ? '' : write(as)), terminal);
    return exitOf(report);
  },
};

/** Directories in a directory, as a CI unpacks an artifact for each job. */
const deepest = 2;

/** Returns the paths of the parts in a directory. */
async function partsIn(directory: string, depth = 0): Promise<string[]> {
  const found = await stat(directory).catch(() => null);
  if (found?.isDirectory() !== true) throw new AppError('invalid_input', `There is no folder ${directory}.`);
  const entries = await readdir(directory, { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory() && depth < deepest);
  const below = await Promise.all(inside.map(({ name }) => partsIn(join(directory, name), depth + 1)));
  const here = entries.filter((entry) => entry.isFile() && /^part-\d+-of-\d+\.jsonl$/.test(entry.name));
  return [...here.map(({ name }) => join(directory, name)), ...below.flat()];
}

/** Returns a line for each request that did not pass, and the last line. */
function lines({ iterations, totals, durationMs, warnings, runId }: RunReport): string[] {
  const told = new Set<string>();
  const wrong = iterations.flatMap(({ number, row, requests }) =>
    requests.flatMap((request, index) =>
      request.state === 'passed' ? [] : linesOf({ index, iteration: number, row, request }, iterations.length > 1, told),
    ),
  );
  return [...wrong, finalLine({ runId, state: 'finished', totals, durationMs, warnings })];
}

function exitOf({ totals }: RunReport): ExitCode {
  if (totals.passed < totals.requests) return exits.checksFailed;
  return totals.unrecorded > 0 ? exits.fault : exits.done;
}
