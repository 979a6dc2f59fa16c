import { compositions, ruleComposition, type Token } from './composition-mistakes.ts';
import { dataAxes } from './data-mistake.ts';
import type { Algorithm, Language, Mistake, Subject } from './model.ts';
import { isWhole } from './number-forms.ts';
import type { Value } from './value.ts';

/** Settings of an encoder, by the names that its dialect gives them. */
export type Settings = Readonly<Record<string, string | boolean>>;

/** Changes that a mistake makes in the code that signs right. In each template `@` stands for what was there without it. */
export interface Change {
  /** Lines before all others, such as a setting of the language. */
  readonly first?: string | readonly string[];
  readonly key?: string;
  /** Another assignment of the key. */
  readonly assign?: string;
  /** Code for what is hashed in place of the time. */
  readonly time?: string;
  /** The values that are given to the encoder. */
  readonly value?: string;
  readonly settings?: Settings;
  /** Another encoder; `@` stands for the values. */
  readonly encode?: string;
  /** Changes the text that the encoder wrote. */
  readonly text?: string;
  readonly join?: (parts: readonly string[]) => string;
  /** Changes the joined hash input, and makes bytes of it. */
  readonly input?: string;
  readonly bytes?: string;
  /** Writes the digest; `@raw` stands for its bytes, `@` for its hexadecimal text. Of several lines, the last is the value. */
  readonly spell?: string | readonly string[];
}

/** The code of a mistake. `right` is what its fix adds to the code that signs right elsewhere. */
export interface Wrong extends Change {
  readonly right?: Change;
  /** The mistake is in what the code gets: it reads such a key, or such values. */
  readonly gets?: 'key' | 'data';
}

/** Facts that code depends on, beside its mistakes. */
export interface About {
  readonly subject: Subject;
  /** The values that are signed; null if the request has no data. */
  readonly value: (Value & { readonly kind: 'object' }) | null;
  /** Text after the colon of the mistake's ID; empty without one. */
  readonly detail: string;
}

export type Code = Wrong | ((about: About) => Wrong | null);

/** An expression, or several lines of which the last is one. */
type Made = string | readonly string[];

/** The code of one language that signs a request. */
export interface Dialect {
  readonly language: Language;
  /** An assignment to the variable `#`. */
  readonly assign: string;
  readonly names: Readonly<Record<'key' | 'time' | 'signed' | 'json' | 'hash', string>>;
  readonly key: string;
  /** The time in the order of the request. Begins with a backtick if it needs the moment as `now`. */
  readonly time: Readonly<Record<'dmy' | 'ymd', string>>;
  /** Lines for a time that needs the moment as `now`. */
  readonly timeOf?: (name: string, time: string) => readonly string[];
  /** Turns code for the local time zone into code for UTC. */
  readonly utc: (code: string) => string;
  /** Ways to clean a key that was stored with something around it. */
  readonly clean: Readonly<Record<'breaks' | 'blanks' | 'quotes' | 'mark', string>>;
  /** The expression of the values; null if this language cannot write them as the rule does. */
  readonly data: (about: About) => string | null;
  readonly settings: (about: About) => Settings;
  /** The encoder, with what it has to declare and the statements before it; `@` stands for the values. Null if none has all of these settings. */
  readonly encode: (
    settings: Settings,
    about: About,
  ) => { readonly first?: string | readonly string[]; readonly steps?: readonly string[]; readonly code: string } | null;
  readonly literal: (text: string) => string;
  /** Joins parts, which are variables and literals. */
  readonly join: (parts: readonly string[]) => string;
  readonly bytes: string;
  readonly digest: (algorithm: Algorithm, bytes: string, form: 'hex' | 'raw') => Made;
  readonly hmac: (algorithm: Algorithm, key: string, bytes: string, form: 'hex' | 'raw') => Made;
  readonly upper: string;
  /** The mistakes that usual code of this language makes, by their IDs; those that differ in a detail end in a colon. */
  readonly code: Readonly<Record<string, Code>>;
}

/** Statements of a program, in their order. Those of two programs stand side by side. */
export type Program = readonly (readonly string[])[];

/** A program that makes some mistakes, and the same program without them. */
export interface Pair {
  readonly before: Program;
  readonly after: Program;
  /** The mistakes that are in what the program gets, not in what it does. */
  readonly given: readonly string[];
}

