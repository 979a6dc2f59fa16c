import { answerOf } from './wire-form.ts';
import { shown } from './findings.ts';
import { report } from './payload-findings.ts';
import type { JsonNode, JsonNumber } from '../json/parse.ts';
import type { FindingList } from './findings.ts';
import type { KnownGame, KnownGames } from './known-games.ts';
import type { Answers, RequestForm } from './model.ts';
import type { Spot } from './payload-findings.ts';

/** Returns whether a form has a field that is checked against the newest game list. */
export function usesGames({ fields }: Pick<RequestForm, 'fields'>): boolean {
  return fields.some(({ name }) => name === 'betLevel');
}

/**
 * Checks a betLevel that is an integer from 0 against the bets of each named game (spec, Game entry). Skips games that the list lacks
 * and games without bets. Whether the first bet is 0 or 1 is an open point: without a recorded answer, only a level that is wrong both ways
 * is a warning.
 */
export function validateBetLevel(
  list: FindingList,
  node: JsonNumber,
  spot: Spot,
  gameIds: JsonNode | null,
  answers: Answers,
  games: KnownGames | null,
): void {
  const first = answerOf('freeRounds.betLevel', answers);
  const level = Number(node.text);
  if (first === '1' && level === 0) {
    report(list, 'warning', 'bet-level', spot, 'betLevel is 0, but the recorded first bet is 1.');
    return;
  }
  if (games === null || gameIds?.kind !== 'array') return;
  for (const item of gameIds.items) {
    const game = item.kind === 'string' ? games.byId.get(item.value) : undefined;
    const last = (game?.bets.length ?? 0) - (first === '1' ? 0 : 1);
    if (item.kind !== 'string' || game === undefined || game.bets.length === 0 || level <= last) continue;
    const subject = `betLevel ${shown(node.text)}: ${describeGame(item.value, game, games.currency)}`;
    if (first === null && level === game.bets.length) {
      const message = `${subject}. ${level} is valid only if the first bet is 1, which is an open point.`;
      report(list, 'note', 'bet-level-open', spot, message);
    } else {
      report(list, 'warning', 'bet-level', spot, `${subject}, ${levels(game.bets.length, first)}.`);
    }
  }
}

function describeGame(id: string, { name, bets }: KnownGame, currency: string): string {
  const called = name === '' ? `game ${shown(id)}` : shown(name);
  const count = `${bets.length} ${bets.length === 1 ? 'bet' : 'bets'}`;
  return `${called} has ${count}${currency === '' ? '' : ` in ${shown(currency)}`} in the newest game list`;
}

function levels(bets: number, first: string | null): string {
  if (first === '1') return range(1, bets);
  const fromZero = range(0, bets - 1);
  return first === '0' ? fromZero : `${fromZero} if the first bet is 0`;
}

function range(from: number, to: number): string {
  return from === to ? `level ${from}` : `levels ${from} to ${to}`;
}
