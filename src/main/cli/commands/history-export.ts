import { existsSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import { ExportFormat, type ExportedFile } from '#shared/ipc/index.ts';
import { suggestion, usageError, type Arguments } from '../arguments.ts';
import type { Command, Context } from '../commands.ts';
import { exits } from '../exit-codes.ts';
import { takeKey } from '../key-variable.ts';
import { withWorkbench, type Workbench } from '../workbench.ts';

const formats = ExportFormat.options;

export const historyExportCommand: Command = {
  spec: {
    name: 'history export',
    summary: 'Write recorded calls as other programs read them.',
    positionals: ['ID…'],
    options: {
      as: { value: 'FORMAT', help: formats.join(', ') },
      resign: { help: 'A program that makes time and hash anew, with the key from an environment variable' },
      'key-variable': { value: 'VAR', help: 'The name of that variable (CROUPIER_KEY without this option)' },
      'keep-tokens': { help: 'Leave session and replay tokens in; they are masked without this option' },
      out: { value: 'FILE', help: 'Write to this file, which must not exist yet; standard output without this option' },
      'key-env': { value: 'VAR', help: 'The environment variable that holds the key to look for, in place of the keychain' },
    },
    notes: [
      'A support pack is two files, a page and its JSON: it needs --out, and its second file stands beside the first.',
      'A file that would hold the private key of an environment in any form is not written.',
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
      const { files, masked } = await workbench.client.call('exports.create', {
        callIds,
        format,
        form: args.has('resign') ? 'resigning' : 'as-sent',
        keepTokens: args.has('keep-tokens'),
        ...(keyVariable === undefined ? {} : { keyVariable }),
      });
      if (out === undefined) for (const { text } of files) await terminal.resultBytes(Buffer.from(text, 'utf8'));
      else await writeFiles(files, out, context);
      if (masked > 0)
        terminal.note('croupier: tokens are masked as [token], other secrets as [secret]. --keep-tokens leaves them in.');
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

/** The key is looked for as that of every environment that the calls were sent to. */
async function useKeyFor({ app, client }: Workbench, callIds: readonly number[], key: string): Promise<void> {
  const calls = await Promise.all(callIds.map((id) => client.call('calls.get', { id })));
  for (const environmentId of new Set(calls.map((call) => call.environmentId))) await app.useKey(environmentId, key);
}

/** The first file under the name that was given, a second one beside it with its own ending. */
async function writeFiles(files: readonly ExportedFile[], out: string, { terminal }: Context): Promise<void> {
  const { writeNewFileDurably } = await import('#core/app.ts');
  const paths = files.map(({ name }, index) =>
    index === 0 ? out : out.replace(/(?:\.[^./\\]*)?$/, name.slice(name.lastIndexOf('.'))),
  );
  if (new Set(paths).size < paths.length)
    throw new AppError('invalid_input', 'Give the page another ending, as in pack.html: its JSON is written beside it.');
  // Before anything is written, so that no half of a pack is left.
  const taken = paths.find((path) => existsSync(path));
  if (taken !== undefined) throw new AppError('conflict', `${taken} exists already and was left as it is. Choose another name.`);
  for (const [index, path] of paths.entries()) {
    await writeNewFileDurably(path, files[index]?.text ?? '');
    terminal.note(`croupier: wrote ${path}`);
  }
}
