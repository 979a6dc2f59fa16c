import { expect, it } from 'vitest';
import { gatherBody } from './transmit.ts';

const parts = Array.from({ length: 50 }, (_, at) => Buffer.alloc(at * 997, at));
const whole = Buffer.concat(parts);

it.each([null, 0, 10, whole.length, whole.length + 1_000, 50_000_000])('gathers what came where the headers say %s', (length) => {
  const body = gatherBody(length, 20_971_520);
  for (const part of parts) body.add(part);
  const taken = body.take();
  expect(taken.equals(whole)).toBe(true);
  // A thread gets a copy of all the memory behind it.
  expect(taken.buffer.byteLength).toBe(whole.length);
});

it('is empty where nothing came', () => {
  expect(gatherBody(5, 100).take()).toHaveLength(0);
});
