import { sizeText } from '#shared/byte-size.ts';
import { exits, printResult, type Command } from '../command.ts';
import { inHome } from '../workbench.ts';

const ticket = 'compact';

export const historyCompactCommand: Command = {
  spec: {
    name: 'history compact',
    summary: 'Compact the history to free disk space now.',
    options: { json: { help: 'Print one JSON document' } },
    notes: [
      'The workbench does this by itself soon after calls are removed. Ctrl+C stops it safely, but not while a file is being rewritten.',
      'Exits with 70 if a part failed; standard error says why.',
    ],
  },
  run: inHome('process', async ({ client }, args, { terminal, stop }) => {
    let told = -1;
    const quiet = client.on('history.compacting', ({ done, total }) => {
      const tenth = total === 0 ? 0 : Math.floor((done / total) * 10);
      if (terminal.interactive && tenth !== told) terminal.note(`Freed ${sizeText(done)} of ${sizeText(total)}.`);
      told = tenth;
    });
    const cancel = () => void client.call('history.cancelCompact', { ticket });
    stop.addEventListener('abort', cancel, { once: true });
    try {
      const done = await client.call('history.compact', { ticket });
      const { before, after, cancelled, left } = done;
      await printResult(args, terminal, done, [
        `History: ${sizeText(before.database)} before, ${sizeText(after.database)} now.`,
        `Search index: ${sizeText(before.index)} before, ${sizeText(after.index)} now.`,
      ]);
      if (left !== null) terminal.note(`croupier: ${left}`);
      if (cancelled) {
        terminal.note('croupier: stopped. The space freed so far stays free, and no calls were lost.');
        return exits.noAnswer;
      }
      return left === null ? exits.done : exits.fault;
    } finally {
      stop.removeEventListener('abort', cancel);
      quiet();
    }
  }),
};

export const historyCleanCommand: Command = {
  spec: {
    name: 'history clean',
    summary: 'Permanently erase leftovers of deleted calls from the history files.',
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
