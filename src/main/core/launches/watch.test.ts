import { encode } from 'fast-png';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GameSnapshot } from '../host/host.ts';
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
  surroundings: '390 x 844, pixel ratio 3',
  times: { firstByte: 300, firstPaint: 600, load: 900 },
  text: 'Good luck',
  found: null,
  canvas: { x: 0, y: 0, width: 1, height: 1 },
  lostContexts: 0,
  stopped: [],
  messages: [],
  deadExit: null,
};
const shows = (change: Partial<NonNullable<GameSnapshot['page']>>, png: Uint8Array | null = drawn): GameSnapshot => ({
  seen: true,
  replied: true,
  page: { ...page, ...change },
  png,
});

let notes: Note[] = [];
let faults: unknown[] = [];
let snapshot: GameSnapshot | Error = shows({});
let left = false;
let traffic: Traffic;
let watch: Watch;
let wanted: boolean[] = [];
let shownPictures: [png: Uint8Array, content: string][] = [];

/** Milliseconds by which the clock is ahead of the timers: the process could not run. */
let stalled = 0;
const now = () => performance.now() + stalled;

function start(rules: { readySigns?: string[]; errorTexts?: string[] } = {}): void {
  traffic = createTraffic(now, ['g.example/noise']);
  watch = createWatch({
    rules: { readyWithin: 30, readySigns: [], errorTexts: [], ...rules },
    snapshot: ({ picture }) => {
      wanted.push(picture);
      return snapshot instanceof Error
        ? Promise.reject(snapshot)
        : Promise.resolve(picture ? snapshot : { ...snapshot, png: null });
    },
    onPicture: (png, content) => shownPictures.push([png, content]),
    traffic,
    note: (note) => notes.push(note),
    onFault: (error) => faults.push(error),
    now,
    hasLeft: () => left,
    gamesTitled: (title) => (title === 'Firefly' ? ['1042'] : []),
  });
}
beforeEach(() => {
  vi.useFakeTimers();
  notes = [];
  faults = [];
  wanted = [];
  shownPictures = [];
  left = false;
  stalled = 0;
  snapshot = shows({});
  start();
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  expect(faults).toEqual([]);
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const said = () => notes.map(({ signal }) => signal?.type);
const of = (type: string) => notes.filter(({ signal }) => signal?.type === type);
function load(): void {
  watch.follow('navigation');
  watch.follow('document');
  watch.follow('loaded');
}
const step = (name: 'asked' | 'responded' | 'ended', id = '1', url = 'https://g.example/a', resourceType = 'xhr') =>
  traffic.follow({ type: 'traffic', step: name, id, method: 'GET', url, resourceType });

it('a game is drawn with two pictures and a second without requests, and watched then', async () => {
  load();
  await pass(1_000);
  expect(said()).toEqual(['page', 'ready', 'picture']);
  expect(shownPictures).toEqual([
    [drawn, 'enough'],
    [drawn, 'enough'],
  ]);
  expect(notes[0]).toMatchObject({ detail: '390 x 844, pixel ratio 3' });
  expect(notes[1]).toMatchObject({
    title: 'Drawn after 1.0 s',
    detail: 'loaded, drawn in two screenshots, 1.0 s without requests',
    signal: { after: 1_000, by: 'drawn', busy: 0, firstPaint: 600 },
  });
  expect(watch.started).toBe(true);
  await pass(3_000);
  expect(said().slice(3)).toEqual(['watched']);
});

it('the time of a game begins when its page begins to load, and the entry has the time that it states', async () => {
  const before = now();
  snapshot = { seen: false, replied: null, page: null, png: null };
  await pass(3_000);
  snapshot = shows({});
  load();
  await pass(1_000);
  expect(of('ready')).toMatchObject([{ title: 'Drawn after 1.0 s', at: before + 4_000, signal: { busy: 0 } }]);
});

it.each<[string, string, () => void]>([
  ['an element', 'selector: #spin', () => (snapshot = shows({ found: '#spin' }))],
  ['a text', 'text: good LUCK', () => (snapshot = shows({ text: 'Reels\nGood luck' }))],
  ['a message', 'message: "ready"', () => watch.hear('message', '{"type":"ready"}')],
  ['a message to itself', 'message: "ready"', () => (snapshot = shows({ messages: ['{"type":"ready"}'] }))],
  ['a line on the console', 'console: game started', () => watch.hear('console', 'the game started. game started')],
])('a game whose team names %s is ready with it, and not before', async (_, sign, come) => {
  watch.stop();
  start({ readySigns: [sign, 'selector: #never'] });
  snapshot = shows({ text: '' });
  load();
  // Whatever else it does.
  step('asked', 'session');
  await pass(5_000);
  expect(said()).toEqual(['page']);
  come();
  await pass(1_000);
  expect(said().slice(0, 3)).toEqual(['page', 'ready', 'picture']);
  expect(of('ready')).toMatchObject([{ signal: { by: 'sign' } }]);
});

it('a game whose sign never comes is not ready, however it looks', async () => {
  watch.stop();
  start({ readySigns: ['selector: #spin'] });
  load();
  await pass(31_000);
  expect(notes.at(-1)).toMatchObject({
    signal: { type: 'not ready' },
    detail: "None of the environment's ready signs appeared.",
  });
});

it('frames, sockets, beacons and known noise keep no game from being drawn', async () => {
  load();
  step('asked', 'socket', 'wss://g.example/live', 'webSocket');
  step('asked', 'beacon', 'https://g.example/beacon', 'ping');
  step('asked', 'noise', 'https://g.example/noise?n=1');
  await pass(1_000);
  expect(of('ready')).toHaveLength(1);
});

it('a request that a script waits for keeps a game from being drawn for five seconds, then it is a long poll', async () => {
  load();
  step('asked', 'session');
  step('asked', 'streaming');
  step('responded', 'streaming');
  await pass(4_500);
  expect(said()).toEqual(['page']);
  await pass(1_500);
  expect(of('ready')).toHaveLength(1);
});

it('a picture that does not come keeps it from being drawn, and is named at the end', async () => {
  load();
  step('asked', 'reels', 'https://g.example/reels.png', 'image');
  await pass(31_000);
  expect(of('not ready')).toMatchObject([{ detail: 'It is waiting for a response from https://g.example/reels.png' }]);
});

it('requests that come again and again are no part of the start; those that are all different are', async () => {
  load();
  const ask = async (id: string, url: string) => {
    step('asked', id, url);
    await pass(100);
    step('ended', id, url);
    await pass(100);
  };
  for (let turn = 0; turn < 30; turn += 1) await ask(`${turn}`, `https://g.example/${turn}`);
  expect(of('ready')).toEqual([]);
  for (let turn = 0; turn < 15; turn += 1) await ask(`poll ${turn}`, `https://g.example/poll?n=${turn}`);
  expect(of('ready')).toHaveLength(1);
});

it('a game plays by itself if most of its canvas moves and its own requests were answered', async () => {
  const play = async (second: Uint8Array, host: string) => {
    watch.stop();
    notes = [];
    start();
    load();
    for (const name of ['asked', 'responded', 'ended'] as const) step(name, 'init', `https://${host}/init`);
    for (let turn = 0; turn < 6; turn += 1) {
      snapshot = shows({}, turn % 2 === 0 ? drawn : second);
      await pass(1_000);
    }
    return of('plays').length;
  };
  expect(await play(moved, 'api.g.example')).toBe(1);
  expect(await play(moved, 'statistics.example.com')).toBe(0);
  // A spinner alone moves.
  const spinner = pictureOf((at) => (at < 20 ? 90 : at % 8 < 4 ? 220 : 30));
  expect(await play(spinner, 'api.g.example')).toBe(0);
});

it('a game that goes blank after it was ready is said to be blank, and a moment between two scenes is not', async () => {
  load();
  await pass(4_500);
  expect(said().at(-1)).toBe('watched');
  snapshot = shows({}, blank);
  await pass(5_000);
  snapshot = shows({});
  await pass(5_000);
  expect(of('picture')).toHaveLength(1);
  snapshot = shows({}, blank);
  await pass(12_000);
  expect(of('picture').at(-1)).toMatchObject({ signal: { content: 'nothing' } });
});

it('time in which Croupier could not run is not the game’s, and past a bound it is said', async () => {
  load();
  snapshot = shows({}, blank);
  await pass(1_000);
  stalled += 40_000;
  await pass(1_000);
  expect(of('busy')).toMatchObject([{ signal: { ms: 40_000 } }]);
  expect(of('not ready')).toEqual([]);
  snapshot = shows({});
  await pass(2_000);
  expect(of('ready')).toMatchObject([{ signal: { busy: 40_000 } }]);
});

it('a busy computer is not said to be too busy where most of the time was there', async () => {
  load();
  snapshot = shows({}, blank);
  await pass(20_000);
  stalled += 3_000;
  await pass(1_000);
  expect(of('busy')).toEqual([]);
});

it('time in which the game was hidden is not the game’s', async () => {
  load();
  snapshot = { seen: false, replied: false, page: null, png: null };
  await pass(60_000);
  expect(notes).toEqual([]);
  snapshot = shows({});
  await pass(2_000);
  expect(of('not ready')).toEqual([]);
  expect(of('ready')).toMatchObject([{ signal: { busy: 60_000 } }]);
});

it('what the page shows and did is said once: a text of an error, a lost context, what its policy stopped, a dead exit', async () => {
  load();
  snapshot = shows({ text: 'Session expired' });
  await pass(500);
  snapshot = shows({});
  await pass(1_000);
  // A flash is not a card.
  expect(of('error text')).toEqual([]);
  const stopped = [{ directive: 'script-src-elem', url: 'https://a.example/x.js' }];
  snapshot = shows({ text: 'Reels\nSession expired', lostContexts: 1, stopped });
  await pass(3_000);
  expect(of('error text')).toMatchObject([{ detail: 'Session expired', signal: { over: false } }]);
  expect(of('policy')[0]).toMatchObject({ detail: 'https://a.example/x.js', signal: { code: true } });
  snapshot = shows({ deadExit: 'Exit' });
  await pass(5_000);
  expect(of('error text').at(-1)).toMatchObject({ signal: { over: true } });
  expect(of('context lost')).toMatchObject([{ signal: { over: false } }, { signal: { over: true } }]);
  expect(of('exit pressed')[0]).toMatchObject({ title: '"Exit" was pressed', signal: { followed: 'nothing' } });
});

it('an exit that posts a message is not dead, and a text that says that it loads is said when it should be over', async () => {
  load();
  snapshot = shows({ text: 'Loading 99 %' });
  await pass(1_000);
  expect(of('loading text')).toMatchObject([{ detail: 'Loading 99 %', signal: { over: false } }]);
  snapshot = shows({ messages: ['exit'], deadExit: 'Exit' });
  await pass(1_000);
  expect(of('loading text').at(-1)).toMatchObject({ signal: { over: true } });
  expect(of('exit pressed')).toMatchObject([{ signal: { followed: 'message' } }]);
});

it('a blank game is said to be blank once it is quiet, and drawn again if it draws after all', async () => {
  load();
  snapshot = shows({}, blank);
  await pass(5_000);
  expect(notes.at(-1)).toMatchObject({ signal: { type: 'picture', content: 'nothing' } });
  snapshot = shows({});
  await pass(2_000);
  expect(said()).toEqual(['page', 'picture', 'ready', 'picture']);
  expect(notes.at(-1)).toMatchObject({ signal: { content: 'enough' } });
});

it('a server that does not answer is said to be late', async () => {
  snapshot = { seen: true, replied: null, page: null, png: null };
  await pass(31_000);
  expect(said()).toEqual(['not ready']);
  expect(notes[0]).toMatchObject({ detail: "The server didn't respond." });
});

it('a hang and its end are noted, each once', async () => {
  load();
  snapshot = { seen: true, replied: false, page: null, png: null };
  await pass(3_000);
  snapshot = shows({});
  await pass(1_000);
  expect(notes.map(({ title }) => title).slice(0, 2)).toEqual(['The page does not respond', 'The page responds again']);
});

it('a watched game is looked at every five seconds, after a minute with a picture each half a minute', async () => {
  load();
  await pass(4_500);
  wanted = [];
  await pass(10_000);
  expect(wanted).toEqual([true, true]);
  await pass(50_000);
  wanted = [];
  await pass(60_000);
  expect(wanted.filter(Boolean)).toHaveLength(2);
  expect(wanted).toHaveLength(12);
});

it('what the page states is noted when it changes', async () => {
  load();
  await pass(1_000);
  snapshot = shows({ title: 'Golden Orchard' });
  await pass(1_000);
  expect(notes.filter(({ kind }) => kind === 'page').map(({ title }) => title)).toEqual([
    'The page states: title Firefly, language en',
    'The page states: title Golden Orchard, language en',
  ]);
});

it('a request without a response is noted after ten seconds, once', async () => {
  step('asked', 'silent');
  step('asked', 'streaming', 'https://g.example/b');
  step('responded', 'streaming', 'https://g.example/b');
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

it('a snapshot that fails is reported, and the next one comes', async () => {
  load();
  snapshot = new Error('broken');
  await pass(500);
  expect(faults).toHaveLength(1);
  faults = [];
  snapshot = shows({});
  await pass(2_000);
  expect(watch.started).toBe(true);
});
