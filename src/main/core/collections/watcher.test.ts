import { mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWatcher } from './watcher.ts';
import type { Watcher } from './watcher.ts';

let directory: string;
let watcher: Watcher | null = null;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'croupier-watcher-'));
});
afterEach(() => {
  watcher?.close();
  rmSync(directory, { recursive: true, force: true });
});

it('on a system that watches no more folders says so, and goes on with those that it has', async () => {
  mkdirSync(join(directory, 'f'));
  let full = true;
  const told = Promise.withResolvers<void>();
  const limited = ((path: string, ...others: unknown[]) => {
    if (full && path !== directory) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return (watch as (...all: unknown[]) => unknown)(path, ...others);
  }) as typeof watch;
  watcher = createWatcher({ directory, platform: 'linux', onChange: () => told.resolve(), watch: limited });
  expect(watcher.follow(['', 'f'])).toBe(true);
  expect(watcher.trouble()).toContain(
    "can't see changes by other programs immediately here (the system already watches too many folders)",
  );
  writeFileSync(join(directory, 'a.yaml'), '');
  await told.promise;
  full = false;
  expect(watcher.follow(['', 'f'])).toBe(true);
  expect(watcher.trouble()).toBeNull();
  expect(watcher.follow(['', 'f'])).toBe(false);
});

it('takes many changes for one, and a folder that is made again for a new one', async () => {
  mkdirSync(join(directory, 'f'));
  let heard = 0;
  let told = Promise.withResolvers<void>();
  watcher = createWatcher({
    directory,
    platform: 'linux',
    onChange() {
      heard += 1;
      // As the service does after each look.
      watcher?.follow(['', 'f']);
      told.resolve();
    },
  });
  watcher.follow(['', 'f']);
  for (let at = 0; at < 200; at += 1) writeFileSync(join(directory, 'f', `${at}.yaml`), 'x');
  await told.promise;
  expect(heard).toBeLessThan(20);
  rmSync(join(directory, 'f'), { recursive: true });
  mkdirSync(join(directory, 'f'));
  told = Promise.withResolvers();
  await told.promise;
  told = Promise.withResolvers();
  writeFileSync(join(directory, 'f', 'new.yaml'), 'x');
  await told.promise;
});
