import { isUtf8 } from 'node:buffer';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';

/** Decodes a response. Node's decoder takes a tenth of the time of ours, which reports malformed bytes exactly. */
export function bodyTextOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) return decodeUtf8Leniently(bytes).text;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
