import { describe, expect, it } from 'vitest';
import type { OutgoingCall } from './record.ts';
import { createWriteQueue, type Job } from './store.ts';

const call = (bytes = 10) => ({ body: new Uint8Array(bytes) }) as unknown as OutgoingCall;
const failure = new Error('no room');

/** A queue that notes the kinds of each write, with what became of each change. `refuses`: writes that fail. */
function queueOf(refuses: (kinds: readonly string[]) => boolean = () => false) {
  const writes: string[][] = [];
  const queue = createWriteQueue((jobs) => {
    const kinds = jobs.map(({ kind }) => kind);
    writes.push(kinds);
    if (refuses(kinds)) throw failure;
    return jobs.map((_, index) => index + 1);
  });
  const add = (kind: Job['kind'], withinMs?: number, bytes?: number) =>
    new Promise<number | void>((resolve, reject) => {
      const base = { resolve, reject };
      const job = kind === 'begin' ? { kind, call: call(bytes), ...base } : { kind, id: 7, outcome: {}, ...base };
      queue.add(job as unknown as Job, withinMs);
    });
  return { queue, add, writes };
}

describe('changes of the history', () => {
  it('of one turn are written together, and each call gets its own ID', async () => {
    const { add, writes } = queueOf();
    expect(await Promise.all([add('begin'), add('finish'), add('begin')])).toEqual([1, undefined, 3]);
    expect(writes).toEqual([['begin', 'finish', 'begin']]);
  });

  it('of several wait for those of the next turn, and one that is alone waits for nobody', async () => {
    const { add, writes } = queueOf();
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const several = [add('begin'), add('begin')];
    await nextTurn();
    await Promise.all([...several, add('finish')]);
    const alone = add('begin');
    await nextTurn();
    await Promise.all([alone, add('finish')]);
    expect(writes).toEqual([['begin', 'begin', 'finish'], ['begin'], ['finish']]);
  });

  it('that may wait go with the next ones, and with a flush', async () => {
    const { queue, add, writes } = queueOf();
    const late = add('finish', 60_000);
    expect(queue.isWaiting()).toBe(true);
    const now = add('begin');
    await Promise.all([late, now]);
    expect(writes).toEqual([['finish', 'begin']]);
    expect(queue.isWaiting()).toBe(false);
    const last = add('finish', 60_000);
    queue.flush();
    await last;
    expect(writes[1]).toEqual(['finish']);
  });

  it('with long bodies are written in several steps', async () => {
    const { add, writes } = queueOf();
    await Promise.all([add('begin', 0, 3_000_000), add('begin', 0, 3_000_000), add('begin', 0, 10)]);
    expect(writes).toEqual([['begin', 'begin'], ['begin']]);
  });

  it('where there is no room for calls, outcomes are written all the same, each by itself', async () => {
    const { add, writes } = queueOf((kinds) => kinds.includes('begin'));
    const [begun, finished] = await Promise.allSettled([add('begin'), add('finish')]);
    expect(begun).toEqual({ status: 'rejected', reason: failure });
    expect(finished.status).toBe('fulfilled');
    expect(writes).toEqual([['begin', 'finish'], ['finish'], ['begin']]);
  });

  it('an outcome that does not fit takes no other with it', async () => {
    const { add, writes } = queueOf((kinds) => kinds.length > 1 || kinds[0] === 'withdraw');
    const settled = await Promise.allSettled([add('finish'), add('withdraw'), add('finish')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(writes).toEqual([['finish', 'withdraw', 'finish'], ['finish'], ['withdraw'], ['finish']]);
  });
});
