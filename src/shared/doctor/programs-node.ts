import {
  areFloats,
  hasControls,
  isAmount,
  isBig,
  isBoolean,
  isEmptyList,
  isEmptyText,
  isFlat,
  isListOfOne,
  isShort,
  isNull,
  isNumber,
  isShallow,
  isTextOfNumber,
  namesOf,
  numbersIn,
  type Code,
  type Concern,
  type Dialect,
  type Wrong,
} from './programs.ts';
import { isWhole } from './number-forms.ts';
import type { Value } from './value.ts';

const date = '${two(now.getDate())}-${two(now.getMonth() + 1)}-${now.getFullYear()}';
const ymd = '${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}';
const clock = '${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}';
const twelve = clock.replace('now.getHours()', 'now.getHours() % 12 || 12');
const half = "${now.getHours() < 12 ? 'AM' : 'PM'}";
const plain = (code: string) => code.replaceAll(/two\(([^()]+\(\)(?: \+ 1)?)\)/g, '$1');
const iso = 'new Date().toISOString()';
const times: Readonly<Record<string, string>> = {
  '12-hour': `\`${date} ${twelve}\``,
  '12-hour-half': `\`${date} ${twelve} ${half}\``,
  'month-for-minutes': `\`${date} ${clock.replace('now.getMinutes()', 'now.getMonth() + 1')}\``,
  'month-low': `\`${date.replace(' + 1', '')} ${clock}\``,
  'month-low-no-zeros': `\`${plain(`${date.replace(' + 1', '')} ${clock}`)}\``,
  'no-zeros': `\`${plain(`${date} ${clock}`)}\``,
  'no-zeros-date': `\`${plain(date)} ${clock}\``,
  'no-zeros-clock': `\`${date} ${plain(clock)}\``,
  'weekday-for-day': `\`${date.replace('getDate', 'getDay')} ${clock}\``,
  'year-from-1900': `\`${date.replace('getFullYear', 'getYear')} ${clock}\``,
  'month-first': `\`\${two(now.getMonth() + 1)}-\${two(now.getDate())}-\${now.getFullYear()} ${clock}\``,
  slashes: `\`${date.replaceAll('}-$', '}/$')} ${clock}\``,
  dots: `\`${date.replaceAll('}-$', '}.$')} ${clock}\``,
  'ymd-slashes': `\`${ymd.replaceAll('}-$', '}/$')} ${clock}\``,
  'dmy-t': `\`${date}T${clock}\``,
  'no-seconds': `\`${date} ${clock.slice(0, clock.lastIndexOf(':'))}\``,
  'date-only': `\`${date}\``,
  digits: `\`${date.replaceAll('}-$', '}$')}${clock.replaceAll('}:$', '}$')}\``,
  iso: `${iso}.slice(0, 19)`,
  'iso-z': `${iso}.slice(0, 19) + 'Z'`,
  'iso-ms-z': iso,
  'iso-ms-z-quoted': 'JSON.stringify(new Date())',
  'iso-ms': `${iso}.replace('T', ' ').replace('Z', '')`,
  'ymd-date-only': `${iso}.slice(0, 10)`,
  'clock-only': `${iso}.slice(11, 19)`,
  'ymd-digits': `${iso}.replace(/\\D/g, '').slice(0, 14)`,
  comma: "new Date().toLocaleString('en-GB')",
  'dots-comma': "new Date().toLocaleString('de-DE')",
  http: 'new Date().toUTCString()',
  'js-string': 'String(new Date())',
  'epoch-s': 'Math.floor(Date.now() / 1000)',
  'epoch-ms': 'Date.now()',
  quoted: 'JSON.stringify(@)',
  'url-encoded': 'encodeURIComponent(@)',
  'space-escaped': "@.replace(' ', '%20')",
  'line-feed': "@ + '\\n'",
  'space-behind': "@ + ' '",
  'space-before': "' ' + @",
  'is:undefined': '{ Time: @ }.time',
};

