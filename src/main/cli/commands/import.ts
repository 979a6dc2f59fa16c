import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { amount } from '#shared/amount.ts';
import { noticeLines, type NoticeLine } from '#shared/collections/import-notices.ts';
import { otherVersionText } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { beyond } from '#shared/model/readers.ts';
import { mostPlaces } from '#shared/ipc/imports.ts';
import type { Client, ImportPlan, Input, Payload } from '#shared/ipc/index.ts';
import { UsageError } from '../arguments.ts';
import { withCollection } from '../collection-path.ts';
import { exits, type Command, type Context } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { askAboutSecrets, givenChoices, keepSecret } from '../secret-question.ts';
import { readInputFile, readTextFile, textOfInput } from '../read-input.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

type Files = Input<'collections.import'>['files'];

const mostFiles = 10_000;

export const importCommand: Command = {
  spec: {
    name: 'import',
    summary: 'Import requests from cURL, Postman, Insomnia, HAR, Bruno or OpenAPI.',
    positionals: ['FILE'],
    options: {
      into: { value: 'DIR', help: 'Import into this collection or folder (created if missing)' },
      'dry-run': { help: 'List the files that would be created, and write nothing' },
      env: { value: 'NAME', help: 'Environment that the key from --key-env belongs to' },
      'key-env': {
        value: 'VAR',
        help: 'Check hashes with the key in this environment variable, not the keychain',
      },
      ...keepSecret,
      verbose: { help: 'List every part that is not carried over, not just reasons' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'FILE (- for standard input) can contain cURL or PowerShell commands, fetch calls, a Postman collection or environment, an Insomnia 4 or 5 export, an OpenAPI 3 document or a HAR. It can also be a Bruno file or folder.',
      'Values that look like secrets stay out of the files. In a terminal, Croupier asks once about all of them and remembers your choice.',
      "Ctrl+C cancels the import without writing files, and existing files are never changed. Croupier groups what it can't import by reason if there is a lot; --verbose lists everything.",
      'Exits with 2 and writes no file if there is nothing to import.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const [source = ''] = args.positionals;
    const into = args.value('into');
    const dryRun = args.has('dry-run');
    if (into === undefined && !dryRun) throw new UsageError('Name the collection with --into.');
    const files = await readFiles(source, context);
    const key = givenKey(args, terminal);
    return withWorkbench(context, { keys: { given: key } }, async ({ app, client }) => {
      client.on('collections.kept', ({ path, copy }) => context.terminal.note(`croupier: ${otherVersionText(path, copy)}`));
      if (key !== null) await app.useKey((await findEnvironment(client, args.value('env'))).id, key);
      const given = givenChoices(args);
      const preview = (input: Omit<Input<'collections.importPreview'>, 'ticket'>) =>
        stoppable(context, client, (ticket) => client.call('collections.importPreview', { ...input, ticket }));
      const asked = await askAboutSecrets(await preview({ files, secrets: given }), context);
      const secrets = { ...asked, ...given };
      const isThere = into !== undefined && (await stat(into).catch(() => null)) !== null;
      /** Reports before it refuses, so that the reasons are known. */
      const report = async (plan: ImportPlan) => {
        if (args.has('json')) await terminal.result(JSON.stringify(plan));
        else await print(plan, { dryRun, verbose: args.has('verbose') }, context);
        if (isEmpty(plan)) throw new AppError('invalid_input', 'Croupier found nothing to import in the files.');
      };
      if (into === undefined || (dryRun && !isThere)) await report(await preview({ files, secrets }));
      else
        await withCollection(client, into, { create: !dryRun }, async ({ id, path }) =>
          report(
            dryRun
              ? await preview({ files, into: { id, folder: path }, secrets })
              : await stoppable(context, client, (ticket) =>
                  client.call('collections.import', { files, id, folder: path, secrets, ticket }),
                ),
          ),
        );
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
    const text = await readTextFile('input.import', source, context);
    return [{ name: source === '-' ? 'standard input' : basename(source), text }];
  }
  const files: Files = [];
  let size = 0;
  for (const entry of await readdir(source, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(source, '/').length).replaceAll('\\', '/');
    if (!entry.isFile() || !/\.(?:bru|json|ya?ml)$/.test(entry.name) || /(?:^|\/)(?:\.|node_modules\/)/.test(name)) continue;
    if (context.stop.aborted) throw new AppError('cancelled', 'The import was cancelled. Nothing was imported.');
    const bytes = await readInputFile('input.import', path, context);
    size += bytes.length;
    const excess =
      files.length >= mostFiles
        ? `has more than ${mostFiles} files. Import part of it.`
        : beyond('input.import', { bytes: size });
    if (excess !== null) throw new AppError('invalid_input', `${source} ${excess}`);
    files.push({ name, text: textOfInput(bytes, path, context) });
  }
  if (files.length === 0) throw new AppError('invalid_input', `${source} has no file that Croupier can import.`);
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns whether a plan makes nothing and changes nothing. */
function isEmpty({ requests, folders, variables, notes }: ImportPlan): boolean {
  return requests.length === 0 && folders.length === 0 && Object.keys(variables).length === 0 && notes === '';
}

async function print(
  plan: ImportPlan,
  { dryRun, verbose }: { readonly dryRun: boolean; readonly verbose: boolean },
  { terminal }: Context,
): Promise<void> {
  const { requests, notCarried, secrets, signing } = plan;
  for (const { path, request } of requests) await terminal.line(`${request.operation}\t${path}`);
  const checked = signing.map(({ path, message }) => ({ place: path, reason: message }));
  note(
    noticeLines(checked, 'request', ({ place, reason }) => `${place}: ${reason}`),
    'croupier: ',
  );
  const kept = [...new Set(secrets.filter((one) => one.kept).map(({ name }) => name))];
  if (kept.length > 0) terminal.note(`croupier: written, although they look like secrets: ${kept.join(', ')}.`);
  const made = `${dryRun ? 'would import' : 'imported'} ${amount(requests.length, 'request')}`;
  if (notCarried.length === 0) {
    terminal.note(`croupier: ${made}; everything was carried over.`);
    return;
  }
  const lines = verbose
    ? notCarried.map((one) => ({ text: lossLine(one), such: [] }))
    : noticeLines(
        notCarried.map((loss) => ({ place: placeOf(loss), reason: loss.why, loss })),
        'part',
        ({ loss }) => lossLine(loss),
      );
  const hint = lines.length < notCarried.length ? ' (--verbose lists all)' : '';
  terminal.note(`croupier: ${made}. Not carried over${hint}:`);
  note(lines, '  ');

  function note(said: readonly NoticeLine[], before: string): void {
    for (const { text, such } of said) {
      terminal.note(`${before}${text}`);
      for (const place of such) terminal.note(`    ${place}`);
    }
  }
}

type Loss = ImportPlan['notCarried'][number];

function placeOf({ where, what }: Loss): string {
  return `${where === '' ? '' : `${where}: `}${what}`;
}

function lossLine(loss: Loss): string {
  const { why, at } = loss;
  const often = at.length < mostPlaces ? `${at.length} times` : `${mostPlaces.toLocaleString('en')} times or more`;
  return `${placeOf(loss)}${at.length > 1 ? ` (${often})` : ''}. ${why}`;
}
