import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { homeFiles } from '#testing/home-files.ts';
import { mendModes } from './file-modes.ts';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'croupier-modes-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const mode = (...path: string[]) => (statSync(join(home, ...path)).mode & 0o777).toString(8);
/** Returns every file and folder of the home that somebody else may use, with its mode. */
const open = () =>
  ['', ...readdirSync(home, { recursive: true, encoding: 'utf8' })]
    .map((name) => `${name} ${mode(name)}`)
    .filter((line) => !/ (?:600|700)$/.test(line));

it.skipIf(process.platform === 'win32')(
  'an existing home is mended at the start, and what Croupier makes is private from the first byte',
  async () => {
    const umask = process.umask(0);
    try {
      chmodSync(home, 0o755);
      for (const folder of ['evidence/one', 'runs', 'environments', 'sandbox'])
        mkdirSync(join(home, folder), { recursive: true, mode: 0o777 });
      for (const file of [
        'settings.json',
        'history.sqlite.set-aside-20260101T000000',
        'evidence/one/launch.json',
        'runs/0123.lock',
      ]) {
        writeFileSync(join(home, file), '{}', { mode: 0o666 });
      }
      expect(open()).not.toEqual([]);
      const test = await createTestApp({ home, sandbox: true });
      await test.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
      await test.client.call('history.status', {});
      expect(open()).toEqual([]);
      await test.close();
      expect(open()).toEqual([]);
    } finally {
      process.umask(umask);
    }
  },
);

it.skipIf(process.platform === 'win32')('what is not Croupier’s, and what a link leads to, stays as it is', async () => {
  writeFileSync(join(home, 'notes.txt'), '');
  writeFileSync(join(home, 'linked'), '');
  mkdirSync(join(home, 'removed'));
  writeFileSync(join(home, 'removed', 'team.yaml'), '');
  for (const file of ['notes.txt', 'linked', 'removed/team.yaml']) chmodSync(join(home, file), 0o644);
  symlinkSync(join(home, 'linked'), join(home, 'keys.json'));
  expect(await mendModes(home)).toEqual([]);
  expect([mode('notes.txt'), mode('linked'), mode('removed'), mode('removed', 'team.yaml')]).toEqual([
    '644',
    '644',
    '700',
    '644',
  ]);
});

it.skipIf(process.platform === 'win32')('everything that Croupier keeps in its home is mended', async () => {
  const umask = process.umask(0);
  try {
    for (const name of homeFiles().names) {
      if (name.includes('.')) writeFileSync(join(home, name), '', { mode: 0o666 });
      else mkdirSync(join(home, name), { mode: 0o777 });
    }
    await mendModes(home);
    expect(open(), 'Add each to `ours` of file-modes.ts.').toEqual([]);
  } finally {
    process.umask(umask);
  }
});

it('does nothing on Windows', async () => {
  writeFileSync(join(home, 'keys.json'), '', { mode: 0o644 });
  expect(await mendModes(home, 'win32')).toEqual([]);
  if (process.platform !== 'win32') expect(mode('keys.json')).toBe('644');
});
