import type { IncomingMessage } from 'node:http';
import { readers } from '#shared/model/readers.ts';

/** A body that is too large is read and forgotten up to here, in bytes: a client that writes before it reads would lose the refusal. */
const drainedBytes = 64 * 1_024 * 1_024;

const { bytes: keptBytes } = readers['provider.request'];

/** Reads a body and calls back once, with the bytes or the reason why there are none. The server limits the time that it may take. */
export function readBody(request: IncomingMessage, done: (body: Uint8Array | 'too large' | 'broken') => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let finished = false;

  function finish(body: Uint8Array | 'too large' | 'broken'): void {
    if (finished) return;
    finished = true;
    chunks = [];
    done(body);
  }

  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= keptBytes) chunks.push(chunk);
    else chunks = [];
    if (size > drainedBytes) finish('too large');
  });
  request.on('end', () => {
    if (size > keptBytes) finish('too large');
    else finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  request.on('close', () => finish('broken'));
  request.on('error', () => finish('broken'));
}
