import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createBodyReader } from '#renderer/calls/body-reader.ts';
import { answersGate, createComparisonStore } from './comparison-store.ts';
import { createLastGoodStore } from './last-good-store.ts';

interface Made {
  readonly code?: number | null;
  readonly data?: string;
  readonly answer?: string | Uint8Array | null;
  readonly bytes?: number;
  readonly overrides?: Call['draft']['overrides'];
  readonly environmentId?: string;
}

function made(
  id: number,
  { code = 0, data = '{"a":1}', answer = '{"code":0}', bytes, overrides = {}, environmentId = 'e' }: Made,
): Call {
  const length = answer === null ? null : (bytes ?? answer.length);
  return {
    id,
    operation: 'getGameRound',
    environmentId,
    environmentName: 'staging',
    url: 'https://a.example/serviceApi.php',
    sentAt: 0,
    state: answer === null ? 'failed' : 'answered',
    status: answer === null ? null : 200,
    code,
    message: null,
    failure: null,
    durationMs: 1,
    requestBytes: 1,
    responseBytes: length,
    draft: { overrides },
    request: {
      headers: [],
      bodyText: `{"data":${data}}`,
      hashInput: { time: '01-01-1970 00:00:00', dataJson: data, dataOffset: 8, dataLength: data.length },
      hash: 'h',
      keyFingerprint: 'k',
    },
    response: answer === null ? null : { status: 200, headers: [], bodyBytes: length ?? 0, truncated: false },
  } as unknown as Call;
}

/** A client over recorded calls; `hold` keeps the answers' bodies back until it is called off. */
function setUp(calls: Readonly<Record<number, Made>>) {
  const asked: unknown[] = [];
  const faults = { get: null as AppError | null, list: false };
  let held: (() => void)[] | null = null;
  const all = Object.entries(calls).map(([id, call]) => made(Number(id), call));
  const client = {
    async call(name: string, input: { id: number; before: number; filter: { environmentIds: string[] } }) {
      asked.push([name, input]);
      if (name === 'calls.get') {
        if (faults.get !== null) throw faults.get;
        const call = all.find(({ id }) => id === input.id);
        if (call === undefined) throw new AppError('not_found', `There is no call ${input.id} in the history.`);
        return call;
      }
      if (faults.list) throw new AppError('storage', 'The history cannot be read.');
      const found = all.filter(
        ({ id, code, environmentId }) => id < input.before && code === 0 && input.filter.environmentIds.includes(environmentId),
      );
      return { calls: found.toReversed().slice(0, 1) };
    },
    async body(id: number) {
      asked.push(['body', id]);
      if (held !== null) await new Promise<void>((resolve) => held?.push(resolve));
      const answer = calls[id]?.answer ?? '{"code":0}';
      return typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
    },
  } as unknown as Client;
  const reader = createBodyReader(() => {
    throw new Error('No worker here.');
  });
  return {
    comparison: createComparisonStore(client, { reader }),
    lastGood: createLastGoodStore(client, { reader }),
    call: (id: number) => made(id, calls[id] ?? {}),
    asked,
    faults,
    hold() {
      held = [];
      return () => {
        for (const resolve of held?.splice(0) ?? []) resolve();
        held = null;
      };
    },
  };
}

