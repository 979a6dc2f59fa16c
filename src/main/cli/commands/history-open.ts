import type { OpenPack } from '#core/app/tools.ts';
import { printResult, type Command } from '../command.ts';
import { openPack } from '../pack.ts';
import { row } from './history.ts';

export const historyOpenCommand: Command = {
  spec: {
    name: 'history open',
    summary: 'Show what a support pack contains: who wrote it, what is masked, and its calls.',
    positionals: ['FILE'],
    options: { json: { help: 'Print one JSON document' } },
    notes: [
      "FILE is a pack's JSON, or - for standard input. Croupier refuses it if its SHA-256 doesn't match, and also checks the HTML page next to it.",
      'Croupier sends and stores nothing, and needs no key.',
      '"history list", "search", "show" and "diff" read a pack with --pack FILE. "doctor FILE --call ID" examines the hash of a call with your own key.',
    ],
  },
  async run(args, context) {
    const pack = await openPack(args.positionals[0] ?? '', context);
    try {
      const { calls } = await pack.list({ limit: pack.facts.calls, match: 'anywhere', filter: {} });
      const rows = calls.map((call) => row(call, { environments: [], broken: [] }));
      return await printResult(args, context.terminal, { pack: pack.facts, calls }, [...factLines(pack.facts), ...rows]);
    } finally {
      await pack.close();
    }
  },
};

function factLines({ madeAt, program, runtime, calls, tokensMasked, page }: OpenPack['facts']): string[] {
  return [
    `Support pack of ${calls} ${calls === 1 ? 'call' : 'calls'}, written ${madeAt} by ${program} on ${runtime}.`,
    tokensMasked ? 'Tokens are masked as [token], other secrets as [secret].' : 'Nothing is masked.',
    page === 'same'
      ? 'The JSON and the page match their SHA-256.'
      : `The JSON matches its SHA-256.${page === 'absent' ? ' The page is missing.' : " The page doesn't."}`,
    '',
  ];
}
