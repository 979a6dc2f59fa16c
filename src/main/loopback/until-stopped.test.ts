import { expect, it } from 'vitest';
import { untilStopped } from './until-stopped.ts';

it('waits for what is built, and not beyond a stop, after which it is only given away', async () => {
  const stop = new AbortController();
  const late: string[] = [];
  const wait = (building: Promise<string>) => untilStopped(building, stop.signal, (built) => late.push(built));
  expect(await wait(Promise.resolve('in time'))).toBe('in time');
  await expect(wait(Promise.reject(new Error('full')))).rejects.toThrow('full');
  const { promise, resolve } = Promise.withResolvers<string>();
  const [waiting, another] = [wait(promise), wait(Promise.withResolvers<string>().promise)];
  stop.abort();
  expect([await waiting, await another]).toEqual([null, null]);
  expect(late).toEqual([]);
  resolve('too late');
  await promise;
  expect(late).toEqual(['too late']);
  expect(await wait(Promise.withResolvers<string>().promise)).toBeNull();
});
