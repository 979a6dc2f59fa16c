import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readBody } from './request-handler.ts';

/** Writes chunks of a MiB until the reader has called back, and returns what it said and how many it had by then. */
async function read(most: number, end: 'end' | 'destroy'): Promise<[said: string | number, chunks: number]> {
  const body = new PassThrough();
  const { promise, resolve } = Promise.withResolvers<string | number>();
  let said = false;
  readBody(body as unknown as IncomingMessage, (found) => {
    said = true;
    resolve(typeof found === 'string' ? found : found.length);
  });
  const chunk = Buffer.alloc(1_048_576);
  let chunks = 0;
  for (; chunks < most && !said; chunks += 1) await new Promise((written) => body.write(chunk, written));
  if (!said) body[end]();
  return [await promise, chunks];
}

test.each([
  ['within the limit is kept', 2, 'end', 2_097_152, 2],
  ['above it is read to its end first', 9, 'end', 'too large', 9],
  ['without an end is read up to a bound', 1_000, 'end', 'too large', 65],
  ['that breaks off is none, also above the limit', 5, 'destroy', 'broken', 5],
] as const)('a body %s', async (_, most, end, said, chunks) => {
  expect(await read(most, end)).toEqual([said, chunks]);
});
