import { hash as digestOf } from 'node:crypto';
import type { Subject } from '#shared/doctor/model.ts';
import type { Choices } from './choices.ts';
import { type HashSubject, compareHash, withoutTime, type HashComparison } from './hash-comparison.ts';
import type { MistakeSearches } from './mistake-search.ts';
import { phpEncode } from './php-json.ts';
import type { SearchResult } from './search-result.ts';
import { whenThere, type Soon } from './soon.ts';

/** Only what explains a refusal may come later. */
type HashVerdict = { readonly ok: true } | { readonly ok: false; readonly explained: Soon<HashExplanation> };

interface HashExplanation {
  /** Includes the hash input, for the log. */
  readonly why: string;
  /** Sentences without it. */
  readonly reason: string;
  readonly comparison: HashComparison;
}

/** A request as the search for its mistake needs it. */
interface JudgedRequest extends HashSubject {
  /** Texts of the envelope's other members; empty where it has none. */
  readonly request: Pick<Subject, 'action' | 'platform' | 'partnerId'>;
  /** Nobody waits for the response any more. */
  readonly isGone: () => boolean;
}

export type HashJudge = ReturnType<typeof createHashJudge>;

/** Decides which text of `data` is hashed. */
type HashForm = Pick<Choices, 'mode' | 'decode' | 'nonAscii'>;

/** Most characters of a long hash input to show. */
const shownCharacters = 2_000;

/** Judges hashes with the private key, which never leaves it: results say `<PRIVATE_KEY>`. */
export function createHashJudge(privateKey: string, form: HashForm, searches: Pick<MistakeSearches, 'find'>) {
  const { mode } = form;
  const flags = { associative: form.decode === 'arrays', unescapedUnicode: form.nonAscii === 'bare' };

  function dataPart(subject: HashSubject): string | null {
    if (subject.dataText === null || subject.data === undefined) return '';
    return mode === 'received' ? subject.dataText : phpEncode(subject.data, flags);
  }

  function expectedHash({ time }: HashSubject, data: string | null): string | null {
    return data === null ? null : sha256(privateKey + time + data);
  }

  function explainRefusal(subject: JudgedRequest, data: string | null, expected: string | null): Soon<HashExplanation> {
    const { hash, dataText, time } = subject;
    const searched =
      typeof hash === 'string' && data !== null
        ? searches.find(subjectOf(form, subject, hash, data), subject.isGone)
        : unsearched;
    return whenThere(searched, (result) => {
      const asReceived =
        typeof hash === 'string' && dataText !== null && hash.trim().toLowerCase() === sha256(privateKey + time + dataText);
      return {
        why: explain(mode, subject, data, result),
        reason: reasons(subject, data, result).join(' '),
        comparison: compareHash(mode, subject, {
          data,
          hash: expected,
          mistake: result.mistake,
          asReceived: expected !== null && asReceived,
        }),
      };
    });
  }

  return {
    isRight: (subject: HashSubject): boolean => subject.hash === expectedHash(subject, dataPart(subject)),
    judge(subject: JudgedRequest): HashVerdict {
      const data = dataPart(subject);
      const expected = expectedHash(subject, data);
      if (expected !== null && subject.hash === expected) return { ok: true };
      return { ok: false, explained: explainRefusal(subject, data, expected) };
    },
    /** Judges a request whose `time` is missing or not a string, so that no hash can match. */
    withoutTime: (subject: Omit<HashSubject, 'time'>): HashComparison => withoutTime(mode, subject),
  };
}

/** Returns the reason with the hash input and the received hash. */
function explain(mode: Choices['mode'], subject: HashSubject, data: string | null, result: SearchResult): string {
  const { time, hash, dataText } = subject;
  const [first = '', ...rest] = reasons(subject, data, result);
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
function reasons({ hash }: HashSubject, data: string | null, { mistake, unfound }: SearchResult): string[] {
  const lines = data === null ? ["After decoding, data contains a number that JSON can't express, so no hash can match."] : [];
  if (hash === undefined) return [...lines, 'The request has no hash.'];
  if (typeof hash !== 'string') return [...lines, 'The hash is not a string.'];
  if (!/^[0-9a-fA-F]{64}$/.test(hash.trim())) {
    lines.push(`A hash has 64 hexadecimal digits; this text has ${hash.length} characters.`);
  }
  if (data === null) return lines;
  return [...lines, ...(mistake === null ? unfound : [mistake])];
}

const unsearched: SearchResult = { mistake: null, unfound: [] };

function subjectOf(form: HashForm, { request, time, dataText }: JudgedRequest, hash: string, data: string): Subject {
  return {
    ...request,
    time,
    dataText,
    ruleText: dataText === null ? null : data,
    form: form.mode === 'reencode' ? { unicode: form.nonAscii, objects: form.decode === 'arrays' ? 'arrays' : 'kept' } : asPhp,
    hash,
  };
}

/** PHP's form, to which a text is compared that is hashed as it came. */
const asPhp = { unicode: 'escaped', objects: 'kept' } as const;

function sha256(text: string): string {
  return digestOf('sha256', text, 'hex');
}

function shorten(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (${text.length} characters)`;
}
