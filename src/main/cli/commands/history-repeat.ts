import { AppError } from '#shared/errors.ts';
import type { Call, Client, Environment } from '#shared/ipc/index.ts';
import type { Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { checkTarget, confirming, confirmProduction, productionNote } from '../production.ts';
import { withWorkbench } from '../workbench.ts';
import { sendAndReport } from './call-outcome.ts';
import { readCount } from './history.ts';

export const historyRepeatCommand: Command = {
  spec: {
    name: 'history repeat',
    summary: "Resend a call's recorded bytes, with the old time and hash, and print the response. Nothing is signed.",
    positionals: ['ID'],
    options: {
      env: { value: 'NAME', help: 'Require the call to belong to this environment' },
      ...confirmProduction,
      json: { help: 'Print request and response as one JSON document' },
    },
    notes: ['Sends only to the recorded URL, and only while the environment still sends that operation there.', productionNote],
  },
  async run(args, context) {
    const id = readCount(args.positionals[0] ?? '', 'ID');
    return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
      const call = await client.call('calls.get', { id });
      const environment = await environmentOf(call, args, client);
      if (environment !== null) await checkTarget(client, environment, args, context);
      return sendAndReport(client, environment, null, { json: args.has('json') }, context, (ticket) =>
        confirming(args, context, (confirmed) => client.call('calls.repeat', { id, ticket, confirmed })),
      );
    });
  },
};

/** Returns the environment of a call; null if it was removed, which core then reports. */
async function environmentOf(call: Call, args: Arguments, client: Client): Promise<Environment | null> {
  const { environments } = await client.call('environments.list', {});
  const found = environments.find(({ id }) => id === call.environmentId) ?? null;
  const named = args.value('env');
  if (named === undefined || named === call.environmentId || named === (found?.name ?? call.environmentName)) return found;
  throw new AppError('refused', `Call ${call.id} belongs to ${call.environmentName}, not to ${named}. Nothing was sent.`);
}
