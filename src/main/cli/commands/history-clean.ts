import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

export const historyCleanCommand: Command = {
  spec: {
    name: 'history clean',
    summary: 'Take what was deleted earlier out of the files of the history, for good.',
    positionals: [],
    options: { json: { help: 'Print one JSON document' } },
    notes: [
      'It removes nothing that the history still shows. It rewrites also a file that is too large for the workbench to rewrite by itself, while no other ' +
        'copy of Croupier runs. That takes some seconds for each gigabyte, and cannot be stopped.',
      'Exit 70: something that was deleted can still be read in a file; standard error says in which, and why.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
      const { remains } = await client.call('history.clean', {});
      if (args.has('json')) await terminal.result(JSON.stringify({ remains }, null, 2));
      if (remains !== null) terminal.note(`croupier: ${remains}`);
      else if (!args.has('json')) await terminal.line('Nothing that was deleted is left in the files of the history.');
      return remains === null ? exits.done : exits.fault;
    });
  },
};
