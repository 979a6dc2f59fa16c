import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Subject } from '#shared/doctor/model.ts';
import { createMistakeSearches } from './mistake-search.ts';

const key = 'test-private-key-not-a-secret';
const time = '20-11-2026 10:15:30';
const data = '{"exitURL":"https://a.example/x","lang":"en"}';
const withName = '{"exitURL":"https://a.example/x","name":"Zo\\u00eb"}';
const sha = (text: string) => hash('sha256', text, 'hex');

const single = sha(key + time + data.replaceAll('/', '\\/'));
const pair = sha(`${key}\n${time}${data.replaceAll('/', '\\/')}`);
const unknown = sha('something else');

function subject(received: string, dataText = data): Subject {
  const form = { unicode: 'escaped', objects: 'kept' } as const;
  return { time, dataText, ruleText: dataText, form, action: 'a', platform: '7', partnerId: '12', hash: received };
}

/** A clock that goes on only where it is read: a turn has five steps, whatever the machine is doing. */
function searches({ waitMs = 100_000 } = {}) {
  let clock = 0;
  const made = createMistakeSearches(key, { waitMs, now: () => (clock += 1) });
  return { ...made, find: (received: string, dataText?: string) => made.find(subject(received, dataText), () => false) };
}

const nothing = 'No known mistake or pair of mistakes gives this hash; check the private key.';
const noneTried = 'None of the mistakes tried gives this hash; check the private key.';
const notTried = "a clock up to an hour off, pairs of mistakes. Croupier's doctor tries all.";

describe('the mistake in a refused hash', () => {
  test('is there at once if it is a single one, with the first byte that it changes', () => {
    expect(searches().find(single)).toEqual({
      mistake:
        'Your backend escapes the slashes. The hash input first differs at byte 37 after the key: / is right, \\ was hashed.',
      unfound: [],
    });
  });

  test('may be two, which come later', async () => {
    const found = searches().find(pair);
    expect(found).toBeInstanceOf(Promise);
    const { mistake } = await found;
    expect(mistake).toContain('escapes the slashes.');
    expect(mistake).toContain('key ends in a line break');
  });

  test('is not known of a hash of something else, after all was tried, nor of what is no digest', async () => {
    expect(await searches().find(unknown)).toEqual({ mistake: null, unfound: [nothing] });
    expect(searches().find('wrong')).toEqual({
      mistake: null,
      unfound: ["The hash doesn't look like a digest, so Croupier didn't search for a mistake."],
    });
  });

  test('is searched in turns, between which others have theirs', async () => {
    const order: string[] = [];
    const found = Promise.resolve(searches().find(pair)).then(() => order.push('found'));
    for (let turn = 1; turn <= 3; turn += 1) {
      await setImmediate();
      order.push(`turn ${turn}`);
    }
    await found;
    expect(order).toEqual(['turn 1', 'turn 2', 'turn 3', 'found']);
  });

  test('is searched in turns from the beginning in long data', async () => {
    const { find } = searches();
    const long = `{"a":"${'x'.repeat(5_000)}/"}`;
    const found = find(sha(key + time + long.replaceAll('/', '\\/')), long);
    expect(found).toBeInstanceOf(Promise);
    expect((await found).mistake).toContain('escapes the slashes.');
  });
});

describe('what is left out is told', () => {
  test('of a search that takes too long, with how far it came', async () => {
    const { unfound } = await searches({ waitMs: 60 }).find(unknown);
    expect(unfound[0]).toBe(noneTried);
    expect(unfound[1]).toMatch(
      /^Not tried, because the response waits at most 0.06 seconds: pairs of mistakes \([\d,]+ of [\d,]+\)\. Croupier's doctor tries all\.$/,
    );
    expect((await searches({ waitMs: 0 }).find(unknown)).unfound).toEqual([
      noneTried,
      `Not tried, because the response waits at most 0 seconds: ${notTried}`,
    ]);
  });

  test('of a search that has found something by then', async () => {
    let clock = 0;
    let turns = 0;
    const { find } = createMistakeSearches(key, { waitMs: 100_000, now: () => (clock += 1) });
    // In the midst of the pairs, of which these are among the first.
    const isGone = () => (turns += 1) > 6;
    const bare = sha(key + time + withName.replaceAll('/', '\\/').replace('\\u00eb', 'ë'));
    const { mistake, unfound } = await find(subject(bare, withName), isGone);
    expect(mistake).toMatch(/^Your backend escapes the slashes\. Your backend leaves non-ASCII characters unescaped/);
    expect(mistake).toMatch(/ Other mistakes may give the same bytes: not all were tried, because the client did not wait\.$/);
    expect(unfound).toEqual([]);
  });

  test('of data that is too long', async () => {
    const { unfound } = await searches().find(unknown, `{"a":"${'x'.repeat(40_000)}"}`);
    expect(unfound).toEqual([noneTried, 'Not tried, because data is too long: pairs of mistakes.']);
  });

  test('of more than five requests at once, which still have their single mistakes found', async () => {
    const { find } = searches();
    const order: number[] = [];
    const first = Array.from({ length: 5 }, async (_, at) => {
      const found = await find(at === 4 ? pair : unknown);
      order.push(at);
      return found;
    });
    const busy = 'Not tried, because the provider was searching for other requests';
    expect(find(pair)).toEqual({ mistake: null, unfound: [noneTried, `${busy}: ${notTried}`] });
    expect(find(single)).toMatchObject({ unfound: [] });
    expect(find(unknown, `{"a":"${'x'.repeat(5_000)}"}`)).toEqual({
      mistake: null,
      unfound: [`${busy}: single mistakes, ${notTried}`],
    });
    const found = await Promise.all(first);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(found.map(({ unfound }) => unfound)).toEqual([[nothing], [nothing], [nothing], [nothing], []]);
    // Its place is free again.
    expect((await find(pair)).mistake).not.toBeNull();
  });
});

describe('a search ends', () => {
  test('when nobody waits for it, so that the next one begins', async () => {
    const { find } = createMistakeSearches(key, { waitMs: 100_000 });
    let isGone = false;
    const [left, next] = [find(subject(unknown), () => isGone), find(subject(pair), () => false)];
    await setImmediate();
    isGone = true;
    expect((await left).unfound.at(-1)).toMatch(/^Not tried, because the client did not wait: /);
    expect((await next).mistake).not.toBeNull();
  });

  test('with the provider, and none begins after it', async () => {
    const { find, close } = searches();
    const ended: string[] = [];
    for (const received of [unknown, pair])
      void Promise.resolve(find(received)).then(({ unfound }) => ended.push(unfound.at(-1) ?? ''));
    await close();
    const stopped = `Not tried, because the provider stopped: ${notTried}`;
    expect(ended).toEqual([stopped, stopped]);
    expect(find(unknown)).toEqual({ mistake: null, unfound: [noneTried, stopped] });
  });

  test('with its fault, which keeps no other from going on', async () => {
    const { find } = createMistakeSearches(key, { waitMs: 100_000 });
    const failing = find(subject(pair), () => {
      throw new Error('a fault');
    });
    const next = find(subject(pair), () => false);
    await expect(failing).rejects.toThrow('a fault');
    expect((await next).mistake).not.toBeNull();
  });
});
