import { createHmac, hash as digestOf } from 'node:crypto';
import { swapTimeOrder } from './time-text.ts';
import type { Choices } from './choices.ts';
import { type HashSubject, compareHash, withoutTime, type HashComparison } from './hash-comparison.ts';
import { phpEncode, type PhpEncodeFlags, type PhpValue } from './php-json.ts';

type HashVerdict =
  | { readonly ok: true }
  /** `why` includes the hash input, for the log; `reason` is one or two sentences without it. */
  | { readonly ok: false; readonly why: string; readonly reason: string; readonly comparison: HashComparison };

export interface HashCheck {
  judge(subject: HashSubject): HashVerdict;
  /** Judges a request whose `time` is missing or not a string, so that no hash can match. */
  withoutTime(subject: Omit<HashSubject, 'time'>): HashComparison;
}

/** Decides which text of `data` is hashed. */
type HashForm = Pick<Choices, 'mode' | 'decode' | 'nonAscii'>;

/** Most characters of a long hash input to show. */
const shownCharacters = 2_000;
/** Beyond this size only the cheap explanations are tried. */
const searchLimit = 256 * 1_024;

/** Judges hashes with the private key, which never leaves it: results say `<PRIVATE_KEY>`. */
export function createHashCheck(privateKey: string, form: HashForm): HashCheck {
  const { mode } = form;
  const flags = { associative: form.decode === 'arrays', unescapedUnicode: form.nonAscii === 'bare' };

  function dataPart(subject: HashSubject): string | null {
    if (subject.dataText === null || subject.data === undefined) return '';
    return mode === 'received' ? subject.dataText : phpEncode(subject.data, flags);
  }

  return {
    judge(subject) {
      const data = dataPart(subject);
      const expected = data === null ? null : sha256(privateKey + subject.time + data);
      if (expected !== null && subject.hash === expected) return { ok: true };
      const { hash, dataText } = subject;
      const readable = typeof hash === 'string' && expected !== null && data !== null;
      const mistake = readable ? hintFor(privateKey, form, subject, data, expected, hash) : null;
      const asReceived =
        readable && dataText !== null && hash.trim().toLowerCase() === sha256(privateKey + subject.time + dataText);
      return {
        ok: false,
        why: explain(mode, subject, data, mistake),
        reason: reasons(subject, data, mistake).join(' '),
        comparison: compareHash(mode, subject, { data, hash: expected, mistake, asReceived }),
      };
    },
    withoutTime: (subject) => withoutTime(mode, subject),
  };
}

/** Returns the reason with the hash input and the received hash. */
function explain(mode: Choices['mode'], subject: HashSubject, data: string | null, mistake: string | null): string {
  const { time, hash, dataText } = subject;
  const [first = '', ...rest] = reasons(subject, data, mistake);
  if (data === null) return [first, ...rest].join(' ');
  const source = dataText === null ? '' : mode === 'received' ? ', data as received' : ', data decoded and encoded again';
  return [
    `Expected the lowercase hexadecimal SHA-256 of <PRIVATE_KEY> + ${dataText === null ? 'time' : 'time + data'}${source}: ` +
      `<PRIVATE_KEY>${shorten(time + data)} ` +
      `(after the key ${Buffer.byteLength(time)} bytes of time and ${Buffer.byteLength(data)} bytes of data).`,
    ...(typeof hash === 'string' ? [`Received hash: ${shorten(hash)}.`] : []),
    first,
    ...rest,
  ].join(' ');
}

/** Says why the hash is wrong, in sentences that quote neither it nor the hash input. */
function reasons({ hash }: HashSubject, data: string | null, mistake: string | null): string[] {
  const lines = data === null ? ['data holds a number that JSON cannot express once it is decoded, so no hash can match.'] : [];
  if (hash === undefined) return [...lines, 'The request has no hash.'];
  if (typeof hash !== 'string') return [...lines, 'The hash is not a string.'];
  if (!/^[0-9a-fA-F]{64}$/.test(hash.trim())) {
    lines.push(`A hash has 64 hexadecimal digits; this text has ${hash.length} characters.`);
  }
  if (data === null) return lines;
  return [
    ...lines,
    mistake ?? 'None of the usual mistakes in data, time, order or spelling gives this hash; check the private key.',
  ];
}

