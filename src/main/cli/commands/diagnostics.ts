import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

export const diagnosticsCommand: Command = {
  spec: {
    name: 'diagnostics',
    summary: 'Print facts for a report of a fault: versions, keychain, proxy and sizes of the home.',
    positionals: [],
    options: {},
    notes: [
      'No key, no path and no name of an environment is in it. The faults are those of this command alone: copy those of a workbench there, with Help > Copy diagnostics.',
    ],
  },
  run: (_args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { text } = await client.call('app.diagnostics', {});
      await context.terminal.result(text.trimEnd());
      return exits.done;
    }),
};
