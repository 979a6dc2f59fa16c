import type { IncomingMessage } from 'node:http';

/** Reads a body of at most `limit` bytes and calls back once, with the bytes or the reason why there are none. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Uint8Array | 'too large' | 'broken') => void,
): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let finished = false;

  function finish(body: Uint8Array | 'too large' | 'broken'): void {
    if (finished) return;
    finished = true;
    chunks = [];
    done(body);
  }

  if (Number(request.headers['content-length'] ?? 0) > limit) {
    request.resume();
    finish('too large');
    return;
  }
  request.on('data', (chunk: Buffer) => {
    if (finished) return;
    size += chunk.length;
    if (size > limit) finish('too large');
    else chunks.push(chunk);
  });
  request.on('end', () => finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  request.on('close', () => finish('broken'));
  request.on('error', () => finish('broken'));
}
