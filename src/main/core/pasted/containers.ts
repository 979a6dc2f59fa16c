import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import type { JsonNode, JsonObject } from '#shared/json/parse.ts';
import { memberOf } from '#shared/json/values.ts';
import { decodeBase64 } from './escapes.ts';

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
export function containerName({ members }: JsonObject): string | null {
  const names = new Set(members.map(({ key }) => key));
  const found = named.find(([, fields]) => fields.every((field) => names.has(field)));
  if (found !== undefined) return found[0];
  return [...names].filter((name) => logFields.has(name)).length >= 2 ? 'log line' : null;
}

/** Returns the text of an array of bytes, as a journal exports a message that is not printable ASCII; null for any other array. */
export function textOfBytes(node: JsonNode): string | null {
  if (node.kind !== 'array' || node.items.length < 10) return null;
  const bytes = node.items.map((item) => (item.kind === 'number' && /^\d{1,3}$/.test(item.text) ? Number(item.text) : -1));
  return bytes.every((byte) => byte >= 0 && byte < 256) ? decodeUtf8Leniently(Uint8Array.from(bytes)).text : null;
}

/** The text of a request's or a response's body in HAR; null if the object is not such a body. */
export function harBody(object: JsonObject): { text: string; isBase64: boolean } | null {
  const text = memberOf(object, 'text');
  const encoding = memberOf(object, 'encoding');
  if (text?.kind !== 'string' || memberOf(object, 'mimeType') === undefined) return null;
  if (encoding?.kind !== 'string' || encoding.value !== 'base64') return { text: text.value, isBase64: false };
  const decoded = decodeBase64(text.value);
  return decoded === null ? null : { text: decoded, isBase64: true };
}

const urlNames = ['url', 'uri', 'requestUrl', 'request_uri', 'endpoint', 'fullUrl'];

/** Returns the URL that an object names. */
export function urlOf(object: JsonObject): string | null {
  for (const name of urlNames) {
    const value = memberOf(object, name);
    if (value?.kind === 'string' && /^(?:https?:\/\/|\/)\S{1,4000}$/.test(value.value)) return value.value;
  }
  return null;
}
