import { existsSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import type { ExportFormat, Input } from '#shared/ipc/index.ts';
import { readExport, type ExportProgress } from '#shared/ipc/read-export.ts';
import { exportFormats } from '#shared/model/formats.ts';
import type { NewFile } from '#core/app/app.ts';
import { suggestion, usageError, type Arguments } from '../arguments.ts';
import type { Command, Context } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { takeKey } from '../key-variable.ts';
import { withWorkbench, type Workbench } from '../workbench.ts';

const formats = exportFormats.map(({ name }) => name);

export const historyExportCommand: Command = {
  spec: {
    name: 'history export',
    summary: 'Write recorded calls as HAR, programs, JSON lines or a support pack.',
    positionals: ['ID…'],
    options: {
      as: { value: 'FORMAT', help: formats.join(', ') },
      resign: { help: 'Write a program that makes a new time and hash, with the key from an environment variable' },
      'key-variable': { value: 'VAR', help: 'The name of that variable (default CROUPIER_KEY)' },
      'keep-tokens': { help: 'Keep session and replay tokens (default: masked)' },
      out: { value: 'FILE', help: 'Write to this new file (default: standard output)' },
      'key-env': { value: 'VAR', help: 'The environment variable that holds the key to search for, instead of the keychain' },
    },
    notes: [
      'A support pack is two files, a page and its JSON beside it, so it needs --out.',
      'Croupier writes no file that would hold the private key of an environment in any form.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const callIds = args.positionals.map(readId);
    const format = readFormat(args.value('as'));
    const out = args.value('out');
    if (format === 'support' && out === undefined)
      throw usageError(historyExportCommand.spec, 'A support pack is two files: name the page with --out.');
    const variable = args.value('key-env');
    const key = variable === undefined ? null : takeKey(variable, terminal);
    const keyVariable = readVariable(args);
    return withWorkbench(context, { keys: key === null ? 'keychain' : 'process' }, async (workbench) => {
      if (key !== null) await useKeyFor(workbench, callIds, key);
      const request = {
        callIds,
        format,
        form: args.has('resign') ? ('resigning' as const) : ('as-sent' as const),
        keepTokens: args.has('keep-tokens'),
        ...(keyVariable === undefined ? {} : { keyVariable }),
      };
      const to = out === undefined ? toOutput(context) : toFiles(out, context);
      const masked = await write(workbench, request, to, context);
      if (masked > 0)
        terminal.note('croupier: tokens are masked as [token], other secrets as [secret]. --keep-tokens keeps them.');
      return exits.done;
    });
  },
};

function readId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || !Number.isSafeInteger(id))
    throw usageError(historyExportCommand.spec, 'ID must be a whole number from 1, as "croupier history list" prints it.');
  return id;
}

function readFormat(text: string | undefined): ExportFormat {
  const { spec } = historyExportCommand;
  if (text === undefined) throw usageError(spec, `Name the format with --as: ${formats.join(', ')}.`);
  const format = formats.find((known) => known === text);
  if (format !== undefined) return format;
  throw usageError(
    spec,
    `There is no format ${JSON.stringify(text)}.${suggestion(text, formats)} There are: ${formats.join(', ')}.`,
  );
}

function readVariable(args: Arguments): string | undefined {
  const name = args.value('key-variable');
  if (name === undefined || /^[A-Z_][A-Z0-9_]{0,99}$/.test(name)) return name;
  throw usageError(historyExportCommand.spec, '--key-variable is a name of capital letters, digits and underscores.');
}

/** Registers the key for every environment that the calls were sent to, so that the export searches for it. */
async function useKeyFor({ app, client }: Workbench, callIds: readonly number[], key: string): Promise<void> {
  const calls = await Promise.all(callIds.map((id) => client.call('calls.get', { id })));
  for (const environmentId of new Set(calls.map((call) => call.environmentId))) await app.useKey(environmentId, key);
}

/** Destination of an export. */
interface Destination {
  start(names: readonly string[]): Promise<void>;
  text(file: number, text: string): Promise<void>;
  /** Ends a complete export. */
  finish(): Promise<void>;
  /** Removes an incomplete export. */
  discard(): Promise<void>;
}

async function write(
  { client }: Workbench,
  request: Input<'exports.create'>,
  to: Destination,
  { terminal, stop }: Context,
): Promise<number> {
  const reading = readExport(client, request, {
    onStart: ({ files }) => to.start(files.map(({ name }) => name)),
    onText: (file, text) => to.text(file, text),
    onProgress: (progress) => terminal.progress(progressText(progress)),
  });
  stop.addEventListener('abort', reading.cancel, { once: true });
  if (stop.aborted) reading.cancel();
  try {
    const masked = await reading.masked;
    terminal.progress('');
    await to.finish();
    return masked;
  } catch (error) {
    terminal.progress('');
    await to.discard();
    throw error;
  } finally {
    stop.removeEventListener('abort', reading.cancel);
  }
}

/** Describes the progress. Calls are read before they are written, unless tokens are kept. */
function progressText({ step, done, total }: ExportProgress): string {
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} calls`;
  return `${step === 'read' ? 'Looking for tokens in' : 'Writing'} ${count}`;
}

/** UTF-16 units to hold before printing, so that an export that is refused early prints nothing. */
const heldUnits = 16_777_216;

function toOutput({ terminal }: Context): Destination {
  let held: string[] | null = [];
  let units = 0;
  const print = async (texts: readonly string[]) => {
    for (const text of texts) await terminal.resultBytes(Buffer.from(text, 'utf8'));
  };
  const release = async () => {
    const texts = held ?? [];
    held = null;
    if (texts.length > 0) await print([texts.join('')]);
  };
  return {
    start: async () => undefined,
    async text(_, text) {
      if (held === null) return print([text]);
      held.push(text);
      units += text.length;
      if (units > heldUnits) await release();
    },
    finish: release,
    discard: async () => undefined,
  };
}

/** Writes to files: the first with the given name, a second one beside it with its own ending. */
function toFiles(out: string, { terminal }: Context): Destination {
  const files: NewFile[] = [];
  return {
    async start(names) {
      const { openNewFile } = await import('#core/app/app.ts');
      const paths = names.map((name, index) =>
        index === 0 ? out : out.replace(/(?:\.[^./\\]*)?$/, name.slice(name.lastIndexOf('.'))),
      );
      if (new Set(paths).size < paths.length)
        throw new AppError(
          'invalid_input',
          'Choose another ending for the page, such as pack.html: its JSON is written beside it.',
        );
      // Checked before writing, so that no half of a pack remains.
      const taken = paths.find((path) => existsSync(path));
      if (taken !== undefined)
        throw new AppError('conflict', `${taken} already exists and was not changed. Choose another name.`);
      for (const path of paths) files.push(await openNewFile(path));
    },
    text: async (file, text) => files[file]?.write(text),
    async finish() {
      for (const file of files) {
        await file.finish();
        terminal.note(`croupier: wrote ${file.path}`);
      }
    },
    async discard() {
      for (const file of files) await file.discard();
    },
  };
}
