import type { ReplayRecord, RoundRecord } from '#shared/ipc/index.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { checkReplayLink, nodeAt, textAt } from '#shared/provider/launcher-url.ts';
import { longestAddress, readJsonBody } from './call-response.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'rounds.records': typeof readRecords;
    'rounds.replay': typeof readReplay;
  }
}

/** The records of a round, or why there are none. */
export interface ReadRecords {
  readonly records: RoundRecord[] | null;
  readonly problem: string | null;
}

export interface ReadReplay {
  readonly record: ReplayRecord | null;
  readonly checks: ReturnType<typeof checkReplayLink>;
  readonly problem: string | null;
}

/** A round has a handful of records. */
const mostRecords = 1_000;
const longestText = 2_000;

/** The records in the body of a response to getGameRound. */
export function readRecords(body: Uint8Array): ReadRecords {
  const data = nodeAt(readJsonBody(body), ['data']);
  if (data?.kind !== 'array') return { records: null, problem: 'The response has no list of round records.' };
  const left = data.items.length - mostRecords;
  const counted = (value: number) => value.toLocaleString('en');
  return {
    records: data.items.slice(0, mostRecords).map(recordOf),
    problem:
      left > 0
        ? `The response has ${counted(data.items.length)} records; the first ${counted(mostRecords)} are shown. Open the call to see all.`
        : null,
  };
}

function recordOf(item: JsonNode): RoundRecord {
  const text = (name: string) => shortened(textAt(item, [name]));
  return {
    id: text('id'),
    gameId: text('gameId'),
    action: text('action'),
    bet: text('bet'),
    win: text('win'),
    currencyName: text('currencyName'),
    roundId: text('roundId'),
    actionTime: text('actionTime'),
    source: text('source'),
    url: text('url'),
  };
}

/** The replay in the body of a response to roundReplayInfo. */
export function readReplay(body: Uint8Array): ReadReplay {
  const data = nodeAt(readJsonBody(body), ['data']);
  if (data?.kind !== 'object') return { record: null, checks: [], problem: 'The response has no replay of this round.' };
  const text = (name: string) => shortened(textAt(data, [name]));
  const link = textAt(data, ['replayLink']);
  const tooLong = link !== null && link.length > longestAddress;
  const replayLink = tooLong ? null : link;
  return {
    record: {
      start: text('start'),
      end: text('end'),
      betAmount: text('betAmount'),
      winAmount: text('winAmount'),
      currency: text('currency'),
      replayLink,
    },
    checks: replayLink === null ? [] : checkReplayLink(replayLink),
    problem: tooLong ? 'The replay link is longer than any URL that can be opened. Open the call to see it.' : null,
  };
}

function shortened(text: string | null): string | null {
  return text === null || text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}