const cleaned: Readonly<Record<string, keyof Dialect['clean']>> = {
  'key.line-feed': 'breaks',
  'key.carriage-return': 'breaks',
  'key.return': 'breaks',
  'key.space-behind': 'blanks',
  'key.space-before': 'blanks',
  'key.spaces': 'blanks',
  'key.tab-behind': 'blanks',
  'key.quoted': 'quotes',
  'key.single-quoted': 'quotes',
  'key.byte-order-mark': 'mark',
};

/** Code whose mistake is the same in every language: how parts are joined, and which digest is made of them. */
interface Shape {
  readonly tokens: readonly Token[];
  readonly algorithm: Algorithm;
  readonly hmac: 'hmac' | 'hmac-whole' | 'hmac-swapped' | null;
  readonly twice: 'twice' | 'twice-raw' | 'twice-upper' | null;
  readonly clock: 'seconds' | 'zone' | null;
}

/** Stands for data that a request does not have: code that needs it is none. */
const absent = '\0';

const ruleShape: Shape = { tokens: ruleComposition.tokens, algorithm: 'sha256', hmac: null, twice: null, clock: null };

function shapeOf(id: string): Partial<Shape> | null {
  const [, clock] = /^clock\.(seconds|zone):/.exec(id) ?? [];
  if (clock !== undefined) return { clock: clock as 'seconds' | 'zone' };
  const composition = compositions.find(({ mistake }) => mistake?.id === id);
  if (composition !== undefined) return { tokens: composition.tokens };
  const [, digest = ''] = /^digest\.(.+)$/.exec(id) ?? [];
  if (/^(md5|sha\d+)$/.test(digest)) return { algorithm: digest as Algorithm };
  if (digest.startsWith('hmac')) return { hmac: digest as 'hmac' };
  return digest.startsWith('twice') ? { twice: digest as 'twice' } : null;
}

/** Writes the program that makes all these mistakes, and the one without them; null if usual code of the language does not make one of them. */
export function pairOf(dialect: Dialect, way: readonly Mistake[], about: Omit<About, 'detail'>): Pair | null {
  const wrongs: Wrong[] = [];
  let shape = ruleShape;
  const given: string[] = [];
  for (const { id } of way.toSorted((one, other) => dataAxes.indexOf(one.axis) - dataAxes.indexOf(other.axis))) {
    const known = shapeOf(id);
    if (known !== null) {
      shape = { ...shape, ...known };
      continue;
    }
    const wrong = wrongOf(dialect, id, about);
    if (wrong === null) return null;
    if (wrong.gets !== undefined) given.push(id);
    wrongs.push(wrong);
  }
  const hasText = about.value !== null || way.some(({ axis }) => axis === 'wrap');
  const right = wrongs.map((wrong) => wrong.right ?? {});
  const before = programOf(dialect, wrongs, shape, about, hasText);
  const after = programOf(dialect, right, ruleShape, about, about.value !== null);
  if (before === null || after === null || (!hasText && shape.tokens.every((token) => token === 'd'))) return null;
  return { before, after, given };
}

/** Returns whether usual code of the language can make a mistake. */
export function hasCode({ code }: Dialect, id: string): boolean {
  const family = id.slice(0, id.indexOf(':') + 1);
  return shapeOf(id) !== null || id in cleaned || id in code || (family !== '' && family in code);
}

function wrongOf(dialect: Dialect, id: string, about: Omit<About, 'detail'>): Wrong | null {
  const way = cleaned[id];
  if (way !== undefined) return { gets: 'key', right: { key: dialect.clean[way] } };
  const colon = id.indexOf(':') + 1;
  const code = dialect.code[id] ?? (colon === 0 ? undefined : dialect.code[id.slice(0, colon)]);
  return typeof code === 'function' ? code({ ...about, detail: colon === 0 ? '' : id.slice(colon) }) : (code ?? null);
}

