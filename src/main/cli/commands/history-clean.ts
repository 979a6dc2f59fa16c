import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { inHome } from '../workbench.ts';

export const historyCleanCommand: Command = {
  spec: {
    name: 'history clean',
    summary: 'Permanently erase leftovers of deleted calls from the history files.',
    positionals: [],
    options: { json: { help: 'Print one JSON document' } },
    notes: [
      'Calls that are still in the history are kept. If no other copy of Croupier is running, this also rewrites files that are too large for the workbench to ' +
        "rewrite. This takes some seconds per gigabyte and can't be stopped.",
      'Exits with 70 if a file still contains deleted data; standard error says which, and why.',
    ],
  },
  run: inHome('process', async ({ client }, args, { terminal }) => {
    const { remains } = await client.call('history.clean', {});
    if (args.has('json')) await terminal.result(JSON.stringify({ remains }, null, 2));
    if (remains !== null) terminal.note(`croupier: ${remains}`);
    else if (!args.has('json')) await terminal.line('The history files contain no deleted data.');
    return remains === null ? exits.done : exits.fault;
  }),
};
