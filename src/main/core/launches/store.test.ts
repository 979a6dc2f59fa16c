import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LaunchRules } from '#shared/model/environment.ts';
import { someEntry, someLaunch } from '#testing/some-launch.ts';
import { createDatabase } from '../database/database.ts';
import { migrations } from '../database/migrations.ts';
import { searchLaunches } from './search.ts';
import { createLaunchStore, type StoredLaunch } from './store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-launch-store-'));
  path = join(folder, 'history.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const usual = () => LaunchRules.parse({});
const launch = (id: string, change: Partial<StoredLaunch> = {}): StoredLaunch =>
  someLaunch(id, {
    environmentName: 'Staging',
    gameName: 'Lucky Compass',
    preparedAt: 5,
    url: 'https://g.example/game',
    origin: 'https://g.example',
    verdict: { state: 'passed', results: [] },
    ...change,
  });
const oldRow = (id: string) => JSON.stringify({ ...launch(id), verdict: undefined });

it('reads the one screenshot of an earlier version as a picture whose time is not known', () => {
  // The schema before pictures had a table of their own.
  const steps = migrations.slice(
    0,
    migrations.findIndex((step) => step.includes('CREATE TABLE launch_pictures')),
  );
  const old = createDatabase(path, { steps });
  old.run((connection) => {
    const insert = connection.prepare('INSERT INTO launches VALUES (?, 5, ?, ?)');
    insert.run('with', oldRow('with'), Buffer.from('a picture'));
    insert.run('without', oldRow('without'), null);
  });
  old.close();
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  expect(store.get('with').beside).toEqual({ note: '', pictures: [{ number: 1, takenAt: null, moment: null }] });
  expect(store.picture('with', 1)?.toString()).toBe('a picture');
  expect(store.get('without').beside.pictures).toEqual([]);
  expect(store.addPicture('with', 7, Buffer.from('a newer one'), null)).toEqual({ number: 2, takenAt: 7, moment: null });
  database.close();
});

it('keeps the newest megabyte of the pictures of moments, and every screenshot', () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  store.save(launch('l'));
  const add = (bytes: number, moment: string | null) => store.addPicture('l', 7, Buffer.alloc(bytes), moment);
  add(400_000, 'First picture');
  add(900_000, null);
  add(400_000, 'Ready');
  const moments = () => store.get('l').beside.pictures.map(({ moment }) => moment);
  expect(moments()).toEqual(['First picture', null, 'Ready']);
  add(400_000, 'Last picture');
  expect(moments()).toEqual([null, 'Ready', 'Last picture']);
  database.close();
});

it('leaves no unseen copy of a removed picture or an old note: the file counts as not erased', () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  const erases = () => database.run((connection) => connection.prepare('SELECT erases FROM history_identity').get()?.['erases']);
  const setErased = () => database.run((connection) => connection.exec('UPDATE history_identity SET erases = 1'));
  store.save(launch('l'));
  store.addPicture('l', 7, Buffer.from('a picture'), null);
  setErased();
  store.setNote('l', 'first');
  expect(erases()).toBe(1);
  store.setNote('l', 'second');
  expect(erases()).toBe(0);
  setErased();
  store.removePicture('l', 1);
  expect([erases(), store.get('l').beside]).toEqual([0, { note: 'second', pictures: [] }]);
  // A newer state of the launch keeps what is beside it.
  store.save(launch('l'));
  expect(store.get('l').beside.note).toBe('second');
  database.close();
});

it('keeps the newest launches by its limit, also one of a clock that was set back, and counts what it removed', () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual, () => 77);
  expect(store.keeping()).toEqual({ most: 500, kept: 0, removed: null });
  store.keep(100, 0);
  for (let n = 0; n < 103; n += 1) store.save(launch(`l${n}`, { preparedAt: 1_790_000_000_000 + n }));
  expect([store.all().length, store.all()[0]?.launch.id]).toEqual([100, 'l3']);
  store.save(launch('back', { preparedAt: 1_700_000_000_000 }));
  expect(store.get('back').launch.id).toBe('back');
  expect(() => store.get('l3')).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(store.keeping()).toEqual({ most: 100, kept: 100, removed: { count: 4, at: 77 } });
  // Removed by hand, it does not count.
  store.remove('back');
  expect(store.keeping()).toMatchObject({ kept: 99, removed: { count: 4 } });
  database.close();
});

