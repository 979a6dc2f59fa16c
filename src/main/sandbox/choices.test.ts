import { afterEach, describe, expect, test } from 'vitest';
import type { Choices } from './choices.ts';
import { startTestSandbox, testHash, testTime, type TestSandbox } from '#testing/sandbox-client.ts';

const noon = Date.UTC(2026, 10, 20, 10, 15, 30);
const yearFirst = '2026-11-20 10:15:30';
const data = '{"roundId":1,"logMonth":0}';
const probe = (value: string) => `{"roundId":1,"logMonth":0,"probe":${value}}`;

let started: TestSandbox | null = null;
afterEach(async () => {
  await started?.close();
  started = null;
});

async function start(choices: Partial<Choices>): Promise<TestSandbox> {
  // Only codes matter here: none waits for its explanation.
  started = await startTestSandbox({ choices, now: () => noon, explainMs: 0 });
  return started;
}

/** Sends a body with a hash over another text, or another time, and returns the code. */
async function codeOf(sandbox: TestSandbox, text: string, hashed = text, { time = testTime, action = 'getGameRound' } = {}) {
  const envelope = { time: JSON.stringify(time), hash: JSON.stringify(testHash(hashed, time)) };
  return (await sandbox.call(action, text, envelope)).json['code'];
}

describe('data is hashed', () => {
  test.each([
    ['usually as \\u escapes, objects kept', {}, [probe('"\\u00e9"'), probe('{}')]],
    ['bare', { nonAscii: 'bare' }, [probe('"é"'), probe('{}')]],
    ['decoded as arrays', { decode: 'arrays' }, [probe('"\\u00e9"'), probe('[]')]],
    ['bare and decoded as arrays', { nonAscii: 'bare', decode: 'arrays' }, [probe('"é"'), probe('[]')]],
    ['as received', { mode: 'received' }, [probe('"\\u00E9"'), probe('{ }')]],
  ] satisfies [string, Partial<Choices>, string[]][])('%s', async (_what, choices, right) => {
    const sandbox = await start(choices);
    const sent = [probe('"\\u00E9"'), probe('{ }')];
    for (const [index, text] of sent.entries()) {
      for (const form of [probe('"\\u00e9"'), probe('"é"'), probe('{}'), probe('[]'), text]) {
        expect([form, await codeOf(sandbox, text, form)]).toEqual([form, form === right[index] ? 0 : 8]);
      }
    }
  });

  test('in a form that the verdict of code 8 names', async () => {
    const sandbox = await start({ decode: 'arrays', nonAscii: 'bare' });
    await codeOf(sandbox, probe('["é",{}]'), probe('["\\u00e9",[]]'));
    expect(sandbox.lastWhy()).toContain('Your backend escapes non-ASCII characters');
    await codeOf(sandbox, probe('["é",{}]'), probe('["é",{}]'));
    expect(sandbox.verdicts.at(-1)?.verdict).toMatchObject({
      expected: { dataIs: 'reencoded', input: { data: probe('["é",[]]') } },
      mistake: expect.stringContaining('The hash matches data as it was sent'),
    });
  });
});

describe('time', () => {
  test.each([
    ['any', [0, 0, 0]],
    ['dmy', [0, 8, 8]],
    ['ymd', [8, 0, 8]],
    ['samples', [0, 8, 8]],
  ] satisfies [Choices['timeOrder'], number[]][])('in order %s', async (timeOrder, codes) => {
    const sandbox = await start({ timeOrder });
    const times = [testTime, yearFirst, 'probe'];
    expect(await Promise.all(times.map((time) => codeOf(sandbox, data, data, { time })))).toEqual(codes);
    const replay = await Promise.all(
      [testTime, yearFirst].map((time) => codeOf(sandbox, data, data, { time, action: 'roundReplayInfo' })),
    );
    expect(replay).toEqual(timeOrder === 'samples' ? [8, 0] : codes.slice(0, 2));
  });

  test('is refused beyond the tolerance, in the zone of the clock, and the verdict says which of the two it was', async () => {
    // Tokyo is nine hours ahead of UTC.
    const sandbox = await start({ timeTolerance: 30, timeZone: 'Asia/Tokyo' });
    const times = ['20-11-2026 19:15:30', '20-11-2026 19:15:00', '20-11-2026 19:16:00', '2026-11-20 19:16:00'];
    for (const time of times) expect([time, await codeOf(sandbox, data, data, { time })]).toEqual([time, 0]);
    expect(await codeOf(sandbox, data, data, { time: '20-11-2026 19:16:01' })).toBe(8);
    expect(sandbox.lastWhy()).toContain("time, read in Asia/Tokyo, is 31 seconds ahead of the provider's clock");
    expect(await codeOf(sandbox, data, data, { time: testTime })).toBe(8);
    expect(sandbox.lastWhy()).toContain("is 32400 seconds behind the provider's clock");
    expect(await codeOf(sandbox, data, data, { time: '31-02-2026 10:00:00' })).toBe(8);
    expect(sandbox.lastWhy()).toContain('time must be a date and time as dd-mm-yyyy hh:mm:ss or yyyy-mm-dd hh:mm:ss.');
  });
});

test.each([
  ['identity', 9],
  ['hash', 8],
] satisfies [Choices['first'], number][])('with both faults, %s first gives code %i', async (first, code) => {
  const sandbox = await start({ first });
  expect((await sandbox.call('getGameRound', data, { platform: '8', hash: '"00"' })).json['code']).toBe(code);
  expect((await sandbox.call('getGameRound', data, { platform: '8' })).json['code']).toBe(9);
});