function programOf(
  dialect: Dialect,
  changes: readonly Change[],
  shape: Shape,
  about: Omit<About, 'detail'>,
  hasText: boolean,
): Program | null {
  const { names } = dialect;
  const set = (name: string, code: string, assign = dialect.assign) => assign.replace('#', () => name).replace('@', () => code);
  const whole = { ...about, detail: '' };
  const data = about.value === null ? absent : dialect.data(whole);
  if (data === null) return null;
  const through = (start: string, field: keyof Change) =>
    changes.reduce((code, change) => {
      const template = change[field];
      return typeof template === 'string' ? template.replaceAll('@', () => code) : code;
    }, start);
  const order = /^\d{4}-/.test(about.subject.time) ? 'ymd' : 'dmy';
  const time = dialect.time[order];

  const settings = Object.assign({}, dialect.settings(whole), ...changes.map((change) => change.settings ?? {})) as Settings;
  const replaced = changes.find(({ encode }) => encode !== undefined)?.encode;
  // Where nothing is encoded, no setting of the encoder can be the mistake.
  if (replaced !== undefined && changes.some((one) => one.settings !== undefined)) return null;
  const encoder = replaced === undefined ? dialect.encode(settings, whole) : { code: replaced };
  if (encoder === null) return null;
  const { first = [], steps = [], code } = encoder;
  const values = through(data, 'value');
  const [text = '', ...before] = [code, ...steps].map((line) => line.replaceAll('@', () => values));
  if (hasText && [text, ...before].some((line) => line.includes(absent))) return null;

  const signed = shape.tokens.includes('t') ? signedTime(dialect, changes, shape, time) : null;
  const timed = signed === null ? names.time : names.signed;
  const whatOf: Readonly<Record<string, string>> = { k: names.key, t: timed, d: names.json, ...envelopeParts(dialect, about) };
  const partsOf = (tokens: readonly Token[]) =>
    tokens
      .filter((token) => token !== 'd' || hasText)
      .map((token) => (typeof token === 'string' ? (whatOf[token] ?? '') : dialect.literal(token.text)));
  const bytesTemplate = changes.find(({ bytes }) => bytes !== undefined)?.bytes ?? dialect.bytes;
  const bytesOf = (code: string) => bytesTemplate.replaceAll('@', () => code);
  const join = changes.find((change) => change.join !== undefined)?.join;
  const inputOf = (tokens: readonly Token[]) =>
    join === undefined ? bytesOf(through(dialect.join(partsOf(tokens)), 'input')) : join(partsOf(tokens));
  const sums: string[] = [];
  const made: { [Form in 'hex' | 'raw']?: string } = {};
  const hash = (form: 'hex' | 'raw') => (made[form] ??= digestOf(dialect, shape, form, { inputOf, bytesOf, sums }));
  const spelled = [changes.find((change) => change.spell !== undefined)?.spell ?? '@']
    .flat()
    .map((line) => line.replaceAll(/@(raw)?/g, (_, raw?: string) => hash(raw === undefined ? 'hex' : 'raw')));
  return [
    changes.flatMap(({ first: line }) => line ?? []),
    shape.tokens.includes('k') || shape.hmac !== null
      ? [set(names.key, through(dialect.key, 'key'), changes.find((change) => change.assign !== undefined)?.assign)]
      : [],
    timeLines(dialect, names.time, time),
    signed ?? [],
    ...(hasText ? [[first].flat(), before, [set(names.json, through(text, 'text'))]] : [[], [], []]),
    [...sums, ...spelled.with(-1, set(names.hash, spelled.at(-1) ?? ''))],
  ];
}

function timeLines(dialect: Dialect, name: string, time: string): readonly string[] {
  return time.startsWith('`') && dialect.timeOf !== undefined
    ? dialect.timeOf(name, time)
    : [dialect.assign.replace('#', () => name).replace('@', () => time)];
}

/** The time that is hashed, if it is made apart from the one that is sent. */
function signedTime(dialect: Dialect, changes: readonly Change[], { clock }: Shape, time: string): readonly string[] | null {
  const { names } = dialect;
  const form = changes.find((change) => change.time !== undefined)?.time;
  if (form === undefined && clock === null) return null;
  const code = form ?? time;
  return timeLines(
    dialect,
    names.signed,
    (clock === 'zone' ? dialect.utc(code) : code).replaceAll('@', () => names.time),
  );
}

/** Other parts of the envelope, which some code hashes, too. */
function envelopeParts(dialect: Dialect, { subject }: Omit<About, 'detail'>): Readonly<Record<string, string>> {
  const { action, platform, partnerId } = subject;
  return { a: dialect.literal(action), p: dialect.literal(platform), n: dialect.literal(partnerId) };
}

interface Parts {
  readonly inputOf: (tokens: readonly Token[]) => string;
  readonly bytesOf: (code: string) => string;
  /** Statements before the hash. */
  readonly sums: string[];
}

