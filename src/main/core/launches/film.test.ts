import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import type { LaunchVerdict } from '#shared/model/launch-verdict.ts';
import type { GamePicture } from '../host/host.ts';
import { createFilm, type Film } from './film.ts';

let film: Film;
let kept: string[];
let take: () => Promise<GamePicture>;
const shot = (text: string): GamePicture => ({ image: Buffer.from(text) });

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  kept = [];
  take = () => Promise.resolve(shot('taken'));
  film = createFilm({
    take: () => take(),
    keep: (at, image, moment) => kept.push(`${at} ${Buffer.from(image).toString()} ${moment}`),
    now: Date.now,
    onFault(error) {
      throw error;
    },
  });
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const verdict = (failed: readonly string[]): LaunchVerdict => ({
  state: 'failed',
  results: failed.map((rule) => ({ rule, state: 'failed', message: '', entry: null })),
});
const ready = { signal: { type: 'ready' } } as LaunchEntry;

it('has the first picture that shows something, readiness with the picture that decided, and the end', async () => {
  film.saw(Buffer.from('plain'), 'nothing');
  await pass(500);
  film.saw(Buffer.from('drawn'), 'enough');
  await pass(500);
  film.saw(Buffer.from('drawn again'), 'enough');
  await pass(100);
  film.follow([ready], verdict([]), verdict([]));
  await pass(400);
  await film.end(true);
  expect(kept).toEqual(['500 taken First picture', '1000 drawn again Not blank', '1100 taken Ready', '1500 taken Last picture']);
});

it('has each failure once, six of them at most, with the rules that it failed', async () => {
  film.follow([], verdict([]), verdict(['crash', 'dialogs']));
  film.follow([], verdict(['crash', 'dialogs']), verdict(['crash', 'dialogs']));
  for (let n = 0; n < 9; n += 1) film.follow([], verdict([]), verdict(['crash']));
  await pass(0);
  expect(kept[0]).toBe('0 taken Failed: No crash, No dialogs');
  expect(kept).toHaveLength(6);
});

it('has the picture of the last look of a moment whose picture does not come before the end', async () => {
  take = () => pass(9_000).then(() => shot('too late'));
  film.saw(Buffer.from('look'), 'enough');
  film.follow([ready], verdict([]), verdict([]));
  await pass(100);
  await film.end(true);
  await pass(20_000);
  expect(kept).toEqual(['0 look Not blank', '0 look First picture', '0 look Ready', '0 look Last picture']);
});

it('takes no picture of a game that closes', async () => {
  let takes = 0;
  take = () => {
    takes += 1;
    return pass(9_000).then(() => ({ failure: 'gone' }));
  };
  film.follow([ready], verdict([]), verdict([]));
  await pass(100);
  await film.end(true);
  await pass(20_000);
  expect(takes).toBe(1);
});

it.each<[string, boolean, () => Promise<GamePicture>]>([
  ['gives no picture', true, () => Promise.resolve({ failure: 'gone' })],
  ['gives none in time', true, () => pass(1_000).then(() => shot('too late'))],
  ['ends with the program', false, () => Promise.resolve(shot('taken'))],
])('has the picture of the last look, with its time, of a game that %s', async (_, waits, answer) => {
  film.saw(Buffer.from('look'), 'nothing');
  await pass(700);
  take = answer;
  await film.end(waits);
  film.follow([ready], verdict([]), verdict(['crash']));
  await pass(5_000);
  expect(kept).toEqual(['0 look Last picture']);
});
