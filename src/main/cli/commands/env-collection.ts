import { AppError } from '#shared/errors.ts';
import type { Client, CollectionEnvironment } from '#shared/ipc/index.ts';
import { usageError, type Arguments, type CommandSpec } from '../arguments.ts';
import { differenceLines } from '../collection-environment.ts';
import { locateRun } from '../collection-path.ts';
import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

const json = { json: { help: 'Print one JSON document' } };
const from = { from: { value: 'DIR', help: 'The collection, or a folder in it' } };

export const envExportCommand: Command = {
  spec: {
    name: 'env export',
    summary: 'Write an environment into a collection, for git. Never its key.',
    positionals: ['NAME'],
    options: { into: { value: 'DIR', help: 'The collection, or a folder in it' }, ...json },
    notes: [
      'Writes environments/NAME.yaml, and NAME.pem beside it for a certificate authority. Of a file that is there only the lines change that differ.',
      'The environment follows that file from then on: an edit is written there, too. Key, own player, token command, colour and time limits stay in this home.',
      'Refuses texts that look like a key, a login or a token.',
    ],
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const directory = await collectionOf(args, 'into', envExportCommand.spec);
      const environment = await findEnvironment(client, args.positionals[0]);
      const written = await client.call('collections.shareEnvironment', { directory, environmentId: environment.id });
      if (args.has('json')) await context.terminal.result(JSON.stringify(written));
      else await context.terminal.line(`${written.path}: ${written.isNew ? 'created' : 'changed where it differed'}`);
      return exits.done;
    }),
};

export const envImportCommand: Command = {
  spec: {
    name: 'env import',
    summary: 'Take an environment of a collection into this home, without a key.',
    positionals: ['NAME'],
    options: {
      ...from,
      replace: { help: "Also if it changes this home's base or wallet URL, certificate authority or mark of production" },
      ...json,
    },
    notes: ['Prints what it takes over. The environment follows the file from then on. Its key: croupier key set NAME.'],
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const directory = await collectionOf(args, 'from', envImportCommand.spec);
      const found = await readable(client, directory, args.positionals[0] ?? '');
      const { name, revision, state } = found;
      const lines = differenceLines(found);
      if (state !== 'new' && !args.has('replace') && (state === 'own' || found.differences.some(({ asks }) => asks))) {
        const differing = lines.length === 0 ? 'is of its own' : `differs: ${lines.join('; ')}`;
        throw new AppError(
          'refused',
          `${name} of this home ${differing}. Nothing was changed. To take the file over, add --replace.`,
        );
      }
      const environment = await client.call('collections.useEnvironment', { directory, name, revision });
      if (args.has('json')) await context.terminal.result(JSON.stringify(environment, null, 2));
      else {
        for (const line of lines) await context.terminal.line(line);
        await context.terminal.line(`${environment.name}: ${state === 'new' ? 'created' : 'as in the collection'}`);
      }
      return exits.done;
    }),
};

export const envDiffCommand: Command = {
  spec: {
    name: 'env diff',
    summary: 'Print how an environment of this home differs from that of a collection.',
    positionals: ['NAME'],
    options: { ...from, ...json },
    notes: ['Prints a line for each setting that differs: this home -> the file. The exit code is 0 whether they differ or not.'],
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const directory = await collectionOf(args, 'from', envDiffCommand.spec);
      const found = await readable(client, directory, args.positionals[0] ?? '');
      if (args.has('json')) await context.terminal.result(JSON.stringify(found, null, 2));
      else {
        if (found.state === 'new') context.terminal.note(`croupier: this home has no ${found.name}; the file says:`);
        for (const line of differenceLines(found)) await context.terminal.line(line);
        if (found.differences.length === 0) context.terminal.note('croupier: nothing differs.');
      }
      return exits.done;
    }),
};

/** Returns the directory of the collection that an option names. */
async function collectionOf(args: Arguments, option: 'into' | 'from', spec: CommandSpec): Promise<string> {
  const given = args.value(option);
  if (given === undefined) throw usageError(spec, `Name the collection with --${option}.`);
  return (await locateRun(given)).directory;
}

/** Returns the environment of a collection. Fails with `not_found`, and with `refused` for a file that cannot be used. */
async function readable(client: Client, directory: string, name: string): Promise<CollectionEnvironment> {
  const { environments } = await client.call('collections.environments', { directory });
  const found = environments.find((one) => one.name === name);
  if (found === undefined) {
    const names = environments.map((one) => one.name).join(', ');
    throw new AppError('not_found', `The collection has no environment ${JSON.stringify(name)}. It has: ${names || 'none'}.`);
  }
  if (found.problem !== null) throw new AppError('refused', found.problem.message, found.problem);
  return found;
}
