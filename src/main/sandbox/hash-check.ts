import { createHmac, hash as digestOf } from 'node:crypto';
import type { Digests, Subject } from '#shared/doctor/model.ts';
import { search } from '#shared/doctor/search.ts';
import { tellMatch } from '#shared/doctor/tell.ts';
import type { Choices } from './choices.ts';
import { type HashSubject, compareHash, withoutTime, type HashComparison } from './hash-comparison.ts';
import { phpEncode } from './php-json.ts';

type HashVerdict =
  | { readonly ok: true }
  /** `why` includes the hash input, for the log; `reason` is one or two sentences without it. */
  | { readonly ok: false; readonly why: string; readonly reason: string; readonly comparison: HashComparison };

/** A request as the search for its mistake needs it. */
interface JudgedRequest extends HashSubject {
  /** Texts of the envelope's other members; empty where it has none. */
  readonly request: Pick<Subject, 'action' | 'platform' | 'partnerId'>;
}

export interface HashCheck {
  isRight(subject: HashSubject): boolean;
  judge(request: JudgedRequest): HashVerdict;
  /** Judges a request whose `time` is missing or not a string, so that no hash can match. */
  withoutTime(subject: Omit<HashSubject, 'time'>): HashComparison;
}

/** Decides which text of `data` is hashed. */
type HashForm = Pick<Choices, 'mode' | 'decode' | 'nonAscii'>;

/** Most characters of a long hash input to show. */
const shownCharacters = 2_000;
/** Longest data for which other seconds are tried: there are 7,200. */
const secondsLimit = 4_096;

/** Judges hashes with the private key, which never leaves it: results say `<PRIVATE_KEY>`. */
export function createHashCheck(privateKey: string, form: HashForm): HashCheck {
  const { mode } = form;
  const flags = { associative: form.decode === 'arrays', unescapedUnicode: form.nonAscii === 'bare' };

  function dataPart(subject: HashSubject): string | null {
    if (subject.dataText === null || subject.data === undefined) return '';
    return mode === 'received' ? subject.dataText : phpEncode(subject.data, flags);
  }

  function expectedHash({ time }: HashSubject, data: string | null): string | null {
    return data === null ? null : sha256(privateKey + time + data);
  }

  return {
    isRight: (subject) => subject.hash === expectedHash(subject, dataPart(subject)),
    judge(subject) {
      const data = dataPart(subject);
      const expected = expectedHash(subject, data);
      if (expected !== null && subject.hash === expected) return { ok: true };
      const { hash, dataText } = subject;
      const readable = typeof hash === 'string' && expected !== null && data !== null;
      const mistake = readable ? hintFor(privateKey, form, subject, data) : null;
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

/** Returns sentences about the mistake that gives the received hash; null if none of those that are tried at once does. */
function hintFor(key: string, form: HashForm, { time, dataText, hash, request }: JudgedRequest, data: string): string | null {
  if (typeof hash !== 'string') return null;
  const subject: Subject = {
    ...request,
    time,
    dataText,
    ruleText: dataText === null ? null : data,
    form: form.mode === 'reencode' ? { unicode: form.nonAscii, objects: form.decode === 'arrays' ? 'arrays' : 'kept' } : asPhp,
    hash,
  };
  // Each try hashes data once, and the provider's other callers wait meanwhile.
  const wanted = data.length <= secondsLimit ? atOnce : atOnce.slice(0, 2);
  for (const step of search(subject, [{ name: null, key }], digests, wanted)) {
    if (step.kind === 'ended' && step.match !== null) return tellMatch(step.match);
  }
  return null;
}

/** Stages that take a moment. The doctor goes through the others. */
const atOnce = ['rule', 'singles', 'seconds'] as const;

/** PHP's form, to which a text is compared that is hashed as it came. */
const asPhp = { unicode: 'escaped', objects: 'kept' } as const;

const digests: Digests = {
  hash: (algorithm, input) => digestOf(algorithm, input, 'hex'),
  hmac: (algorithm, secret, input) => createHmac(algorithm, secret).update(input).digest('hex'),
};

function sha256(text: string): string {
  return digestOf('sha256', text, 'hex');
}

function shorten(text: string): string {
  if (text.length <= shownCharacters) return text;
  return `${text.slice(0, shownCharacters)}… (${text.length} characters)`;
}
