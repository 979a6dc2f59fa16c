import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createBodyReader } from '#renderer/calls/body-reader.ts';
import { someCall } from '#testing/some-call.ts';
import { responsesGate, createComparisonStore } from './comparison-store.ts';

interface Made {
  readonly code?: number | null;
  readonly data?: string;
  readonly answer?: string | Uint8Array | null;
  readonly bytes?: number;
  readonly environmentId?: string;
  /** A wallet method, which has no hash. */
  readonly wallet?: boolean;
}

function made(
  id: number,
  { code = 0, data = '{"a":1}', answer = '{"code":0}', bytes, environmentId = 'e', wallet = false }: Made,
): Call {
  const length = answer === null ? null : (bytes ?? answer.length);
  return someCall({
    id,
    operation: 'getGameRound',
    environmentId,
    environmentName: 'staging',
    state: answer === null ? 'failed' : 'answered',
    status: answer === null ? null : 200,
    code,
    message: null,
    responseBytes: length,
    request: {
      headers: [],
      bodyText: `{"data":${data}}`,
      hashInput: wallet ? null : { time: '01-01-1970 00:00:00', dataJson: data, dataOffset: 8, dataLength: data.length },
      hash: wallet ? null : 'h',
      keyFingerprint: 'k',
    },
    response: answer === null ? null : { status: 200, headers: [], bodyBytes: length ?? 0, truncated: false },
  });
}

/** Creates a client over recorded calls; `hold` keeps the bodies of responses back until its function is called. */
function setUp(calls: Readonly<Record<number, Made>>) {
  const asked: unknown[] = [];
  const faults = { get: null as AppError | null };
  let held: (() => void)[] | null = null;
  const all = Object.entries(calls).map(([id, call]) => made(Number(id), call));
  const client = {
    async call(name: string, input: { id: number }) {
      asked.push([name, input]);
      if (faults.get !== null) throw faults.get;
      const call = all.find(({ id }) => id === input.id);
      if (call === undefined) throw new AppError('not_found', `There is no call ${input.id} in the history.`);
      return call;
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
  it('opens two wallet calls at their fields, and leaves the view to the user from then on', async () => {
    const { comparison } = setUp({ 1: { wallet: true }, 2: { wallet: true }, 3: {} });
    const { open, swap, setView } = comparison.getState();
    const view = () => comparison.getState().view;
    await open(1, 2, 'history');
    expect(view()).toBe('envelope');
    setView('hash');
    await swap();
    expect(view()).toBe('hash');
    await open(2, 3, 'history');
    expect(view()).toBe('hash');
  });

  it('puts the older call on the left, and the other way round when asked', async () => {
    const { comparison } = setUp({
      3: { data: '{"a":1}', answer: '{"id":9007199254740993}' },
      5: { data: '{"a":2}', answer: '{"id": 9007199254740992}' },
    });
    await comparison.getState().open(5, 3, 'history');
    const { pair, calls, responses } = comparison.getState();
    expect(pair).toEqual({ left: 3, right: 5 });
    expect(calls).toMatchObject({ state: 'ready', left: { id: 3 }, envelopes: { left: '{\n  "data": {\n    "a": 1\n  }\n}' } });
    expect(responses).toMatchObject({
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
      responses: { texts: { right: '{\n  "id": 9007199254740993\n}' } },
    });
    comparison.getState().close();
    expect(comparison.getState().pair).toBeNull();
  });

  it('does not compare what was not read', async () => {
    const deep = `${'['.repeat(1_500)}${']'.repeat(1_500)}`;
    const { comparison } = setUp({ 1: { answer: deep }, 2: { answer: '{}' } });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().responses).toEqual({
      state: 'failed',
      message: expect.stringMatching(/^The response was not read: it is nested 1,500 levels deep.*The two are not compared\.$/),
    });
  });

  it('waits with long answers until it is asked for them', async () => {
    const { comparison, asked } = setUp({ 1: { bytes: responsesGate }, 2: { bytes: 1 } });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().responses).toEqual({ state: 'gated', bytes: responsesGate + 1 });
    expect(asked.filter((one) => Array.isArray(one) && one[0] === 'body')).toEqual([]);
    await comparison.getState().showResponses();
    expect(comparison.getState().responses).toMatchObject({ state: 'ready', equal: true });
  });

  it('compares bytes that are no UTF-8 as bytes, though their texts look the same', async () => {
    const { comparison } = setUp({ 1: { answer: new Uint8Array([0x61, 0xff]) }, 2: { answer: new Uint8Array([0x61, 0xfe]) } });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().responses).toMatchObject({
      state: 'ready',
      equal: false,
      asBytes: true,
      hiddenBytes: 0,
      texts: { left: expect.stringContaining('61 ff'), right: expect.stringContaining('61 fe') },
    });
  });

  it('takes a call without a response', async () => {
    const { comparison } = setUp({ 1: { answer: null }, 2: {} });
    await comparison.getState().open(1, 2, 'history');
    expect(comparison.getState().responses).toMatchObject({ state: 'ready', left: null, equal: false, texts: { left: '' } });
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
    expect(comparison.getState()).toMatchObject({ pair: { left: 2, right: 3 }, responses: { texts: { right: '"three"' } } });
  });
});
