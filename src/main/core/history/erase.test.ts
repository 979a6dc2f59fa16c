import { describe, expect, it } from 'vitest';
import { eraseSteps } from './erase.ts';
import type { EraseExtent } from './search-messages.ts';

const small = 32 * 1_048_576;

/** Goes through the steps of an erasure; the index has so many steps of each kind to do. Returns what it was asked in each. */
function steps(
  extent: EraseExtent,
  { sweeps = 1, merges = 0, shrinks = 0, copies = true, bytes = small, whole = false } = {},
): string[][] {
  const asked: string[] = [];
  const left = { sweeps, merges, shrinks };
  const step = eraseSteps(
    {
      sweep: () => asked.push('sweep') > 0 && --left.sweeps > 0,
      mergeAway: (least) => asked.push(`merge from ${least}`) > 0 && left.merges-- > 0,
      shrink: () => asked.push('shrink') > 0 && left.shrinks-- > 0,
      holds: () => ({ gone: 0, copies, bytes }),
      rewrite: () => void asked.push('rewrite'),
    },
    extent,
    whole,
  );
  const found: string[][] = [];
  for (let more = true; more;) {
    more = step();
    found.push(asked.splice(0));
    expect(found.length).toBeLessThan(20);
  }
  return found;
}

describe('the steps of an erasure', () => {
  it('take calls out, then merge what they leave, then shrink the file, and at the end write it again', () => {
    expect(steps('words', { sweeps: 2, merges: 2, shrinks: 2 })).toEqual([
      ['sweep'],
      ['sweep'],
      ['merge from 1'],
      ['merge from 1'],
      ['merge from 1', 'shrink'],
      ['merge from 1', 'shrink'],
      ['merge from 1', 'shrink', 'rewrite'],
    ]);
    expect(steps('all')).toEqual([['sweep'], ['merge from 1', 'shrink', 'rewrite']]);
  });

  it('merge only many for a limit, and write nothing again', () => {
    expect(steps('much', { merges: 1 })).toEqual([['sweep'], ['merge from 1000'], ['merge from 1000', 'shrink']]);
    expect(steps('much', { whole: true }).flat()).not.toContain('rewrite');
  });

  it('leave the index alone where only copies in the history are to go', () => {
    expect(steps('copies')).toEqual([[]]);
  });

  it.each([
    [true, {}],
    [false, { bytes: small + 1 }],
    [true, { bytes: small + 1, whole: true }],
    [false, { copies: false }],
    [false, { copies: false, whole: true }],
  ])('write a file again if it holds something, and is small or somebody waits: %s with %j', (rewrites, index) => {
    expect(steps('all', index).flat().includes('rewrite')).toBe(rewrites);
  });
});
