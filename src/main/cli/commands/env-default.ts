import { AppError } from '#shared/errors.ts';
import { usageError } from '../arguments.ts';
import { defaultEnvironmentId, setDefaultEnvironment } from '../chosen-environment.ts';
import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

export const envDefaultCommand: Command = {
  spec: {
    name: 'env default',
    summary: 'Print or choose the environment of commands without --env.',
    positionals: ['[NAME]'],
    options: { none: { help: 'Have no default environment' }, json: { help: 'Print one JSON document' } },
    notes: [
      '--env comes first, then CROUPIER_ENV, then the default environment. None that is marked as production can be the default.',
    ],
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { terminal } = context;
      const [name] = args.positionals;
      if (name !== undefined && args.has('none')) throw usageError(envDefaultCommand.spec, 'NAME and --none exclude each other.');
      if (args.has('none')) await setDefaultEnvironment(client, null);
      if (name !== undefined) await setDefaultEnvironment(client, await findEnvironment(client, name));
      const id = await defaultEnvironmentId(client);
      const environment =
        id === null ? null : ((await client.call('environments.list', {})).environments.find((one) => one.id === id) ?? null);
      if (args.has('json')) await terminal.result(JSON.stringify({ environment: environment?.name ?? null, id }));
      else if (environment !== null) await terminal.line(environment.name);
      else if (args.has('none')) await terminal.line('There is no default environment.');
      else
        throw new AppError(
          'not_found',
          `${id === null ? 'There is no default environment' : 'The default environment was removed or cannot be read'}. Choose one with "croupier env default NAME".`,
        );
      return exits.done;
    }),
};
