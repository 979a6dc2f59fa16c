import { describe, expect, it } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { createRunProgress } from './runs.ts';

const request = (path: string) => ({ path }) as unknown as FinishedRequest;

function progressOf() {
  const told: [string, number][] = [];
  let planned: (() => void) | null = null;
  let calledOff = 0;
  const progress = createRunProgress({
    emit: (state, finished) => void told.push([state, finished.length]),
    later(work) {
      planned = work;
      return () => void (calledOff += 1);
    },
  });
  return { progress, told, elapse: () => planned?.(), calledOff: () => calledOff };
}

describe('the progress of a run', () => {
  it('is told for several requests together, a moment later', () => {
    const { progress, told, elapse } = progressOf();
    progress.add(request('a'));
    progress.add(request('b'));
    expect(told).toEqual([]);
    elapse();
    expect(told).toEqual([['running', 2]]);
  });

  it('is told at once for 500 requests, and nothing is told twice', () => {
    const { progress, told, calledOff } = progressOf();
    for (let count = 0; count < 501; count += 1) progress.add(request('a'));
    expect(told).toEqual([['running', 500]]);
    expect(calledOff()).toBe(1);
    progress.tell('finished');
    expect(told).toEqual([
      ['running', 500],
      ['finished', 1],
    ]);
    expect(calledOff()).toBe(2);
  });
});
