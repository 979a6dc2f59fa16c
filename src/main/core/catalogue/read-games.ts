import type { CatalogueGame } from '#shared/ipc/index.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { knownGames, type KnownGames } from '#shared/provider/known-games.ts';
import { nodeAt } from '#shared/provider/launcher-url.ts';
import { readJsonBody } from '../calls/call-response.ts';
import { unread } from '../untrusted/measure.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'catalogue.games': typeof readGamesJob;
  }
}

/** A game as it is kept: its bets are a JSON list in one text, which passes between threads and into the database as it is. */
export interface GameRow extends Omit<CatalogueGame, 'bets'> {
  readonly bets: string;
}

/** The games of a response to gameList (spec, Game entry), in its order, and the problems of entries. */
export interface GameList {
  readonly games: readonly GameRow[];
  readonly problems: readonly string[];
}

const mostNamed = 5;
/** A list of more games is not a list of one platform, and longer texts are no names. */
const mostGames = 20_000;
const mostBets = 1_000;
const longestText = 2_000;

/** Reads the list in the body of a response; null if it has none. Fails with `refused` if it is too large to be kept. */
export function readGamesJob(body: Uint8Array): GameList | null {
  const list = readGames(readJsonBody(body));
  if (list === null || list.games.length <= mostGames) return list;
  const counted = (value: number) => value.toLocaleString('en');
  throw unread(
    `The list was not kept: it has ${counted(list.games.length)} games; Croupier keeps at most ${counted(mostGames)}.`,
  );
}

/** Oddities of a game (spec, Game entry): a test of its entry, and the words for one game and for several. */
const oddities: readonly { readonly holds: (slot: JsonNode) => boolean; readonly one: string; readonly many: string }[] = [
  { holds: (slot) => isText(slot, 'id'), one: 'game has an ID in quotes', many: 'games have IDs in quotes' },
  {
    holds: (slot) => !/^\d+$/.test(textOf(member(slot, 'id')) ?? ''),
    one: 'game has no valid ID (a whole number from 0)',
    many: 'games have no valid ID (a whole number from 0)',
  },
  { holds: (slot) => (textOf(member(slot, 'gameName')) ?? '') === '', one: 'game has no name', many: 'games have no name' },
  {
    holds: (slot) => !betsOf(slot)?.every(({ kind }) => kind === 'number'),
    one: 'game has bets that are not a list of numbers',
    many: 'games have bets that are not a list of numbers',
  },
  {
    holds: (slot) => betsOf(slot)?.some((bet) => bet.kind === 'number' && !(Number(bet.text) > 0)) === true,
    one: 'game has a bet that is 0 or less',
    many: 'games have bets that are 0 or less',
  },
  {
    holds: (slot) => !/^https?:\/\/[^/?#\s]/i.test(textOf(member(slot, 'thumbnail')) ?? ''),
    one: 'game has no http or https thumbnail URL',
    many: 'games have no http or https thumbnail URL',
  },
  {
    holds: (slot) => !isInteger(member(slot, 'status')),
    one: 'game has no whole-number status',
    many: 'games have no whole-number status',
  },
];

/** Reads data.slots; null if the response has no such list. */
function readGames(body: JsonNode | null): GameList | null {
  const slots = nodeAt(body, ['data', 'slots']);
  if (slots?.kind !== 'array') return null;
  const games: GameRow[] = [];
  const seen = new Set<string>();
  const twice = new Set<string>();
  const odd = oddities.map(() => 0);
  let without = 0;
  let long = 0;
  for (const slot of slots.items) {
    const id = textOf(member(slot, 'id')) ?? '';
    if (id === '') {
      without += 1;
      continue;
    }
    if (seen.has(id)) twice.add(id);
    seen.add(id);
    const name = textOf(member(slot, 'gameName')) ?? '';
    const thumbnail = textOf(member(slot, 'thumbnail')) ?? '';
    for (const [at, { holds }] of oddities.entries()) if (holds(slot)) odd[at] = (odd[at] ?? 0) + 1;
    // A bet that is not a number keeps its place: the place is the betLevel.
    const bets = (betsOf(slot) ?? []).map((bet) => textOf(bet) ?? '');
    if ([id, name, thumbnail].some(({ length }) => length > longestText) || bets.length > mostBets) {
      long += 1;
      continue;
    }
    games.push({ id, name, bets: JSON.stringify(bets), thumbnail, status: textOf(member(slot, 'status')) });
  }
  const problems: string[] = [];
  if (without > 0) problems.push(`${count(without, 'entry has', 'entries have')} no ID and cannot be shown.`);
  if (long > 0) {
    problems.push(
      `Croupier left out ${count(long, 'entry', 'entries')}: it keeps at most 2,000 characters per text and 1,000 bets per game.`,
    );
  }
  for (const [at, { one, many }] of oddities.entries()) {
    const number = odd[at] ?? 0;
    if (number > 0) problems.push(`${count(number, one, many)}.`);
  }
  if (twice.size > 0) {
    const named = [...twice].slice(0, mostNamed).map((id) => id.slice(0, 100));
    problems.push(
      `Listed more than once: ${named.join(', ')}${twice.size > mostNamed ? ` and ${twice.size - mostNamed} more` : ''}.`,
    );
  }
  return { games, problems };
}

/** Returns a game with its bets read. */
export function gameOf(row: GameRow): CatalogueGame {
  return { ...row, bets: JSON.parse(row.bets) as string[] };
}

/** Indexes kept games for the checks of requests, which read the bets of few. */
export function knownRows(currency: string, rows: readonly GameRow[]): KnownGames {
  return knownGames(
    currency,
    rows.map((row) => ({
      id: row.id,
      name: row.name,
      get bets() {
        return gameOf(row).bets;
      },
    })),
  );
}

function member(slot: JsonNode, name: string): JsonNode | null {
  return nodeAt(slot, [name]);
}

function betsOf(slot: JsonNode): readonly JsonNode[] | null {
  const bets = member(slot, 'bets');
  return bets?.kind === 'array' ? bets.items : null;
}

function isText(slot: JsonNode, name: string): boolean {
  return member(slot, name)?.kind === 'string';
}

function isInteger(node: JsonNode | null): boolean {
  return node?.kind === 'number' && /^-?\d+$/.test(node.text);
}

/** Digits exactly as they came, a string decoded; null for anything else. */
export function textOf(node: JsonNode | null): string | null {
  if (node === null) return null;
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.text : null;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
