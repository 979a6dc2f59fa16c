import { readDateTime } from './date-time.ts';
import { pointerStep } from '../json/pointer.ts';
import { counted, shown } from './findings.ts';
import { isoStanding } from './iso-codes.ts';
import type { FindingList, Rule } from './findings.ts';
import type { Shape } from './model.ts';

/**
 * An object or array within a response. `group` is its path without positions in arrays.
 * A value is identified by its container and its step, so that a path is written only for a finding.
 */
export interface Container {
  readonly path: string;
  readonly group: string;
  /** Source of the expected shape. */
  readonly basis: 'spec' | 'recorded';
}

/** The response as a whole, compared with the spec. */
export const root: Container = { path: '', group: '', basis: 'spec' };

/** The response as a whole, compared with a recorded answer. */
export const recordedRoot: Container = { path: '', group: '', basis: 'recorded' };

/** Members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns whether a parsed value is a JSON object. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the kind of a parsed JSON value. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${counted(value.length)}`;
  if (typeof value === 'string') return `the string "${shown(value)}"`;
  if (typeof value === 'number') return `the number ${value}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Names one field that the spec does not have in this object. */
export function reportUndocumented(list: FindingList, at: Container, name: string): void {
  const inside = within(at, name);
  list.add('undocumented', inside.group, () => ({
    severity: 'note',
    path: inside.path,
    message: `${shown(name)} is ${at.basis === 'spec' ? 'not documented' : 'not in the recorded answer'}${place(at)}.`,
  }));
}

/** Compares a parsed object with its documented shape; `alsoAllowed` names fields that may be present beside the shape's. */
export function validateWhole(
  list: FindingList,
  shape: Shape,
  value: Members,
  at: Container,
  alsoAllowed: readonly string[],
): void {
  if (shape.kind === 'object') validateFields(list, shape, value, at, alsoAllowed);
}

/** Compares the value under `step` of `at` with a documented shape. */
export function validateShape(list: FindingList, shape: Shape, value: unknown, at: Container, step: string | number): void {
  switch (shape.kind) {
    case 'object':
      if (isObject(value)) validateFields(list, shape, value, within(at, step), []);
      else wrongType(list, 'an object', value, at, step);
      return;
    case 'array':
      if (Array.isArray(value)) validateItems(list, shape.items, value, within(at, step));
      else wrongType(list, 'an array', value, at, step);
      return;
    case 'numbers':
      if (Array.isArray(value)) validateNumbers(list, value, at, step);
      else wrongType(list, 'an array of numbers', value, at, step);
      return;
    case 'string':
      if (typeof value === 'string') validateFormat(list, shape, value, at, step);
      else wrongType(list, 'a string', value, at, step);
      return;
    case 'number':
      if (typeof value !== 'number') wrongType(list, 'a number', value, at, step);
      return;
    case 'integer':
    case 'bigint':
      if (!Number.isInteger(value)) wrongType(list, 'an integer', value, at, step);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') wrongType(list, 'true or false', value, at, step);
      return;
    case 'null':
      if (value !== null) wrongType(list, 'null', value, at, step);
      return;
    case 'any':
  }
}

function within(at: Container, step: string | number): Container {
  const { basis } = at;
  if (typeof step === 'number') return { path: `${at.path}/${step}`, group: `${at.group}/*`, basis };
  const pointer = pointerStep(step);
  return { path: at.path + pointer, group: at.group + pointer, basis };
}

function validateItems(list: FindingList, shape: Shape, values: readonly unknown[], at: Container): void {
  for (let i = 0; i < values.length; i++) validateShape(list, shape, values[i], at, i);
}

function validateNumbers(list: FindingList, values: readonly unknown[], at: Container, step: string | number): void {
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] !== 'number') wrongType(list, 'a number', values[i], within(at, step), i);
  }
}

