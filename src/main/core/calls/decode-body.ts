import { Buffer } from 'node:buffer';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Failure } from '#shared/ipc/index.ts';
import { encodingFailure, tooLargeFailure } from './failures.ts';

export interface DecodedBody {
  readonly body: Buffer;
  readonly truncated: boolean;
  readonly failure: Failure | null;
}

/** Bodies that unpack to less than this are never called a bomb, however well they pack. */
const ratioFloor = 1_048_576;
const maxRatio = 100;

/**
 * Undoes a `content-encoding` that nobody requested. The decoded bytes are counted as they come: the output never grows beyond
 * `maxBytes`, nor beyond 100 times the input once it is over 1 MiB. Returns what was decoded up to there.
 */
export async function decodeBody(raw: Buffer, encoding: string, maxBytes: number): Promise<DecodedBody> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const [coding, ...more] = codings;
  if (coding === undefined) return { body: raw, truncated: false, failure: null };
  if (more.length > 0) return { body: raw, truncated: false, failure: encodingFailure(codings, 'several') };
  const decoder = decoderFor(coding, raw);
  if (decoder === null) return { body: raw, truncated: false, failure: encodingFailure(codings, 'unknown') };
  if (raw.length === 0) return { body: raw, truncated: false, failure: null };

  const ratioLimit = Math.max(ratioFloor, raw.length * maxRatio);
  const limit = Math.min(maxBytes, ratioLimit);
  const chunks: Buffer[] = [];
  let size = 0;
  decoder.end(raw);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      const room = limit - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += chunk.length;
      if (size > limit) {
        return {
          body: Buffer.concat(chunks),
          truncated: true,
          failure: tooLargeFailure(maxBytes, limit < maxBytes ? 'ratio' : 'size'),
        };
      }
    }
  } catch {
    return { body: Buffer.concat(chunks), truncated: false, failure: encodingFailure(codings, 'damaged') };
  }
  return { body: Buffer.concat(chunks), truncated: false, failure: null };
}

function decoderFor(coding: string, raw: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers send the raw form under this name: the zlib form starts with its method, 8.
      return ((raw[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return null;
  }
}
