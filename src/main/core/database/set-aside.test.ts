import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keptRule } from '#shared/history/kept-words.ts';
import { setAsideCalls, setAsideWhole } from '#shared/model/limits.ts';
import { boundSetAside, listSetAside, recoveredPath, setAside, writeRecovered } from './set-aside.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'croupier-aside-'));
  path = join(home, 'history.sqlite');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = Date.UTC(2026, 0, 1);

/** Creates a damaged history with its log; `calls`: the number that was read out of it, null if nobody looked. */
function damaged(calls: number | null, when = at): string {
  writeFileSync(path, 'damaged');
  writeFileSync(`${path}-wal`, 'log');
  const aside = setAside(path, 'is damaged', when);
  if (calls === null) return aside;
  if (calls > 0) writeFileSync(recoveredPath(aside), '{}\n'.repeat(calls));
  writeRecovered(aside, { calls, partial: 0, about: null });
  return aside;
}

/** Returns the parts that exist of a history: its file, its log, the calls, and its record. */
const parts = (aside: string) =>
  ['', '-wal', '.recovered.jsonl', '.json'].flatMap((suffix) => (existsSync(aside + suffix) ? [suffix] : []));

it('keeps the newest whole, of older ones the calls that were read, and what was not read out however old it is', () => {
  const unread = damaged(null);
  const none = damaged(0);
  const oldest = damaged(7);
  const older = Array.from({ length: setAsideCalls }, () => damaged(2));
  const newest = Array.from({ length: setAsideWhole }, () => damaged(1));
  boundSetAside(path);
  for (const aside of newest) expect(parts(aside)).toEqual(['', '-wal', '.recovered.jsonl', '.json']);
  for (const aside of older) expect(parts(aside)).toEqual(['.recovered.jsonl', '.json']);
  expect(parts(unread)).toEqual(['', '-wal', '.json']);
  expect([parts(oldest), parts(none)]).toEqual([[], []]);
  const listed = listSetAside(path);
  expect(listed.map((one) => one.path)).toEqual([...[unread, ...older, ...newest].reverse()]);
  expect(listed.map(({ gone }) => gone)).toEqual([...newest.map(() => false), ...older.map(() => true), false]);
  boundSetAside(path);
  expect(listSetAside(path)).toEqual(listed);
  // As it is shown.
  const rule = keptRule({ kind: 'setAside', count: 1, bytes: 1, since: at });
  expect(rule).toMatch(new RegExp(`^The newest ${setAsideWhole} in full, .* of the ${setAsideCalls} before them`));
});

it('takes the order from what was set aside before, whatever the clock says', () => {
  const ahead = Array.from({ length: setAsideWhole }, () => damaged(1, at + 365 * 86_400_000));
  const newest = damaged(1);
  boundSetAside(path);
  expect(listSetAside(path)[0]?.path).toBe(newest);
  expect(parts(newest)).toContain('');
  expect(parts(ahead[0] ?? '')).toEqual(['.recovered.jsonl', '.json']);
});
