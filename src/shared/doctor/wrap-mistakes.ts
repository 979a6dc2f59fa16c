import { encodeUtf8 } from '#shared/json/utf8.ts';
import { mistakesOf, type DataMistake } from './data-mistake.ts';
import type { Subject } from './model.ts';
import type { Member, Value } from './value.ts';
import { ruleStyle, write, writeString } from './write.ts';

const wrap = mistakesOf('wrap');

const always = (text: string) => ({ after: () => text });
const around = (before: string, behind: string) => ({ after: (text: string) => before + text + behind });

/** Mistakes around the text of data: what stands beside it, or in its place. */
export const wrapMistakes: readonly DataMistake[] = [
  wrap(
    'nothing',
    1,
    ['php'],
    [
      'The hash was made without data.',
      'An encoder that fails gives nothing: in PHP, json_encode returns false, which joins as an empty text.',
    ],
    always(''),
  ),
  wrap(
    'line-feed',
    1,
    ['go'],
    ['Your backend hashes a line break after data.', "Go's Encoder, jq, echo and editors end with one."],
    around('', '\n'),
  ),
  wrap('carriage-return', 3, [], ['Your backend hashes a Windows line break after data.'], around('', '\r\n')),
  wrap('space-behind', 4, [], ['Your backend hashes a space after data.'], around('', ' ')),
  wrap('space-before', 4, [], ['Your backend hashes a space before data.'], around(' ', '')),
  wrap('byte-order-mark', 4, ['csharp'], ['Your backend hashes a byte order mark before data.'], around('\ufeff', '')),
  wrap(
    'twice',
    2,
    ['node', 'go', 'php'],
    [
      'Your backend encodes data twice: it hashes a JSON text that holds JSON.',
      'The text of data was given to the encoder once more.',
    ],
    {
      after: (text) => writeString(text, { ...ruleStyle.escapes, beyond: () => null }),
    },
  ),
  wrap('twice-php', 3, ['php'], ['Your backend encodes data twice, the second time with escaped slashes.'], {
    after: (text) => writeString(text, { ...ruleStyle.escapes, slash: true }),
  }),
  wrap('quoted', 4, [], ['Your backend hashes quotes around data.'], around('"', '"')),
  wrap(
    'backslashes-added',
    4,
    ['php'],
    ['Your backend hashes data with a backslash before each quote.', "PHP's addslashes does this."],
    {
      after: (text) => text.replaceAll(/["'\\]/g, (char) => `\\${char}`),
    },
  ),
  wrap(
    'entities',
    3,
    ['php'],
    ['Your backend hashes data with &quot; for each quote.', 'htmlspecialchars after the encoder does this.'],
    {
      after: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    },
  ),
  wrap(
    'base64',
    2,
    ['php', 'go'],
    ['Your backend hashes the base64 of data.', 'Go does this for a []byte, and gateways ask for it.'],
    {
      after: (text) => base64(encodeUtf8(text)),
    },
  ),
  wrap('hex', 4, [], ['Your backend hashes the hexadecimal form of data.'], {
    after: (text) => Array.from(encodeUtf8(text), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }),
  wrap('url-encoded', 3, ['node'], ['Your backend hashes data URL-encoded.', 'encodeURIComponent and rawurlencode do this.'], {
    after: (text) => encodeURIComponent(text),
  }),
  wrap(
    'form-encoded',
    3,
    ['php', 'java'],
    ['Your backend hashes data encoded as a form is.', "PHP's urlencode and Java's URLEncoder do this."],
    {
      after: formEncode,
    },
  ),
  wrap('envelope', 2, [], ['Your backend hashes the whole envelope, without the hash, in place of data.'], {
    after: (text, { subject }) => envelope(text, subject, ''),
  }),
  wrap('envelope-with-hash', 2, [], ['Your backend hashes the whole envelope with an empty hash in place of data.'], {
    after: (text, { subject }) => envelope(text, subject, ',"hash":""'),
  }),
  wrap('envelope-null-hash', 4, [], ['Your backend hashes the whole envelope with the hash null in place of data.'], {
    after: (text, { subject }) => envelope(text, subject, ',"hash":null'),
  }),
  wrap('named', 3, [], ['Your backend hashes {"data":…} in place of the value of data.'], around('{"data":', '}')),
  wrap('named-part', 4, [], ['Your backend hashes "data": before the value of data.'], around('"data":', '')),
  wrap('assigned', 4, [], ['Your backend hashes data= before the value of data.'], around('data=', '')),
  ...['null', '[]', '{}', '""', 'undefined', 'None', 'false', 'nil', '0'].map((text) =>
    wrap(
      `is:${text}`,
      3,
      [],
      [`Your backend hashes ${text} where data should be.`, 'An empty value was given to the encoder, or the encoder failed.'],
      always(text),
    ),
  ),
  wrap(
    'object',
    4,
    ['node'],
    ['Your backend hashes [object Object].', 'JavaScript joins an object to a text so; JSON.stringify is missing.'],
    always('[object Object]'),
  ),
  wrap(
    'array',
    4,
    ['php'],
    ['Your backend hashes the word Array.', 'PHP joins an array to a text so; json_encode is missing.'],
    always('Array'),
  ),
  wrap('to-string', 4, ['java'], ['Your backend hashes a map as Java prints it: {a=b, c=d}.'], {
    after: (_, { value }) => javaText(value),
  }),
  wrap('go-map', 4, ['go'], ['Your backend hashes a map as Go prints it: map[a:b c:d].'], {
    after: (_, { value }) => goText(value),
  }),
  wrap('ruby-hash', 4, ['ruby'], ['Your backend hashes a hash as Ruby prints it: {"a"=>1}.'], {
    after: (_, { value }) => printed(value, { arrow: '=>', none: 'nil', yes: 'true', no: 'false', quote: '"' }),
  }),
  wrap(
    'python-dict',
    2,
    ['python'],
    ["Your backend hashes a dict as Python prints it: {'a': 1}.", 'str() was used where json.dumps belongs.'],
    {
      after: (_, { value }) => printed(value, { arrow: ': ', none: 'None', yes: 'True', no: 'False', quote: "'" }),
    },
  ),
  wrap('python-dict-quotes', 3, ['python'], ['Your backend hashes a dict as Python prints it, with double quotes.'], {
    after: (_, { value }) => printed(value, { arrow: ': ', none: 'None', yes: 'True', no: 'False', quote: '"' }),
  }),
  wrap(
    'query',
    2,
    ['php'],
    ['Your backend hashes data as name=value pairs.'],
    pairs((all) => all, plain),
  ),
  wrap('query-sorted', 2, ['php'], ['Your backend hashes data as name=value pairs, sorted by name.'], pairs(sorted, plain)),
  wrap(
    'query-encoded',
    2,
    ['php'],
    ['Your backend hashes data as a form is sent.', "PHP's http_build_query does this."],
    pairs((all) => all, formEncode),
  ),
  wrap(
    'query-encoded-sorted',
    3,
    ['php'],
    ['Your backend hashes data as a form is sent, sorted by name.'],
    pairs(sorted, formEncode),
  ),
  ...[
    ['', ' without anything between'],
    [',', ' with commas between'],
    ['|', ' with | between'],
    [':', ' with : between'],
    ['&', ' with & between'],
  ].map(([between = '', words]) =>
    wrap(
      `values:${between}`,
      3,
      [],
      [`Your backend hashes the values of data without their names,${words} them.`],
      values((all) => all, between),
    ),
  ),
  wrap(
    'values-sorted',
    3,
    [],
    ['Your backend hashes the values of data without their names, in the order of the names.'],
    values(sorted, ''),
  ),
];

function envelope(text: string, { action, platform, partnerId, time }: Subject, behind: string): string | null {
  if (action === '') return null;
  const data = text === '' ? '' : `,"data":${text}`;
  const numbers = `${platform === '' ? '' : `,"platform":${platform}`}${partnerId === '' ? '' : `,"partnerId":${partnerId}`}`;
  return `{"action":${JSON.stringify(action)}${numbers},"time":${JSON.stringify(time)}${data}${behind}}`;
}

type Members = readonly Member[];
function sorted(all: Members): Members {
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
function plain(text: string): string {
  return text;
}
function pairs(order: (all: Members) => Members, encode: (text: string) => string) {
  return {
    after: (_: string, { value }: { readonly value: Value }) =>
      value.kind !== 'object'
        ? null
        : order(value.members)
            .map((one) => `${encode(one.name)}=${encode(textOf(one.value))}`)
            .join('&'),
  };
}
function values(order: (all: Members) => Members, between: string) {
  return {
    after: (_: string, { value }: { readonly value: Value }) =>
      value.kind !== 'object'
        ? null
        : order(value.members)
            .map((one) => textOf(one.value))
            .join(between),
  };
}

function textOf(value: Value): string {
  if (value.kind === 'string') return value.text;
  return value.kind === 'word' && value.text === 'null' ? '' : write(value, ruleStyle);
}

function javaText(value: Value): string {
  if (value.kind === 'object') return `{${value.members.map((one) => `${one.name}=${javaText(one.value)}`).join(', ')}}`;
  return value.kind === 'array' ? `[${value.items.map(javaText).join(', ')}]` : value.text;
}

function goText(value: Value): string {
  if (value.kind === 'object')
    return `map[${sorted(value.members)
      .map((one) => `${one.name}:${goText(one.value)}`)
      .join(' ')}]`;
  if (value.kind === 'array') return `[${value.items.map(goText).join(' ')}]`;
  return value.kind === 'word' && value.text === 'null' ? '<nil>' : value.text;
}

interface Printed {
  readonly arrow: string;
  readonly none: string;
  readonly yes: string;
  readonly no: string;
  readonly quote: string;
}
function printed(value: Value, how: Printed): string {
  switch (value.kind) {
    case 'object':
      return `{${value.members.map((one) => printText(one.name, how.quote) + how.arrow + printed(one.value, how)).join(', ')}}`;
    case 'array':
      return `[${value.items.map((one) => printed(one, how)).join(', ')}]`;
    case 'string':
      return printText(value.text, how.quote);
    case 'number':
      return value.text;
    case 'word':
      return value.text === 'null' ? how.none : value.text === 'true' ? how.yes : how.no;
  }
}

/** Python turns to double quotes where a text holds a single one. */
function printText(text: string, quote: string): string {
  const own = quote === "'" && text.includes("'") && !text.includes('"') ? '"' : quote;
  return own + text.replaceAll('\\', '\\\\').replaceAll(own, `\\${own}`).replaceAll('\n', '\\n') + own;
}

function formEncode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Writes bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3);
    const all = (one << 16) | ((two ?? 0) << 8) | (three ?? 0);
    text += `${digits[all >> 18]}${digits[(all >> 12) & 63]}`;
    text += `${two === undefined ? '=' : digits[(all >> 6) & 63]}${three === undefined ? '=' : digits[all & 63]}`;
  }
  return text;
}
