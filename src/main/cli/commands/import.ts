import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { otherVersionText } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { longestFile } from '#shared/model/limits.ts';
import { mostPlaces } from '#shared/ipc/imports.ts';
import type { Client, ImportPlan, Input, Payload } from '#shared/ipc/index.ts';
import { usageError } from '../arguments.ts';
import { withCollection } from '../collection-path.ts';
import type { Command, Context } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { takeKey } from '../key-variable.ts';
import { askAboutSecrets, givenChoices, keepSecret } from '../secret-question.ts';
import { decodeText, readInputFile } from '../read-input.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

type Files = Input<'collections.import'>['files'];

const mostFiles = 10_000;

export const importCommand: Command = {
  spec: {
    name: 'import',
    summary: 'Import requests from cURL, Postman, HAR or Bruno.',
    positionals: ['FILE'],
    options: {
      into: { value: 'DIR', help: 'The collection or a folder in it; Croupier creates a missing directory' },
      'dry-run': { help: 'Say which files would be created, and write nothing' },
      env: { value: 'NAME', help: 'The environment whose key --key-env holds' },
      'key-env': {
        value: 'VAR',
        help: 'The environment variable that holds a key to check hashes with, instead of the keychain',
      },
      ...keepSecret,
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'FILE is cURL commands, a collection or an environment of Postman, a HAR file, or a file or a directory of Bruno; - is standard input.',
      'Values that look like secrets stay out of the files. On a terminal Croupier asks once about all of them, and remembers the choice.',
      'Ctrl+C cancels it and leaves no file. Existing files stay. Croupier lists everything that it cannot carry over, with its position and the reason.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const [source = ''] = args.positionals;
    const into = args.value('into');
    const dryRun = args.has('dry-run');
    if (into === undefined && !dryRun) throw usageError(importCommand.spec, 'Name the collection with --into.');
    const files = await readFiles(source, context);
    const variable = args.value('key-env');
    const key = variable === undefined ? null : takeKey(variable, terminal);
    return withWorkbench(context, { keys: key === null ? 'keychain' : 'process' }, async ({ app, client }) => {
      client.on('collections.kept', ({ path, copy }) => context.terminal.note(`croupier: ${otherVersionText(path, copy)}`));
      if (key !== null) await app.useKey((await findEnvironment(client, args.value('env'))).id, key);
      const given = givenChoices(args);
      const preview = (input: Omit<Input<'collections.importPreview'>, 'ticket'>) =>
        stoppable(context, client, (ticket) => client.call('collections.importPreview', { ...input, ticket }));
      const asked = await askAboutSecrets(await preview({ files, secrets: given }), context);
      const secrets = { ...asked, ...given };
      const isThere = into !== undefined && (await stat(into).catch(() => null)) !== null;
      const plan =
        into === undefined || (dryRun && !isThere)
          ? await preview({ files, secrets })
          : await withCollection(client, into, { create: !dryRun, keep: !dryRun }, ({ id, path }) =>
              dryRun
                ? preview({ files, into: { id, folder: path }, secrets })
                : stoppable(context, client, (ticket) =>
                    client.call('collections.import', { files, id, folder: path, secrets, ticket }),
                  ),
            );
      if (args.has('json')) await terminal.result(JSON.stringify(plan));
      else await print(plan, dryRun, context);
      return exits.done;
    });
  },
};

const quietMs = 1_000;

/** Runs work that the user can stop; shows the progress on a terminal if it takes over a second. */
async function stoppable<T>({ terminal, stop }: Context, client: Client, work: (ticket: string) => Promise<T>): Promise<T> {
  const ticket = 'import';
  const cancel = () => void client.call('collections.cancelImport', { ticket });
  let now = '';
  let told = '';
  const tell = () => {
    if (terminal.interactive && now !== told) terminal.note(now);
    told = now;
  };
  const quiet = client.on('collections.importing', (progress) => void (now = progressText(progress)));
  const timer = setInterval(tell, quietMs);
  stop.addEventListener('abort', cancel, { once: true });
  try {
    if (stop.aborted) throw new AppError('cancelled', 'The import was cancelled. Nothing was imported.');
    return await work(ticket);
  } finally {
    stop.removeEventListener('abort', cancel);
    clearInterval(timer);
    quiet();
  }
}

function progressText({ step, done, total }: Payload<'collections.importing'>): string {
  const part = total === 0 ? '' : `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const words = { read: 'Reading the files', hashes: 'Checking hashes', secrets: 'Looking for secrets', write: 'Writing' }[step];
  return `${words}${part}.`;
}

async function readFiles(source: string, context: Context): Promise<Files> {
  const stats = source === '-' ? null : await stat(source).catch(() => null);
  if (stats?.isDirectory() !== true) {
    const text = decodeText(await readInputFile(source, context, longestFile));
    return [{ name: source === '-' ? 'standard input' : basename(source), text }];
  }
  const files: Files = [];
  let size = 0;
  for (const entry of await readdir(source, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(source, '/').length).replaceAll('\\', '/');
    if (!entry.isFile() || !/\.(?:bru|json|ya?ml)$/.test(entry.name) || /(?:^|\/)(?:\.|node_modules\/)/.test(name)) continue;
    if (context.stop.aborted) throw new AppError('cancelled', 'The import was cancelled. Nothing was imported.');
    const bytes = await readInputFile(path, context, longestFile);
    size += bytes.length;
    if (size > longestFile || files.length >= mostFiles) {
      throw new AppError('invalid_input', `${source} holds more than ${mostFiles} files or 10 MB of them. Import a part of it.`);
    }
    files.push({ name, text: decodeText(bytes) });
  }
  if (files.length === 0) throw new AppError('invalid_input', `${source} holds no file that Croupier can import.`);
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function print(
  { requests, notCarried, secrets, signing }: ImportPlan,
  dryRun: boolean,
  { terminal }: Context,
): Promise<void> {
  for (const { path, request } of requests) await terminal.line(`${request.operation}\t${path}`);
  for (const { path, message } of signing) terminal.note(`croupier: ${path}: ${message}`);
  const kept = [...new Set(secrets.filter((one) => one.kept).map(({ name }) => name))];
  if (kept.length > 0) terminal.note(`croupier: written, although they look like secrets: ${kept.join(', ')}.`);
  const made = `${requests.length} ${requests.length === 1 ? 'request' : 'requests'} ${dryRun ? 'would be made' : 'made'}`;
  if (notCarried.length === 0) {
    terminal.note(`croupier: ${made}; everything was carried over.`);
    return;
  }
  terminal.note(`croupier: ${made}. Not carried over:`);
  for (const { where, what, why, at } of notCarried) {
    const often = at.length < mostPlaces ? `${at.length} times` : `${mostPlaces.toLocaleString('en')} times or more`;
    const times = at.length > 1 ? ` (${often})` : '';
    terminal.note(`  ${where === '' ? '' : `${where}: `}${what}${times}. ${why}`);
  }
}
