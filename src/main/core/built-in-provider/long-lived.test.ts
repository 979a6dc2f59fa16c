import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { canSuspend, suspend } from '#testing/suspension.ts';

const driver = fileURLToPath(new URL('../../../testing/provider-driver.ts', import.meta.url));
const movedClock = new URL('../../../testing/moved-clock.ts', import.meta.url).href;
const day = 86_400_000;

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Creates a program with the built-in provider. Certificates are checked against the machine's clock, whatever its own shows. */
async function provider(clock: number) {
  const home = await temporaryFolder();
  const moveClock = (milliseconds: number) => writeFileSync(join(home, 'clock'), String(milliseconds));
  moveClock(clock);
  const child: ChildProcess = spawn(process.execPath, ['--import', movedClock, driver, home], {
    env: { ...process.env, CROUPIER_TEST_CLOCK: join(home, 'clock') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  opened.push(async () => {
    child.kill('SIGKILL');
    await closed;
    rmSync(home, { recursive: true, force: true });
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const baseUrl = (await next()).replace('ready ', '');
  return {
    child,
    moveClock,
    baseUrl,
    /** The authority that clients outside read, and the one in the environment's file. */
    authority: () => readFileSync(join(home, 'sandbox', 'ca.pem'), 'utf8'),
    stored: () => (JSON.parse(readFileSync(join(home, 'environments', 'sandbox.json'), 'utf8')) as { ca: string }).ca,
    call() {
      child.stdin?.write('\n');
      return next();
    },
  };
}

/** The status that a client outside gets, which reads the authority now; or why it gets none. */
function reach(url: string, ca: string): Promise<string> {
  return new Promise((resolve) => {
    get(url, { ca, agent: false }, (response) => resolve(String(response.resume().statusCode))).on('error', (error) =>
      resolve('code' in error ? String(error.code) : error.message),
    );
  });
}

describe('the built-in provider of a program that runs for longer than its certificate', () => {
  it('has another one for the first who connects after a suspension past its end, well before its end, and after each jump of the clock', async () => {
    const { child, moveClock, call, authority, stored, baseUrl } = await provider(-65 * day);
    const ended = authority();
    // It is as if it were still valid there; here it has ended.
    expect(await reach(`${baseUrl}/`, ended)).toBe('CERT_HAS_EXPIRED');
    if (canSuspend) await suspend(child);
    moveClock(-25 * day);
    if (canSuspend) child.kill('SIGCONT');
    // It connects before anything else looks at the clock; by the time it has a response, another authority is on the disk.
    expect(await reach(`${baseUrl}/`, ended)).not.toBe('CERT_HAS_EXPIRED');
    expect(authority()).not.toBe(ended);
    expect(await reach(`${baseUrl}/`, authority())).toBe('404');
    expect(await call()).toBe('200');

    const seen = [authority()];
    // Five of its thirty days are left; then it is from the future; then again.
    for (const now of [0, -25 * day, 0]) {
      moveClock(now);
      expect(await call()).toBe('200');
      expect(seen).not.toContain(authority());
      seen.push(authority());
      await expect.poll(stored, { timeout: 20_000 }).toBe(authority());
      expect(await reach(`${baseUrl}/`, authority())).toBe('404');
      expect(await reach(`${baseUrl.replace('localhost', '127.0.0.1')}/`, authority())).toBe('404');
      expect(await reach(`${baseUrl}/`, seen[0] ?? '')).not.toBe('404');
    }
    expect(await call()).toBe('200');
    expect(authority()).toBe(seen.at(-1));
  });
});
