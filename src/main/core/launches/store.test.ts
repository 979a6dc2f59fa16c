import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LaunchRules } from '#shared/model/environment.ts';
import { rulesName } from '#shared/launches/judge.ts';
import { createDatabase } from '../database/database.ts';
import { migrations } from '../database/migrations.ts';
import { createLaunchStore, type StoredLaunch } from './store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-launch-store-'));
  path = join(folder, 'history.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const usual = () => LaunchRules.parse({});
const launch = (id: string) => ({ id, preparedAt: 5, verdict: { state: 'passed', results: [] } }) as unknown as StoredLaunch;

const rowOf = (id: string) => JSON.stringify({ ...launch(id), rules: rulesName(usual()) });

it('reads the one screenshot of an earlier version as a picture whose time is not known', () => {
  // The schema before pictures had a table of their own.
  const steps = migrations.slice(
    0,
    migrations.findIndex((step) => step.includes('CREATE TABLE launch_pictures')),
  );
  const old = createDatabase(path, { steps });
  old.run((connection) => {
    const insert = connection.prepare('INSERT INTO launches VALUES (?, 5, ?, ?)');
    insert.run('with', rowOf('with'), Buffer.from('a picture'));
    insert.run('without', rowOf('without'), null);
  });
  old.close();
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  expect(store.get('with').beside).toEqual({ note: '', pictures: [{ number: 1, takenAt: null }] });
  expect(store.picture('with', 1)?.toString()).toBe('a picture');
  expect(store.get('without').beside.pictures).toEqual([]);
  expect(store.addPicture('with', 7, Buffer.from('a newer one'))).toEqual({ number: 2, takenAt: 7 });
  database.close();
});

it('leaves no unseen copy of a removed picture or an old note: the file counts as not erased', () => {
  const database = createDatabase(path);
  const store = createLaunchStore(database, usual);
  const erases = () => database.run((connection) => connection.prepare('SELECT erases FROM history_identity').get()?.['erases']);
  const setErased = () => database.run((connection) => connection.exec('UPDATE history_identity SET erases = 1'));
  store.save(launch('l'));
  store.addPicture('l', 7, Buffer.from('a picture'));
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
