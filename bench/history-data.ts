import path from 'node:path';
import { createDatabase } from '#core/database/database.ts';
import { createHistoryStore } from '#core/history/store.ts';
import type { Outcome, OutgoingCall } from '#core/history/record.ts';
import { createSessionLock } from '#core/files/session-lock.ts';
import { Environment } from '#shared/ipc/index.ts';
import { someOutcome, someOutgoing } from '#testing/some-record.ts';

/** Texts to search; each is in the calls that `fillHistory` makes, except `absent`. */
export interface HistoryQueries {
  readonly word: string;
  readonly id: string;
  readonly rare: string;
  readonly prefix: string;
  readonly inside: string;
  readonly player: string;
  readonly absent: string;
  readonly filtered: string;
}

const environment = Environment.parse({ id: 'bench', name: 'bench', baseUrl: 'https://p.example', platform: 1, partnerId: 42 });
const letters = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns numbers that are the same for the same call each time. */
function random(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const text = (next: () => number, length: number) =>
  Array.from({ length }, () => letters[Math.floor(next() * letters.length)] ?? '').join('');

/** Returns a call of about 4 kB in all: IDs, tokens, names and URLs as a round of a game has them. */
export function callOf(number: number): {
  outgoing: OutgoingCall;
  outcome: Outcome;
  ids: { round: string; transaction: string; player: string };
} {
  const next = random(number);
  const ids = {
    round: String(9_007_199_254_740_993n + BigInt(number) * 7_919n),
    transaction: text(next, 32),
    player: `player-${Math.floor(next() * 40_000)}`,
  };
  const bets = Array.from({ length: 14 }, (_, at) => ({
    betId: text(next, 24),
    amount: Math.round(next() * 10_000) / 100,
    game: `Golden Orchard ${at}`,
    url: `https://cdn.example/games/${Math.floor(next() * 1_000)}/${text(next, 8)}`,
  }));
  const body = JSON.stringify({
    action: number % 5 === 0 ? 'gameList' : 'getGameRound',
    platform: 1,
    partnerId: 42,
    time: '20-11-2026 10:15:30',
    data: { roundId: '#', transactionId: ids.transaction, playerId: ids.player, token: text(next, 64), bets },
    hash: text(next, 64),
  }).replace('"#"', ids.round);
  const answer = JSON.stringify({
    code: number % 50 === 0 ? 8 : 0,
    message: 'ok',
    data: { ...ids, records: bets.toReversed(), trace: text(next, 40) },
  });
  const operation = number % 5 === 0 ? 'gameList' : 'getGameRound';
  return {
    ids,
    outgoing: someOutgoing({
      environment,
      draft: { environmentId: 'bench', operation, form: 'data', text: '', overrides: {} },
      sentAt: 1_790_000_000_000 + number * 10_000,
      headers: [['content-type', 'application/json']],
      body: Buffer.from(body),
    }),
    outcome: someOutcome(answer, { code: number % 50 === 0 ? 8 : 0 }),
  };
}

/** Records so many calls in `home` through the history itself, many at a time, so that they share transactions. */
export async function fillHistory(home: string, calls: number): Promise<{ queries: HistoryQueries }> {
  const run = createSessionLock(path.join(home, 'runs'));
  const database = createDatabase(path.join(home, 'history.sqlite'));
  const history = createHistoryStore(database, run);
  const group = 500;
  for (let from = 0; from < calls; from += group) {
    const made = Array.from({ length: Math.min(group, calls - from) }, (_, at) => callOf(from + at));
    const ids = await Promise.all(made.map(({ outgoing }) => history.begin(outgoing)));
    await Promise.all(made.map(({ outcome }, at) => history.finish(ids[at] ?? 0, outcome)));
  }
  history.close();
  database.close();
  run.close();
  const { ids } = callOf(Math.floor(calls / 2));
  return {
    queries: {
      word: 'orchard',
      id: ids.round,
      rare: ids.player,
      prefix: ids.transaction.slice(0, 8),
      inside: ids.transaction.slice(10, 22),
      player: ids.player.slice(1),
      absent: 'q7-not-anywhere',
      filtered: 'getGameRound',
    },
  };
}
