import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml';
import { AppError } from '#shared/errors.ts';
import { currencies as usualCurrencies, maxWholeDigits, type Currency } from './money.ts';
import type { StartPlayer, StartWorld } from './start.ts';

const mostPlayers = 10_000;
const longestId = 255;

/** Collects what is wrong with a file, each with its line and column. */
type Refuse = (node: unknown, why: string) => null;

/**
 * Reads players and currencies of the built-in provider from YAML or JSON. `name` is the file's name. Fails with `invalid_input`, which lists each
 * fault with its line and column.
 */
export function readStart(text: string, name: string): StartWorld {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: true, keepSourceTokens: false });
  const problems: { readonly at: number; readonly text: string }[] = [];
  const add = (at: number, why: string) => {
    const { line, col } = lines.linePos(at);
    problems.push({ at, text: `${name}:${line}:${col}: ${why}` });
  };
  for (const { pos, message } of document.errors) add(pos[0], message.split(' at line ')[0] ?? message);
  const refuse: Refuse = (node, why) => {
    add((node as Node | null)?.range?.[0] ?? 0, why);
    return null;
  };
  const start = problems.length === 0 ? readRoot(document.contents, refuse) : null;
  if (start !== null && problems.length === 0) return start;
  const found = problems.toSorted((one, other) => one.at - other.at).map((problem) => problem.text);
  const headline = `${name} cannot be used as the built-in provider's players. Nothing was started.`;
  throw new AppError('invalid_input', `${headline} ${found.join(' ')}`, { headline, problems: found });
}

function readRoot(node: unknown, refuse: Refuse): StartWorld | null {
  const root = membersOf(node, ['players', 'currencies'], 'The file', refuse);
  if (root === null) return null;
  const known = root.currencies === undefined ? usualCurrencies : readCurrencies(root.currencies, refuse);
  if (root.players === undefined) {
    if (root.currencies !== undefined) refuse(node, 'players is missing. If you list currencies, list players who have them.');
    else refuse(node, 'players is missing. List at least one player.');
    return null;
  }
  if (!isSeq(root.players) || root.players.items.length === 0)
    return refuse(root.players, 'players must be a list with at least one player.');
  if (root.players.items.length > mostPlayers)
    return refuse(root.players, `players has more than ${mostPlayers.toLocaleString('en')} players.`);
  const [ids, tokens] = [new Set<string>(), new Set<string>()];
  const players = root.players.items.map((item) => readPlayer(item, known, { ids, tokens }, refuse));
  return { players: players.filter((player) => player !== null), currencies: known };
}

function readPlayer(
  node: unknown,
  known: ReadonlyMap<string, Currency>,
  taken: { readonly ids: Set<string>; readonly tokens: Set<string> },
  refuse: Refuse,
): StartPlayer | null {
  const fields = membersOf(node, ['playerId', 'externalToken', 'currency', 'country', 'balance'], 'A player', refuse);
  if (fields === null) return null;
  const own = (field: 'playerId' | 'externalToken', used: Set<string>) => {
    const value = textOf(fields[field], field, refuse);
    if (value === null) return null;
    if (value === '' || value.length > longestId)
      return refuse(fields[field], `${field} must have 1 to ${longestId} characters.`);
    if (used.has(value)) return refuse(fields[field], `${field} is also used by another player.`);
    used.add(value);
    return value;
  };
  const missing = (['playerId', 'currency', 'balance'] as const).filter((name) => fields[name] === undefined);
  if (missing.length > 0) return refuse(node, `A player needs ${missing.join(' and ')}.`);
  const playerId = own('playerId', taken.ids);
  const externalToken = fields.externalToken === undefined ? null : own('externalToken', taken.tokens);
  const country = fields.country === undefined ? 'DE' : textOf(fields.country, 'country', refuse);
  if (country !== null && !/^[A-Z]{2}$/.test(country)) refuse(fields.country, 'country must be two capital letters, such as DE.');
  const code = textOf(fields.currency, 'currency', refuse);
  const currency = code === null ? undefined : known.get(code);
  if (code !== null && currency === undefined) {
    refuse(
      fields.currency,
      `There is no currency ${code}. Known: ${[...known.keys()].join(', ')}. List others under currencies.`,
    );
  }
  if (currency === undefined || playerId === null || country === null) return null;
  const balance = minorUnits(fields.balance, currency, refuse);
  return balance === null ? null : { playerId, externalToken, currency, country, balance };
}

