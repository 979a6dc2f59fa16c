import { describe, expect, it } from 'vitest';
import { erase, type EraseExtent } from './erase.ts';

const small = 32 * 1_048_576;
/** There is nothing at these. */
const files = { historyPath: '/nowhere/history.sqlite', indexPath: '/nowhere/history-index.sqlite' };

/** Goes through an erasure; the index has so many steps of each kind to do. Returns what it was asked. */
async function steps(
  extent: EraseExtent,
  { sweeps = 0, merges = 0, shrinks = 0, copies = true, bytes = small, whole = false } = {},
): Promise<string[]> {
  const asked: string[] = [];
  const left = { sweeps, merges, shrinks };
  const index = {
    sweep: () => asked.push('sweep') > 0 && left.sweeps-- > 0,
    mergeAway: (least: number) => asked.push(`merge from ${least}`) > 0 && left.merges-- > 0,
    shrink: () => asked.push('shrink') > 0 && left.shrinks-- > 0,
    holds: () => ({ gone: 0, copies, bytes }),
    rewrite: () => void asked.push('rewrite'),
  };
  expect(await erase(files, index, extent, { whole })).toEqual({ blocked: [], stopped: false });
  return asked;
}

describe('an erasure', () => {
  it('takes calls out, then merges what they leave, then shrinks the file, and at the end writes it again', async () => {
    expect(await steps('words', { sweeps: 1, merges: 2, shrinks: 2 })).toEqual([
      'sweep',
      'sweep',
      'merge from 1',
      'merge from 1',
      'merge from 1',
      'shrink',
      'shrink',
      'shrink',
      'rewrite',
    ]);
    expect(await steps('all')).toEqual(['sweep', 'merge from 1', 'shrink', 'rewrite']);
  });

  it('merges only many for a limit, and writes nothing again', async () => {
    expect(await steps('much', { merges: 1 })).toEqual(['sweep', 'merge from 1000', 'merge from 1000', 'shrink']);
    expect(await steps('much', { whole: true })).not.toContain('rewrite');
  });

  it('leaves the index alone where only copies in the history are to go', async () => {
    expect(await steps('copies')).toEqual([]);
  });

  it.each([
    [true, {}],
    [false, { bytes: small + 1 }],
    [true, { bytes: small + 1, whole: true }],
    [false, { copies: false }],
    [false, { copies: false, whole: true }],
  ])('writes a file again if it holds something, and is small or somebody waits: %s with %j', async (rewrites, index) => {
    expect((await steps('all', index)).includes('rewrite')).toBe(rewrites);
  });
});
