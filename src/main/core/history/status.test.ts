import { expect, it } from 'vitest';
import { remainsText, stuckText } from './status.ts';

const copies = 'Copies of removed calls may remain in unused parts of';
const words = (calls: string) =>
  `The search index still contains words of ${calls}. Croupier removes them when it starts the next time, or earlier.`;

it.each<[text: string | null, ...asked: Parameters<typeof remainsText>]>([
  [null, [], 0, [], true],
  [null, [], 0, [], false],
  [
    'Removed calls can still be read in a-wal: another program is reading the history. Close it; Croupier tries again every minute and when it exits.',
    ['a-wal'],
    0,
    [],
    true,
  ],
  [
    'Removed calls can still be read in a-wal and b-wal: another program is reading the history. Close it, then run "croupier history clean".',
    ['a-wal', 'b-wal'],
    0,
    [],
    false,
  ],
  [words('1 removed call'), [], 1, [], true],
  [words('1,200 removed calls'), [], 1_200, [], false],
  [`${copies} a. Close the workbench and run "croupier history clean" to rewrite the file.`, [], 0, ['a'], true],
  [`${copies} a. Close every other copy of Croupier and run "croupier history clean" to rewrite the file.`, [], 0, ['a'], false],
  [
    `${words('2 removed calls')} ${copies} a and b. Close the workbench and run "croupier history clean" to rewrite the files.`,
    [],
    2,
    ['a', 'b'],
    true,
  ],
])('removed calls that files still hold: %s', (text, ...asked) => {
  expect(remainsText(...asked)).toBe(text);
});

it('free space is named where it is much and stays', () => {
  const much = 32 * 1_048_576;
  expect([stuckText(false, much), stuckText(true, much - 1)]).toEqual([null, null]);
  expect(stuckText(true, much)).toBe(
    '34 MB of the history are unused, and an earlier version created the file, so they stay. Close the workbench and run croupier history compact to rewrite the file.',
  );
});
