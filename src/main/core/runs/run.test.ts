import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type Call, type FinishedRequest } from '#shared/ipc/index.ts';
import type { RunCall } from '../calls/calls.ts';
import { createEvaluation } from '../collections/checks/response-evaluation.ts';
import type { Plan, PlannedRequest } from './plan.ts';
import { readyInPlan } from './request.ts';
import { createRun, type RunJob } from './run.ts';

const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://provider.example', platform: 1, partnerId: 1 });

interface World {
  /** Milliseconds that each call takes. */
  readonly callMs: number;
  readonly job?: Partial<RunJob['options']>;
  readonly iterations?: number;
  readonly requests?: readonly Partial<PlannedRequest['request'] & object>[];
  readonly needs?: Plan['needs'];
  /** Asked when a call is sent: its place, from 1, and the world's levers. */
  readonly onSend?: (place: number, levers: { later(ms: number): void; session(name: string): void; cancel(): void }) => void;
  /** Returns the code of the response to the call at that place. */
  readonly codeOf?: (place: number) => number;
  /** Called before an iteration begins. */
  readonly onBegin?: (iteration: number) => void;
  /** Called before a response is checked. */
  readonly onEvaluate?: (place: number) => void;
}

/** Runs to the end against calls that are not real, and returns which were prepared, sent and withdrawn, in order. */
async function play({ callMs, job = {}, iterations = 1, requests = [{}], needs, onSend, codeOf, onBegin, onEvaluate }: World) {
  let now = 1_000_000;
  let token = 'first';
  let made = 0;
  let sent = 0;
  let rows = 0;
  /** Of the rows, in the order in which their calls left. */
  const numbers: number[] = [];
  const story: string[] = [];
  const finished: FinishedRequest[] = [];
  const faults: unknown[] = [];
  /** Milliseconds of each pause. */
  const pauses: number[] = [];
  const evaluate = createEvaluation({ run: () => Promise.reject(new Error('Short responses are looked at in place')) });

  const plan: Plan = {
    requests: requests.map((request, index) => ({
      path: `r${index}`,
      request: { operation: 'gameList', data: '', take: {}, expect: [], overrides: {}, examples: [], ...request } as never,
      problem: '',
      folders: [],
    })),
    needs: needs ?? requests.map(() => new Map<string, number>()),
    collection: {},
    warnings: [],
    used: new Set(),
    takersFor: async () => undefined,
  };
  const run = createRun(
    {
      plan,
      iterations: {
        count: iterations,
        names: new Set(),
        rows: null,
        digest: '',
        notes: [],
        rowOf: () => null,
        async *open(numbers) {
          for (const number of numbers) {
            onBegin?.(number);
            yield { number, row: null, variables: {} };
          }
        },
      },
      options: { delayMs: 0, parallel: 1, bail: false, ...job },
      only: null,
    },
    {
      runId: 'run',
      ready: readyInPlan(plan, {
        runId: 'run',
        environment,
        games: () => null,
        session: () => ({ session: token }),
        async announce({ draft, collectionRun, inTurn }: RunCall) {
          const name = `${collectionRun.path}#${(made += 1)}`;
          const sentAt = now;
          story.push(`ready ${name}`);
          // One that needs no key is signed sooner than the others.
          if (draft.overrides.hash === undefined) await new Promise((resolve) => setImmediate(resolve));
          const row = await inTurn(async () => (rows += 1));
          return {
            sentAt,
            async send() {
              const place = (sent += 1);
              story.push(`sent ${name}`);
              numbers.push(row);
              onSend?.(place, {
                later: (ms) => (now += ms),
                session: (name) => (token = name),
                cancel: () => run.cancel(),
              });
              await Promise.resolve();
              const code = codeOf?.(place) ?? 0;
              const call = {
                id: place,
                operation: draft.operation,
                draft,
                state: 'answered',
                code,
                status: 200,
                failure: null,
                durationMs: callMs,
                findings: [],
                response: { status: 200, headers: [], bodyBytes: 1, truncated: false },
                url: 'https://provider.example/serviceApi.php',
                request: { headers: [], bodyText: '{}', hashInput: null, hash: null },
              } as unknown as Call;
              const body = Buffer.from(`{"code":${code},"data":"value of ${place}"}`);
              return { call, body, raw: Buffer.alloc(0), recorded: Promise.resolve(null) };
            },
            async withdraw() {
              story.push(`withdrawn ${name}`);
            },
          };
        },
        async evaluate(input, stopped) {
          onEvaluate?.(input.call.id);
          return evaluate(input, stopped);
        },
        now: () => now,
        newId: () => 'id',
        onFault: (error) => faults.push(error),
      }),
      cancelCall: () => undefined,
      later: (go, ms) => {
        pauses.push(ms);
        setImmediate(go);
        return () => undefined;
      },
      onDone: (one) => finished.push(one),
      onFault: (error) => faults.push(error),
    },
  );
  await run.begin();
  if ((job.parallel ?? 1) === 1) expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  const { totals, waiting, underWay } = run.progress();
  expect([totals.requests, waiting, underWay]).toEqual([run.planned, 0, 0]);
  const outcomes = finished.map(({ iteration, request: { state, reason } }) => [iteration, state, reason]);
  return { story, totals, finished, faults, pauses, outcomes, state: run.outcome };
}

