import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { exportFormats } from '#shared/model/formats.ts';
import { formatIn, readWhole, UsageError, type Arguments } from '../arguments.ts';
import { exits, type Command } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { withWorkbench, type Workbench } from '../workbench.ts';
import { toFiles, toOutput, writeExport } from '../write-export.ts';
import { openTargets } from '../targets.ts';

const formats = exportFormats.map(({ name }) => name);

export const historyExportCommand: Command = {
  spec: {
    name: 'history export',
    summary: 'Write recorded calls as HAR, programs, JSON lines or a support pack.',
    positionals: ['[ID…]'],
    options: {
      run: { value: 'RUN', help: 'Write all calls of this collection run, instead of IDs' },
      as: { value: 'FORMAT', choices: formats, help: `Write as ${formats.join(', ')}` },
      resign: { help: 'Write programs that sign again, with a key from an environment variable' },
      'key-variable': { value: 'VAR', help: 'Name that environment variable (default CROUPIER_KEY)' },
      'keep-tokens': { help: 'Keep session and replay tokens (default: masked)' },
      out: { value: 'FILE', help: 'Write to this new file (default: standard output)' },
      'key-env': { value: 'VAR', help: 'Refuse an export that contains the key in this environment variable' },
    },
    notes: [
      'A support pack is two files, a page and its JSON beside it, so it needs --out.',
      "Croupier writes no file that contains an environment's private key in any form.",
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const run = args.value('run');
    const notAnId = 'ID must be a whole number from 1, as "croupier history list" prints it.';
    const given = args.positionals.map((id) => readWhole(id, notAnId, 1));
    if ((run === undefined) === (given.length === 0)) throw new UsageError('Name calls by their IDs, or a run with --run.');
    const { name: format } = formatIn(args.value('as'), exportFormats);
    const out = args.value('out');
    if (format === 'support' && out === undefined) throw new UsageError('A support pack is two files: name the page with --out.');
    const [file] = await openTargets(args.values('out'), { new: true });
    const key = givenKey(args, terminal);
    const keyVariable = readVariable(args);
    return withWorkbench(context, { keys: { given: key } }, async (workbench) => {
      const callIds = run === undefined ? given : await callsOfRun(workbench.client, run);
      if (key !== null) await useKeyFor(workbench, callIds, key);
      const request = {
        callIds,
        format,
        form: args.has('resign') ? ('resigning' as const) : ('as-sent' as const),
        keepTokens: args.has('keep-tokens'),
        ...(keyVariable === undefined ? {} : { keyVariable }),
      };
      const to = file === undefined ? toOutput(context) : toFiles(file.path, context, file);
      const masked = await writeExport(workbench, request, to, context);
      if (masked > 0)
        terminal.note('croupier: tokens are masked as [token], other secrets as [secret]. To keep them, add --keep-tokens.');
      return exits.done;
    });
  },
};

/** Number of calls in one part of the list. */
const partLength = 500;

/** Returns the IDs of all calls of a run, oldest first. */
async function callsOfRun(client: Client, run: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const before = ids.at(-1);
    const { calls } = await client.call('calls.list', {
      limit: partLength,
      filter: { collectionRun: run },
      ...(before === undefined ? {} : { before }),
    });
    ids.push(...calls.map(({ id }) => id));
    if (calls.length < partLength) break;
  }
  if (ids.length > 0) return ids.reverse();
  throw new AppError(
    'not_found',
    'The history has no calls of this run. "croupier history list --json" prints the run of each call.',
  );
}

function readVariable(args: Arguments): string | undefined {
  const name = args.value('key-variable');
  if (name === undefined || /^[A-Z_][A-Z0-9_]{0,99}$/.test(name)) return name;
  throw new UsageError('--key-variable must be a name of capital letters, digits and underscores.');
}

/** Registers the key for every environment that the calls were sent to, so that the export searches for it. */
async function useKeyFor({ app, client }: Workbench, callIds: readonly number[], key: string): Promise<void> {
  const calls = await Promise.all(callIds.map((id) => client.call('calls.get', { id })));
  for (const environmentId of new Set(calls.map((call) => call.environmentId))) await app.useKey(environmentId, key);
}
