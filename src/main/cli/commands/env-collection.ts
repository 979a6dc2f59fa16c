import { AppError } from '#shared/errors.ts';
import type { Client, CollectionEnvironment } from '#shared/ipc/index.ts';
import { UsageError, type Arguments } from '../arguments.ts';
import { differenceLines } from '../collection-environment.ts';
import { locateRun } from '../collection-path.ts';
import { exits, printResult, type Command } from '../command.ts';
import { findEnvironment, inHome } from '../workbench.ts';

const json = { json: { help: 'Print one JSON document' } };
const from = { from: { value: 'DIR', help: 'Read from this collection, or a folder in it' } };

export const envExportCommand: Command = {
  spec: {
    name: 'env export',
    summary: 'Write an environment, without its key, to a collection that you share through git.',
    positionals: ['NAME'],
    options: { into: { value: 'DIR', help: 'Write to this collection, or a folder in it' }, ...json },
    notes: [
      'Writes environments/NAME.yaml, and NAME.pem beside it for a certificate authority. In an existing file, only lines that differ change.',
      'From then on, the environment is linked to that file: Croupier also writes your edits there. Key, default player, token command, colour and time limits stay in this home.',
      'Croupier refuses to write values that look like keys, passwords or tokens.',
    ],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const directory = await collectionOf(args, 'into');
    const environment = await findEnvironment(client, args.positionals[0]);
    const written = await client.call('collections.shareEnvironment', { directory, environmentId: environment.id });
    return printResult(args, terminal, written, [`${written.path}: ${written.isNew ? 'created' : 'up to date'}`], 0);
  }),
};

export const envImportCommand: Command = {
  spec: {
    name: 'env import',
    summary: 'Add an environment from a collection to this home, without a key.',
    positionals: ['NAME'],
    options: {
      ...from,
      replace: { help: "Overwrite this home's environment, including its URLs, certificate authority and production mark" },
      ...json,
    },
    notes: [
      'Prints each setting that changes. From then on, the environment is linked to the file. Set its key with "croupier key set NAME".',
    ],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const directory = await collectionOf(args, 'from');
    const found = await readable(client, directory, args.positionals[0] ?? '');
    const { name, revision, state } = found;
    const lines = differenceLines(found);
    if (state !== 'new' && !args.has('replace') && (state === 'own' || found.differences.some(({ asks }) => asks))) {
      const differing = lines.length === 0 ? "isn't linked to the file" : `differs: ${lines.join('; ')}`;
      throw new AppError('refused', `Nothing was changed: this home's ${name} ${differing}. To overwrite it, add --replace.`);
    }
    const environment = await client.call('collections.useEnvironment', { directory, name, revision });
    const last = `${environment.name}: ${state === 'new' ? 'created' : 'matches the collection'}`;
    return printResult(args, terminal, environment, [...lines, last]);
  }),
};

export const envDiffCommand: Command = {
  spec: {
    name: 'env diff',
    summary: 'Compare an environment of this home with the one in a collection.',
    positionals: ['NAME'],
    options: { ...from, ...json },
    notes: ['Prints a line for each setting that differs: this home -> the file. Exits with 0 in any case.'],
  },
  run: inHome('keychain', async ({ client }, args, { terminal }) => {
    const directory = await collectionOf(args, 'from');
    const found = await readable(client, directory, args.positionals[0] ?? '');
    if (args.has('json')) await terminal.result(JSON.stringify(found, null, 2));
    else {
      if (found.state === 'new') terminal.note(`croupier: this home has no ${found.name}; the file says:`);
      for (const line of differenceLines(found)) await terminal.line(line);
      if (found.differences.length === 0) terminal.note('croupier: nothing differs.');
    }
    return exits.done;
  }),
};

/** Returns the directory of the collection that an option names. */
async function collectionOf(args: Arguments, option: 'into' | 'from'): Promise<string> {
  const given = args.value(option);
  if (given === undefined) throw new UsageError(`Name the collection with --${option}.`);
  return (await locateRun(given)).directory;
}

/** Returns the environment of a collection. Fails with `not_found`, and with `refused` for a file that cannot be used. */
async function readable(client: Client, directory: string, name: string): Promise<CollectionEnvironment> {
  const { environments } = await client.call('collections.environments', { directory });
  const found = environments.find((one) => one.name === name);
  if (found === undefined) {
    const names = environments.map((one) => one.name).join(', ');
    throw new AppError('not_found', `The collection has no environment ${JSON.stringify(name)}. Available: ${names || 'none'}.`);
  }
  if (found.problem !== null) throw new AppError('refused', found.problem.message, found.problem);
  return found;
}