const kinds = (story: readonly string[]) => story.map((line) => line.split(' ')[0]).join(' ');

describe('requests that leave soon', () => {
  it('are made ready together once it is known that calls are fast, and leave in their order', async () => {
    const { story, totals } = await play({ callMs: 2.5, iterations: 11 });
    expect(totals.passed).toBe(11);
    // 10 ms are four of them, beside the one that leaves now.
    const five = 'ready ready ready ready ready sent sent sent sent sent';
    expect(kinds(story)).toBe(`ready sent ${five} ${five}`);
    const sent = story.filter((line) => line.startsWith('sent'));
    expect(sent).toEqual(Array.from({ length: 11 }, (_, index) => `sent r0#${index + 1}`));
  });

  it('are made ready one by one where calls are slow, or a pause is asked for between them', async () => {
    const oneByOne = 'ready sent ready sent ready sent';
    const slow = await play({ callMs: 11, iterations: 3 });
    expect([kinds(slow.story), slow.pauses]).toEqual([oneByOne, []]);
    const paused = await play({ callMs: 1, iterations: 3, job: { delayMs: 5 } });
    expect([kinds(paused.story), paused.pauses]).toEqual([oneByOne, [5, 5, 5]]);
  });

  it('do not overtake one that waits for a response', async () => {
    const { story, totals } = await play({
      callMs: 1,
      iterations: 3,
      requests: [{ take: { v: '/data' } }, { data: '"{{v}}"', operation: 'getGameRound' as never }, {}],
      needs: [new Map(), new Map([['v', 0]]), new Map()],
    });
    expect(totals.passed).toBe(9);
    expect(story.filter((line) => line.startsWith('sent')).map((line) => line.slice(5, 7))).toEqual([
      'r0',
      'r1',
      'r2',
      'r0',
      'r1',
      'r2',
      'r0',
      'r1',
      'r2',
    ]);
  });

  it('are taken by as many as may be under way at once', async () => {
    const { story, totals } = await play({ callMs: 20, iterations: 40, job: { parallel: 10 } });
    expect(totals.passed).toBe(40);
    expect(new Set(story.filter((line) => line.startsWith('sent'))).size).toBe(40);
  });
});

