import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

export const diagnosticsCommand: Command = {
  spec: {
    name: 'diagnostics',
    summary: 'Print facts for a bug report: versions, keychain, proxy and sizes in the home.',
    positionals: [],
    options: {},
    notes: [
      "The output has no keys, paths or environment names, and only this command's faults. For a workbench's faults, use Help > Copy diagnostics there.",
    ],
  },
  run: (_args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { text } = await client.call('app.diagnostics', {});
      await context.terminal.result(text.trimEnd());
      return exits.done;
    }),
};