const isName = /^[A-Za-z_$][\w$]*$/;
const own = (name: string) => (isName.test(name) ? `data.${name}` : `data[${JSON.stringify(name)}]`);
const spread = (names: readonly string[], code: (own: string, name: string) => string) =>
  `{ ...@, ${names.map((name) => `${isName.test(name) ? name : JSON.stringify(name)}: ${code(own(name), name)}`).join(', ')} }`;
/** Members that came in another type, with the code that makes them right. */
const came =
  (concerns: Concern, code: (own: string) => string): Code =>
  (about) => {
    const names = namesOf(about, concerns);
    return names && { gets: 'data', right: { value: spread(names, code) } };
  };
/** Members that are changed on the way. */
const made =
  (concerns: Concern, code: (own: string) => string): Code =>
  (about) => {
    const names = namesOf(about, concerns);
    return names && { value: spread(names, code) };
  };
/** Returns the names of the outermost members that a number does not hold; null if one is further inside. */
function bigNames(value: Value | null): string[] | null {
  const own = value?.kind === 'object' ? value.members.filter((one) => isBig(one.value, '')).map(({ name }) => name) : [];
  const all = value === null ? [] : numbersIn(value).filter((text) => isBig({ kind: 'number', text }, ''));
  return own.length === all.length ? own : null;
}

/** Returns whether JSON.stringify writes a number as PHP does. */
const isWritten = (text: string) => isWhole(text) || String(Number(text)) === text;
const shallow =
  (value: string): Code =>
  (about) =>
    isShallow(about) ? { value } : null;
const flat =
  (encode: string): Code =>
  (about) =>
    isShort(about) ? { encode } : null;
const filtered = (keep: string) => shallow(`Object.fromEntries(Object.entries(@).filter(([, value]) => ${keep}))`);
const renamed = (name: string) => shallow(`Object.fromEntries(Object.entries(@).map(([name, value]) => [${name}, value]))`);
const byName = '.sort(([one], [other]) => (one < other ? -1 : 1))';
const sorted = `Object.fromEntries(Object.entries(@)${byName})`;
const pairs = "Object.entries(@).map(([name, value]) => `${name}=${value}`).join('&')";
const absent =
  (value: string): Code =>
  (about) => ({ value: about.value === null ? value : `data.data ?? ${value}` });
const envelope =
  (more: string): Code =>
  ({ value }) => ({ value: `{ action, platform, partnerId, time${value === null ? '' : ', data: @'}${more} }` });

const safe =
  (wrong: Wrong): Code =>
  (about) =>
    areFloats(about) ? wrong : null;
/** Texts in place of numbers, also in place of those that are BigInts. */
const asText: Code = (about) => {
  const names = namesOf(about, isNumber);
  const big = bigNames(about.value);
  if (names === null || big === null || big.some((name) => !names.includes(name))) return null;
  return {
    gets: 'data',
    value: 'data',
    right: {
      value: spread(names, (one, name) => (big.includes(name) ? `JSON.rawJSON(${one})` : `Number(${one})`)).replace('@', 'data'),
    },
  };
};

const joinBytes = (parts: readonly string[]) => `Buffer.concat([${parts.map((part) => `Buffer.from(${part})`).join(', ')}])`;

