import { createHash, createHmac } from 'node:crypto';
import type { Match, Stage } from '#shared/doctor/search.ts';
import { someSubject } from './some-subject.ts';
import { findHash } from './encoders/proof.ts';
import type { Choices } from './seeded-random.ts';

/** The parts of a request of which a backend makes its hash. */
interface Making {
  readonly key: string | Buffer;
  readonly time: string;
  readonly data: string | Buffer;
  readonly join: (key: string | Buffer, time: string, data: string | Buffer) => readonly (string | Buffer)[];
  readonly digest: (input: Buffer, rest: Buffer, key: string | Buffer) => string;
  readonly spell: (hex: string) => string;
}

const making: Making = {
  key: 'tEst_Key#9+/=$a1-z',
  time: '03-01-2027 15:05:08',
  // In the rule's form, with every mark by which encoders differ.
  data: '{"exitURL":"https://a.example/x/?a=1&b=2 3","name":"Jos\\u00e9 <\'+>\\u2028\u007f","lang":"en","logMonth":0,"betAmount":1,"roundId":9007199254740993,"note":"","ids":["7","8"],"one":["9"],"more":{},"none":null,"part":0.1,"10":true}',
  join: (key, time, data) => [key, time, data],
  digest: (input) => createHash('sha256').update(input).digest('hex'),
  spell: (hex) => hex,
};

function hashOf({ key, time, data, join, digest, spell }: Making): string {
  const bytes = (parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return spell(digest(bytes(join(key, time, data)), bytes(join('', time, data)), key));
}

/** A mistake as a backend makes it, written down apart from the doctor's own rules. */
export interface KnownMistake {
  /** Its number in the research's catalogue of 103. */
  readonly number: number;
  /** The doctor's name for it. */
  readonly id: string;
  readonly part: keyof Making;
  readonly make: Partial<Making>;
}

const key = String(making.key);
const data = String(making.data);
const value = JSON.parse(data.replace('9007199254740993', '"@"')) as Record<string, unknown>;
/** Writes changed values in the rule's form. */
const written = (changed: unknown, space?: string): string =>
  JSON.stringify(changed, null, space)
    .replaceAll('"@"', '9007199254740993')
    .replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const sorted = (order: (a: string, b: string) => number) =>
  `{${Object.keys(value)
    .toSorted(order)
    .map((name) => written({ [name]: value[name] }).slice(1, -1))
    .join()}}`;
const byBytes = (a: string, b: string) => (a < b ? -1 : 1);
/** Members in the order in which they were typed, which JavaScript's objects do not keep. */
const typed = (members: string) =>
  [...members.matchAll(/"(?:[^"\\]|\\.)*":(?:\[[^\]]*\]|\{\}|"(?:[^"\\]|\\.)*"|[^,}]+)/g)].map(([one]) => one);
