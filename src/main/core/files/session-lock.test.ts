import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionLock } from './session-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-runs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a run', () => {
  it('lives until its process is killed', async () => {
    const module = fileURLToPath(new URL('./session-lock.ts', import.meta.url));
    // Held by the global object: a module's own constant may be collected after its last use, and the lock with it.
    const script = `const { createSessionLock } = await import(process.argv[1]); globalThis.lock = createSessionLock(process.argv[2]); lock.hold(); process.stdout.write(lock.token); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [token] = (await once(child.stdout, 'data')) as [Buffer];
    const lock = createSessionLock(folder);
    expect(lock.isAlive(token.toString())).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lock.isAlive(token.toString())).toBe(false);
    // The file is still there: its being there alone says nothing.
    expect(existsSync(join(folder, `${token.toString()}.lock`))).toBe(true);
  });

  it('is told from another one in the same process, and leaves nothing behind', () => {
    const [one, two] = [createSessionLock(folder), createSessionLock(folder)];
    one.hold();
    one.hold();
    two.hold();
    expect(one.isAlive(two.token)).toBe(true);
    expect(two.isAlive(one.token)).toBe(true);
    one.close();
    expect(two.isAlive(one.token)).toBe(false);
    expect(two.isAlive(two.token)).toBe(true);
    two.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is never taken from a name that is not a token', () => {
    const lock = createSessionLock(folder);
    writeFileSync(join(folder, 'kept'), '');
    expect(lock.isAlive('../kept')).toBe(false);
    lock.forget('../kept');
    expect(readdirSync(folder)).toEqual(['kept']);
  });

  it('clears what dead runs left more than a minute ago, and nothing younger or alive', () => {
    const alive = createSessionLock(folder);
    alive.hold();
    const old = 'a'.repeat(24);
    const young = 'b'.repeat(24);
    const ahead = 'c'.repeat(24);
    for (const token of [old, young, ahead]) writeFileSync(join(folder, `${token}.lock`), '');
    const past = new Date(Date.now() - 120_000);
    utimesSync(join(folder, `${old}.lock`), past, past);
    // Of a clock that was set back since.
    const future = new Date(Date.now() + 3_600_000);
    utimesSync(join(folder, `${ahead}.lock`), future, future);
    utimesSync(join(folder, `${alive.token}.lock`), past, past);
    const lock = createSessionLock(folder);
    lock.hold();
    expect(readdirSync(folder).sort()).toEqual([alive.token, lock.token, young].map((token) => `${token}.lock`).sort());
    lock.close();
    alive.close();
  });
});