const code: Readonly<Record<string, Code>> = {
  'key.from-hex': { key: "Buffer.from(@, 'hex')", join: joinBytes },
  'key.from-base64': { key: "Buffer.from(@, 'base64')", join: joinBytes },
  'key.to-hex': { key: "Buffer.from(@).toString('hex')" },
  'key.to-base64': { key: "Buffer.from(@).toString('base64')" },
  'key.upper': { key: '@.toUpperCase()' },
  'key.lower': { key: '@.toLowerCase()' },
  'key.plus-to-space': { key: "@.replaceAll('+', ' ')" },
  'key.url-encoded': { key: 'encodeURIComponent(@)' },
  'key.url-decoded': { key: 'decodeURIComponent(@)' },
  ...Object.fromEntries(Object.entries(times).map(([name, time]) => [`time.${name}`, { time }])),
  'time.order': ({ subject }) => ({ time: `\`${/^\d{4}/.test(subject.time) ? date : ymd} ${clock}\`` }),

  'slash.escaped': { text: "@.replaceAll('/', '\\\\/')" },
  'slash.first-escaped': { text: "@.replace('/', '\\\\/')" },
  'slash.first-only': { text: "@.replaceAll('/', '\\\\/').replace('\\\\/', '/')" },
  'unicode.bare': { settings: { beyond: '' } },
  'unicode.bare-but-lines': { settings: { beyond: '\\u2028\\u2029' } },
  'unicode.escaped': { settings: { beyond: '\\u0080-\\uffff' } },
  'unicode.upper': (about) => (hasControls(about) ? null : { settings: { hex: '.toUpperCase()', beyond: '\\u0080-\\uffff' } }),
  'unicode.delete-escaped': { settings: { beyond: '\\u007f-\\uffff' } },
  'unicode.decomposed': { settings: { form: 'NFD' } },
  'unicode.composed': { settings: { form: 'NFC' } },
  'unicode.decomposed-bare': { settings: { form: 'NFD', beyond: '' } },
  'unicode.latin-1': ({ value }) =>
    /[^\0-\xff]/.test(JSON.stringify(value)) ? null : { settings: { beyond: '' }, bytes: "Buffer.from(@, 'latin1')" },
  'unicode.low-bytes': { settings: { beyond: '' }, bytes: "Buffer.from(@, 'latin1')" },
  'unicode.twice': { settings: { beyond: '' }, text: "Buffer.from(@).toString('latin1')" },
  'unicode.twice-escaped': safe({ value: "JSON.parse(Buffer.from(JSON.stringify(@)).toString('latin1'))" }),
  'html.lower': { settings: { marks: '<>&' } },
  'html.lower-quote': { settings: { marks: "<>&'" } },
  'html.lower-bare': { settings: { marks: '<>&', beyond: '\\u2028\\u2029' } },
  'layout.pretty-2': { settings: { indent: '2' } },
  'layout.pretty-4': { settings: { indent: '4' } },
  'layout.pretty-tab': { settings: { indent: "'\\t'" } },
  'layout.pretty-2-crlf': { settings: { indent: '2' }, text: "@.replaceAll('\\n', '\\r\\n')" },
  'layout.pretty-4-crlf': { settings: { indent: '4' }, text: "@.replaceAll('\\n', '\\r\\n')" },
  'layout.no-blanks': { text: "@.replace(/\\s/g, '')" },

  'numbers.double': (about) => {
    const names = namesOf(about, isBig);
    return names && { value: spread(names, (one) => `Number(${one})`).replace('@', 'data') };
  },
  'numbers.two-decimals-text': made(isAmount, (one) => `${one}.toFixed(2)`),
  'numbers.amounts-text': came(isAmount, (one) => `Number(${one})`),
  'numbers.as-text': asText,
  'numbers.as-text:': asText,
  'numbers.from-text:': came(isTextOfNumber, (one) => `String(${one})`),
  'numbers.from-text': came(isTextOfNumber, (one) => `String(${one})`),
  'numbers.words-as-numbers': came(isBoolean, (one) => `Boolean(${one})`),
  'numbers.words-as-text': came(isBoolean, (one) => `${one} === 'true'`),

  'members.falsy-dropped-script': filtered('value'),
  'members.empty-text-dropped': filtered("value !== ''"),
  'members.zero-dropped': filtered('value !== 0'),
  'members.null-dropped': filtered('value !== null'),
  'members.list-of-one': came(isListOfOne, (one) => `[${one}]`),
  'members.empty-to-null': came(isEmptyList, (one) => `${one} ?? []`),
  'members.empty-text-to-null': came(isEmptyText, (one) => `${one} ?? ''`),
  'members.null-to-empty-text': came(isNull, (one) => `${one} || null`),
  'members.trimmed': shallow(
    "Object.fromEntries(Object.entries(@).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]))",
  ),
  'members.pascal-case': renamed('name[0].toUpperCase() + name.slice(1)'),
  'members.camel-case': renamed('name[0].toLowerCase() + name.slice(1)'),
  'members.lower-case': renamed('name.toLowerCase()'),
  'members.snake-case': renamed(
    'name.replace(/(?<=[a-z\\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`).toLowerCase()',
  ),
  'members.without:': ({ detail }) => (isName.test(detail) ? { value: `(({ ${detail}, ...rest }) => rest)(@)` } : null),
  'order.sorted': shallow(sorted),
  'order.sorted-outside': { value: sorted },
  'order.reversed': shallow('Object.fromEntries(Object.entries(@).reverse())'),
  'order.any': ({ value }) => ({
    gets: 'data',
    right: {
      value: `Object.fromEntries([${(value?.members ?? []).map(({ name }) => quoted(name)).join(', ')}].map((name) => [name, data[name]]))`,
    },
  }),

  'wrap.line-feed': { text: "@ + '\\n'" },
  'wrap.carriage-return': { text: "@ + '\\r\\n'" },
  'wrap.space-behind': { text: "@ + ' '" },
  'wrap.space-before': { text: "' ' + @" },
  'wrap.byte-order-mark': { text: "'\\ufeff' + @" },
  'wrap.twice': { text: 'JSON.stringify(@)' },
  'wrap.twice-php': ({ subject }) =>
    subject.form.unicode === 'bare' ? null : { text: "JSON.stringify(@).replaceAll('/', '\\\\/')" },
  'wrap.quoted': { text: "'\"' + @ + '\"'" },
  'wrap.base64': { text: "Buffer.from(@).toString('base64')" },
  'wrap.hex': { text: "Buffer.from(@).toString('hex')" },
  'wrap.url-encoded': { text: 'encodeURIComponent(@)' },
  'wrap.envelope': envelope(''),
  'wrap.envelope-with-hash': envelope(", hash: ''"),
  'wrap.envelope-null-hash': envelope(', hash: null'),
  'wrap.named': { text: "'{\"data\":' + @ + '}'" },
  'wrap.named-part': { text: '\'"data":\' + @' },
  'wrap.assigned': { text: "'data=' + @" },
  'wrap.is:null': absent('null'),
  'wrap.is:[]': absent('[]'),
  'wrap.is:{}': absent('{}'),
  'wrap.is:""': absent("''"),
  'wrap.is:undefined': ({ value }) => ({ encode: value === null ? 'undefined' : 'JSON.stringify(data.data)' }),
  'wrap.is:false': absent('false'),
  'wrap.is:0': absent('0'),
  'wrap.object': { encode: '@' },
  'wrap.query': flat(pairs),
  'wrap.query-script': safe({ encode: pairs }),
  'wrap.query-sorted': flat(pairs.replace('.map', `${byName}.map`)),
  'wrap.query-script-sorted': safe({ encode: pairs.replace('.map', `${byName}.map`) }),
  'wrap.query-encoded': flat('new URLSearchParams(@).toString()'),
  'wrap.query-encoded-script': safe({ encode: 'new URLSearchParams(@).toString()' }),
  'wrap.values:': (about) => (isFlat(about) ? { encode: `Object.values(@).join('${about.detail}')` } : null),
  'wrap.values-script:': (about) => (areFloats(about) ? { encode: `Object.values(@).join('${about.detail}')` } : null),
  'wrap.values-sorted': flat("Object.keys(@).sort().map((name) => data[name]).join('')"),

  'digest.utf-16': { bytes: "Buffer.from(@, 'utf16le')" },
  'digest.upper': { input: '(@).toUpperCase()' },
  'digest.lower': { input: '(@).toLowerCase()' },
  'spelling.upper': { spell: '@.toUpperCase()' },
  'spelling.spaces': { spell: "@ + '\\n'" },
  'spelling.decorated': { spell: "'sha256=' + @" },
  'spelling.separated': { spell: "@.match(/../g).join('-')" },
  'spelling.base64': { spell: "@raw.toString('base64')" },
  'spelling.base64-of-hex': { spell: 'btoa(@)' },
  'spelling.hex-of-hex': { spell: "Buffer.from(@).toString('hex')" },
  'spelling.numbers': { spell: 'JSON.stringify([...@raw])' },
  'spelling.zeros-lost': { spell: "BigInt('0x' + @).toString(16)" },
  'spelling.inner-zeros-lost': { spell: "[...@raw].map((byte) => byte.toString(16)).join('')" },
  'spelling.raw': { spell: "@raw.toString('latin1')" },
};

