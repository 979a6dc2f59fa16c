import type { JsonNode, JsonObject } from '#shared/json/parse.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { memberOf } from '#shared/json/values.ts';
import { isEnvelope, operationsFitting, readEnvelope, requestOf, responseCode, timeOfSpec, type Origin } from './envelope.ts';
import { decodeBase64 } from './escapes.ts';
import { mayHold, under, type Reading } from './level.ts';
import { partsOfJson, partsOfTree, unflattened, type Part, type Parts } from './members.ts';
import type { Tree } from './tree.ts';

/** Longest object that is taken for data without an envelope. */
const longestData = 1_000_000;

/** A value of JSON on the way through what stands around a request. */
interface Waiting {
  readonly node: JsonNode;
  readonly origin: Origin;
  readonly isInner: boolean;
  /** True below an object of a program that is known by its fields. */
  readonly isNamed: boolean;
}

/** Reads an object of JSON: a request, a response, or something around them. `cutAt` is the offset at which it was truncated. */
export function readObject(reading: Reading, root: JsonObject, source: string, origin: Origin, cutAt: number | null): void {
  const { work, readLevel, level } = reading;
  const waiting: Waiting[] = [{ node: root, origin, isInner: false, isNamed: false }];
  for (let next = waiting.pop(); next !== undefined && !work.over; next = waiting.pop()) {
    const { node, isNamed } = next;
    work.spend(1);
    if (node.kind === 'string') {
      const below = isNamed ? next.origin : under(next.origin, 'JSON inside JSON');
      // A text kept its bytes, whatever happened to the values around it.
      if (mayHold(node.value)) readLevel({ ...below, fidelity: level.fidelity, text: node.value, depth: level.depth + 1 });
    } else if (node.kind === 'array') {
      const bytes = textOfBytes(node);
      if (bytes !== null) readLevel({ ...next.origin, text: bytes, depth: level.depth + 1 });
      else for (const item of node.items.toReversed()) waiting.push({ ...next, node: item, isInner: true });
    } else if (node.kind === 'object') {
      for (const value of readFields(reading, { ...next, node }, source, cutAt).toReversed()) waiting.push(value);
    }
  }
}

/** Reads the fields of one object. Returns its values if it only stands around something. */
function readFields(
  reading: Reading,
  { node, origin, isInner, isNamed }: Waiting & { readonly node: JsonObject },
  source: string,
  cutAt: number | null,
): Waiting[] {
  const { level, codesOnly, ranking, work, readLevel } = reading;
  const own = partsOfJson(node, source);
  const parts = unflattened(own);
  work.spend(parts.size);
  if (answers(reading, parts)) return [];
  const name = containerName(node);
  const text = source.slice(node.start, node.end);
  const nested = isInner ? under(origin, 'object inside JSON', 'reencoded') : origin;
  if (isEnvelope(parts)) {
    if (codesOnly) return [];
    const isRecord = name === 'log line';
    const ours = isRecord ? withoutLogTime(parts, node) : parts;
    const record = isRecord ? under(origin, name, 'reencoded') : nested;
    const trusted = parts === own ? record : under(origin, 'flattened fields', 'lossy');
    const whole = cutAt === null && trusted.fidelity === 'exact' ? text : null;
    if (cutAt !== null) readCut(reading, node, parts, trusted, cutAt);
    else for (const request of readEnvelope(ours, whole, trusted)) ranking.add(request, 'envelope');
    return [];
  }
  const body = harBody(node);
  if (body !== null) {
    readLevel({ ...under(origin, body.isBase64 ? 'Base64' : null), text: body.text, depth: level.depth + 1 });
    return [];
  }
  if (name === null && cutAt === null) readData(reading, parts, text, nested);
  const here = { ...under(origin, name), url: urlOf(node) ?? origin.url };
  const isNamedHere = isNamed || (name !== null && name !== 'log line');
  return node.members.map(({ value }) => ({ node: value, origin: here, isInner: true, isNamed: isNamedHere }));
}

/** A log's record with the fields of a request among its own may have the time of the log instead of the request's, or both. */
function withoutLogTime(parts: Parts, { members }: JsonObject): Parts {
  const times = members.filter(({ key }) => key === 'time').map(({ value }) => (value.kind === 'string' ? value.value : ''));
  const time = times.find((text) => timeOfSpec.test(text));
  const others = new Map([...parts].filter(([name]) => name !== 'time'));
  return time === undefined
    ? others
    : others.set('time', { name: 'time', kind: 'string', text: JSON.stringify(time), scalar: time });
}

/** An envelope that breaks off: a field that was open there is missing, and so is a hash that did not come. */
function readCut({ ranking }: Reading, node: JsonObject, parts: Parts, origin: Origin, cutAt: number): void {
  const open = node.members.find(({ value }) => value.end > cutAt)?.key;
  const whole = new Map([...parts].filter(([, part]) => part.name !== open));
  const missing = [...(open === undefined ? [] : [open]), ...(whole.has('hash') || open === 'hash' ? [] : ['hash'])];
  for (const request of readEnvelope(whole, null, origin)) {
    ranking.add({ ...request, missing: [...new Set([...request.missing, ...missing])] }, 'envelope');
  }
}

