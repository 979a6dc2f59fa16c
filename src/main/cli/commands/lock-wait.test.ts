import { getEventListeners } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lockAtOnce } from '#core/files/locks.ts';
import { temporaryFolder } from '#testing/app.ts';
import { runCommand } from '#testing/command-runner.ts';
import { envSetCommand } from './env.ts';

it('a command that waits for another copy of Croupier ends when it is told to', async () => {
  const home = await temporaryFolder();
  mkdirSync(join(home, 'locks'));
  const held = lockAtOnce(join(home, 'locks', 'environments.lock'));
  const stop = new AbortController();
  const args = ['e', '--base-url', 'https://localhost:1', '--platform', '1', '--partner-id', '2', '--no-production'];
  let over = false;
  const work = runCommand(envSetCommand, { home, said: { printed: [], told: [] } }, args, { stop: stop.signal })
    .catch((error: unknown) => error)
    .finally(() => (over = true));
  // Nothing shows from when on it waits. While it opens its home, a second listener would end that instead.
  for (; !over; await setTimeout(10))
    if (getEventListeners(stop.signal, 'abort').length === 1) stop.signal.dispatchEvent(new Event('abort'));
  expect(await work).toMatchObject({ code: 'cancelled', message: expect.stringContaining('is closing') as string });
  held?.close();
  rmSync(home, { recursive: true });
});