it('removes what a lower limit leaves no room for, if the user saw the number', () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  for (let n = 0; n < 130; n += 1) store.save(launch(`l${n}`, { preparedAt: n }));
  expect(() => store.keep(100, 29)).toThrow(expect.objectContaining({ code: 'conflict' }));
  expect(store.keeping()).toMatchObject({ most: 500, kept: 130 });
  store.keep(100, 30);
  expect(store.keeping()).toMatchObject({ most: 100, kept: 100, removed: { count: 30 } });
  expect(store.all()[0]?.launch.id).toBe('l30');
  database.close();
});

it('finds launches by every word in them, their note or their record, and by the verdict that holds', async () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  const overruled = { state: 'failed', note: 'Dark ÄPFEL', at: 1 } as const;
  store.save(launch('one', { preparedAt: 1 }));
  store.save(launch('two', { preparedAt: 2, gameName: 'Golden Orchard', playerId: 'Zoë-7', overruled }));
  store.save(launch('three', { preparedAt: 3, gameName: '', gameMode: 'real', verdict: { state: 'to check', results: [] } }));
  store.addEntries('one', [
    someEntry(1, 'Console error', 'Planted "fault" at 100%'),
    someEntry(2, 'Request failed: net::ERR_FAILED'),
  ]);
  store.addEntries('three', [someEntry(1, 'Planted', 'x'), someEntry(2, 'y', 'fault')]);
  store.setNote('three', 'See TICKET-12.');
  const find = (text: string, state: Parameters<typeof searchLaunches>[1]['state'] = null) =>
    searchLaunches(store, { text, state });
  expect(await find('')).toEqual(['three', 'two', 'one']);
  expect(await find('', 'failed')).toEqual(['two']);
  expect(await find('staging', 'to check')).toEqual(['three']);
  expect(await find('lucky FUN')).toEqual(['one']);
  expect(await find('zoë äpfel')).toEqual(['two']);
  expect(await find('ticket-12 real')).toEqual(['three']);
  // Words may stand in different entries; the names of an entry's members are not its text.
  expect(await find('planted fault')).toEqual(['three', 'one']);
  expect(await find('"FAULT" lucky')).toEqual(['one']);
  expect(await find('100%')).toEqual(['one']);
  expect(await find('1_0%')).toEqual([]);
  expect(await find('signal')).toEqual([]);
  database.close();
});

it('finds launches of an earlier version, and those that other rules judged, by their present verdict', async () => {
  const database = createDatabase(path);
  let rules = usual();
  const store = createLaunchStore(database, () => rules);
  database.run((connection) =>
    connection.prepare('INSERT INTO launches (id, prepared_at, launch) VALUES (?, 5, ?)').run('old', oldRow('old')),
  );
  store.save(launch('planted', { preparedAt: 6 }));
  store.addEntries('planted', [
    { ...someEntry(1, 'Opened'), signal: { type: 'opened', host: 'view', wallet: true } },
    { ...someEntry(2, 'Uncaught error', 'Planted fault'), signal: { type: 'uncaught error' } },
  ]);
  const find = (state: Parameters<typeof searchLaunches>[1]['state']) => searchLaunches(store, { text: 'compass', state });
  // Its own row says passed, by the usual rules.
  expect([await find('passed'), await find('unfinished')]).toEqual([['planted'], ['old']]);
  rules = { ...usual(), slowAfter: 5 };
  expect([await find('passed'), await find('failed')]).toEqual([[], ['planted']]);
  rules = { ...usual(), noise: ['Planted fault'] };
  expect([await find('failed'), await find('unfinished')]).toEqual([[], ['planted', 'old']]);
  database.close();
});