describe('the comparison of two calls', () => {
  it('puts the older call on the left, and the other way round when asked', async () => {
    const { comparison } = setUp({
      3: { data: '{"a":1}', answer: '{"id":9007199254740993}' },
      5: { data: '{"a":2}', answer: '{"id": 9007199254740992}' },
    });
    await comparison.getState().open(5, 3, 'history');
    const { pair, calls, answers } = comparison.getState();
    expect(pair).toEqual({ left: 3, right: 5 });
    expect(calls).toMatchObject({ state: 'ready', left: { id: 3 }, envelopes: { left: '{\n  "data": {\n    "a": 1\n  }\n}' } });
    expect(answers).toMatchObject({
      state: 'ready',
      equal: false,
      asBytes: false,
      texts: { left: '{\n  "id": 9007199254740993\n}', right: '{\n  "id": 9007199254740992\n}' },
      comparison: { json: { counts: { changed: 1 } } },
    });
    comparison.getState().setView('response');
    await comparison.getState().swap();
    expect(comparison.getState()).toMatchObject({
      pair: { left: 5, right: 3 },
      view: 'response',
      answers: { texts: { right: '{\n  "id": 9007199254740993\n}' } },
    });
    comparison.getState().close();
    expect(comparison.getState().pair).toBeNull();
  });

  it('waits with long answers until it is asked for them', async () => {
    const { comparison, asked } = setUp({ 1: { bytes: answersGate }, 2: { bytes: 1 } });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().answers).toEqual({ state: 'gated', bytes: answersGate + 1 });
    expect(asked.filter((one) => Array.isArray(one) && one[0] === 'body')).toEqual([]);
    await comparison.getState().showAnswers();
    expect(comparison.getState().answers).toMatchObject({ state: 'ready', equal: true });
  });

  it('compares bytes that are no UTF-8 as bytes, though their texts look the same', async () => {
    const { comparison } = setUp({ 1: { answer: new Uint8Array([0x61, 0xff]) }, 2: { answer: new Uint8Array([0x61, 0xfe]) } });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().answers).toMatchObject({
      state: 'ready',
      equal: false,
      asBytes: true,
      hiddenBytes: 0,
      texts: { left: expect.stringContaining('61 ff'), right: expect.stringContaining('61 fe') },
    });
  });

  it('takes a call without an answer', async () => {
    const { comparison } = setUp({ 1: { answer: null }, 2: {} });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().answers).toMatchObject({ state: 'ready', left: null, equal: false, texts: { left: '' } });
  });

  it('says that a call is gone, and can try again after another failure', async () => {
    const { comparison, faults } = setUp({ 1: {}, 2: {} });
    await comparison.getState().open(1, 9, 'history');
    expect(comparison.getState().calls).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Call 9 is no longer in the history'),
    });
    faults.get = new AppError('storage', 'The history cannot be read.');
    await comparison.getState().open(1, 2, 'requests');
    expect(comparison.getState()).toMatchObject({
      origin: 'requests',
      calls: { state: 'failed', message: 'The history cannot be read.' },
    });
    faults.get = null;
    await comparison.getState().retry();
    expect(comparison.getState().calls.state).toBe('ready');
  });

  it('drops what comes for a pair that is no longer shown', async () => {
    const { comparison, hold } = setUp({ 1: { answer: '"one"' }, 2: {}, 3: { answer: '"three"' } });
    const release = hold();
    const first = comparison.getState().open(1, 2, 'history');
    const second = comparison.getState().open(2, 3, 'history');
    await Promise.resolve();
    while (comparison.getState().calls.state !== 'ready') await Promise.resolve();
    release();
    await Promise.all([first, second]);
    expect(comparison.getState()).toMatchObject({ pair: { left: 2, right: 3 }, answers: { texts: { right: '"three"' } } });
  });
});

describe('the last accepted call before a refused one', () => {
  it('is the newest of the same operation and environment, compared once', async () => {
    const { lastGood, call, asked } = setUp({
      1: {},
      2: { data: '{"a":3}' },
      3: { environmentId: 'other' },
      4: { code: 8 },
      5: {},
    });
    await Promise.all([lastGood.getState().look(call(4)), lastGood.getState().look(call(4))]);
    expect(lastGood.getState().found.get(4)).toEqual({
      goodId: 2,
      sentence:
        'The last accepted call of getGameRound, call 2, differs first in data, at byte 5: 3 (0x33) against 1 (0x31); the value of /a was changed.',
    });
    expect(asked).toEqual([
      [
        'calls.list',
        { before: 4, limit: 1, filter: { operations: ['getGameRound'], environmentIds: ['e'], outcomes: ['accepted'] } },
      ],
      ['calls.get', { id: 2 }],
    ]);
  });

  it('is not looked for without code 8, nor where the fault was wanted', async () => {
    const { lastGood, call, asked } = setUp({
      1: {},
      2: { code: 9 },
      3: { code: 8, overrides: { time: 'x' } },
      4: { code: null },
    });
    for (const id of [1, 2, 3, 4]) await lastGood.getState().look(call(id));
    expect(asked).toEqual([]);
  });

  it('is nothing where there is none, and where it cannot be read', async () => {
    const { lastGood, call, faults } = setUp({ 1: { code: 8 }, 2: {}, 3: { code: 8 } });
    await lastGood.getState().look(call(1));
    faults.list = true;
    await lastGood.getState().look(call(3));
    expect([...lastGood.getState().found]).toEqual([
      [1, null],
      [3, null],
    ]);
  });
});
