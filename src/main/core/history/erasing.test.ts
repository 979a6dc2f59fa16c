import { beforeEach, expect, it } from 'vitest';
import { createPlannedWork, type PlannedWork } from '#testing/planned-work.ts';
import { createErasing, type Erasing } from './erasing.ts';
import type { Erased, EraseExtent } from './erase.ts';

const done: Erased = { blocked: [], stopped: false };
const held: Erased = { blocked: ['history.sqlite-wal'], stopped: false };

let work: PlannedWork;
let erasing: Erasing;
/** Extents that were asked for. */
let asked: EraseExtent[];
/** Result of the next erasures. */
let answer: () => Promise<Erased>;
let blocks: number;
let lastSent: number;
let faults: unknown[];
beforeEach(() => {
  work = createPlannedWork();
  [asked, faults, blocks, lastSent] = [[], [], 0, Number.NEGATIVE_INFINITY];
  answer = async () => done;
  erasing = createErasing({
    search: {
      erase(extent) {
        asked.push(extent);
        return answer();
      },
    },
    now: work.now,
    lastSent: () => lastSent,
    later: work.later,
    onBlocked: () => (blocks += 1),
    onFault: (error) => faults.push(error),
  });
});

/** Lets what was asked get its result. */
const settled = () => new Promise(setImmediate);

it('tries again each minute while another program holds a log, and says so once', async () => {
  answer = async () => held;
  expect(await erasing.erase('all')).toEqual(held);
  expect([erasing.blocked(), blocks]).toEqual([held.blocked, 1]);
  work.pass(59_999);
  expect(asked).toEqual(['all']);
  work.pass(1);
  await settled();
  expect(asked).toEqual(['all', 'much']);
  expect([erasing.blocked(), blocks]).toEqual([held.blocked, 1]);
  // Asked meanwhile: the minute begins again.
  work.pass(30_000);
  await erasing.erase('words');
  work.pass(59_999);
  expect(asked).toEqual(['all', 'much', 'words']);
  answer = async () => done;
  work.pass(1);
  await settled();
  expect([erasing.blocked(), blocks, work.waiting()]).toEqual([[], 2, 0]);
  expect(asked).toEqual(['all', 'much', 'words', 'much']);
});

it('knows nothing new of the logs after a stop', async () => {
  answer = async () => held;
  await erasing.erase('all');
  const stopped = { blocked: [], stopped: true };
  answer = async () => stopped;
  expect(await erasing.erase('all')).toEqual(stopped);
  expect([erasing.blocked(), blocks, work.waiting()]).toEqual([held.blocked, 1, 1]);
});

it('does all of it at once while no call is sent, and the words alone, with the rest later, while some are', async () => {
  erasing.inBackground('all');
  expect(asked).toEqual(['all']);
  lastSent = work.now();
  work.pass(9_999);
  erasing.inBackground('all');
  erasing.inBackground('all');
  erasing.inBackground('much');
  expect(asked.splice(0)).toEqual(['all', 'words', 'words', 'much']);
  work.pass(5_000);
  lastSent = work.now();
  work.pass(9_999);
  expect(asked).toEqual([]);
  // Looked at again after ten seconds each.
  work.pass(5_002);
  expect(asked).toEqual(['copies']);
  erasing.inBackground('all');
  expect(asked).toEqual(['copies', 'all']);
  await settled();
  expect(work.waiting()).toBe(0);
});

it('reports a failure in the background, gives that of a question to who asked, and neither after its end', async () => {
  answer = () => Promise.reject(new Error('full'));
  await expect(erasing.erase('all')).rejects.toThrow('full');
  expect(faults).toEqual([]);
  erasing.inBackground('words');
  await settled();
  expect(faults).toEqual([new Error('full')]);
  erasing.inBackground('words');
  erasing.close();
  await settled();
  expect(faults).toHaveLength(1);
});

it('plans nothing from its end on', async () => {
  answer = async () => held;
  await erasing.erase('all');
  lastSent = work.now();
  erasing.inBackground('all');
  await settled();
  expect(work.waiting()).toBe(2);
  erasing.close();
  expect(work.waiting()).toBe(0);
  asked.length = 0;
  erasing.inBackground('all');
  expect(asked).toEqual([]);
  expect(await erasing.erase('all')).toEqual(held);
  expect(work.waiting()).toBe(0);
});
