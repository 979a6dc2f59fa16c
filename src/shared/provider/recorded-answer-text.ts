import { parseJson } from '../json/parse.ts';
import { isTimeZone } from '../signing/time.ts';
import { readShape, tokenPaths } from './recorded-answer-shape.ts';
import type { Read } from './recorded-answer-shape.ts';
import type { JsonObject } from '../json/parse.ts';
import type { AnswerType, Shape } from './model.ts';

/** A recorded answer, parsed. */
export type AnswerValue =
  | { readonly kind: 'choice'; readonly value: string; readonly label: string }
  | { readonly kind: 'values'; readonly meanings: ReadonlyMap<string, string> }
  | { readonly kind: 'statuses'; readonly statuses: ReadonlyMap<string, number> }
  | { readonly kind: 'shape'; readonly shape: Shape }
  | { readonly kind: 'action'; readonly action: string }
  | { readonly kind: 'path'; readonly path: string; readonly signed: boolean }
  | { readonly kind: 'zone'; readonly zone: string }
  /** `amount` as typed; `inSmallest` counts in the smallest of the units. */
  | { readonly kind: 'quantity'; readonly amount: string; readonly unit: string; readonly inSmallest: number }
  | { readonly kind: 'optionalFields'; readonly names: ReadonlySet<string> };

const mostValues = 500;

/** Parses a recorded answer by its type (docs/open-points.md), or returns a sentence that says what is expected. */
export function readAnswerText(type: AnswerType, text: string, optionalFields: readonly string[]): Read<AnswerValue> {
  switch (type.kind) {
    case 'choice': {
      const option = type.options.find(({ value }) => value === text);
      if (option !== undefined) return { ok: true, value: { kind: 'choice', ...option } };
      const known = type.options.map(({ value, label }) => `${value} (${label})`);
      return refuse(`${quote(text)} is not a choice. Use one of: ${known.join('; ')}.`);
    }
    case 'values':
      return readValues(type, text);
    case 'statuses':
      return readStatuses(text);
    case 'shape':
      return readShapeAnswer(type, text);
    case 'action':
      return readAction(text);
    case 'route':
      return text.includes('/') ? readPath(text) : readAction(text);
    case 'zone':
      if (/^[A-Za-z]/.test(text) && isTimeZone(text)) return { ok: true, value: { kind: 'zone', zone: text } };
      return refuse(`${quote(text)} is not a time zone. Use a name such as Europe/Berlin or UTC.`);
    case 'quantity':
      return readQuantity(type, text);
    case 'optionalFields':
      return readOptionalFields(text, optionalFields);
  }
}

const valueForms = {
  integer: { form: /^(?:0|-?[1-9]\d{0,15})$/, name: 'a whole number', example: '{"1": "meaning", "2": "meaning"}' },
  name: { form: /^[^\p{C}\s][^\p{C}]{0,99}$/u, name: 'a name of at most 100 characters', example: '{"name": "meaning"}' },
  state: {
    form: /^(?:game|round|freeRound|transaction|session)\.[\w-]{1,60}$/,
    name: 'a state: game, round, freeRound, transaction or session, then a dot and its name',
    example: '{"round.open": "meaning"}',
  },
  transition: {
    form: /^(game|round|freeRound|transaction|session)\.[\w-]{1,60} > \1\.[\w-]{1,60}$/,
    name: 'two states of the same thing with > between them',
    example: '{"round.open > round.finished": "cause"}',
  },
} as const;

function readValues(type: Extract<AnswerType, { kind: 'values' }>, text: string): Read<AnswerValue> {
  const { form, name, example } = valueForms[type.of];
  const object = readObject(text, example);
  if (!object.ok) return object;
  const meanings = new Map<string, string>();
  for (const { key, value } of object.value.members) {
    if (!form.test(key)) return refuse(`${quote(key)} is not ${name}. Write the answer as ${example}.`);
    if (meanings.has(key)) return refuse(`${key} occurs twice.`);
    if (value.kind !== 'string') return refuse(`The meaning of ${key} must be a string in double quotes, such as ${example}.`);
    meanings.set(key, value.value.trim());
  }
  if (meanings.size === 0 && type.mayBeEmpty !== true) return refuse(`Name at least one value, such as ${example}.`);
  if (meanings.size > mostValues) return refuse(`The answer has more than ${mostValues} values.`);
  return { ok: true, value: { kind: 'values', meanings } };
}

const statusExample = '{"0": 200, "404": 200, "*": 400}';

function readStatuses(text: string): Read<AnswerValue> {
  const object = readObject(text, statusExample);
  if (!object.ok) return object;
  const statuses = new Map<string, number>();
  for (const { key, value } of object.value.members) {
    if (key !== '*' && !valueForms.integer.form.test(key)) {
      return refuse(`${quote(key)} is neither a code nor *. Write the answer as ${statusExample}.`);
    }
    if (statuses.has(key)) return refuse(`${key} occurs twice.`);
    const status = value.kind === 'number' && /^[1-5]\d\d$/.test(value.text) ? Number(value.text) : null;
    if (status === null) return refuse(`The HTTP status of ${key} must be a number from 100 to 599, such as ${statusExample}.`);
    statuses.set(key, status);
  }
  if (statuses.size === 0) return refuse(`Name at least one code with its HTTP status, such as ${statusExample}.`);
  return { ok: true, value: { kind: 'statuses', statuses } };
}