const members = typed(data);
const only = (keep: (member: string) => boolean) => `{${members.filter(keep).join()}}`;
const bare = data.replaceAll(/\\u(00e9|2028)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
const escaped = (marks: RegExp, from = data, upper = false) =>
  from.replaceAll(marks, (char) => {
    const digits = char.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${upper ? digits.toUpperCase() : digits}`;
  });
/** The members over several lines; lists hold texts only. */
const pretty = (indent: string, colon = '": ', end = '\n') =>
  `{${end}${members.map((one) => indent + inLines(one, indent, end).replace('":', colon)).join(`,${end}`)}${end}}`;
const inLines = (member: string, indent: string, end: string) =>
  member.replace(
    /\[("[^\]]*)\]/,
    (_, items: string) =>
      `[${end}${items
        .split(',')
        .map((item) => indent + indent + item)
        .join(`,${end}`)}${end}${indent}]`,
  );
const spacedLists = (member: string, comma: string) => member.replace('","', `"${comma}"`);
const laid = (comma: string, colon: string) =>
  `{${members.map((one) => spacedLists(one, comma).replace('":', `"${colon}`)).join(comma)}}`;
const envelope = (behind: string) =>
  `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${making.time}","data":${data}${behind}}`;
const moved = (seconds: number) => {
  const text = new Date(Date.UTC(2027, 0, 3, 15, 5, 8 + seconds)).toISOString();
  return `${text.slice(8, 10)}-${text.slice(5, 7)}-${text.slice(0, 4)} ${text.slice(11, 19)}`;
};

const of =
  <Part extends keyof Making>(part: Part) =>
  (number: number, id: string, made: Making[Part]): KnownMistake => ({ number, id, part, make: { [part]: made } });
const [ofKey, ofTime, ofData, ofJoin, ofDigest, ofSpelling] = [
  of('key'),
  of('time'),
  of('data'),
  of('join'),
  of('digest'),
  of('spell'),
];
const plain = (algorithm: string) => (input: Buffer) => createHash(algorithm).update(input).digest('hex');
const marked =
  (mark: string): Making['join'] =>
  (k, t, d) => [k, mark, t, mark, d];

/** Each mistake of the catalogue that a hash can show, at least once. */
export const knownMistakes: readonly KnownMistake[] = [
  ofData(5, 'wrap.envelope', envelope('')),
  ofData(6, 'wrap.envelope-with-hash', envelope(',"hash":""')),
  ofData(7, 'wrap.named', `{"data":${data}}`),
  ...['null', '[]', '{}', '""', 'undefined', 'None'].map((text) => ofData(8, `wrap.is:${text}`, text)),
  ofData(9, 'wrap.nothing', ''),

  ofKey(11, 'key.line-feed', `${key}\n`),
  ofKey(11, 'key.carriage-return', `${key}\r\n`),
  ofKey(11, 'key.space-behind', `${key} `),
  ofKey(11, 'key.space-before', ` ${key}`),
  ofKey(12, 'key.quoted', `"${key}"`),
  ofKey(12, 'key.single-quoted', `'${key}'`),
  ofKey(13, 'key.cut-at-hash', 'tEst_Key'),
  ofKey(13, 'key.cut-at-dollar', 'tEst_Key#9+/='),
  ofKey(13, 'key.variable-gone', 'tEst_Key#9+/=-z'),
  ofKey(14, 'key.plus-to-space', key.replace('+', ' ')),
  ofKey(14, 'key.equals-escaped', key.replace('=', '\\u003D')),
  ofKey(14, 'key.url-encoded', 'tEst_Key%239%2B%2F%3D%24a1-z'),
  ofKey(15, 'key.partner-id', '11'),
  ofKey(17, 'key.to-hex', Buffer.from(key).toString('hex')),
  ofKey(17, 'key.to-base64', Buffer.from(key).toString('base64')),
  ofKey(18, 'key.prefix-cut', 'Key#9+/=$a1-z'),
  ...['undefined', 'null', 'None'].map((text) => ofKey(19, `key.is:${text}`, text)),
  ofKey(19, 'key.empty', ''),
  ofKey(20, 'key.literal-line-feed', `${key}\\n`),
  ofKey(21, 'key.byte-order-mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(key)])),
  ofKey(22, 'key.upper', 'TEST_KEY#9+/=$A1-Z'),
  ofKey(22, 'key.lower', 'test_key#9+/=$a1-z'),
  ofKey(23, 'key.bytes-literal', `b'${key}'`),
  ofKey(24, 'key.first-lost', key.slice(1)),
  ofKey(24, 'key.last-lost', key.slice(0, -1)),

  ofTime(25, 'clock.seconds:1', moved(1)),
  ofTime(25, 'clock.seconds:-2', moved(-2)),
  ofTime(26, 'clock.zone:60', moved(3_600)),
  ofTime(26, 'clock.zone:-330', moved(-19_800)),
  ofTime(27, 'time.12-hour', '03-01-2027 03:05:08'),
  ofTime(28, 'time.java-letters', '03-05-2027 03:05:08'),
  ofTime(29, 'time.month-for-minutes', '03-01-2027 15:01:08'),
  ofTime(30, 'time.order', '2027-01-03 15:05:08'),
  ofTime(30, 'time.iso', '2027-01-03T15:05:08'),
  ofTime(30, 'time.iso-z', '2027-01-03T15:05:08Z'),
  ofTime(30, 'time.iso-ms-z', '2027-01-03T15:05:08.000Z'),
  ofTime(30, 'time.iso-offset', '2027-01-03T15:05:08+00:00'),
  ofTime(31, 'time.epoch-s', '1798988708'),
  ofTime(31, 'time.epoch-ms', '1798988708000'),
  ofTime(31, 'time.epoch-float', '1798988708.0'),
  ofTime(32, 'time.week-year', '03-01-2026 15:05:08'),
  ofTime(33, 'time.month-low', '03-00-2027 15:05:08'),
  ofTime(33, 'time.no-zeros', '3-1-2027 15:5:8'),
  ofTime(34, 'time.comma', '03/01/2027, 15:05:08'),
  ofTime(34, 'time.dots-comma', '3.1.2027, 15:05:08'),
  ofTime(34, 'time.us-locale', '1/3/2027, 3:05:08 PM'),
  ofTime(35, 'time.12-hour-half', '03-01-2027 03:05:08 PM'),
  ofTime(36, 'time.two-digit-year', '03-01-27 15:05:08'),
  ofTime(37, 'time.month-name', '03-Jan-2027 15:05:08'),
  ofTime(38, 'time.literal:dd-mm-yyyy hh:mm:ss', 'dd-mm-yyyy hh:mm:ss'),
  ofTime(39, 'time.quoted', '"03-01-2027 15:05:08"'),

  ofData(42, 'slash.escaped', data.replaceAll('/', '\\/')),
  ofData(43, 'layout.spaced', laid(', ', ': ')),
  ofData(44, 'unicode.bare', bare),
  ofData(46, 'html.lower', escaped(/[<>&]/g)),
  ofData(47, 'html.gson', escaped(/[<>&=']/g)),
  ofData(48, 'unicode.upper', data.replace('00e9', '00E9')),
  ofData(48, 'html.dotnet-all', escaped(/[<>&'+\u007f]/g, data.replace('00e9', '00E9'), true)),
  ofData(49, 'wrap.line-feed', `${data}\n`),
  ofData(50, 'order.sorted', sorted(byBytes)),
  ofData(
    51,
    'order.by-length',
    sorted((a, b) => a.length - b.length || byBytes(a, b)),
  ),
  ofData(53, 'layout.pretty-2', pretty('  ')),
  ofData(53, 'layout.pretty-4', pretty('    ')),
  ofData(53, 'layout.pretty-tab', pretty('\t')),
  ofData(53, 'layout.pretty-3', `${pretty('   ', '" : ')}\n`),
  ofData(54, 'slash.first-only', data.replaceAll('/', '\\/').replace('\\/', '/')),
  ofData(54, 'slash.first-escaped', data.replace('/', '\\/')),
  ofData(55, 'unicode.delete-escaped', escaped(/\u007f/g)),
  ofData(56, 'html.entities', data.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  ofData(57, 'unicode.bare-but-lines', bare.replace('\u2028', '\\u2028')),
  ofData(58, 'layout.pretty-2-crlf', pretty('  ', '": ', '\r\n')),
  ofData(59, 'wrap.byte-order-mark', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(data)])),
  ofData(60, 'layout.postgres', laid(', ', ' : ')),
  ofData(61, 'layout.no-blanks', data.replaceAll(' ', '')),

  ofData(62, 'numbers.as-text', data.replaceAll(/:(\d[\d.]*)/g, ':"$1"').replace('https:"', 'https:')),
  ofData(62, 'numbers.from-text', data.replace('["7","8"]', '[7,8]').replace('["9"]', '[9]')),
  ofData(63, 'numbers.amounts-with-fraction', data.replace('Amount":1,', 'Amount":1.0,')),
  ofData(64, 'numbers.two-decimals', data.replace('Amount":1,', 'Amount":1.00,')),
  ofData(64, 'numbers.two-decimals-text', data.replace('Amount":1,', 'Amount":"1.00",')),
  ofData(65, 'numbers.precision-17', data.replace(':0.1,', ':0.10000000000000001,')),
  ofData(66, 'numbers.java', data.replace('Amount":1,', 'Amount":1.0,')),
  ofData(67, 'numbers.double', data.replace('40993', '40992')),
  ofData(
    68,
    'members.null-dropped',
    only((one) => !one.endsWith(':null')),
  ),
  ofData(
    69,
    'members.falsy-dropped',
    only((one) => !/:(0|""|null|\{\})$/.test(one)),
  ),
  ofData(
    69,
    'members.falsy-dropped-script',
    only((one) => !/:(0|""|null)$/.test(one)),
  ),
  ofData(
    69,
    'members.empty-text-dropped',
    only((one) => !one.endsWith(':""')),
  ),
  ofData(
    70,
    'members.zero-dropped',
    only((one) => !one.endsWith(':0')),
  ),
  ofData(71, 'members.object-to-list', data.replace('{},', '[],')),
  ofData(71, 'members.gap:ids:1', data.replace('["7","8"]', '{"0":"7","2":"8"}')),
  ofData(72, 'members.list-of-one', data.replace('["9"]', '"9"')),
  ofData(
    73,
    'members.pascal-case',
    data.replaceAll(/"([a-z])(\w+)":/g, (_, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`),
  ),
  ofData(
    73,
    'members.snake-case',
    data
      .replace('exitURL', 'exit_url')
      .replace('logMonth', 'log_month')
      .replace('betAmount', 'bet_amount')
      .replace('roundId', 'round_id'),
  ),
  ofData(75, 'order.integers-first', written(value)),
  ofData(76, 'wrap.twice', JSON.stringify(data)),
  ofData(78, 'wrap.object', '[object Object]'),
  ofData(78, 'wrap.array', 'Array'),
  ofData(79, 'wrap.base64', Buffer.from(data).toString('base64')),
  ofData(81, 'wrap.values-script:|', members.map((one) => textOf(one.slice(one.indexOf('":') + 2))).join('|')),
  ofData(82, 'unicode.twice', Buffer.from(bare).toString('latin1')),
  ofData(82, 'unicode.latin-1', Buffer.from(bare.replace('\u2028', '?'), 'latin1')),
  ofData(83, 'unicode.question-marks', bare.replaceAll(/[\u0080-\uffff]/g, '?')),
  ofData(85, 'unicode.decomposed', data.replace('\\u00e9', 'e\\u0301')),
  ofData(86, 'unicode.replaced', bare.replaceAll(/[\u0080-\uffff]/g, '\ufffd')),

  ofJoin(87, 'composition.kdt', (k, t, d) => [k, d, t]),
  ofJoin(87, 'composition.tdk', (k, t, d) => [t, d, k]),
  ofJoin(87, 'composition.ktdk', (k, t, d) => [k, t, d, k]),
  ...['|', ':', '.', ';', '&', ' ', '\n'].map((mark) => ofJoin(88, `composition.ktd:${mark}`, marked(mark))),
  ofJoin(89, 'composition.ktd:,', marked(',')),
  ofJoin(90, 'composition.kd', (k, _, d) => [k, d]),
  ofJoin(90, 'composition.kttd', (k, t, d) => [k, t, t, d]),
  ofJoin(90, 'composition.akntd', (k, t, d) => ['getLauncherURL', k, '11', t, d]),
  ofDigest(84, 'digest.utf-16', (input) => plain('sha256')(Buffer.from(input.toString('utf8'), 'utf16le'))),
  ofDigest(91, 'digest.hmac', (_, rest, k) => createHmac('sha256', k).update(rest).digest('hex')),
  ofDigest(92, 'digest.hmac-swapped', (_, rest, k) => createHmac('sha256', rest).update(k).digest('hex')),
  ofDigest(93, 'digest.md5', plain('md5')),
  ofDigest(93, 'digest.sha1', plain('sha1')),
  ofDigest(93, 'digest.sha512', plain('sha512')),
  ofDigest(97, 'digest.twice', (input) => plain('sha256')(Buffer.from(plain('sha256')(input)))),
  ofSpelling(94, 'spelling.upper', (hex) => hex.toUpperCase()),
  ofSpelling(95, 'spelling.separated', (hex) => (hex.toUpperCase().match(/../g) ?? []).join('-')),
  ofSpelling(96, 'spelling.base64', (hex) => Buffer.from(hex, 'hex').toString('base64')),
  ofSpelling(96, 'spelling.base64', (hex) => Buffer.from(hex, 'hex').toString('base64url')),
  ofSpelling(97, 'spelling.hex-of-hex', (hex) => Buffer.from(hex).toString('hex')),
  ofSpelling(99, 'spelling.signed', (hex) =>
    [...Buffer.from(hex, 'hex')].map((byte) => (byte > 127 ? `ffffff${byte.toString(16)}` : byte.toString(16))).join(''),
  ),
  ofSpelling(100, 'spelling.decorated', (hex) => `sha256=${hex}`),
  ofSpelling(100, 'spelling.decorated', (hex) => `${hex}  -`),
  ofSpelling(102, 'spelling.numbers', (hex) => JSON.stringify([...Buffer.from(hex, 'hex')])),
  ofSpelling(103, 'spelling.raw', (hex) => Buffer.from(hex, 'hex').toString('latin1')),
];

/** JavaScript's text of a member's value in a joined list. */
function textOf(json: string): string {
  if (json === '9007199254740993') return '9007199254740992';
  const own = JSON.parse(json) as unknown;
  return [own].join();
}

/** Numbers of the catalogue that no single row can show, and where they are shown. */
export const shownElsewhere: Readonly<Record<number, string>> = {
  1: 'a verdict: the text that was hashed is not the one that was sent',
  2: 'a verdict, as 1',
  3: "layout.as-sent: data of the request itself is not in the rule's form",
  4: 'nothing: an honest no match',
  10: 'key.other: needs a second key',
  16: 'key.from-hex, key.from-base64: need a key of that form',
  40: 'clock.seconds, up to an hour, in a stage of their own',
  41: "nothing: only the provider's clock tells",
  45: 'unicode.escaped: needs a provider that leaves characters as they are',
  52: 'order.hash-map against Java, order.any in a stage of its own',
  74: 'layout.as-sent: names that come twice',
  77: 'wrap.python-dict, wrap.python-dict-quotes against Python',
  80: 'wrap.query and the like against PHP, Python, Ruby and Node',
  101: 'no mistake of the backend: the digits that are there are compared',
  98: 'spelling.zeros-lost, spelling.inner-zeros-lost: need a digest with zeros',
};

/** Returns random pairs of mistakes of different parts, of which neither hides the other: without time, its form does not matter. */
export function pairsOfMistakes(count: number, { pick }: Choices): (readonly [KnownMistake, KnownMistake])[] {
  const pairs: (readonly [KnownMistake, KnownMistake])[] = [];
  while (pairs.length < count) {
    const pair = [pick(knownMistakes), pick(knownMistakes)] as const;
    const both = hashWith(pair);
    if (pair[0].part !== pair[1].part && pair.every((one) => hashWith([one]) !== both)) pairs.push(pair);
  }
  return pairs;
}

function hashWith(mistakes: readonly KnownMistake[]): string {
  return hashOf(mistakes.reduce<Making>((made, { make }) => ({ ...made, ...make }), making));
}

/** Searches the hash that a backend with these mistakes sends. */
export function findMistakes(
  mistakes: readonly KnownMistake[],
  wanted: readonly Stage[],
): { readonly stage: Stage | null; readonly match: Match | null } {
  const subject = someSubject({ time: making.time, dataText: String(making.data), hash: hashWith(mistakes) });
  return findHash(subject, String(making.key), wanted);
}

/** Returns whether one of the explanations names all of these. */
export function isNamed(match: Match | null, mistakes: readonly KnownMistake[]): boolean {
  return (match?.ways ?? []).some((way) => mistakes.every(({ id }) => way.some((one) => one.id === id)));
}