function digestOf(
  dialect: Dialect,
  { tokens, algorithm, hmac, twice }: Shape,
  form: 'hex' | 'raw',
  { inputOf, bytesOf, sums }: Parts,
): string {
  const expression = (made: Made): string => {
    const [code = '', ...before] = [made].flat().toReversed();
    sums.push(...before.toReversed());
    return code;
  };
  const key = bytesOf(dialect.names.key);
  const rest = () => inputOf(tokens.filter((token) => token !== 'k'));
  const make = (last: 'hex' | 'raw'): string => {
    if (hmac === 'hmac') return expression(dialect.hmac(algorithm, key, rest(), last));
    if (hmac === 'hmac-whole') return expression(dialect.hmac(algorithm, key, inputOf(tokens), last));
    if (hmac === 'hmac-swapped') return expression(dialect.hmac(algorithm, rest(), key, last));
    return expression(dialect.digest(algorithm, inputOf(tokens), last));
  };
  if (twice === null) return make(form);
  if (twice === 'twice-raw') return expression(dialect.digest(algorithm, make('raw'), form));
  const once = twice === 'twice' ? make('hex') : dialect.upper.replaceAll('@', () => make('hex'));
  return expression(dialect.digest(algorithm, bytesOf(once), form));
}

/** Returns whether a request's values are texts and numbers alone, none inside another. */
export function isFlat({ value }: About): boolean {
  return value !== null && value.members.every(({ value: own }) => own.kind === 'string' || own.kind === 'number');
}

/** Returns whether data is flat and its floats have at most 14 digits, so that every language writes them into a text alike. */
export function isShort(about: About): boolean {
  const isWhole = (text: string) => /^-?\d+$/.test(text) || text.replace(/\D/g, '').length <= 14;
  return isFlat(about) && about.value !== null && numbersIn(about.value).every(isWhole);
}

/** Returns whether no member is an empty object, which some code takes for something and some for nothing. */
export function isFilled({ value }: About): boolean {
  return value !== null && value.members.every(({ value: own }) => own.kind !== 'object' || own.members.length > 0);
}

/** Returns whether no object in the values has an object inside. */
export function isShallow({ value }: About): boolean {
  return value !== null && value.members.every(({ value: own }) => !holdsObject(own));
}

/** Returns whether a float holds every number of the values. */
export function areFloats({ value }: About): boolean {
  return value !== null && numbersIn(value).every((text) => !isWhole(text) || Number.isSafeInteger(Number(text)));
}

/** Returns the texts of all numbers in a value. */
export function numbersIn(value: Value): string[] {
  if (value.kind === 'number') return [value.text];
  if (value.kind === 'array') return value.items.flatMap(numbersIn);
  return value.kind === 'object' ? value.members.flatMap((one) => numbersIn(one.value)) : [];
}

function holdsObject(value: Value): boolean {
  return value.kind === 'array' ? value.items.some(holdsObject) : value.kind === 'object' && value.members.length > 0;
}

/** Returns the names of the outermost members that a mistake is about, if none is inside another; null otherwise. */
export function namesOf({ value, detail }: About, concerns: Concern): string[] | null {
  if (value === null) return null;
  if (detail !== '') return [detail];
  const isInside = (one: Value): boolean =>
    one.kind === 'array'
      ? one.items.some((item) => concerns(item, '') || isInside(item))
      : one.kind === 'object' && one.members.some(({ name, value: own }) => concerns(own, name) || isInside(own));
  const names = value.members.filter(({ name, value: own }) => concerns(own, name)).map(({ name }) => name);
  return names.length === 0 || value.members.some(({ value: own }) => isInside(own)) ? null : names;
}

/** Returns whether texts have control characters whose escapes have letters. */
export function hasControls({ subject }: About): boolean {
  return /\\u00[01][a-f]/.test(subject.ruleText ?? '');
}

/** Writes a text in single quotes, in which PHP and Ruby know these two escapes alone. */
export const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** Returns whether a mistake is about a value, by the value as it should be and the name of its member. */
export type Concern = (value: Value, name: string) => boolean;
export const isNumber: Concern = ({ kind }) => kind === 'number';
export const isAmount: Concern = ({ kind }, name) => kind === 'number' && /amount|balance|win|^bet$|jackpot/i.test(name);
export const isBig: Concern = (own) => own.kind === 'number' && isWhole(own.text) && !Number.isSafeInteger(Number(own.text));
export const isTextOfNumber: Concern = (own) => own.kind === 'string' && /^[+-]?\d+(\.\d+)?$/.test(own.text);
export const isBoolean: Concern = (own) => own.kind === 'word' && own.text !== 'null';
export const isNull: Concern = (own) => own.kind === 'word' && own.text === 'null';
export const isEmptyText: Concern = (own) => own.kind === 'string' && own.text === '';
export const isEmptyList: Concern = (own) => own.kind === 'array' && own.items.length === 0;
export const isListOfOne: Concern = (own) => own.kind === 'array' && own.items.length === 1;
