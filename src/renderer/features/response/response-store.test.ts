import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client, KeptPart } from '#shared/ipc/index.ts';
import {
  createBodyReader,
  runBodyTask,
  type BodyTask,
  type BodyTaskResult,
  type BodyWorker,
} from '#renderer/calls/body-reader.ts';
import { createResponseStore, GATE_BYTES } from './response-store.ts';

/** Creates a worker that works on this thread, and does nothing until it is released. */
function heldWorker() {
  const listeners = { message: [] as ((event: { data: BodyTaskResult }) => void)[], error: [] as (() => void)[] };
  const tasks: BodyTask[] = [];
  const worker = {
    postMessage: (task: BodyTask) => tasks.push(task),
    addEventListener: (type: 'message' | 'error', listener: never) => listeners[type].push(listener),
  } as unknown as BodyWorker;
  const work = () => {
    for (const task of tasks.splice(0))
      for (const listener of listeners.message) listener({ data: { id: task.id, value: runBodyTask(task) } });
  };
  const fail = () => {
    for (const listener of listeners.error) listener();
  };
  return { worker, tasks, work, fail };
}

function setUp(bodies: Record<number, string | Uint8Array>) {
  const fetched: number[] = [];
  const client = {
    async body(id: number, part: KeptPart = 'body') {
      fetched.push(id);
      const body = part === 'raw' ? new Uint8Array([id, 0xff]) : bodies[id];
      if (body === undefined) throw new AppError('not_found', `Call ${id} has no body.`);
      return typeof body === 'string' ? new TextEncoder().encode(body) : body;
    },
  } as unknown as Client;
  const held = heldWorker();
  const store = createResponseStore(client, { reader: createBodyReader(() => held.worker) });
  return { store, actions: store.getState(), fetched, held, body: (id: number) => store.getState().bodies.get(id) };
}

const games = '{"code":0,"data":{"slots":[{"id":1042,"gameName":"Golden Orchard"}]}}';

describe('the bodies of answers', () => {
  it('fetches once and reads text, layout and table', async () => {
    const { actions, body, fetched } = setUp({ 1: games });
    await Promise.all([actions.open(1), actions.open(1)]);
    await actions.open(1);
    expect(fetched).toEqual([1]);
    expect(body(1)).toMatchObject({
      state: 'ready',
      gated: false,
      table: { place: 'data.slots' },
      body: { text: games, isJson: true },
    });
  });

  it('shows bytes that are no UTF-8 or no JSON as they came', async () => {
    const { actions, body } = setUp({ 1: new Uint8Array([0x61, 0xff, 0x62]), 2: '' });
    await actions.open(1);
    expect(body(1)).toMatchObject({
      pretty: { text: 'a\ufffdb', whole: true },
      table: null,
      body: { malformedAt: 1, isJson: false },
    });
    await actions.open(2);
    expect(body(2)).toMatchObject({ state: 'ready', pretty: { text: '' } });
  });

  it('keeps the bytes as they came apart from the body, each fetched once', async () => {
    const { store, actions, body, fetched } = setUp({ 1: games });
    await Promise.all([actions.open(1), actions.open(1, 'raw'), actions.open(1, 'raw')]);
    expect(fetched).toEqual([1, 1]);
    expect(store.getState().raws.get(1)).toMatchObject({
      state: 'ready',
      bytes: new Uint8Array([1, 0xff]),
      body: { malformedAt: 1 },
    });
    expect(body(1)).toMatchObject({ body: { text: games } });
  });

  it('can try again after a failure', async () => {
    const bodies: Record<number, string> = {};
    const { actions, body } = setUp(bodies);
    await actions.open(1);
    expect(body(1)).toEqual({ state: 'failed', message: 'Call 1 has no body.' });
    bodies[1] = '{}';
    await actions.open(1);
    expect(body(1)).toMatchObject({ state: 'ready', pretty: { text: '{}' } });
  });

  it('waits with a long answer until it is asked for, and works off the page’s thread', async () => {
    const row = '{"id":1,"gameName":"x"}';
    const long = `[${`${row},`.repeat(Math.ceil(GATE_BYTES / row.length))}${row}]`;
    const { actions, body, held } = setUp({ 1: long });
    const opened = actions.open(1);
    await vi.waitFor(() => expect(held.tasks.map(({ task }) => task)).toEqual(['read']));
    held.work();
    // The layout is ready before the gate is shown.
    await vi.waitFor(() => expect(held.tasks.map(({ task }) => task)).toEqual(['layOut']));
    held.work();
    await opened;
    expect(body(1)).toMatchObject({ state: 'ready', gated: true, pretty: null, table: 'unread' });
    await actions.layOut(1);
    expect(held.tasks).toEqual([]);
    const ready = body(1);
    expect(ready?.state === 'ready' && ready.pretty?.text.startsWith('[\n  {\n    "id": 1,')).toBe(true);

    const read = actions.readTable(1);
    expect(body(1)).toMatchObject({ table: 'reading' });
    held.work();
    await read;
    expect(body(1)).toMatchObject({ table: { place: '' } });
  });

  it('does the work itself where the worker breaks', async () => {
    const { actions, body, held } = setUp({ 1: `"${'x'.repeat(300_000)}"` });
    const opened = actions.open(1);
    await vi.waitFor(() => expect(held.tasks).toHaveLength(1));
    held.fail();
    await opened;
    expect(body(1)).toMatchObject({ state: 'ready', body: { isJson: true } });
  });

  it('keeps the last eight', async () => {
    const { actions, store } = setUp(Object.fromEntries(Array.from({ length: 10 }, (_, id) => [id, '{}'])));
    for (let id = 0; id < 10; id += 1) await actions.open(id);
    expect([...store.getState().bodies.keys()]).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
