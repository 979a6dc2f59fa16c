import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { holdsWord, mayName, playersIn, sessionTokensIn } from '#shared/provider/players.ts';
import { onlyRow } from '../database/only-row.ts';
import { toBuffer } from './rows.ts';

/** The player whose calls to find. */
export interface PlayerQuestion {
  readonly player: string;
  /** Fields beside the spec's own that a recorded answer names as tokens. */
  readonly tokenFields: readonly string[];
}

/** A call that names the player. */
export interface FoundCall {
  readonly id: number;
  readonly sentAt: number;
  readonly environmentId: string;
  readonly pinned: boolean;
  readonly pending: boolean;
  /** The run of a collection that it was made in. */
  readonly run: string | null;
  /** Named by a token of the player's session alone. */
  readonly byToken: boolean;
}

export interface FoundCalls {
  readonly calls: readonly FoundCall[];
  /**
   * Number of calls that hold the ID as a word elsewhere than in a field that names a player: in an amount, another ID, a note.
   * They stay.
   */
  readonly elsewhere: number;
  /** Session tokens of the player that another player's calls carry too: by these no call is found. */
  readonly sharedTokens: number;
}

/** Means by which whoever asks hears of the work and ends it. */
export interface Control {
  readonly stop?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  /** True if nobody waits: it does not keep the program alive, and has no result if its thread ends. */
  readonly background?: boolean;
}

type Row = Record<string, unknown>;

/** Calls are in the order they were sent, so that a chain of tokens is mostly found in one. */
const mostRounds = 10;
const stepCalls = 200;
const stepBytes = 2_000_000;

/**
 * Searches every call for those that name a player, in steps of some tens of milliseconds between which others have the thread. Null
 * if it was stopped.
 */
export async function findCalls(
  historyPath: string,
  question: PlayerQuestion,
  { stop, onProgress }: Control = {},
): Promise<FoundCalls | null> {
  const connection = new DatabaseSync(historyPath, { readOnly: true, timeout: 5_000 });
  try {
    connection.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY');
    const steps = searchSteps(connection, question);
    for (;;) {
      if (stop?.aborted === true) return null;
      const { done, value } = steps.next();
      if (done === true) return value;
      onProgress?.(...value);
      await setImmediate();
    }
  } finally {
    connection.close();
  }
}

/**
 * Yields after each step the number of calls that were searched so far, and of all, as far as that is known. A call names the player if
 * one of its fields does (`shared/provider/players`), or if it names no player and carries a session token that only calls of this
 * player carry. The first round finds the calls with the ID and their tokens, the next ones those with the tokens; a generateNewToken
 * gives the session a further token (Endpoints 15), so rounds go on until there is none.
 */
