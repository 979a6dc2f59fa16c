import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

export const historyCleanCommand: Command = {
  spec: {
    name: 'history clean',
    summary: 'Erase deleted calls from the files of the history, for good.',
    positionals: [],
    options: { json: { help: 'Print one JSON document' } },
    notes: [
      'Calls that the history still shows stay. It also rewrites a file that is too large for the workbench to rewrite by itself, while no other ' +
        'copy of Croupier runs. This takes some seconds per gigabyte and cannot be stopped.',
      'Exit 70: a file still holds deleted data; standard error says which, and why.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
      const { remains } = await client.call('history.clean', {});
      if (args.has('json')) await terminal.result(JSON.stringify({ remains }, null, 2));
      if (remains !== null) terminal.note(`croupier: ${remains}`);
      else if (!args.has('json')) await terminal.line('The files of the history hold no deleted data.');
      return remains === null ? exits.done : exits.fault;
    });
  },
};
