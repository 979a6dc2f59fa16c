import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogFlush } from './database.ts';

it('flushes once for those who ask before it begins, again for those who ask later, and again after a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'croupier-flush-'));
  const log = createLogFlush(join(folder, 'a'));
  try {
    await expect(log.flush()).rejects.toMatchObject({ code: 'ENOENT' });
    writeFileSync(join(folder, 'a-wal'), 'x');
    const first = log.flush();
    expect(log.flush()).toBe(first);
    // It begins, and covers no more what is written from now on.
    await Promise.resolve();
    const second = log.flush();
    expect(second).not.toBe(first);
    expect(log.flush()).toBe(second);
    await Promise.all([first, second]);
  } finally {
    log.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
