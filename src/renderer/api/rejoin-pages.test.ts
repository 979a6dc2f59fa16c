import { expect, it } from 'vitest';
import type { Connection, ConnectionState } from './connection.ts';
import { rejoinPages, type RejoinDeps } from './rejoin-pages.ts';

/** Pages of one browser, which all hear what one of them says. */
function setUp() {
  const heardBy: { page: string; channel: RejoinDeps['channel'] }[] = [];
  const said: unknown[] = [];
  const tokens: string[] = [];
  function open(page: string, first: ConnectionState['state']) {
    const watchers = new Set<(state: ConnectionState) => void>();
    const rejoined: string[] = [];
    let state = { state: first } as ConnectionState;
    let retries = 0;
    const become = (next: ConnectionState['state']) => {
      state = { state: next } as ConnectionState;
      for (const watcher of watchers) watcher(state);
    };
    const connection: Connection = {
      host: '',
      hasLine: true,
      lastWords: 0,
      get: () => state,
      watch: (watcher) => {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
      retry: () => (retries += 1),
      async rejoin(token) {
        rejoined.push(token);
        become('open');
        return null;
      },
    };
    const channel: RejoinDeps['channel'] = {
      onmessage: null,
      postMessage(message: unknown) {
        said.push(message);
        for (const other of heardBy) {
          if (other.page !== page) (other.channel.onmessage as ((event: unknown) => void) | null)?.({ data: message });
        }
      },
    };
    heardBy.push({ page, channel });
    const token = async () => {
      tokens.push(`${page}-${tokens.length}`);
      return tokens.at(-1) ?? null;
    };
    rejoinPages({ channel, connection, token, page });
    return { rejoined, become, retries: () => retries, channel };
  }
  return { open, said, tokens };
}

it('pages that lost their session get one each from the page that is opened with the new address', async () => {
  const { open, tokens } = setUp();
  const old = [open('a', 'ended'), open('b', 'ended')];
  open('new', 'open');
  await expect.poll(() => old.map(({ rejoined }) => rejoined)).toEqual([['new-0'], ['new-1']]);
  expect(tokens).toHaveLength(2);
});

it('a page that got its session from a pasted address helps the others', async () => {
  const { open } = setUp();
  const [pasted, other] = [open('a', 'ended'), open('b', 'ended')];
  pasted.become('open');
  await expect.poll(() => other.rejoined).toEqual(['a-0']);
});

it('one that finds out later asks by itself, takes one token of many offers, and tries at once where it only waits', async () => {
  const { open, tokens } = setUp();
  const old = open('a', 'lost');
  open('b', 'open');
  open('c', 'open');
  expect(old.retries()).toBe(2);
  old.become('ended');
  await expect.poll(() => old.rejoined).toEqual(['b-0']);
  expect(tokens).toHaveLength(1);
});

it('says nothing of a session, and hears nothing that is not meant for it', async () => {
  const { open, said } = setUp();
  const old = open('a', 'ended');
  for (const data of [
    null,
    'token',
    { kind: 'token', page: 'a', token: 'x' },
    { kind: 'token', page: 'a' },
    { kind: 'toString' },
  ])
    (old.channel.onmessage as unknown as (event: unknown) => void)({ data });
  expect(old.rejoined).toEqual([]);
  expect(said).toEqual([{ kind: 'need', page: 'a' }]);
});
