import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSettings } from './settings.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('keeps what was written, in a file that reads well', async () => {
  const settings = createSettings(path);
  expect(settings.read()).toEqual({});
  await settings.write('tabs', '[{"text":"ä\\n"}]');
  await settings.write('layout', '{}');
  expect(settings.read()).toEqual({ layout: '{}', tabs: '[{"text":"ä\\n"}]' });
  expect(readFileSync(path, 'utf8')).toBe('{\n  "layout": "{}",\n  "tabs": "[{\\"text\\":\\"ä\\\\n\\"}]"\n}\n');
});

it('keeps what another program wrote under other names, at the same moment too', async () => {
  const [one, two] = [createSettings(path), createSettings(path)];
  await Promise.all([one.write('a', '1'), two.write('b', '2'), one.write('c', '3'), two.write('d', '4')]);
  expect(one.read()).toEqual({ a: '1', b: '2', c: '3', d: '4' });
  expect(two.read()).toEqual(one.read());
});

it('can wait for what is still being written, as a page that is loaded again must', async () => {
  const settings = createSettings(path);
  await settings.write('a', '1');
  void settings.write('a', '2');
  await settings.settled();
  expect(settings.read()).toEqual({ a: '2' });
});

it('drops a write that a later one of the same page has overtaken on the way, and no other', async () => {
  const settings = createSettings(path);
  await settings.write('a', 'second', { page: 'p', number: 2 });
  await settings.write('a', 'first', { page: 'p', number: 1 });
  await settings.write('b', 'first', { page: 'p', number: 1 });
  expect(settings.read()).toEqual({ a: 'second', b: 'first' });
  await settings.write('a', 'of the next page', { page: 'q', number: 0 });
  expect(settings.read()).toEqual({ a: 'of the next page', b: 'first' });
});

it('gives a copy, which changes nothing', async () => {
  const settings = createSettings(path);
  await settings.write('a', '1');
  settings.read()['a'] = '2';
  expect(settings.read()).toEqual({ a: '1' });
});
