import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { isWhole, phpPrecision, pythonFloat } from './number-forms.ts';
import { pythonText, rubyText } from './printed-mistakes.ts';
import type { Value } from './value.ts';
import { ruleStyle, write } from './write.ts';

const wrap = mistakesOf('wrap');

/** A name and a value as a query has them; null for a name alone. */
type Entry = readonly [name: string, text: string | null];
type Entries = (value: Value) => readonly Entry[];
type Encode = (text: string) => string;

interface Options {
  readonly entries: Entries;
  readonly encode: Encode;
  readonly sorts: boolean;
}

function query({ entries, encode, sorts }: Options): Pick<DataMistake, 'after'> {
  return {
    after: (_, { value }) =>
      value.kind !== 'object'
        ? null
        : entries(sorts ? sorted(value) : value)
            .map(([name, text]) => (text === null ? encode(name) : `${encode(name)}=${encode(text)}`))
            .join('&'),
  };
}

function joined(print: (value: Value) => string, between: string, sorts = false): Pick<DataMistake, 'after'> {
  return {
    after: (_, { value }) =>
      value.kind !== 'object' ? null : (sorts ? sorted(value) : value).members.map((one) => print(one.value)).join(between),
  };
}

const plain: Encode = (text) => text;
const marks = [
  ['', ' with nothing between'],
  [',', ' with commas between'],
  ['|', ' with | between'],
  [':', ' with : between'],
  ['&', ' with & between'],
] as const;

/** Data as pairs of names and values, or as values alone, in place of JSON. */
export const queryMistakes: readonly DataMistake[] = [
  wrap('query', 2, ['php'], ['Your backend hashes data as name=value pairs.'], {
    ...query({ entries: phpEntries, encode: plain, sorts: false }),
  }),
  wrap('query-sorted', 2, ['php'], ['Your backend hashes data as name=value pairs, sorted by name.'], {
    ...query({ entries: phpEntries, encode: plain, sorts: true }),
  }),
  wrap('query-script', 3, ['node'], ['Your backend hashes data as name=value pairs.'], {
    ...query({ entries: entriesBy(scriptText), encode: plain, sorts: false }),
    unless: ['wrap.query'],
  }),
  wrap('query-script-sorted', 3, ['node'], ['Your backend hashes data as name=value pairs, sorted by name.'], {
    ...query({ entries: entriesBy(scriptText), encode: plain, sorts: true }),
    unless: ['wrap.query-sorted'],
  }),
  wrap(
    'query-encoded',
    2,
    ['php'],
    ['Your backend hashes data as URL-encoded name=value pairs.', "PHP's http_build_query does this."],
    query({ entries: phpEntries, encode: formEncode, sorts: false }),
  ),
  wrap(
    'query-encoded-sorted',
    3,
    ['php'],
    [
      'Your backend hashes data as URL-encoded name=value pairs, sorted by name.',
      "PHP's http_build_query after ksort does this.",
    ],
    query({ entries: phpEntries, encode: formEncode, sorts: true }),
  ),
  wrap(
    'query-encoded-script',
    3,
    ['node'],
    ['Your backend hashes data as URL-encoded name=value pairs.', 'URLSearchParams does this.'],
    {
      ...query({ entries: entriesBy(scriptText), encode: starEncode, sorts: false }),
      unless: ['wrap.query-encoded'],
    },
  ),
  wrap(
    'query-encoded-python',
    3,
    ['python'],
    ['Your backend hashes data as URL-encoded name=value pairs.', "Python's urlencode does this."],
    {
      ...query({ entries: entriesBy(pythonQueryText), encode: pythonEncode, sorts: false }),
      unless: ['wrap.query-encoded', 'wrap.query-encoded-script'],
    },
  ),
  wrap(
    'query-encoded-ruby',
    4,
    ['ruby'],
    ['Your backend hashes data as URL-encoded name=value pairs.', "Ruby's encode_www_form does this."],
    {
      ...query({ entries: rubyEntries, encode: starEncode, sorts: false }),
      unless: ['wrap.query-encoded', 'wrap.query-encoded-script', 'wrap.query-encoded-python'],
    },
  ),
  ...marks.flatMap(([between, words]) => [
    wrap(
      `values:${between}`,
      3,
      [],
      [`Your backend hashes the values of data without their names,${words} them.`],
      joined(jsonText, between),
    ),
    wrap(`values-php:${between}`, 4, ['php'], [`Your backend hashes the values of data joined by PHP's implode,${words} them.`], {
      ...joined(phpText, between),
      unless: [`wrap.values:${between}`],
    }),
    wrap(
      `values-script:${between}`,
      4,
      ['node'],
      [`Your backend hashes the values of data joined by JavaScript's join,${words} them.`],
      {
        ...joined(joinText, between),
        unless: [`wrap.values:${between}`, `wrap.values-php:${between}`],
      },
    ),
  ]),
  wrap(
    'values-sorted',
    3,
    [],
    ['Your backend hashes the values of data without their names, sorted by name.'],
    joined(jsonText, '', true),
  ),
];

