import { Buffer, isUtf8 } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { Failure, Finding } from '#shared/ipc/index.ts';
import { encodingFailure, tooLargeFailure } from './failures.ts';

export interface DecodedBody {
  readonly body: Buffer;
  readonly truncated: boolean;
  readonly failure: Failure | null;
  readonly findings: readonly Finding[];
}

/** Bodies that unpack to less than this are never called a bomb, however well they pack. */
const ratioFloor = 1_048_576;
const maxRatio = 100;
/** Nobody compresses a response more often on purpose. */
const mostCodings = 3;

/**
 * Undoes a `content-encoding` that nobody requested. The decoded bytes are counted as they come: the output never grows beyond
 * `maxBytes`, nor beyond 100 times the input once it is over 1 MiB. A word that names no compression changes nothing, and a text
 * that is not compressed is left as it is. A body that cannot be unpacked stays as it came.
 */
export async function decodeBody(raw: Buffer, encoding: string, maxBytes: number): Promise<DecodedBody> {
  const words = encoding
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity');
  const codings = words.filter((word) => Object.hasOwn(decoders, word));
  const findings: Finding[] = [];
  const found = (rule: string, severity: Finding['severity'], message: string) =>
    findings.push({ rule, severity, path: '', message });
  if (codings.length < words.length) {
    found(
      'http.encoding',
      'warning',
      'Content-Encoding names no compression (RFC 9110, 8.4.1). Croupier read the body as it is.',
    );
  }
  const as = (body: Buffer, failure: Failure | null, truncated = false) => ({ body, failure, truncated, findings });
  let body = raw;
  if (codings.length > mostCodings) return as(raw, encodingFailure(codings, 'several'));
  for (const coding of codings.toReversed()) {
    if (body.length === 0) break;
    const decoder = decoders[coding] ?? null;
    const limit = Math.min(maxBytes, Math.max(ratioFloor, raw.length * maxRatio));
    const begins = marks[coding] ?? '';
    const isPacked = body.toString('hex', 0, begins.length / 2) === begins;
    const unpacked = decoder === null || !isPacked ? null : await unpack(decoder(body), body, limit);
    if (unpacked === null) {
      if (isPacked && !isText(body)) return as(raw, encodingFailure(codings, decoder === null ? 'unknown' : 'damaged'));
      found(
        'http.encoding',
        'warning',
        `The headers say that the body is compressed (${coding}), but it isn't. Croupier read it as it is.`,
      );
      return as(body, null);
    }
    if (unpacked.length > limit) {
      return as(unpacked.subarray(0, limit), tooLargeFailure(maxBytes, limit < maxBytes ? 'ratio' : 'size'), true);
    }
    body = unpacked;
  }
  if (body !== raw)
    found('http.unasked', 'note', `The body is compressed (${codings.join(', ')}), which this call didn't ask for.`);
  return as(body, null);
}

/** Returns what was unpacked, at most one part more than `limit`; null if the bytes are damaged. */
async function unpack(decoder: Transform, packed: Buffer, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(packed);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) break;
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

/** Returns whether bytes are text, so that no compression made them. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !/(?![\t\n\r\f])\p{Cc}/u.test(bytes.toString('utf8', 0, 1_024));
}

/** The first bytes of every body in a compression, in hexadecimal, where it has some. */
const marks: Readonly<Record<string, string>> = { gzip: '1f8b', 'x-gzip': '1f8b', zstd: '28b52ffd' };

/** Names of compressions that a server may know, and what undoes them; null where nothing here does. */
const decoders: Readonly<Record<string, ((packed: Buffer) => Transform) | null>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Some servers send the raw form under this name: the zlib form starts with its method, 8.
  deflate: (packed) => (((packed[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  compress: null,
  'x-compress': null,
  dcb: null,
  dcz: null,
  aes128gcm: null,
  exi: null,
};
