import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { runHeldToModes } from '#testing/held-to-modes.ts';
import type { HistoryDriverInput } from '#testing/history-driver.ts';
import { createSearchEngine } from './search-engine.ts';

const isRoot = process.getuid?.() === 0;

/** Homes with three calls: `killed` has them in the write-ahead log, as a kill leaves them. */
let filled: string;
const filledAs = (state: 'closed' | 'killed') => join(filled, state);
beforeAll(async () => {
  filled = mkdtempSync(join(tmpdir(), 'croupier-filled-'));
  const app = await createTestApp({ home: filledAs('closed'), sandbox: true });
  for (const currency of ['EUR', 'USD', 'EUR'])
    await app.send(draftOf('sandbox', { operation: 'gameList', text: `{"currency":"${currency}"}` }));
  cpSync(filledAs('closed'), filledAs('killed'), { recursive: true });
  await app.close();
});
afterAll(() => rmSync(filled, { recursive: true }));

let home: string;
let writable: () => void;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-readonly-'));
  writable = () => undefined;
});
afterEach(() => {
  writable();
  rmSync(home, { recursive: true, force: true });
});

const everything = () => ['', ...readdirSync(home, { recursive: true }).map(String)].map((name) => join(home, name));

function fill(state: 'closed' | 'killed'): void {
  cpSync(filledAs(state), home, { recursive: true });
  if (state === 'killed') expect(statSync(join(home, 'history.sqlite-wal')).size).toBeGreaterThan(0);
}

/** Takes the right to write away, and reads as a user whom that binds. */
function readWithoutRight(): unknown {
  const paths = everything();
  for (const path of paths) chmodSync(path, statSync(path).isDirectory() ? 0o500 : 0o400);
  writable = () => {
    for (const path of paths) if (existsSync(path)) chmodSync(path, 0o700);
  };
  return readAndTry();
}

function readAndTry(thread = false): unknown {
  const input: HistoryDriverInput = { home, does: 'read', mark: 'EUR', thread };
  return runHeldToModes('history-driver.ts', input);
}

const readable = {
  calls: [3, 2, 1],
  found: [3, 1],
  body: expect.stringContaining('"code":0') as string,
  state: 'readonly',
  message: expect.stringContaining('is read-only. ') as string,
  sent: expect.stringContaining('but not send, pin') as string,
  noted: expect.stringContaining('but not send, pin or delete any, or add notes') as string,
  after: expect.stringContaining('You can view, search') as string,
};

describe.skipIf(process.platform === 'win32')('a home in which nothing can be written', () => {
  it.each([
    ['after it was closed', 'closed'],
    ['with calls in the write-ahead log that a kill left', 'killed'],
  ] as const)('shows, finds and gives its calls, and says what it cannot do: %s', (_, state) => {
    fill(state);
    const before = readFileSync(join(home, 'history.sqlite'));
    expect(readWithoutRight()).toEqual(readable);
    expect(readFileSync(join(home, 'history.sqlite')).equals(before)).toBe(true);
  });

  it('says that calls are missing where their log cannot be read without writing', () => {
    fill('killed');
    rmSync(join(home, 'history.sqlite-shm'));
    const { calls, message } = readWithoutRight() as { calls: number[]; message: string };
    expect(calls.length).toBeLessThan(3);
    expect(message).toMatch(/newest calls .* aren't shown.*is read-only/s);
  });

  it('is read from a file system that is mounted to be read only', (context) => {
    const mount = (...options: string[]) => spawnSync('mount', options).status === 0;
    fill('closed');
    if (process.platform !== 'linux' || !isRoot || !mount('--bind', home, home)) return context.skip();
    writable = () => void spawnSync('umount', [home]);
    expect(mount('-o', 'remount,ro,bind', home)).toBe(true);
    expect(readAndTry()).toEqual(readable);
  });
});

it.skipIf(process.platform === 'win32').each([
  ['may not be written', 0o400, false],
  ['may not be written', 0o400, true],
  ['may not be read', 0o000, false],
  ['may not be read', 0o000, true],
])('an index that %s (%o) costs no search, with a thread: %s', (_, mode, thread) => {
  fill('closed');
  const indexPath = join(home, 'history-index.sqlite');
  const engine = createSearchEngine({ historyPath: join(home, 'history.sqlite'), indexPath, write: true });
  while (engine.index());
  engine.close();
  chmodSync(indexPath, mode);
  expect(readAndTry(thread)).toMatchObject({ found: [3, 1], state: 'ready', message: null, after: null });
  // Whoever keeps it has made another one.
  expect(statSync(indexPath).mode & 0o777).toBe(thread ? 0o600 : mode);
});
