import type { CallEffect } from '../ipc/outputs/production.ts';
import { parseJson, type JsonNode } from '../json/parse.ts';
import { nodeAt } from '../provider/launcher-url.ts';
import { actionOf, answerOf, operationByName, operations, type Answers, type OperationName } from '../provider/index.ts';

/** Stand-in for a value that a response of the run will give: valid JSON by itself and inside a string. */
export const valueOfLater = '"croupier:value of a later response"';
const later = valueOfLater.slice(1, -1);

/** A call's effect; `later` if an amount or a count is still `valueOfLater`. */
export interface ReadEffect {
  readonly effect: CallEffect;
  readonly later: boolean;
}

/** Reads the effect of a call from its body. If the body is not JSON, only the operation is known. */
export function effectOf(sent: OperationName, bodyText: string, answers: Answers): ReadEffect {
  const parsed = parseJson(bodyText);
  const body = parsed.ok ? parsed.root : null;
  const operation = operationInBody(sent, body, answers);
  const { endpoint, effect: kind } = operationByName(operation);
  const payload = endpoint === 'wallet' ? body : nodeAt(body, ['data']);
  const minorUnits = answerOf('amounts.unit', answers) === 'minor';
  const noEffect = { money: null, unclear: null, rounds: null, players: null, moneyOf: null };
  if (kind === 'reads' || kind === 'revokes' || kind === 'endsToken')
    return { effect: { operation, kind, minorUnits, ...noEffect }, later: false };
  const amount = readAmount(payload, operation === 'freeRoundsByBet' ? 'betAmount' : 'amount');
  const currency = currencyOf(payload);
  const money = amount.number === null ? null : { amount: amount.number, currency: currency === later ? null : currency };
  const common = { operation, kind, minorUnits, money, unclear: amount.unclear };
  const late = amount.later || (amount.number !== null && currency === later);
  if (kind !== 'grants') return { effect: { ...common, rounds: null, players: null, moneyOf: null }, later: late };
  const rounds = readRounds(payload);
  const players = readPlayers(payload);
  const grant = { rounds: rounds.count, players: players.count, moneyOf: money === null ? null : moneyOf(operation, answers) };
  return { effect: { ...common, ...grant }, later: late || rounds.later || players.later };
}

/** Returns whether a call grants or moves money, or ends what a player has. */
export function isWrite({ kind }: Pick<CallEffect, 'kind'>): boolean {
  return kind !== 'reads';
}

/**
 * Returns the operation that the provider will read from the body: an envelope's extra fields can hold another `action`, and a recorded
 * action name can be that of another operation. A body that reads by its operation and writes by its action is a write.
 */
function operationInBody(sent: OperationName, body: JsonNode | null, answers: Answers): OperationName {
  const operation = operationByName(sent);
  if (operation.endpoint === 'wallet' || operation.effect !== 'reads' || body?.kind !== 'object') return sent;
  const actions = body.members.flatMap(({ key, value }) => (key === 'action' && value.kind === 'string' ? [value.value] : []));
  const written = operations.find((one) => one.effect !== 'reads' && actions.includes(actionOf(one, answers) ?? ''));
  return written?.name ?? sent;
}

interface ReadAmount {
  readonly number: string | null;
  readonly unclear: string | null;
  readonly later: boolean;
}

function readAmount(payload: JsonNode | null, name: string): ReadAmount {
  const found = membersOf(payload, name);
  const [only] = found;
  if (only === undefined) return { number: null, unclear: null, later: false };
  if (found.some((node) => isLater(node))) return { number: null, unclear: null, later: true };
  if (found.length === 1 && only.kind === 'number') return { number: only.text, unclear: null, later: false };
  return { number: null, unclear: found.map(textOfNode).join(', '), later: false };
}

function readRounds(payload: JsonNode | null): { count: number | null; later: boolean } {
  const [only, ...others] = membersOf(payload, 'numberOfFreeRounds');
  if (only !== undefined && isLater(only)) return { count: null, later: true };
  const isCount = only?.kind === 'number' && others.length === 0 && /^\d{1,9}$/.test(only.text);
  return { count: isCount ? Number(only.text) : null, later: false };
}

function readPlayers(payload: JsonNode | null): { count: number | null; later: boolean } {
  const one = membersOf(payload, 'playerId');
  const many = membersOf(payload, 'playerIds');
  if (one.length === 1 && many.length === 0) return { count: one[0]?.kind === 'string' ? 1 : null, later: false };
  const [list] = many;
  if (list !== undefined && isLater(list)) return { count: null, later: true };
  if (one.length > 0 || many.length !== 1 || list?.kind !== 'array') return { count: null, later: false };
  if (list.items.length > 1 && list.items.some(isLater)) return { count: null, later: true };
  const ids = new Set(list.items.map((item) => (item.kind === 'string' ? item.value : null)));
  // A player named twice may get one grant or two.
  return { count: ids.size === list.items.length && !ids.has(null) ? ids.size : null, later: false };
}

function moneyOf(operation: OperationName, answers: Answers): CallEffect['moneyOf'] {
  if (operation === 'freeRoundsByBet') return 'round';
  const answer = answerOf('freeRounds.amount', answers);
  return answer === 'betPerRound' ? 'round' : answer === 'totalPerPlayer' ? 'player' : null;
}

function membersOf(node: JsonNode | null, name: string): JsonNode[] {
  return node?.kind === 'object' ? node.members.flatMap(({ key, value }) => (key === name ? [value] : [])) : [];
}

function isLater(node: JsonNode): boolean {
  return node.kind === 'string' && node.value.includes(later);
}

/** Returns the currency, or its source text if it is not one string; null if there is none. */
function currencyOf(payload: JsonNode | null): string | null {
  const found = membersOf(payload, 'currency');
  if (found.some(isLater)) return later;
  const [only] = found;
  const text = found.length === 1 && only?.kind === 'string' ? only.value : found.map(textOfNode).join(', ');
  return text === '' ? null : text;
}

function textOfNode(node: JsonNode): string {
  if (node.kind === 'number') return node.text;
  if (node.kind === 'string') return JSON.stringify(node.value);
  return node.kind === 'array' ? 'an array' : node.kind === 'object' ? 'an object' : node.kind;
}
