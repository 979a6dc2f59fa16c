import { createHmac, hash } from 'node:crypto';
import type { Digests, Subject } from '#shared/doctor/model.ts';
import { search, type Match, type Stage, type Way } from '#shared/doctor/search.ts';
import { parseJson } from '#shared/json/parse.ts';
import { phpJson } from '#shared/json/php.ts';
import { someSubject } from '../some-subject.ts';
import { mistakesOfEncoders } from './mistakes-of-encoders.ts';
import type { Written } from './live-encoders.ts';
import { payloads, type Payload } from './payloads.ts';

const digests: Digests = {
  hash: (algorithm, input) => hash(algorithm, input, 'hex'),
  hmac: (algorithm, key, input) => createHmac(algorithm, key).update(input).digest('hex'),
};
const key = 'tEst#Key+9=/abcdef';
const time = '09-03-2026 17:05:08';

/** A text that one way of one program wrote of a payload. */
export interface Encoded {
  readonly program: string;
  readonly way: string;
  readonly payload: Payload;
  readonly bytes: Buffer;
}

/** Returns what a program wrote of all payloads: once what several ways write that are known for the same. */
export function encodedBy(program: string, written: Written): Encoded[] {
  const different = new Map<string, Encoded>();
  for (const [way, texts] of written)
    for (const [at, bytes] of texts.entries()) {
      const payload = payloads[at] as Payload;
      const known = mistakesOfEncoders[program]?.[way] ?? [way];
      different.set([payload.name, bytes.toString('latin1'), ...known].join('\n'), { program, way, payload, bytes });
    }
  return [...different.values()];
}

/** `data` that was sent in the rule's form although another text was hashed, or as it was hashed. */
export type Sent = 'by the rule' | 'as hashed';

export interface Outcome {
  readonly stage: Stage | null;
  /** Null also where all that is known is that the text is the one that was sent. */
  readonly match: Match | null;
  /** Says what is wrong, with all that is needed to see it again; null if nothing is. */
  readonly problem: string | null;
}

/** Returns a request with that `data` and a hash of other bytes; null if they are not JSON, so that they cannot have been sent. */
export function requestOf({ payload, bytes }: Encoded, sent: Sent): Subject | null {
  const dataText = sent === 'as hashed' ? bytes.toString('utf8') : ruleOf(payload.text);
  const parsed = parseJson(dataText);
  if (!Buffer.from(dataText).equals(bytes) && sent === 'as hashed') return null;
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  return someSubject({
    time,
    dataText,
    ruleText: ruleOf(dataText),
    action: payload.action ?? 'getLauncherURL',
    hash: hash('sha256', Buffer.concat([Buffer.from(key + time), bytes])),
  });
}

function ruleOf(text: string): string {
  const rule = phpJson(text, { unicode: false, assoc: false });
  if (!rule.ok) throw new Error(`PHP refuses ${text}`);
  return rule.json;
}

/** Searches the hash of what was written, and compares what is named with what the program is known to do; null if it cannot have been sent so. */
export function prove(encoded: Encoded, sent: Sent, stages: readonly Stage[]): Outcome | null {
  const subject = requestOf(encoded, sent);
  if (subject === null) return null;
  const { stage, match } = find(subject, stages);
  const explained = match?.ways.some((way) => nameOf(way) !== 'layout.as-sent') === true ? match : null;
  const why = problemOf(encoded, sent, { stage, match, rule: subject.ruleText ?? '' });
  return { stage, match: explained, problem: why && `${titleOf(encoded)}, sent ${sent}: ${encoded.bytes.toString()}: ${why}` };
}

export function titleOf({ program, way, payload }: Pick<Encoded, 'program' | 'way' | 'payload'>): string {
  return `${program}, ${way}: ${payload.name}`;
}

function problemOf(
  { program, way, bytes }: Encoded,
  sent: Sent,
  { stage, match, rule }: { readonly stage: Stage | null; readonly match: Match | null; readonly rule: string },
): string | null {
  const known = mistakesOfEncoders[program]?.[way];
  const isRule = bytes.equals(Buffer.from(rule));
  if (known === undefined) return 'nobody knows what this makes';
  if (match === null) return isRule ? 'the rule was not recognised' : null;
  if (isRule !== (stage === 'rule')) return `found in stage ${stage}`;
  if (isRule) return match.ways.some((one) => one.length > 0) ? 'a mistake where there is none' : null;
  if (!isText(match.data, bytes)) return `another text was hashed: ${match.data}`;
  if (match.isSent !== (sent === 'as hashed')) return `isSent is ${match.isSent}`;
  const named = match.ways.filter((one) => nameOf(one) !== 'layout.as-sent');
  return named.length === 0 || named.some((one) => isOf(one, known)) ? null : `named ${named.map(nameOf).join(' | ')}`;
}

function isText(text: string, bytes: Buffer): boolean {
  return Buffer.from(text).equals(bytes) || Buffer.from(text, 'latin1').equals(bytes);
}

/** Returns whether a way has only mistakes that are known: by their name, or by the beginning of it. */
export function isOf(way: Way, known: readonly string[]): boolean {
  return way.every(({ id }) => known.includes(id) || known.some((one) => id.startsWith(`${one}:`) || id.startsWith(`${one}.`)));
}

export function nameOf(way: Way): string {
  return way.map(({ id }) => id).join(' + ');
}

/** Searches to the end and returns where the hash was found; the last stage without a match. */
export function findHash(subject: Subject, privateKey: string, stages: readonly Stage[]): Found {
  let found: Found = { stage: null, match: null };
  for (const step of search(subject, [{ name: null, key: privateKey }], digests, stages))
    if (step.kind === 'ended') found = { stage: step.stage, match: step.match };
  return found;
}

const searched = new Map<string, Found>();
interface Found {
  readonly stage: Stage | null;
  readonly match: Match | null;
}

/** Programs often write the same, which is searched once. */
function find(subject: Subject, stages: readonly Stage[]): Found {
  const name = [subject.hash, subject.dataText, ...stages].join('\n');
  const known = searched.get(name);
  if (known !== undefined) return known;
  const found = findHash(subject, key, stages);
  searched.set(name, found);
  return found;
}
