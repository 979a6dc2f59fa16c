import { describe, expect, it } from 'vitest';
import { createOrder } from './order.ts';
import { prepareIterations } from './iterations.ts';
import { createReadiness, type Readiness, type Task } from './readiness.ts';
import type { ReadyRequest } from './request.ts';

/**
 * Creates a run of so many requests that need nothing, or as `needs` says; `log` records which were made, written and withdrawn.
 */
async function readinessOf(
  requests: number,
  options: { needs?: Record<number, number>; parallel?: number; delayMs?: number; fails?: number } = {},
) {
  const log: string[] = [];
  const state = { stopped: false };
  const iterations = await prepareIterations({ repeat: 1, variables: {}, data: null }, () => Promise.resolve());
  const order = createOrder(
    {
      requests: Array.from({ length: requests }, (_, at) => ({ path: String(at), request: null, problem: '', folders: [] })),
      needs: Array.from({ length: requests }, (_, at) => {
        const needed = options.needs?.[at];
        return new Map(needed === undefined ? [] : [[`v${needed}`, needed]]);
      }),
    },
    iterations,
    null,
  );
  /** Lets the signing of a request go on, by its place. */
  const sign = new Map<number, () => void>();
  const readiness = createReadiness({
    order,
    runId: 'run',
    delayMs: options.delayMs ?? 0,
    parallel: options.parallel ?? 1,
    async make({ index }, ticket, inTurn): Promise<ReadyRequest> {
      log.push(`make ${index} ${ticket}`);
      await new Promise<void>((resolve) => sign.set(index, resolve));
      if (index === options.fails) throw new Error('a fault');
      await inTurn(async () => void log.push(`write ${index}`));
      return {
        isFresh: () => true,
        send: () => Promise.reject(new Error('not here')),
        withdraw: async () => void log.push(`withdraw ${index}`),
      };
    },
    isStopped: () => state.stopped,
    onUnreadable: (error) => log.push(`unreadable ${String(error)}`),
    onFault: (error) => log.push(`fault ${(error as Error).message}`),
  });
  const made = () => log.filter((line) => line.startsWith('make')).map((line) => Number(line.split(' ')[1]));
  return { readiness, order, log, sign, state, made };
}

const take = async (readiness: Readiness): Promise<Task> => {
  const task = await readiness.take();
  if (task === null) throw new Error('There was nothing to take.');
  return task;
};
const settle = () => new Promise(setImmediate);

describe('a run that makes its requests ready', () => {
  it('makes one at a time until it knows that calls are quick', async () => {
    const { readiness, order, made } = await readinessOf(5);
    const taken = [await take(readiness)];
    expect(made()).toEqual([0]);
    readiness.took(5);
    taken.push(await take(readiness));
    // 10 ms are two calls of 5 ms: two more than the next one.
    expect(made()).toEqual([0, 1, 2, 3]);
    expect(readiness.tickets).toEqual(['run:3', 'run:4']);
    readiness.took(11);
    for (let left = 0; left < 3; left++) taken.push(await take(readiness));
    expect(taken.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    for (const task of taken) order.done(task, {});
    expect(await readiness.take()).toBeNull();
  });

  it('makes as many more as there are lanes, 33 at the most, and one where requests are to wait', async () => {
    const lanes = await readinessOf(100, { parallel: 3 });
    lanes.readiness.took(10);
    await take(lanes.readiness);
    expect(lanes.made()).toHaveLength(4);
    const quick = await readinessOf(100);
    quick.readiness.took(0.01);
    await take(quick.readiness);
    expect(quick.made()).toHaveLength(33);
    const slow = await readinessOf(100, { delayMs: 1 });
    slow.readiness.took(0.01);
    await take(slow.readiness);
    expect(slow.made()).toHaveLength(1);
  });

  it('writes rows in the order in which they leave, whichever is signed first', async () => {
    const { readiness, log, sign } = await readinessOf(3, { fails: 1 });
    readiness.took(1);
    const first = await take(readiness);
    log.length = 0;
    for (const index of [2, 1]) sign.get(index)?.();
    await settle();
    expect(log).toEqual([]);
    sign.get(0)?.();
    await first.ready;
    await settle();
    // The one that failed has no row and keeps none from being written.
    expect(log).toEqual(['write 0', 'write 2']);
    await expect((await take(readiness)).ready).rejects.toThrow('a fault');
  });

  it('has a lane wait for a response that others are getting', async () => {
    const { readiness, order } = await readinessOf(2, { needs: { 1: 0 }, parallel: 2 });
    const first = await take(readiness);
    let second: Task | null | undefined;
    const taking = readiness.take().then((task) => (second = task));
    await settle();
    readiness.wake();
    await settle();
    expect(second).toBeUndefined();
    order.done(first, {});
    readiness.wake();
    await taking;
    expect(second?.index).toBe(1);
    order.done(second as Task, {});
    expect(await readiness.take()).toBeNull();
  });

  it('gives a lane what a response made possible while the lane was searching', async () => {
    const { readiness, order } = await readinessOf(2, { needs: { 1: 0 }, parallel: 2 });
    const first = await take(readiness);
    let second: Task | null | undefined;
    void readiness.take().then((task) => (second = task));
    // It has found nothing by now, and does not wait yet.
    order.done(first, {});
    readiness.wake();
    await settle();
    expect(second?.index).toBe(1);
  });

  it('gives back what is behind a request that is made anew', async () => {
    const { readiness, order, log, sign } = await readinessOf(3);
    readiness.took(1);
    const first = await take(readiness);
    for (const index of [0, 1, 2]) sign.get(index)?.();
    const ready = await first.ready;
    log.length = 0;
    const again = readiness.renew(first, ready);
    await settle();
    expect(log).toEqual(['withdraw 0', 'withdraw 1', 'withdraw 2', `make 0 ${first.ticket}`]);
    expect(readiness.tickets).toEqual([]);
    sign.get(0)?.();
    await again;
    const taken = [first, await take(readiness), await take(readiness)];
    expect(taken.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const task of taken) order.done(task, {});
    expect(await readiness.take()).toBeNull();
  });

  it('withdraws what is ready when it is stopped, and says which', async () => {
    const { readiness, log, sign, state } = await readinessOf(3, { fails: 2 });
    readiness.took(1);
    await take(readiness);
    for (const index of [0, 1, 2]) sign.get(index)?.();
    state.stopped = true;
    log.length = 0;
    expect(await readiness.take()).toBeNull();
    expect((await readiness.withdraw()).map(({ index }) => index)).toEqual([1, 2]);
    expect(log.filter((line) => !line.startsWith('write'))).toEqual(['withdraw 1', 'fault a fault']);
    expect(await readiness.withdraw()).toEqual([]);
  });
});
