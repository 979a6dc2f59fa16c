import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client, ForgetReport, Input, Payload } from '#shared/ipc/index.ts';
import { namedLines, stepText } from '#shared/forget/words.ts';
import { createForgetStore } from './forget-store.ts';

const report: ForgetReport = {
  player: 'p-12',
  dryRun: true,
  cancelled: false,
  calls: 1_200,
  production: 3,
  pinned: 1,
  byToken: 2,
  launches: 1,
  runReports: 0,
  evidence: 2,
  examples: 3,
  exampleFiles: ['/team/a.yaml', '/team/b.yaml'],
  setAside: 0,
  remains: null,
  left: [],
};

function setUp(body = '{"playerId":"p-12"}') {
  const asked: { input: Input<'history.forget'>; resolve: (report: ForgetReport) => void; reject: (error: unknown) => void }[] =
    [];
  const cancelled: string[] = [];
  let hear: ((progress: Payload<'history.forgetting'>) => void) | null = null;
  const client = {
    call(name: string, input: never) {
      if (name === 'calls.get') return Promise.resolve({ request: { bodyText: body } });
      if (name === 'history.cancelForget') return Promise.resolve(cancelled.push((input as { ticket: string }).ticket));
      return new Promise((resolve, reject) => asked.push({ input, resolve, reject }));
    },
    on(_: string, listener: typeof hear) {
      hear = listener;
      return () => (hear = null);
    },
  } as unknown as Client;
  let ids = 0;
  const store = createForgetStore(client, { newId: () => `t${++ids}` });
  const stage = () => store.getState().stage;
  return { store, stage, asked, cancelled, tell: (progress: Payload<'history.forgetting'>) => hear?.(progress) };
}

describe('forgetting a player', () => {
  it('begins with the player of the call, where it names one', async () => {
    const { store } = setUp();
    await store.getState().open(7);
    expect(store.getState().player).toBe('p-12');
    const many = setUp('{"playerIds":["a","b"]}');
    await many.store.getState().open(7);
    expect(many.store.getState().player).toBe('');
  });

  it('looks first, and removes only what was shown', async () => {
    const { store, stage, asked, tell } = setUp();
    await store.getState().open(7);
    void store.getState().search();
    expect(asked[0]?.input).toEqual({ player: 'p-12', dryRun: true, setAside: false, ticket: 't1' });
    tell({ ticket: 'another', step: 'find', done: 1, total: 2 });
    tell({ ticket: 't1', step: 'find', done: 1_000, total: 2_000 });
    expect(stage()).toMatchObject({ kind: 'working', removing: false, progress: 'Checking calls: 1,000 of 2,000' });
    asked[0]?.resolve(report);
    await vi.waitFor(() => expect(stage()).toMatchObject({ kind: 'found', report }));
    store.getState().setSetAside(true);
    void store.getState().forget();
    expect(asked[1]?.input).toEqual({ player: 'p-12', dryRun: false, setAside: true, ticket: 't2' });
    asked[1]?.resolve({ ...report, dryRun: false });
    await vi.waitFor(() => expect(stage().kind).toBe('done'));
    store.getState().close();
    expect(stage().kind).toBe('closed');
  });

  it('is stopped by closing, and says what went wrong', async () => {
    const { store, stage, asked, cancelled } = setUp();
    await store.getState().open(7);
    void store.getState().search();
    store.getState().close();
    expect(stage()).toMatchObject({ kind: 'working', stopping: true });
    expect(cancelled).toEqual(['t1']);
    asked[0]?.resolve({ ...report, cancelled: true });
    await vi.waitFor(() => expect(stage()).toEqual({ kind: 'asking', problem: null }));
    void store.getState().search();
    asked[1]?.reject(new AppError('storage', 'The disk is full.'));
    await vi.waitFor(() => expect(stage()).toEqual({ kind: 'asking', problem: 'The disk is full.' }));
  });

  it('has one line for each kind of thing', () => {
    expect(namedLines(report)).toEqual([
      '1,200 calls, 3 in production environments, 1 pinned, 2 by session token only',
      '1 launch',
      '2 evidence folders',
      '3 examples in 2 request files',
    ]);
    expect(stepText('remove', 5, 2)).toBe('Removing calls: 2 of 2');
  });
});