function* searchSteps(
  connection: DatabaseSync,
  { player, tokenFields }: PlayerQuestion,
): Generator<readonly [done: number, total: number], FoundCalls> {
  const bounds = onlyRow(connection.prepare('SELECT count(*) AS n, coalesce(max(id), 0) AS last FROM calls'));
  const count = Number(bounds['n']);
  // Calls that are sent meanwhile belong to the next search.
  const last = Number(bounds['last']);
  const next = connection.prepare(
    'SELECT c.id, c.sent_at, c.environment_id, c.pinned, c.state, c.collection_run, c.operation, c.url, c.note, q.draft, ' +
      'q.body AS request_body, q.raw AS request_raw, r.body AS response_body, r.raw FROM calls c LEFT JOIN call_requests q ON q.call_id = c.id ' +
      'LEFT JOIN call_responses r ON r.call_id = c.id WHERE c.id > ? AND c.id <= ? ORDER BY c.id LIMIT ?',
  );
  const named = new Map<number, FoundCall>();
  const byToken = new Map<number, { call: FoundCall; tokens: readonly string[] }>();
  const tokens = new Set<string>();
  const shared = new Set<string>();
  /** Tokens for which a generateNewToken gave a further one: that is the player's if one of them is. */
  const parents = new Map<string, readonly string[]>();
  let elsewhere = 0;
  /** Tokens that were not known when the round began. */
  let fresh = 0;

  function readRow(row: Row, round: number): number {
    const sent = [row['url'], row['draft'], textOf(row['request_body']), textOf(row['request_raw'])].filter(
      (text) => typeof text === 'string',
    );
    const received = [row['response_body'], row['raw']]
      .map(textOf)
      .filter((text) => text !== '')
      .join('\n');
    const texts = [...sent, received];
    if (round === 1) findPlayer(row, texts, received);
    else findTokens(row, texts, received);
    return texts.reduce((sum, text) => sum + text.length, 0);
  }

  function findPlayer(row: Row, texts: readonly string[], received: string): void {
    const likely = texts.filter((text) => mayName(text, player));
    const players = union(likely.map((text) => playersIn(text)));
    if (players.has(player)) {
      named.set(Number(row['id']), callOf(row, false));
      // One call for many players says nothing about whose session it is.
      if (players.size === 1) learn(tokensOf(row, texts, received), []);
    } else if ([...likely, String(row['note'])].some((text) => holdsWord(text, player))) elsewhere += 1;
  }

  function tokensOf(row: Row, texts: readonly string[], received: string): string[] {
    const more = row['operation'] === 'generateNewToken' ? newTokens(received) : [];
    return [...union([...texts.map((text) => sessionTokensIn(text, tokenFields)), new Set(more)])];
  }

  function learn(found: readonly string[], from: readonly string[]): void {
    for (const token of found) {
      if (tokens.has(token) || shared.has(token)) continue;
      tokens.add(token);
      if (from.length > 0) parents.set(token, from);
      fresh += 1;
    }
  }

  /** Any name that speaks of a token: the shape of the response is not shown (Endpoints 15). */
  function newTokens(received: string): string[] {
    const names = [...received.matchAll(/"([^"\\]{0,100}token[^"\\]{0,100})"\s*:/gi)].map(([, name = '']) => name);
    return [...sessionTokensIn(received, [...tokenFields, ...new Set(names)])];
  }

  function findTokens(row: Row, texts: readonly string[], received: string): void {
    const id = Number(row['id']);
    if (named.has(id)) return;
    const all = tokensOf(row, texts, received);
    const carried = all.filter((token) => tokens.has(token));
    if (carried.length === 0) return;
    const others = union(texts.map((text) => playersIn(text)));
    if (others.size > 0) {
      for (const token of carried) {
        tokens.delete(token);
        shared.add(token);
      }
      return;
    }
    byToken.set(id, { call: callOf(row, true), tokens: carried });
    // Also the older token, if the new one is known.
    if (row['operation'] === 'generateNewToken') learn(all, carried);
  }

  function isOwn(token: string): boolean {
    const from = parents.get(token);
    return tokens.has(token) && (from === undefined || from.some(isOwn));
  }

  let done = 0;
  for (let round = 1, again = true; again; round += 1) {
    fresh = 0;
    byToken.clear();
    for (let at = 0, more = true; more;) {
      let bytes = 0;
      let seen = 0;
      for (const row of next.iterate(at, last, stepCalls)) {
        at = Number(row['id']);
        seen += 1;
        bytes += readRow(row, round);
        if (bytes > stepBytes) break;
      }
      done += seen;
      more = seen === stepCalls || bytes > stepBytes;
      // Another round is needed for tokens that this one brought.
      again = fresh > 0 && round < mostRounds;
      yield [done, count * (again && !more ? round + 1 : round)];
    }
  }
  const more = [...byToken.values()].filter(({ tokens: carried }) => carried.some(isOwn));
  const calls = [...named.values(), ...more.map(({ call }) => call)].sort((one, other) => one.id - other.id);
  return { calls, elsewhere, sharedTokens: shared.size };
}

function callOf(row: Row, byToken: boolean): FoundCall {
  return {
    id: Number(row['id']),
    sentAt: Number(row['sent_at']),
    environmentId: String(row['environment_id']),
    pinned: row['pinned'] === 1,
    pending: row['state'] === 'pending',
    run: typeof row['collection_run'] === 'string' ? row['collection_run'] : null,
    byToken,
  };
}

function textOf(bytes: unknown): string {
  return toBuffer(bytes).toString();
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