function readShapeAnswer(type: Extract<AnswerType, { kind: 'shape' }>, text: string): Read<AnswerValue> {
  if (type.holdsToken === true && /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*){0,5}$/.test(text)) {
    return { ok: true, value: { kind: 'shape', shape: partWithToken(text.split('.')) } };
  }
  const read = readShape(text);
  if (!read.ok) return read;
  const shape = read.value;
  if (type.of !== 'data' && shape.kind !== 'object') {
    return refuse('Write the fields in braces, such as {"transactionId": "string"}.');
  }
  const tokens = tokenPaths(shape);
  if (type.holdsToken === true && (tokens.length !== 1 || tokens[0]?.includes('[]') === true)) {
    return refuse('Give exactly one field the type token: the one with the new token, such as {"token": "token"}.');
  }
  return { ok: true, value: { kind: 'shape', shape } };
}

/** Returns the shape of a bare field name, which says where the token is and leaves the other fields open. */
function partWithToken([name = '', ...inner]: readonly string[]): Shape {
  const fields: Record<string, Shape> = Object.create(null);
  fields[name] = inner.length === 0 ? { kind: 'string', token: true } : partWithToken(inner);
  return { kind: 'object', fields, rest: true };
}

const shownActions = ['gameList', 'roundReplayInfo', 'getGameRound', 'getLauncherURL', 'freeRounds', 'freeRoundsByBet'];

function readAction(text: string): Read<AnswerValue> {
  if (shownActions.includes(text)) return refuse(`${text} is the action of another operation.`);
  if (/^[A-Za-z_][\w.:-]{0,99}$/.test(text)) return { ok: true, value: { kind: 'action', action: text } };
  return refuse(`${quote(text)} is not an action name. Use letters and digits without spaces, such as listCurrencies.`);
}

function readPath(text: string): Read<AnswerValue> {
  const [, path = '', mode] = /^(\S*)(?:\s+(signed|plain))?$/.exec(text) ?? [];
  const expected = 'Write the path below the base URL, then signed or plain, such as "/currencies signed"';
  if (!/^(?:\/[\w~-][\w.~-]*)+$/.test(path) || path.length > 200) return refuse(`${quote(text)} is not a path. ${expected}.`);
  if (path === '/serviceApi.php') return refuse('For /serviceApi.php, record the action name alone.');
  if (mode === undefined) return refuse(`${quote(text)} does not say whether the request is signed. ${expected}.`);
  return { ok: true, value: { kind: 'path', path, signed: mode === 'signed' } };
}

function readQuantity({ units }: Extract<AnswerType, { kind: 'quantity' }>, text: string): Read<AnswerValue> {
  const [, amount = '', typed = ''] = /^(\d{1,9}(?:\.\d{1,3})?) +(\S.*)$/.exec(text) ?? [];
  const found = units.find(({ unit }) => unit === typed || (unit.endsWith('s') && unit.slice(0, -1) === typed));
  if (found === undefined || Number(amount) === 0) {
    const names = units.map(({ unit }) => unit).join(', ');
    return refuse(`${quote(text)} is not a number above 0 with a unit (${names}), such as "10 ${units[0]?.unit ?? ''}".`);
  }
  const { unit, factor } = found;
  return { ok: true, value: { kind: 'quantity', amount, unit, inSmallest: Number(amount) * factor } };
}

function readOptionalFields(text: string, known: readonly string[]): Read<AnswerValue> {
  const example = '["freeRounds.betLevel"], or [] if none may be left out';
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'array') return refuse(`Write a JSON array of fields, such as ${example}.`);
  const names = new Set<string>();
  for (const item of parsed.root.items) {
    if (item.kind !== 'string') return refuse(`A field must be a string in double quotes, such as ${example}.`);
    if (!known.includes(item.value)) {
      return refuse(`${quote(item.value)} is not a field whose need is open. Write operation.field, such as ${example}.`);
    }
    names.add(item.value);
  }
  return { ok: true, value: { kind: 'optionalFields', names } };
}

function readObject(text: string, example: string): Read<JsonObject> {
  const parsed = parseJson(text);
  if (!parsed.ok) return refuse(`This is not JSON: ${parsed.error.message}. Write the answer as ${example}.`);
  if (parsed.root.kind !== 'object') return refuse(`Write a JSON object, such as ${example}.`);
  return { ok: true, value: parsed.root };
}

function quote(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 59)}…`);
}

function refuse(message: string): Read<never> {
  return { ok: false, message };
}
