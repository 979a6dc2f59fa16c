import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createBodyReader } from './body-reader.ts';
import { createEvidenceStore } from './evidence-store.ts';

interface Made {
  readonly code?: number;
  readonly data?: string;
  readonly overrides?: object;
  readonly environmentId?: string;
  readonly origin?: 'backend';
}

function made(id: number, { code = 0, data = '{"a":1}', overrides = {}, environmentId = 'e', origin }: Made): Call {
  const time = '20-11-2026 12:00:00';
  return {
    id,
    origin,
    operation: 'getGameRound',
    environmentId,
    sentAt: Date.UTC(2026, 10, 20, 12, 0, 0),
    state: 'answered',
    code,
    draft: { overrides },
    request: {
      headers: [],
      bodyText: `{"time":"${time}","data":${data},"hash":"h"}`,
      hashInput: { time, dataJson: data, dataOffset: 0, dataLength: 0 },
      hash: 'h',
      keyFingerprint: 'k',
    },
    response: null,
    findings: [],
  } as unknown as Call;
}

function setUp(calls: Record<number, Made>) {
  const all = Object.entries(calls).map(([id, one]) => made(Number(id), one));
  const asked: unknown[] = [];
  let fault: AppError | null = null;
  const client = {
    async call(name: string, input: { id: number; before: number; filter: { environmentIds: string[] } }) {
      asked.push([name, input]);
      if (fault !== null) throw fault;
      if (name === 'doctor.search') return { says: 'It was found.', ways: [[{ says: 'Your backend escapes the slashes.' }]] };
      if (name === 'calls.get') return all.find(({ id }) => id === input.id);
      const { before, filter } = input;
      const found = all.filter(({ id, code, environmentId }) => {
        return id < before && code === 0 && filter.environmentIds.includes(environmentId);
      });
      return { calls: found.toReversed().slice(0, 1) };
    },
  } as unknown as Client;
  const reader = createBodyReader(() => {
    throw new Error('No worker here.');
  });
  const evidence = createEvidenceStore(client, { reader });
  return {
    evidence,
    acceptedOf: (id: number) => evidence.getState().found.get(id)?.accepted ?? null,
    call: (id: number) => made(id, calls[id] ?? {}),
    asked,
    fail: (error: AppError) => (fault = error),
  };
}

describe('the last accepted call before a rejected one', () => {
  it('is the newest of the same operation and environment, compared once', async () => {
    const { evidence, acceptedOf, call, asked } = setUp({
      1: {},
      2: { data: '{"a":3}' },
      3: { environmentId: 'other' },
      4: { code: 8 },
      5: {},
    });
    await Promise.all([evidence.getState().find(call(4)), evidence.getState().find(call(4))]);
    expect(acceptedOf(4)).toMatchObject({ call: { id: 2 }, comparison: { hashInput: { data: { verdict: 'different' } } } });
    const filter = { operations: ['getGameRound'], environmentIds: ['e'], outcomes: ['accepted'] };
    expect(asked).toEqual([
      ['calls.list', { before: 4, limit: 1, filter }],
      ['calls.get', { id: 2 }],
    ]);
  });

  it('is looked for with code 9 too, and not where an override explains the code', async () => {
    const { evidence, acceptedOf, call, asked } = setUp({
      1: {},
      2: { code: 404 },
      3: { code: 8, overrides: { hash: 'wrong' } },
      4: { code: 9, overrides: { omit: ['platform'] } },
      5: { code: 9 },
      6: { code: 8, overrides: { time: 'x' } },
    });
    for (const id of [1, 2, 3, 4]) await evidence.getState().find(call(id));
    expect(asked).toEqual([]);
    for (const id of [5, 6]) await evidence.getState().find(call(id));
    expect([acceptedOf(5)?.call.id, acceptedOf(6)?.call.id]).toEqual([1, 1]);
  });

  it('is nothing where there is none, and where it cannot be read', async () => {
    const { evidence, acceptedOf, call, fail } = setUp({ 1: { code: 8 }, 2: {}, 3: { code: 8 } });
    await evidence.getState().find(call(1));
    fail(new AppError('storage', 'The history cannot be read.'));
    await evidence.getState().find(call(3));
    expect([acceptedOf(1), acceptedOf(3)]).toEqual([null, null]);
  });

  it('is found for a call of which only the row is known', async () => {
    const { evidence, acceptedOf } = setUp({ 1: {}, 2: { code: 8 } });
    await evidence.getState().open(2);
    expect(evidence.getState().found.get(2)?.call.code).toBe(8);
    expect(acceptedOf(2)?.call.id).toBe(1);
  });

  it('asks the doctor about a hash that a backend sent, and keeps the finding beside the accepted call', async () => {
    const { evidence, call } = setUp({ 1: {}, 2: { code: 8, origin: 'backend' } });
    await evidence.getState().find(call(2));
    expect(evidence.getState().found.get(2)).toMatchObject({
      finding: 'Your backend escapes the slashes.',
      accepted: { call: { id: 1 } },
    });
  });

  it('asks the doctor about a hash that was set by hand, once, and about no other', async () => {
    const { evidence, call, asked } = setUp({
      1: { code: 8, overrides: { hash: 'abc' } },
      2: { code: 8, overrides: { hash: 'wrong' } },
    });
    await evidence.getState().find(call(1));
    await evidence.getState().find(call(1));
    await evidence.getState().find(call(2));
    expect(asked).toEqual([
      [
        'doctor.search',
        expect.objectContaining({
          environmentId: 'e',
          request: expect.objectContaining({ time: '20-11-2026 12:00:00', dataText: '{"a":1}', hash: 'abc' }),
        }),
      ],
    ]);
    expect(evidence.getState().found.get(1)?.finding).toBe('Your backend escapes the slashes.');
  });
});
