import { isUtf8 } from 'node:buffer';
import type { Call, Client } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';

/** Decodes a response. Node's decoder takes a tenth of the time of ours, which reports malformed bytes exactly. */
export function bodyTextOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) return decodeUtf8Leniently(bytes).text;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Returns the bytes as they came; null for nearly every call. */
export async function rawOf(client: Client, { id, rawBytes }: Call): Promise<Uint8Array | null> {
  return rawBytes === undefined ? null : client.body(id, 'raw');
}

/** Returns those of a request that the gateway passed; null for Croupier's own. */
export async function rawRequestOf(client: Client, { id, request }: Call): Promise<Uint8Array | null> {
  return request.rawBytes === undefined ? null : client.body(id, 'sentRaw');
}

/** Returns the member of a JSON document that has the bytes as they came; none for nearly every call. */
export function rawMember(raw: Uint8Array | null): { readonly rawBase64?: string } {
  return raw === null ? {} : { rawBase64: Buffer.from(raw).toString('base64') };
}