function hintFor(key: string, form: HashForm, subject: HashSubject, data: string, expected: string, hash: string): string | null {
  const wanted = hash.trim().toLowerCase();
  if (wanted === expected) {
    return hash.trim() === hash
      ? 'The received hash is the right one in upper case.'
      : 'The received hash is the right one with spaces around it.';
  }
  for (const [made, words] of candidates(key, form, subject, data)) if (made === wanted) return words;
  const place = onlyDifference(wanted, expected);
  if (place !== null)
    return `The received hash is the right one but for its digit ${place + 1}: ${wanted[place]} came in place of ${expected[place]}.`;
  const flat = hash.trim();
  if (flat === digestOf('sha256', key + subject.time + data, 'base64'))
    return 'The received hash is the right digest in base64 instead of hexadecimal.';
  return null;
}

/** Returns the only position at which two texts of the same length differ; null if there are more or none. */
function onlyDifference(one: string, other: string): number | null {
  if (one.length !== other.length) return null;
  const places = Array.from(other).flatMap((digit, at) => (one[at] === digit ? [] : [at]));
  return places.length === 1 ? (places[0] ?? null) : null;
}

/** Yields the hashes of usual mistakes, each with a sentence about the mistake, likeliest first. */
function* candidates(key: string, form: HashForm, subject: HashSubject, data: string): Generator<readonly [string, string]> {
  const { time, dataText } = subject;
  const encode = (value: PhpValue, flags: PhpEncodeFlags = {}) =>
    phpEncode(value, { associative: form.decode === 'arrays', unescapedUnicode: form.nonAscii === 'bare', ...flags });
  const forms: (readonly [string | null, string])[] = [];
  if (dataText !== null && subject.data !== undefined) {
    const value = subject.data;
    if (form.mode === 'reencode')
      forms.push([dataText, 'The received hash matches the received text of data instead of the re-encoded one.']);
    else forms.push([encode(value), 'The received hash matches data decoded and encoded again instead of the received text.']);
    forms.push(
      [encode(value, { escapeSlashes: true }), 'The received hash matches data with escaped slashes (\\/).'],
      [
        encode(value, { unescapedUnicode: true }),
        'The received hash matches data with its non-ASCII characters left bare instead of \\u escapes.',
      ],
      [
        encode(value, { unescapedUnicode: false }),
        'The received hash matches data with \\u escapes instead of its bare non-ASCII characters.',
      ],
      [
        encode(value, { associative: false }),
        'The received hash matches data with its objects kept; this provider makes arrays of them, so that {} becomes [].',
      ],
      [
        encode(value, { unescapedUnicode: true, escapeSlashes: true }),
        'The received hash matches data with escaped slashes and bare non-ASCII characters.',
      ],
      ['', 'The received hash was made without data.'],
    );
    if (data.length <= searchLimit) {
      forms.push(
        [encode(sortKeys(value)), 'The received hash matches data with its members sorted by name.'],
        [encode(stringify(value)), 'The received hash matches data with its numbers written as strings.'],
        [spaced(dataText), 'The received hash matches data with a space after each colon and comma.'],
      );
    }
  }
  for (const [form, words] of forms) if (form !== null && form !== data) yield [sha256(key + time + form), words];

  const swapped = swapTimeOrder(time);
  if (swapped !== null) {
    const order = /^\d{4}/.test(swapped) ? 'year-first' : 'day-first';
    yield [sha256(key + swapped + data), `The received hash was made over time in ${order} order (${swapped}).`];
  }
  yield [sha256(key + data), 'The received hash was made without time.'];
  yield [sha256(time + data), 'The received hash was made without the private key.'];
  yield [sha256(`${key}\n${time}${data}`), 'The received hash was made with a line break after the private key.'];
  yield [sha256(key + data + time), 'The received hash was made in the order key, data, time.'];
  yield [sha256(time + data + key), 'The received hash was made in the order time, data, key.'];
  yield [sha256(time + key + data), 'The received hash was made in the order time, key, data.'];
  yield [
    createHmac('sha256', key)
      .update(time + data)
      .digest('hex'),
    'The received hash is an HMAC; a plain SHA-256 over key, time and data is expected.',
  ];
}

function sha256(text: string): string {
  return digestOf('sha256', text, 'hex');
}

function sortKeys(value: PhpValue): PhpValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!(value instanceof Map)) return value;
  return new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sortKeys(member)]));
}

function stringify(value: PhpValue): PhpValue {
  if (Array.isArray(value)) return value.map(stringify);
  if (value instanceof Map) return new Map([...value].map(([name, member]) => [name, stringify(member)]));
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
}

/** Adds one space after every colon and comma outside strings, as Python prints JSON. */
function spaced(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|[:,]\s*|\s+/gs, (part) => {
    if (part.startsWith('"')) return part;
    const mark = part.trim();
    return mark === '' ? '' : `${mark} `;
  });
}

function shorten(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (${text.length} characters)`;
}