function validateFields(
  list: FindingList,
  { fields, rest }: Extract<Shape, { kind: 'object' }>,
  value: Members,
  at: Container,
  alsoAllowed: readonly string[],
): void {
  let present = 0;
  for (const name in fields) {
    const shape = fields[name];
    if (shape === undefined) continue;
    if (Object.hasOwn(value, name)) {
      present++;
      validateShape(list, shape, value[name], at, name);
    } else if (shape.optional !== true) {
      const inside = within(at, name);
      list.add('missing', inside.group, () => ({
        severity: 'warning',
        path: inside.path,
        message: `${name} is missing${place(at)}.`,
      }));
    }
  }
  const names = Object.keys(value);
  if (names.length === present || rest === true) return;
  for (const name of names) {
    if (!Object.hasOwn(fields, name) && !alsoAllowed.includes(name)) reportUndocumented(list, at, name);
  }
}

/** Adds a warning about one value; `say` gets its name. */
function warn(list: FindingList, rule: Rule, at: Container, step: string | number, say: (name: string) => string): void {
  const inside = within(at, step);
  const name = typeof step === 'number' ? `Item ${step}` : shown(step);
  list.add(rule, inside.group, () => ({ severity: 'warning', path: inside.path, message: say(name) }));
}

function wrongType(list: FindingList, expected: string, value: unknown, at: Container, step: string | number): void {
  warn(list, 'type', at, step, (name) => {
    const empty = Array.isArray(value) && value.length === 0 && expected === 'an object';
    const php = empty ? ', as PHP may write an empty object' : '';
    return `${name} is ${expected} in the ${basisWords(at)}; here it is ${describeValue(value)}${php}.`;
  });
}

function validateFormat(
  list: FindingList,
  shape: Extract<Shape, { format?: unknown }>,
  value: string,
  at: Container,
  step: string | number,
): void {
  if (shape.format === 'dateTime' && readDateTime(value, 'ymd') === null) {
    warn(list, 'date-time', at, step, (name) => {
      return `${name} is written yyyy-mm-dd hh:mm:ss in the ${basisWords(at)}; here it is "${shown(value)}".`;
    });
  }
  if (shape.format === 'currency' && isoStanding('currency', value) === 'unknown') {
    warn(list, 'currency', at, step, (name) => `${name} is not an ISO 4217 currency code: "${shown(value)}".`);
  }
  if (shape.format === 'digits' && !/^\d+$/.test(value)) {
    warn(
      list,
      'digits',
      at,
      step,
      (name) => `${name} must be digits according to the recorded answer, but is "${shown(value)}".`,
    );
  }
  const scheme = /^(https?):\/\/[^/?#\s]+/i.exec(value)?.[1]?.toLowerCase();
  if (shape.format === 'url' && scheme === undefined) {
    warn(list, 'url', at, step, (name) => `${name} is not an http or https URL: "${shown(value)}".`);
    return;
  }
  if (shape.format === 'url' && scheme === 'http') {
    if (shape.https === true) {
      warn(list, 'url', at, step, (name) => `${name} uses http: "${shown(value)}". The spec requires HTTPS.`);
    } else {
      const inside = within(at, step);
      list.add('url', inside.group, () => ({
        severity: 'note',
        path: inside.path,
        message: `${shown(String(step))} uses http: "${shown(value)}". HTTPS is customary, but the spec doesn't require it here.`,
      }));
    }
  }
  if (shape.query !== undefined) validateQuery(list, shape.query, value, at, step);
}

/** Checks the query of a launcher URL, which has no externalToken in fun mode. */
function validateQuery(list: FindingList, expected: readonly string[], url: string, at: Container, step: string | number): void {
  const parameters = (url.split('#', 1)[0]?.split('?')[1] ?? '').split('&');
  const missing = expected.filter(
    (name) =>
      !parameters.some((parameter) => parameter.startsWith(name) && (parameter[name.length] ?? '=') === '=') &&
      !(name === 'externalToken' && parameters.includes('gameMode=fun')),
  );
  if (missing.length === 0) return;
  warn(list, 'query', at, step, (name) => `The query of ${name} lacks ${missing.join(', ')}.`);
}

function basisWords({ basis }: Container): string {
  return basis === 'spec' ? 'spec' : 'recorded answer';
}

function place(at: Container): string {
  return at.path === '' ? '' : ` at ${shown(at.path)}`;
}
