import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { testJobs } from '#testing/reading-jobs.ts';
import { smallBytes, unreadWords } from './measure.ts';
import { createThreads } from './threads.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const usual = { bytes: 10_000_000, ms: 30_000, advice: 'Make it shorter.' };
const limits = {
  thread: usual,
  forever: { ...usual, ms: 200 },
  expression: usual,
  hungry: usual,
  faulty: usual,
  refusing: usual,
  exceeding: usual,
  ends: usual,
};

/** `run` calls off nothing by itself: what waits ends with the test. */
function threads(options: { most?: number; heapMb?: number } = {}) {
  const timers = new Set<NodeJS.Timeout>();
  const made = createThreads({
    program: fileURLToPath(new URL('../../../testing/reading-thread.ts', import.meta.url)),
    table: testJobs,
    limits,
    later(work, milliseconds) {
      const timer = setTimeout(work, milliseconds);
      timers.add(timer);
      return () => clearTimeout(timer);
    },
    ...options,
  });
  opened.push({
    close: async () => {
      await made.close();
      for (const timer of timers) clearTimeout(timer);
    },
  });
  return made;
}

const about = { subject: 'The text', bytes: smallBytes + 1 };
const nothing = { bytes: new Uint8Array(3) };

describe('a job', () => {
  it('is done in place where its text is short, and in another thread where it is not', async () => {
    const { run } = threads();
    expect(await run('thread', nothing, { ...about, bytes: smallBytes })).toEqual({ thread: threadId, length: 3 });
    const other = await run('thread', nothing, about);
    expect(other.length).toBe(3);
    expect(other.thread).not.toBe(threadId);
    expect((await run('thread', nothing, { ...about, bytes: 1, inPlace: false })).thread).not.toBe(threadId);
  });

  it('uses the thread that is there', async () => {
    const { run } = threads();
    const first = await run('thread', nothing, about);
    expect(await run('thread', nothing, about)).toEqual(first);
  });

  it('takes the bytes that are given away', async () => {
    const { run } = threads();
    const bytes = new Uint8Array(100_000);
    expect(await run('thread', { bytes }, { ...about, transfer: [bytes.buffer] })).toMatchObject({ length: 100_000 });
    expect(bytes.length).toBe(0);
  });

  it('fails as it does here, and a mistake of ours is none of the text', async () => {
    const { run } = threads();
    await expect(run('refusing', undefined, about)).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Line 3 is wrong.',
      details: { line: 3 },
    });
    await expect(run('faulty', undefined, about)).rejects.toThrow('The job faulty failed: a mistake of ours');
  });
});

describe('a job that does not end', () => {
  it('is stopped by its time, says so, and the next one is done', async () => {
    const { run } = threads({ most: 1 });
    const error: unknown = await run('forever', undefined, about).catch((caught: unknown) => caught);
    expect(unreadWords(error)).toBe('The text was not read: it took longer than 0.2 seconds. Make it shorter.');
    expect(await run('thread', nothing, about)).toMatchObject({ length: 3 });
  });

  it('is stopped in the middle of a regular expression', async () => {
    const { run } = threads();
    const stop = new AbortController();
    const job = run('expression', { pattern: '^(a+)+$', text: `${'a'.repeat(60)}!` }, { ...about, signal: stop.signal });
    stop.abort();
    await expect(job).rejects.toMatchObject({ code: 'cancelled', message: 'The text was not read: you stopped it.' });
  });

  it('keeps no other waiting where there is a second thread', async () => {
    const { run } = threads({ most: 2 });
    const stop = new AbortController();
    const endless = run('forever', undefined, { ...about, signal: stop.signal });
    expect(await run('thread', nothing, about)).toMatchObject({ length: 3 });
    stop.abort();
    await expect(endless).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('that waits for its turn is called off without having begun', async () => {
    const { run } = threads({ most: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run('forever', undefined, { ...about, signal: first.signal });
    const waiting = run('thread', nothing, { ...about, signal: second.signal });
    second.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    first.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is not begun for who has stopped already', async () => {
    const { run } = threads();
    await expect(run('forever', undefined, { ...about, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('ends with the program', async () => {
    const made = threads();
    const job = made.run('forever', undefined, about);
    await Promise.all([expect(job).rejects.toMatchObject({ code: 'cancelled' }), made.close()]);
  });
});

it('one that takes too much memory ends its thread, says so, and the next one is done', async () => {
  const { run } = threads({ most: 1, heapMb: 32 });
  const error: unknown = await run('hungry', undefined, about).catch((caught: unknown) => caught);
  expect(unreadWords(error)).toBe('The text was not read: it needs more than 32 MB of memory. Make it shorter.');
  expect(await run('thread', nothing, about)).toMatchObject({ length: 3 });
});

it('one whose texts are too long for the engine says so', async () => {
  const error: unknown = await threads()
    .run('exceeding', undefined, about)
    .catch((caught: unknown) => caught);
  expect(unreadWords(error)).toBe('The text was not read: its texts are too long for Croupier to search. Make it shorter.');
});

it('a thread that ends says so, and another one takes its place', async () => {
  const { run } = threads({ most: 1 });
  await expect(run('ends', undefined, about)).rejects.toMatchObject({
    code: 'internal',
    message: 'The text was not read: its thread ended. Try again.',
  });
  expect(await run('thread', nothing, about)).toMatchObject({ length: 3 });
});

it('of long texts one is read at a time, and short ones do not wait for it', async () => {
  const { run } = threads({ most: 2 });
  const stop = new AbortController();
  const long = { ...about, bytes: 5_000_000 };
  const first = run('forever', undefined, { ...long, signal: stop.signal });
  const order: string[] = [];
  const second = run('thread', nothing, long).then(() => order.push('long'));
  await run('thread', nothing, about).then(() => order.push('short'));
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  await second;
  expect(order).toEqual(['short', 'long']);
});
