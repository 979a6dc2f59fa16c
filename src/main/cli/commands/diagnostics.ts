import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

export const diagnosticsCommand: Command = {
  spec: {
    name: 'diagnostics',
    summary: 'Print facts for a bug report: versions, keychain, proxy and the sizes of stored data.',
    positionals: [],
    options: {},
    notes: [
      'The output contains no keys, paths or environment names. It lists only errors of this command; for those of a workbench, use Help > Copy diagnostics there.',
    ],
  },
  run: (_args, context) =>
    withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { text } = await client.call('app.diagnostics', {});
      await context.terminal.result(text.trimEnd());
      return exits.done;
    }),
};
