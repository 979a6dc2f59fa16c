import type { IncomingMessage } from 'node:http';

/** Limits of a body in bytes. */
interface BodyLimits {
  readonly kept: number;
  /** Beyond `kept` a body is read and forgotten up to here: a client that writes before it reads would lose the refusal. */
  readonly drained: number;
}

/** Reads a body and calls back once, with the bytes or the reason why there are none. The server limits the time that it may take. */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
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

  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limits.kept) chunks.push(chunk);
    else chunks = [];
    if (size > limits.drained) finish('too large');
  });
  request.on('end', () => {
    if (size > limits.kept) finish('too large');
    else finish(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  });
  request.on('close', () => finish('broken'));
  request.on('error', () => finish('broken'));
}
