import { describe, expect, it } from 'vitest';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import { AppError } from '#shared/errors.ts';
import type { Output, Payload, FinishedRequest, RunSummary } from '#shared/ipc/index.ts';
import { someReported, someRun } from '#testing/some-run.ts';
import { createRunsStore, openRun } from './runs-store.ts';

const request = (path: string, state: ReportedRequest['state'] = 'passed') =>
  someReported({ path, operation: 'gameList', state, durationMs: 3 });

/** The first letter of the path is its position in the plan. */
function finished(iteration: number, path: string, state: ReportedRequest['state'] = 'passed'): FinishedRequest {
  return { iteration, row: null, index: path.charCodeAt(0) - 97, request: request(path, state) };
}

const summary = (runId: string, change: Partial<RunSummary> = {}) =>
  someRun({ runId, environmentId: 'sandbox', durationMs: null, state: 'running', planned: 4, ...change });

type Part = Output<'runs.requests'>;

/** Returns a part with these requests of the first iteration, in the order of the plan. */
function part(requests: readonly string[], next: number | null = null): Part {
  return { requests: requests.map((path) => finished(1, path)), next, end: next ?? 100, unknown: false };
}

type Handler = (input: never) => unknown;

function setUp(runs: RunSummary[]) {
  const handlers: Record<string, Handler> = {
    'runs.list': () => ({ runs }),
    'runs.requests': () => part([]),
  };
  const asked: string[] = [];
  const planned: (() => void)[] = [];
  const said: string[] = [];
  const saved: string[] = [];
  const heard: string[] = [];
  const listeners: Record<string, (payload: never) => void> = {};
  const client = {
    async call(name: string, input: unknown) {
      asked.push(name);
      return handlers[name]?.(input as never);
    },
    on(name: string, heard: (payload: never) => void) {
      listeners[name] = heard;
      return () => undefined;
    },
  } as unknown as Parameters<typeof createRunsStore>[0];
  const store = createRunsStore(client, {
    notify: ({ text }) => void said.push(typeof text === 'string' ? text : ''),
    say: (text) => void heard.push(text),
    later(run) {
      planned.push(run);
      return () => {
        if (planned.includes(run)) planned.splice(planned.indexOf(run), 1);
      };
    },
    saveText: (name) => void saved.push(name),
  });
  return {
    store,
    heard,
    handlers,
    asked,
    said,
    saved,
    /** Runs planned work, and lets replies come. */
    async pass() {
      for (const run of planned.splice(0)) run();
      await settled();
    },
    remove(runIds: string[]) {
      listeners['runs.removed']?.({ runIds } as never);
    },
    tell(change: Partial<Payload<'runs.progressed'>> & { runId: string }) {
      const told: Payload<'runs.progressed'> = {
        state: 'running',
        planned: 4,
        underWay: 1,
        waiting: 3,
        totals: totalsOf(change.finished?.map((one) => one.request) ?? []),
        current: 'a',
        finished: [],
        ...change,
      };
      listeners['runs.progressed']?.(told as never);
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function paths(store: ReturnType<typeof createRunsStore>): string[] {
  const { report: shown } = store.getState();
  return shown.state === 'ready'
    ? shown.all.rows.map(({ iteration, request: { path } }) => `${iteration} ${path}`)
    : [shown.state];
}

describe('runs store', () => {
  it('opens the newest run when it comes into sight', async () => {
    const { store } = setUp([summary('r2', { state: 'finished' }), summary('r1', { state: 'finished' })]);
    // Another screen's look at the runs opens none.
    const leave = store.getState().visit(false);
    await settled();
    expect(openRun(store.getState())).toBeNull();
    leave();
    store.getState().visit();
    await settled();
    expect(openRun(store.getState())?.runId).toBe('r2');
    expect(paths(store)).toEqual([]);
  });

  it('takes a run out of sight whose report was removed, and opens the next', async () => {
    const { store, handlers, remove } = setUp([summary('r2', { state: 'finished' }), summary('r1', { state: 'finished' })]);
    store.getState().visit();
    await settled();
    handlers['runs.list'] = () => ({ runs: [summary('r1', { state: 'finished' })] });
    remove(['r2']);
    const { list, openId } = store.getState();
    expect({ openId, runs: list.state === 'ready' && list.runs.map(({ runId }) => runId) }).toEqual({
      openId: null,
      runs: ['r1'],
    });
    await settled();
    expect(openRun(store.getState())?.runId).toBe('r1');
  });

  it('has each request once, whether the report or an event tells it first', async () => {
    const { store, handlers, tell, pass } = setUp([summary('r')]);
    await store.getState().load();
    let answer: (value: Part) => void = () => undefined;
    handlers['runs.requests'] = () => new Promise<Part>((resolve) => (answer = resolve));
    store.getState().open('r');
    tell({ runId: 'r', finished: [finished(1, 'b'), finished(2, 'a')] });
    expect(paths(store)).toEqual(['loading']);
    answer(part(['a', 'b']));
    await settled();
    expect(paths(store)).toEqual(['1 a', '1 b', '2 a']);
    tell({ runId: 'r', finished: [finished(1, 'c', 'failed')] });
    await pass();
    expect(paths(store)).toEqual(['1 a', '1 b', '1 c', '2 a']);
  });

  it('reads a long report a part at a time, and shows what came', async () => {
    const { store, handlers, pass } = setUp([summary('r', { state: 'finished' })]);
    await store.getState().load();
    const waiting: ((value: Part) => void)[] = [];
    const from: number[] = [];
    handlers['runs.requests'] = (input: { from: number }) => {
      from.push(input.from);
      return new Promise<Part>((resolve) => waiting.push(resolve));
    };
    store.getState().open('r');
    await settled();
    waiting.shift()?.(part(['c'], 50));
    await settled();
    expect(paths(store)).toEqual(['1 c']);
    expect(store.getState().report).toMatchObject({ reading: true, unknown: false });
    waiting.shift()?.({
      requests: [finished(2, 'a'), finished(1, 'a')],
      next: 90,
      end: 90,
      unknown: true,
    });
    await settled();
    await pass();
    expect(paths(store)).toEqual(['1 a', '1 c', '2 a']);
    waiting.shift()?.(part(['b']));
    await settled();
    expect(paths(store)).toEqual(['1 a', '1 b', '1 c', '2 a']);
    expect(store.getState().report).toMatchObject({ reading: false, unknown: true });
    expect(from).toEqual([0, 50, 90]);
  });

  it('reads no further where another run was opened meanwhile', async () => {
    const { store, handlers, asked } = setUp([summary('r'), summary('s')]);
    await store.getState().load();
    const waiting: ((value: Part) => void)[] = [];
    handlers['runs.requests'] = () => new Promise<Part>((resolve) => waiting.push(resolve));
    store.getState().open('r');
    store.getState().open('s');
    await settled();
    waiting[0]?.(part(['a'], 10));
    waiting[1]?.(part(['b']));
    await settled();
    expect(paths(store)).toEqual(['1 b']);
    expect(asked.filter((name) => name === 'runs.requests')).toHaveLength(2);
  });

  it('keeps counts and state of the list by what is told, and reads again how a run ended', async () => {
    const runs = [summary('r')];
    const { store, tell, asked } = setUp(runs);
    await store.getState().load();
    tell({ runId: 'r', finished: [finished(1, 'a'), finished(1, 'b', 'failed')] });
    expect(openRun({ ...store.getState(), openId: 'r' })?.totals).toMatchObject({ requests: 2, passed: 1, failed: 1 });
    expect(store.getState().live.get('r')).toMatchObject({ underWay: 1, waiting: 3, current: 'a' });
    expect(asked).toEqual(['runs.list']);
    runs[0] = summary('r', { state: 'cancelled', durationMs: 12 });
    tell({ runId: 'r', state: 'cancelled' });
    expect(store.getState().live.size).toBe(0);
    await settled();
    expect(openRun({ ...store.getState(), openId: 'r' })).toMatchObject({ state: 'cancelled', durationMs: 12 });
  });

  it('reads the list where a run is told of that is not in it', async () => {
    const runs = [summary('old', { state: 'finished' })];
    const { store, tell } = setUp(runs);
    await store.getState().load();
    runs.unshift(summary('new'));
    tell({ runId: 'new' });
    await settled();
    expect(store.getState().list).toMatchObject({ runs: [{ runId: 'new' }, { runId: 'old' }] });
  });

  it('reads list and report again after the line was down', async () => {
    const { store, handlers } = setUp([summary('r')]);
    await store.getState().load();
    store.getState().open('r');
    await settled();
    handlers['runs.requests'] = () => part(['a']);
    store.getState().refresh();
    await settled();
    expect(paths(store)).toEqual(['1 a']);
  });

  it('reads on where it had read to, while a run of another program goes on', async () => {
    const { store, handlers, pass } = setUp([summary('r')]);
    const from: number[] = [];
    const parts = [part(['a'], 50), { ...part(['b']), end: 70 }, { ...part([]), end: 70 }, { ...part(['c']), end: 90 }];
    handlers['runs.requests'] = (input: { from: number }) => {
      from.push(input.from);
      return parts[from.length - 1] ?? part([]);
    };
    const leave = store.getState().visit();
    await settled();
    await pass();
    await pass();
    leave();
    expect(from).toEqual([0, 50, 70, 70]);
    expect(paths(store)).toEqual(['1 a', '1 b', '1 c']);
  });

  it('reads no report again whose every request an event told', async () => {
    const { store, tell, asked, handlers } = setUp([summary('r')]);
    await store.getState().load();
    store.getState().open('r');
    await settled();
    const reads = () => asked.filter((name) => name === 'runs.requests').length;
    tell({ runId: 'r', finished: [finished(1, 'a')] });
    tell({ runId: 'r', state: 'finished', totals: totalsOf([request('a')]), finished: [] });
    await settled();
    expect(reads()).toBe(1);
    expect(paths(store)).toEqual(['1 a']);
    handlers['runs.requests'] = () => part(['a', 'b']);
    tell({ runId: 'r', state: 'finished', totals: totalsOf([request('a'), request('b')]), finished: [] });
    await settled();
    expect(reads()).toBe(2);
    expect(paths(store)).toEqual(['1 a', '1 b']);
  });

  it('follows a run of another program only while the runs are in sight', async () => {
    const { store, handlers, asked, pass } = setUp([summary('r')]);
    const leave = store.getState().visit();
    await settled();
    handlers['runs.requests'] = () => part(['a']);
    await pass();
    expect(paths(store)).toEqual(['1 a']);
    leave();
    const before = asked.length;
    await pass();
    expect(asked.length).toBe(before);
  });

  it('says that a run of another program cannot be cancelled here', async () => {
    const { store, handlers, said } = setUp([summary('r')]);
    await store.getState().load();
    handlers['runs.cancel'] = () => ({ cancelled: false });
    await store.getState().cancel('r');
    expect(said).toEqual(['The run was not cancelled. Another program on this home runs it. Stop it there.']);
    expect(store.getState().cancelling.size).toBe(0);
  });

  it('tells a screen reader the beginning, each quarter and the end, and nothing between', async () => {
    const { store, tell, heard } = setUp([summary('r', { planned: 8 })]);
    await store.getState().load();
    store.getState().open('r');
    const all: FinishedRequest[] = [];
    for (const path of 'abcdefgh') {
      all.push(finished(1, path));
      const state = path === 'h' ? 'finished' : 'running';
      tell({ runId: 'r', state, planned: 8, totals: totalsOf(all.map((one) => one.request)), finished: all.slice(-1) });
    }
    expect(heard).toEqual([
      'Running 8 requests.',
      '2 of 8 requests done: 2 passed.',
      '4 of 8 requests done: 4 passed.',
      '6 of 8 requests done: 6 passed.',
      'Run finished: 8 passed.',
    ]);
  });

  it('shows 10,000 requests in the order of their iterations', async () => {
    const { store, tell, pass } = setUp([summary('r', { planned: 10_000 })]);
    await store.getState().load();
    store.getState().open('r');
    await settled();
    for (let from = 10_000; from > 0; from -= 500) {
      tell({ runId: 'r', planned: 10_000, finished: Array.from({ length: 500 }, (_, at) => finished(from - at, 'a')) });
    }
    await pass();
    const shown = paths(store);
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([10_000, '1 a', '10000 a']);
  });

  it('exports a report as a file, and says why where it is refused', async () => {
    const { store, handlers, said, saved } = setUp([summary('r')]);
    handlers['runs.export'] = () => ({ name: 'run-r.xml', mediaType: 'application/xml', text: '<testsuites/>' });
    await store.getState().exportAs('r', 'junit');
    expect(saved).toEqual(['run-r.xml']);
    handlers['runs.export'] = () => {
      throw new AppError('refused', 'Replace that key.');
    };
    await store.getState().exportAs('r', 'junit');
    expect(said).toEqual(['Exported run-r.xml. Tokens are masked.', 'Nothing was exported. Replace that key.']);
  });
});
