import type { PastedRequest } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { readHash, requestOf, timeOfSpec, type Origin } from './envelope.ts';
import { plainName, writeTree } from './tree.ts';
import type { Segment } from './segments.ts';
import type { Work } from './work.ts';

const label = /(?<![\w.$])["']?(action|platform|partner[_ ]?id|time|data|hash|currency)["']?[ \t]{0,8}(?::|=>?)[ \t]{0,8}/gi;
const day = String.raw`\d{1,4}[-./]\d{1,2}[-./]\d{2,4}`;
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[AaPp][Mm])?(?:Z|[+-]\d{2}:?\d{2})?`;
const dateTime = String.raw`${day}(?:T|, |,| )${clock}`;
const bareTime = new RegExp(dateTime, 'g');
const values: Readonly<Record<string, RegExp>> = {
  time: new RegExp(String.raw`["'[]?(${dateTime}|\d{10,13}(?:\.\d{1,9})?)(?![\w])`, 'y'),
  hash: /["']?([0-9a-fA-F]{1,64}(?:(?:…|\.{3}|\*{3})[0-9a-fA-F]{0,64})?(?!\w)|[A-Za-z0-9+/]{43}=|\[[A-Za-z]{1,20}\]|\*{3,20})/y,
};
const anyWord = /["']?([\w.-]{1,100})/y;
const mostLabels = 10_000;

/** Reads fields that stand apart with their names: `time: …`, `hash=…`. Null unless there is a hash with what it covers, or time and data. */
export function readLabelled(text: string, segments: readonly Segment[], origin: Origin, work: Work): PastedRequest | null {
  work.spend(2 * text.length);
  const found = new Map<string, string>();
  let trusted = origin;
  let hashSeen = false;
  let count = 0;
  const inside = createInside(segments);
  for (const { 0: whole, 1: name = '', index } of text.matchAll(label)) {
    if (++count > mostLabels) break;
    if (inside(index)) continue;
    const field = plainName(name.replace(' ', ''));
    const at = index + whole.length;
    const segment = field === 'data' ? segments.find(({ start }) => start >= at && start <= at + 2) : undefined;
    if (segment?.kind === 'tree') trusted = { ...origin, fidelity: segment.fidelity };
    const value =
      field === 'data' ? (segment === undefined ? null : objectText(segment)) : wordAt(text, at, values[field] ?? anyWord);
    if (field === 'hash') hashSeen = true;
    const known = found.get(field);
    // The time of a log's line has another form.
    if (value !== null && (known === undefined || (field === 'time' && !timeOfSpec.test(known) && timeOfSpec.test(value))))
      found.set(field, value);
  }
  const get = (name: string) => found.get(name) ?? null;
  const hash = readHash(get('hash') ?? '');
  const [time, dataText] = [get('time') ?? onlyTime(text, segments), get('data')];
  if (hash === null ? time === null || dataText === null : time === null && dataText === null) return null;
  const [action, platform, partnerId, currency] = [get('action'), get('platform'), get('partnerid'), get('currency')];
  const fields = { action, platform, partnerId, time, currency, dataText, hash };
  const layers = [...origin.layers, 'fields with labels'];
  return requestOf(fields, { ...trusted, layers }, hashSeen && hash === null ? ['hash'] : []);
}

/** Returns the time of the spec's form that stands there without its name, if there is just one. */
function onlyTime(text: string, segments: readonly Segment[]): string | null {
  const inside = createInside(segments);
  const times = [...text.matchAll(bareTime)].filter(({ 0: time, index }) => timeOfSpec.test(time) && !inside(index));
  return times.length === 1 ? (times[0]?.[0] ?? null) : null;
}

/** Returns whether an offset lies in a segment, for offsets that only grow. */
function createInside(segments: readonly Segment[]): (offset: number) => boolean {
  let next = 0;
  return (offset) => {
    while ((segments[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next++;
    return (segments[next]?.start ?? Number.POSITIVE_INFINITY) <= offset;
  };
}

function wordAt(text: string, at: number, expression: RegExp): string | null {
  expression.lastIndex = at;
  return expression.exec(text)?.[1] ?? null;
}

/** Returns the text of a segment that is one object. */
function objectText(segment: Segment): string | null {
  if (segment.kind === 'json') return segment.cutAt === null ? segment.text : null;
  if (segment.kind === 'tree') return writeTree(segment.tree, segment.fidelity === 'lossy');
  const text = segment.texts.map((below) => below.text.trim()).find((one) => parseJson(one).ok);
  return text ?? null;
}

const timeBefore = /(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}) \d{2}:\d{2}:\d{2}$/;

/**
 * Reads a hash input: a key or its mark, and right behind it time and data. Only the spec's forms of time are told from a key; what stands
 * before is never returned.
 */
export function readHashInput(text: string, segments: readonly Segment[], origin: Origin): PastedRequest[] {
  const here = { ...origin, layers: [...origin.layers, 'hash input'] };
  const found = segments.flatMap((segment) => {
    const time = timeBefore.exec(text.slice(Math.max(0, segment.start - 20), segment.start))?.[0];
    const dataText = time === undefined ? null : objectText(segment);
    return time === undefined || dataText === null ? [] : [requestOf({ time, dataText }, here)];
  });
  const alone = /^\s{0,20}[<[{]?[A-Z_]{0,20}KEY[>\]}]?((?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}) \d{2}:\d{2}:\d{2})\s{0,20}$/i.exec(
    text.slice(0, 200),
  )?.[1];
  if (alone !== undefined) found.push(requestOf({ time: alone }, here));
  return found;
}

const bareHash = /\b[0-9a-fA-F]{10,64}(?:…|\.{3})?(?!\w)/g;

/** Reads a text of nothing but a hash, a time and an object, in any order. */
export function readBareParts(text: string, segments: readonly Segment[], origin: Origin, work: Work): PastedRequest | null {
  const [segment] = segments;
  if (segments.length > 1 || text.length - (segment === undefined ? 0 : segment.end - segment.start) > 400) return null;
  work.spend(text.length);
  const around = segment === undefined ? text : `${text.slice(0, segment.start)} ${text.slice(segment.end)}`;
  const times = around.match(bareTime) ?? [];
  const hashes = around.replaceAll(bareTime, ' ').match(bareHash) ?? [];
  const rest = around
    .replaceAll(bareTime, '')
    .replaceAll(bareHash, '')
    .replaceAll(/[\s,;|"']/g, '');
  if (rest !== '' || times.length > 1 || hashes.length !== 1 || (times.length === 0 && segment === undefined)) return null;
  const dataText = segment === undefined ? null : objectText(segment);
  if (segment !== undefined && dataText === null) return null;
  const layers = [...origin.layers, 'hash, time and data'];
  return requestOf({ time: times[0] ?? null, dataText, hash: readHash(hashes[0] ?? '') }, { ...origin, layers });
}