/** Reads currencies: the code of a known one, or `code`, `digits` and `betFactor`. */
function readCurrencies(node: unknown, refuse: Refuse): ReadonlyMap<string, Currency> {
  const found = new Map<string, Currency>();
  if (!isSeq(node) || node.items.length === 0) {
    refuse(node, 'currencies must be a list with at least one currency.');
    return found;
  }
  for (const item of node.items) {
    const currency = isMap(item) ? readCurrency(item, refuse) : knownCurrency(item, refuse);
    if (currency === null) continue;
    if (found.has(currency.code)) refuse(item, `The currency ${currency.code} is listed twice.`);
    found.set(currency.code, currency);
  }
  return found;
}

function knownCurrency(node: unknown, refuse: Refuse): Currency | null {
  const code = textOf(node, 'A currency', refuse);
  if (code === null) return null;
  return (
    usualCurrencies.get(code) ??
    refuse(
      node,
      `The built-in provider does not know the currency ${code}. Write it with its decimals: { code: ${code}, digits: 2 }.`,
    )
  );
}

function readCurrency(node: YAMLMap, refuse: Refuse): Currency | null {
  const fields = membersOf(node, ['code', 'digits', 'betFactor'], 'A currency', refuse);
  if (fields === null) return null;
  if (fields.code === undefined || fields.digits === undefined) return refuse(node, 'A currency needs code and digits.');
  const code = textOf(fields.code, 'code', refuse);
  if (code === null) return null;
  if (!/^[A-Z]{3}$/.test(code)) return refuse(fields.code, 'code must be three capital letters, such as EUR.');
  const digits = numberText(fields.digits);
  if (digits === null || !/^[0-8]$/.test(digits))
    return refuse(fields.digits, 'digits must be a whole number from 0 to 8: the decimals of its amounts.');
  const factor = fields.betFactor === undefined ? '1' : numberText(fields.betFactor);
  if (factor === null || !/^\d{1,6}(?:\.\d{1,3})?$/.test(factor) || Number(factor) === 0) {
    return refuse(
      fields.betFactor,
      'betFactor must be a number from 0.001 to 999999: how many times larger its bets are than those in euros.',
    );
  }
  return { code, digits: Number(digits), scale: Number(factor) };
}

function minorUnits(node: unknown, { code, digits }: Currency, refuse: Refuse): bigint | null {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(numberText(node) ?? '') ?? [];
  if (whole === undefined) return refuse(node, 'balance must be a number of whole units, such as 250 or 250.50.');
  if (whole.length > maxWholeDigits) return refuse(node, `balance has more than ${maxWholeDigits} digits before the point.`);
  if (fraction.length > digits) return refuse(node, `balance has more decimals than ${code}, which has ${digits}.`);
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

/** Returns the digits of a number as they are written; null for anything else. */
function numberText(node: unknown): string | null {
  return isScalar(node) && (typeof node.value === 'number' || typeof node.value === 'bigint')
    ? (node.source ?? String(node.value))
    : null;
}

function textOf(node: unknown, name: string, refuse: Refuse): string | null {
  if (isScalar(node) && typeof node.value === 'string') return node.value;
  return refuse(node, `${name} must be a string${isScalar(node) && node.value !== null ? ': put it in quotes' : ''}.`);
}

/** Returns the members of a mapping; refuses unknown ones, because nobody would read them. */
function membersOf<Name extends string>(
  node: unknown,
  names: readonly Name[],
  what: string,
  refuse: Refuse,
): Partial<Record<Name, unknown>> | null {
  if (isAlias(node)) return refuse(node, "Aliases aren't supported. Write the values out.");
  if (!isMap(node)) return refuse(node, `${what} must be an object with ${names.join(', ')}.`);
  const found: Partial<Record<Name, unknown>> = {};
  for (const { key, value } of node.items) {
    const text = isScalar(key) ? String(key.value) : '';
    const name = names.find((known) => known === text);
    if (name === undefined) refuse(key, `${what} has no field ${JSON.stringify(text)}. Its fields are ${names.join(', ')}.`);
    else found[name] = value ?? undefined;
  }
  return found;
}