type ObjectValue = Value & { readonly kind: 'object' };

function sorted({ members }: ObjectValue): ObjectValue {
  return { kind: 'object', members: members.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function entriesBy(print: (value: Value) => string): Entries {
  return (value) => (value.kind === 'object' ? value.members.map((one): Entry => [one.name, print(one.value)]) : []);
}

/** PHP's http_build_query: `a[0]=…` for lists and objects, nothing for null. */
function phpEntries(value: Value, name: string | null = null): Entry[] {
  const inside = (key: string) => (name === null ? key : `${name}[${key}]`);
  if (value.kind === 'object') return value.members.flatMap((one) => phpEntries(one.value, inside(one.name)));
  if (value.kind === 'array') return value.items.flatMap((item, at) => phpEntries(item, inside(String(at))));
  if (name === null || (value.kind === 'word' && value.text === 'null')) return [];
  return [[name, value.kind === 'word' && value.text === 'false' ? '0' : phpText(value)]];
}

/** Ruby's encode_www_form: a name for each value of a list, and a name alone for nil. */
function rubyEntries(value: Value): Entry[] {
  if (value.kind !== 'object') return [];
  const isNull = (one: Value) => one.kind === 'word' && one.text === 'null';
  const entry = (name: string, one: Value): Entry => [name, one.kind === 'string' ? one.text : rubyText(one)];
  return value.members.flatMap(({ name, value: own }) => {
    if (own.kind !== 'array') return [isNull(own) ? [name, null] : entry(name, own)];
    // Nothing stands where a list is empty or holds nil, but the & beside it does.
    if (own.items.length === 0) return [['', null]];
    return own.items.map((one): Entry => (isNull(one) ? ['', null] : entry(name, one)));
  });
}

/** PHP's text of a value that is joined to a text. */
function phpText(value: Value): string {
  switch (value.kind) {
    case 'object':
    case 'array':
      return 'Array';
    case 'string':
      return value.text;
    case 'number':
      return isWhole(value.text) ? value.text : phpPrecision(Number(value.text), 14, 'E');
    case 'word':
      return value.text === 'true' ? '1' : '';
  }
}

/** JavaScript's text of a value. */
function scriptText(value: Value): string {
  if (value.kind === 'object') return '[object Object]';
  if (value.kind === 'array') return value.items.map(joinText).join(',');
  return value.kind === 'number' ? String(Number(value.text)) : value.text;
}

/** JavaScript's text of a value in a list that is joined. */
function joinText(value: Value): string {
  return value.kind === 'word' && value.text === 'null' ? '' : scriptText(value);
}

function jsonText(value: Value): string {
  if (value.kind === 'string') return value.text;
  return value.kind === 'word' && value.text === 'null' ? '' : write(value, ruleStyle);
}

function pythonQueryText(value: Value): string {
  if (value.kind === 'string') return value.text;
  return value.kind === 'number' && !isWhole(value.text) ? pythonFloat(Number(value.text)) : pythonText(value);
}

/** Encodes as PHP's urlencode. */
export function formEncode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Encodes as browsers, Java and Ruby do. */
export function starEncode(text: string): string {
  return formEncode(text).replaceAll('%2A', '*');
}

function pythonEncode(text: string): string {
  return formEncode(text).replaceAll('%7E', '~');
}