/** Usual code in Node. Data is an object, in which a whole number beyond 2^53 is a BigInt. */
export const node: Dialect = {
  language: 'node',
  assign: 'const # = @;',
  names: { key: 'privateKey', time: 'time', signed: 'signedTime', json: 'json', hash: 'hash' },
  key: 'process.env.PRIVATE_KEY',
  time: { dmy: `\`${date} ${clock}\``, ymd: `\`${ymd} ${clock}\`` },
  timeOf: (name, time) => [
    ...(name === 'time' ? ["const two = (part) => String(part).padStart(2, '0');"] : []),
    `const ${name}Of = (now) => ${time};`,
    `const ${name} = ${name}Of(new Date());`,
  ],
  utc: (text) => text.replaceAll('now.get', 'now.getUTC'),
  clean: {
    breaks: "@.replace(/[\\r\\n]+$/, '')",
    blanks: '@.trim()',
    quotes: "@.replace(/^(['\"])(.*)\\1$/s, '$2')",
    mark: "@.replace(/^\\ufeff/, '')",
  },
  data(about) {
    const { value } = about;
    // A name that is a whole number moves to the front.
    if (value === null || !numbersIn(value).every(isWritten) || value.members.some(({ name }) => /^\d+$/.test(name))) return null;
    const names = bigNames(value);
    if (names === null || names.length === 0) return names && 'data';
    return spread(names, (one) => `JSON.rawJSON(String(${one}))`).replace('@', 'data');
  },
  settings: ({ subject }) => ({
    beyond: subject.form.unicode === 'bare' ? '\\u2028\\u2029' : '\\u0080-\\uffff',
    marks: '',
    hex: '',
    indent: '',
    form: '',
  }),
  encode({ beyond, marks, hex, indent, form }) {
    const text = `JSON.stringify(@${indent === '' ? '' : `, null, ${String(indent)}`})${form === '' ? '' : `.normalize('${String(form)}')`}`;
    const chars = `${String(marks)}${String(beyond)}`;
    if (chars === '') return { code: text };
    const first = `const escaped = (char) => '\\\\u' + char.charCodeAt(0).toString(16)${String(hex)}.padStart(4, '0');`;
    return { first, code: `${text}.replace(/[${chars}]/g, escaped)` };
  },
  literal: quoted,
  join: (parts) => (parts.length === 1 ? `String(${parts.join('')})` : parts.join(' + ')),
  bytes: '@',
  digest: (algorithm, bytes, form) => `createHash('${algorithm}').update(${bytes}).digest(${form === 'raw' ? '' : "'hex'"})`,
  hmac: (algorithm, key, bytes, form) =>
    `createHmac('${algorithm}', ${key}).update(${bytes}).digest(${form === 'raw' ? '' : "'hex'"})`,
  upper: '@.toUpperCase()',
  code,
};

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