describe('a request that was made ready', () => {
  const readyThen = (story: readonly string[]) => story.filter((line) => !line.startsWith('ready'));

  it('is made again where its time is older than a second when its turn comes', async () => {
    const { story, totals } = await play({
      callMs: 5,
      iterations: 4,
      onSend: (place, { later }) => void (place === 2 && later(1_001)),
    });
    expect(totals.passed).toBe(4);
    // The first is alone, then three are ready; the second of them waits too long, and so does the third.
    expect(readyThen(story)).toEqual(['sent r0#1', 'sent r0#2', 'withdrawn r0#3', 'withdrawn r0#4', 'sent r0#5', 'sent r0#6']);
  });

  it('is given back with those behind it, which would have earlier numbers, and is skipped where the run stops then', async () => {
    const { story, totals } = await play({
      callMs: 2.5,
      iterations: 4,
      requests: [{}, { overrides: { hash: 'x' } }],
      job: { bail: true },
      onSend: (place, { later }) => void (place === 3 && later(1_001)),
      codeOf: (place) => (place === 4 ? 8 : 0),
    });
    expect(totals).toMatchObject({ requests: 8, passed: 3, failed: 1, skipped: 4 });
    expect(readyThen(story).slice(3)).toEqual(['withdrawn r1#4', 'withdrawn r0#5', 'withdrawn r1#6', 'sent r1#7']);
  });

  it('is made again where the environment gives another value since', async () => {
    const { story, totals } = await play({
      callMs: 5,
      iterations: 3,
      onSend: (place, { session }) => void (place === 2 && session('second')),
    });
    expect(totals.passed).toBe(3);
    expect(readyThen(story)).toEqual(['sent r0#1', 'sent r0#2', 'withdrawn r0#3', 'sent r0#4']);
  });

  it('is withdrawn and skipped where the run stops before its turn', async () => {
    const { story, totals } = await play({
      callMs: 2.5,
      iterations: 9,
      job: { bail: true },
      codeOf: (place) => (place === 3 ? 8 : 0),
    });
    expect(totals).toMatchObject({ requests: 9, passed: 2, failed: 1, skipped: 6 });
    expect(readyThen(story)).toEqual([
      'sent r0#1',
      'sent r0#2',
      'sent r0#3',
      'withdrawn r0#4',
      'withdrawn r0#5',
      'withdrawn r0#6',
    ]);
  });

  it('is not sent where nothing can be written to the home any more, and the run says so', async () => {
    const full = 'The history cannot be used: the disk is full; free some space.';
    const { story, outcomes, state, faults } = await play({
      callMs: 100,
      iterations: 4,
      onSend(place) {
        if (place === 2) throw new AppError('storage', full);
      },
    });
    expect(outcomes).toEqual([
      [1, 'passed', ''],
      [2, 'error', `r0.yaml: ${full}`],
      [3, 'skipped', `The run was stopped: ${full}`],
      [4, 'skipped', `The run was stopped: ${full}`],
    ]);
    expect(kinds(story)).toBe('ready sent ready sent withdrawn');
    expect([state, faults]).toEqual(['interrupted', []]);
    expect((await play({ callMs: 1 })).state).toBe('finished');
  });

  it('is withdrawn where the run is cancelled', async () => {
    const { story, totals, finished } = await play({
      callMs: 2.5,
      iterations: 9,
      onSend: (place, { cancel }) => void (place === 2 && cancel()),
    });
    expect(totals).toMatchObject({ requests: 9, passed: 2, skipped: 7 });
    expect(readyThen(story).filter((line) => line.startsWith('withdrawn'))).toHaveLength(4);
    expect(finished.at(-1)?.request.reason).toBe('The run was cancelled.');
  });

  it('is withdrawn and skipped where it was taken when the run was cancelled', async () => {
    const { story, outcomes } = await play({
      callMs: 20,
      iterations: 3,
      job: { parallel: 2 },
      requests: [{}, {}],
      onSend: (_, { cancel }) => cancel(),
    });
    expect(readyThen(story)).toEqual(['sent r0#1', 'withdrawn r1#2']);
    const cancelled = 'The run was cancelled.';
    expect(outcomes).toEqual([[1, 'passed', ''], ...[1, 2, 2, 3, 3].map((iteration) => [iteration, 'skipped', cancelled])]);
  });
});

describe('a run that meets a fault', () => {
  it('reports the request with it as an error, and goes on', async () => {
    const fault = new TypeError('broken');
    const { outcomes, faults } = await play({
      callMs: 20,
      iterations: 3,
      onEvaluate(place) {
        if (place === 2) throw fault;
      },
    });
    expect(outcomes).toEqual([
      [1, 'passed', ''],
      [2, 'error', 'An error in Croupier: broken'],
      [3, 'passed', ''],
    ]);
    expect(faults).toEqual([fault]);
  });

  it('stops where its data cannot be read any more, and tells of it unless the data are to blame', async () => {
    const stopAt = (error: Error) =>
      play({
        callMs: 20,
        iterations: 3,
        onBegin(iteration) {
          if (iteration === 2) throw error;
        },
      });
    const changed = await stopAt(new AppError('invalid_input', 'The data was changed.'));
    const outcomes = (reason: string) => [
      [1, 'passed', ''],
      [2, 'skipped', reason],
      [3, 'skipped', reason],
    ];
    expect([changed.outcomes, changed.faults]).toEqual([outcomes('The data was changed.'), []]);
    const fault = new TypeError('broken');
    const broken = await stopAt(fault);
    expect([broken.outcomes, broken.faults]).toEqual([outcomes('broken'), [fault]]);
  });
});