/** Reads a value in another notation, as JSON is read. */
export function readTree(reading: Reading, root: Tree, origin: Origin): void {
  const { level, codesOnly, ranking, work, readLevel } = reading;
  const isLossy = origin.fidelity === 'lossy';
  const waiting: Tree[] = [root];
  for (let next = waiting.pop(); next !== undefined && !work.over; next = waiting.pop()) {
    work.spend(1);
    if (next.kind === 'string' || next.kind === 'word') {
      if (mayHold(next.text)) readLevel({ ...origin, fidelity: level.fidelity, text: next.text, depth: level.depth + 1 });
    } else if (next.kind === 'list') {
      for (const item of next.items.toReversed()) waiting.push(item);
    } else if (next.kind === 'object') {
      const parts = unflattened(partsOfTree(next, isLossy));
      work.spend(parts.size);
      if (answers(reading, parts) || codesOnly) continue;
      if (isEnvelope(parts)) {
        for (const request of readEnvelope(parts, null, origin)) ranking.add(request, 'envelope');
        continue;
      }
      readData(reading, parts, treeText(parts), origin);
      for (const { value } of next.entries.toReversed()) waiting.push(value);
    }
  }
}

/** Notes the code of a response; false if the fields are not those of one. */
function answers({ ranking }: Reading, parts: Parts): boolean {
  const code = responseCode(parts);
  if (code !== null) ranking.response(code);
  return code !== null;
}

/** Reads an object that may be data by itself, if an operation has such fields. */
function readData({ codesOnly, ranking, work }: Reading, parts: Parts, dataText: string, origin: Origin): void {
  if (codesOnly || dataText.length > longestData) return;
  const names = [...parts.values()].map(({ name }) => name);
  if (operationsFitting(names, origin.url).length === 0) return;
  work.spend(4 * dataText.length);
  ranking.add(requestOf({ dataText }, origin), 'data');
}

/** Joins the fields of an object that is data by itself. */
function treeText(parts: Parts): string {
  return `{${[...parts.values()].map(({ name, text }: Part) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Names of JSON objects that programs put around a log's line, by fields that only they have. */
const named: readonly [layer: string, fields: readonly string[]][] = [
  ['HAR entry', ['request', 'startedDateTime']],
  ['HAR entry', ['request', 'response']],
  ['Docker log', ['log', 'stream']],
  ['journal entry', ['MESSAGE', '__REALTIME_TIMESTAMP']],
  ['journal entry', ['MESSAGE', 'PRIORITY']],
  ['journal entry', ['MESSAGE', '_PID']],
  ['Splunk result', ['_raw']],
  ['OpenSearch document', ['_source']],
  ['OpenSearch document', ['_index', 'fields']],
  ['Loki result', ['stream', 'values']],
  ['CloudWatch event', ['logEvents']],
  ['CloudWatch event', ['ingestionTime', 'message']],
  ['CloudWatch event', ['@message']],
];

/** Fields of a log's record in the libraries of many languages. */
const logFields = new Set(
  (
    'level severity levelname level_name log.level @l msg message @m @mt @t MessageTemplate RenderedMessage Message Level ts time ' +
    'request status remote_addr timestamp @timestamp Timestamp datetime asctime logger loggerName channel pid hostname thread_name'
  ).split(' '),
);

/** Returns the name of an object around a request; null for one that only holds it. */
function containerName({ members }: JsonObject): string | null {
  const names = new Set(members.map(({ key }) => key));
  const found = named.find(([, fields]) => fields.every((field) => names.has(field)));
  if (found !== undefined) return found[0];
  return [...names].filter((name) => logFields.has(name)).length >= 2 ? 'log line' : null;
}

/** Returns the text of an array of bytes, as a journal exports a message that is not printable ASCII; null for any other array. */
function textOfBytes(node: JsonNode): string | null {
  if (node.kind !== 'array' || node.items.length < 10) return null;
  const bytes = node.items.map((item) => (item.kind === 'number' && /^\d{1,3}$/.test(item.text) ? Number(item.text) : -1));
  return bytes.every((byte) => byte >= 0 && byte < 256) ? decodeUtf8Leniently(Uint8Array.from(bytes)).text : null;
}

/** The text of a request's or a response's body in HAR; null if the object is not such a body. */
function harBody(object: JsonObject): { text: string; isBase64: boolean } | null {
  const text = memberOf(object, 'text');
  const encoding = memberOf(object, 'encoding');
  if (text?.kind !== 'string' || memberOf(object, 'mimeType') === undefined) return null;
  if (encoding?.kind !== 'string' || encoding.value !== 'base64') return { text: text.value, isBase64: false };
  const decoded = decodeBase64(text.value);
  return decoded === null ? null : { text: decoded, isBase64: true };
}

const urlNames = ['url', 'uri', 'requestUrl', 'request_uri', 'endpoint', 'fullUrl'];

/** Returns the URL that an object names. */
function urlOf(object: JsonObject): string | null {
  for (const name of urlNames) {
    const value = memberOf(object, name);
    if (value?.kind === 'string' && /^(?:https?:\/\/|\/)\S{1,4000}$/.test(value.value)) return value.value;
  }
  return null;
}
