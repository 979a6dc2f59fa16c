import { encode } from 'fast-png';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GameLook } from '../host/host.ts';
import type { Note } from './record.ts';
import { createTraffic, type Traffic } from './traffic.ts';
import { createWatch, type Watch } from './watch.ts';

const side = 40;
const pictureOf = (paint: (at: number) => number) =>
  encode({ width: side, height: side, channels: 1, data: Uint8Array.from({ length: side * side }, (_, at) => paint(at)) });
const blank = pictureOf(() => 255);
const drawn = pictureOf((at) => (at % 8 < 4 ? 220 : 30));
const moved = pictureOf((at) => (at % 8 < 4 ? 30 : 220));
const page = {
  url: 'https://g.example/?gameId=1042&lang=en',
  title: 'Firefly',
  lang: 'en',
  framesPerSecond: 0,
  surroundings: '390 x 844, pixel ratio 3',
  times: { firstByte: 300, firstPaint: 600, load: 900 },
};

let notes: Note[] = [];
let faults: unknown[] = [];
let look: GameLook | Error = { seen: true, answered: true, page, png: drawn };
let left = false;
let traffic: Traffic;
let watch: Watch;
let wanted: boolean[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  notes = [];
  faults = [];
  wanted = [];
  left = false;
  look = { seen: true, answered: true, page, png: drawn };
  traffic = createTraffic(() => performance.now(), ['g.example/poll']);
  watch = createWatch({
    readyWithinMs: 30_000,
    look: ({ picture }) => {
      wanted.push(picture);
      return look instanceof Error ? Promise.reject(look) : Promise.resolve(look);
    },
    traffic,
    note: (note) => notes.push(note),
    onFault: (error) => faults.push(error),
    now: () => performance.now(),
    hasLeft: () => left,
    gamesTitled: (title) => (title === 'Firefly' ? ['1042'] : []),
  });
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  expect(faults).toEqual([]);
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const said = () => notes.map(({ signal }) => signal?.type);
function load(): void {
  watch.follow('navigation');
  watch.follow('document');
  watch.follow('loaded');
}
const step = (name: 'asked' | 'responded' | 'ended', id = '1', streams = false) =>
  traffic.follow({ type: 'traffic', step: name, id, method: 'GET', url: 'https://g.example/a', streams });

it('a game is ready with two still pictures and a second without requests', async () => {
  load();
  await pass(1_000);
  expect(said()).toEqual(['page']);
  await pass(1_000);
  expect(said()).toEqual(['page', 'ready', 'picture']);
  expect(notes[0]).toMatchObject({ detail: '390 x 844, pixel ratio 3' });
  expect(notes[1]).toMatchObject({
    title: 'Ready after 2.0 s',
    detail: 'two still pictures, 2.0 s without requests',
    signal: { after: 2_000, firstPaint: 600 },
  });
  expect(watch.started).toBe(true);
});

it('a game in motion is ready by its frames', async () => {
  load();
  look = { seen: true, answered: true, page: { ...page, framesPerSecond: 60 }, png: drawn };
  await pass(1_000);
  expect(notes[1]).toMatchObject({ detail: '60 frames per second, 1.0 s without requests' });
});

it('a game that neither moves nor stands still is not ready', async () => {
  load();
  for (let turn = 0; turn < 6; turn += 1) {
    look = { seen: true, answered: true, page, png: turn % 2 === 0 ? drawn : moved };
    await pass(1_000);
  }
  expect(said()).toEqual(['page']);
  expect(watch.started).toBe(true);
});

it('requests keep a game from being ready, but no socket and no response that goes on', async () => {
  load();
  step('asked', 'socket', true);
  step('asked', 'stream');
  step('responded', 'stream');
  await pass(4_000);
  expect(said()).toEqual(['page']);
  await pass(2_000);
  expect(said()).toEqual(['page', 'ready', 'picture']);
});

it('a request that is known noise keeps no game from being ready', async () => {
  load();
  traffic.follow({
    type: 'traffic',
    step: 'asked',
    id: 'poll',
    method: 'GET',
    url: 'https://g.example/poll?n=1',
    streams: false,
  });
  await pass(2_000);
  expect(watch.started).toBe(true);
});

it('a request that waits for its response keeps a game from being ready until it comes, and is named at the end', async () => {
  load();
  step('asked', 'session');
  await pass(31_000);
  expect(notes.at(-1)).toMatchObject({
    signal: { type: 'not ready' },
    detail: 'It waits for the response of https://g.example/a',
  });
});

it('a game whose requests never rest is not ready in time, and says why', async () => {
  load();
  for (let turn = 0; turn < 62; turn += 1) {
    step('asked', `${turn}`);
    await pass(250);
    step('ended', `${turn}`);
    await pass(250);
  }
  expect(said()).toEqual(['page', 'picture', 'not ready']);
  expect(notes.at(-1)).toMatchObject({ detail: 'Its requests did not come to rest.' });
});

it('a blank game is said to be blank once it is quiet, and drawn again if it draws after all', async () => {
  load();
  look = { seen: true, answered: true, page, png: blank };
  await pass(5_000);
  expect(notes.at(-1)).toMatchObject({ signal: { type: 'picture', content: 'nothing' } });
  look = { seen: true, answered: true, page, png: drawn };
  await pass(2_000);
  expect(said()).toEqual(['page', 'picture', 'ready', 'picture']);
  expect(notes.at(-1)).toMatchObject({ signal: { content: 'enough' } });
});

it('a server that does not answer is said to be late', async () => {
  look = { seen: true, answered: null, page: null, png: null };
  await pass(31_000);
  expect(said()).toEqual(['not ready']);
  expect(notes[0]).toMatchObject({ detail: 'The server did not answer.' });
});

it('a hidden game is not judged', async () => {
  load();
  look = { seen: false, answered: false, page: null, png: null };
  await pass(60_000);
  expect(notes).toEqual([]);
});

it('a hang and its end are noted, each once', async () => {
  load();
  look = { seen: true, answered: false, page: null, png: null };
  await pass(3_000);
  look = { seen: true, answered: true, page, png: drawn };
  await pass(1_000);
  expect(notes.map(({ title }) => title).slice(0, 2)).toEqual(['The page does not respond', 'The page responds again']);
});

it('after a game is ready its heart is heard every five seconds, without a picture', async () => {
  load();
  await pass(2_000);
  wanted = [];
  await pass(10_000);
  expect(wanted).toEqual([false, false]);
});

it('what the page states is noted when it changes', async () => {
  load();
  await pass(1_000);
  look = { seen: true, answered: true, page: { ...page, title: 'Golden Orchard' }, png: drawn };
  await pass(1_000);
  expect(notes.filter(({ kind }) => kind === 'page').map(({ title }) => title)).toEqual([
    'The page states: title Firefly, language en',
    'The page states: title Golden Orchard, language en',
  ]);
});

it('a request without a response is noted after ten seconds, once', async () => {
  step('asked', 'silent');
  step('asked', 'streaming');
  step('responded', 'streaming');
  await pass(30_000);
  step('responded', 'silent');
  await pass(5_000);
  expect(notes.filter(({ kind }) => kind === 'request')).toMatchObject([
    { title: 'Request without a response for 10 s', signal: { outcome: 'unanswered' } },
    { title: 'Response after 30.0 s', signal: { outcome: 'answered late' } },
  ]);
});

it('the page of the exit is not judged, and nothing after the end', async () => {
  load();
  left = true;
  await pass(3_000);
  expect(notes).toEqual([]);
  left = false;
  watch.stop();
  await pass(10_000);
  expect(notes).toEqual([]);
});

it('a look that fails is reported, and the next one comes', async () => {
  load();
  look = new Error('broken');
  await pass(1_000);
  expect(faults).toHaveLength(1);
  faults = [];
  look = { seen: true, answered: true, page, png: drawn };
  await pass(2_000);
  expect(watch.started).toBe(true);
});
