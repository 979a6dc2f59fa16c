import { describe, expect, it } from 'vitest';
import { limitLookups } from './limit-lookups.ts';

/** Creates a resolver that replies on request. */
function held() {
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<readonly string[]>>();
  return {
    asked,
    resolve(host: string) {
      asked.push(host);
      const answer = Promise.withResolvers<readonly string[]>();
      open.set(host, answer);
      return answer.promise;
    },
    answer: (host: string) => open.get(host)?.resolve([`address of ${host}`]),
    fail: (host: string) => open.get(host)?.reject(new Error(host)),
  };
}

describe('lookups of one game', () => {
  it('are no more at once than they may be, and none is forgotten', async () => {
    const system = held();
    const resolve = limitLookups(system.resolve, 2);
    const all = ['a', 'b', 'c', 'd'].map((host) => resolve(host).catch(String));
    expect(system.asked).toEqual(['a', 'b']);
    system.fail('a');
    expect(await all[0]).toBe('Error: a');
    expect(system.asked).toEqual(['a', 'b', 'c']);
    for (const host of ['b', 'c']) system.answer(host);
    await Promise.all(all.slice(1, 3));
    system.answer('d');
    expect(await all[3]).toEqual(['address of d']);
  });

  it('of one name at once are one, and the next asks again', async () => {
    const system = held();
    const resolve = limitLookups(system.resolve, 2);
    const both = [resolve('a'), resolve('a')];
    expect(system.asked).toEqual(['a']);
    system.answer('a');
    await Promise.all(both);
    void resolve('a');
    expect(system.asked).toEqual(['a', 'a']);
  });
});
