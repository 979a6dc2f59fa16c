import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Environment } from '#shared/ipc/index.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { createEnvironments } from './environments.ts';
import type { Environments } from './environments.ts';
import { vouched } from '../files/passed.ts';

let folder: string;
const opened: Environments[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-environments-'));
});
afterEach(() => {
  for (const environments of opened.splice(0)) environments.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(onChange: () => void = () => undefined): Environments {
  const environments = createEnvironments({ folder, onChange, checkText: async (text) => vouched('home', 'own', text) });
  opened.push(environments);
  return environments;
}

const draft = { name: 'Staging', baseUrl: 'https://api.example.com', platform: 1, partnerId: 42, production: false };
const file = (id: string) => join(folder, `${id}.json`);

it('are listed by their names as a reader orders them', async () => {
  const environments = open();
  for (const name of ['Test 10', 'test 3', 'Ärger', 'Zoo', 'Test 2', 'Bar']) await environments.create({ ...draft, name });
  expect(environments.list().environments.map(({ name }) => name)).toEqual([
    'Ärger',
    'Bar',
    'Test 2',
    'test 3',
    'Test 10',
    'Zoo',
  ]);
});

describe('a file', () => {
  it('that allowed larger responses than there can be now is read with the most that there can be', async () => {
    const { id } = await open().create(draft);
    const text = readFileSync(file(id), 'utf8');
    writeFileSync(file(id), text.replace('"maxResponseBytes": 20971520', '"maxResponseBytes": 268435456'));
    expect(open().get(id).maxResponseBytes).toBe(20_971_520);
    writeFileSync(file(id), text.replace('"maxResponseBytes": 20971520', '"maxResponseBytes": 268435457'));
    expect(open().list().broken).toHaveLength(1);
  });

  it('holds every field in the contract’s order, two spaces deep, with a last line break and nothing of this moment', async () => {
    const environments = open();
    const { id } = await environments.create({
      ...draft,
      answers: { 'time.order': { value: 'dmy', note: '' }, 'amounts.unit': { value: 'minor', note: 'by mail' } },
    });
    const text = readFileSync(file(id), 'utf8');
    expect(text.endsWith('}\n')).toBe(true);
    expect(text).toContain('\n  "baseUrl": "https://api.example.com",\n');
    const keys = Object.keys(JSON.parse(text) as object);
    expect(keys).toEqual(
      'id name kind color production baseUrl walletUrl platform partnerId timeZone serialization defaults ca timeouts maxResponseBytes launchRules answers'.split(
        ' ',
      ),
    );
    expect(Object.keys((JSON.parse(text) as Environment).answers)).toEqual(['amounts.unit', 'time.order']);
    expect(text).not.toMatch(/20\d\d-/);
    expect(statSync(file(id)).mode & 0o777).toBe(0o600);
    await environments.save(environments.get(id));
    expect(readFileSync(file(id), 'utf8')).toBe(text);
  });

  it('written by hand with the least it needs is read, defaults filled in', () => {
    writeFileSync(
      file('hand'),
      JSON.stringify({ id: 'hand', name: 'Hand', baseUrl: 'https://h.example', platform: 1, partnerId: 2 }),
    );
    expect(open().get('hand')).toMatchObject({
      kind: 'provider',
      serialization: 'php',
      timeZone: 'UTC',
      timeouts: { total: 60_000 },
    });
  });

  it('keeps an answer that is no longer valid, whatever else is changed, and takes no new one', async () => {
    const old = { 'amounts.unit': { value: 'bananas', note: 'by mail' }, 'no.such.point': { value: 'x', note: '' } };
    writeFileSync(file('old'), JSON.stringify({ ...draft, id: 'old', name: 'Old', answers: old }));
    const environments = open();
    const environment = environments.get('old');
    expect(environment.answers).toEqual(old);
    expect((await environments.save({ ...environment, name: 'Renamed' })).answers).toEqual(old);

    const answers = { ...old, 'time.zone': { value: 'Mars/Olympus', note: '' } };
    await expect(environments.save({ ...environment, answers })).rejects.toThrow(/time\.zone was not recorded.*Europe\/Berlin/);
    const other = { ...old, 'amounts.unit': { value: 'apples', note: '' } };
    await expect(environments.save({ ...environment, answers: other })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'answers', answer: 'amounts.unit' },
    });
    await expect(environments.create({ ...draft, name: 'New', answers: old })).rejects.toThrow(/amounts\.unit was not recorded/);
    expect(environments.get('old').answers).toEqual(old);

    // Both can be undone.
    const cleared = await environments.save({ ...environment, answers: {} });
    expect((await environments.save({ ...cleared, answers: old })).answers).toEqual(old);
    const removed = await environments.remove('old');
    expect((await environments.save(removed)).answers).toEqual(old);
  });

  const broken: [string, string, string][] = [
    ['not JSON', '{"id": "x",', 'not JSON'],
    ['another shape', '[]', 'expected object'],
    ['a field of another type', JSON.stringify({ ...draft, id: 'x', platform: '1' }), 'platform'],
    ['a field of a newer version', JSON.stringify({ ...draft, id: 'x', tunnel: 'p' }), 'newer version'],
    ['another id', JSON.stringify({ ...draft, id: 'y' }), 'the file must have that name'],
    ['an http address', JSON.stringify({ ...draft, id: 'x', baseUrl: 'http://a.example' }), 'https'],
    ['too large', JSON.stringify({ ...draft, id: 'x', name: 'n'.repeat(1_100_000) }), 'Croupier reads at most 1,000,000'],
    ['empty', '', 'not JSON'],
  ];
  it.each(broken)(
    'that is broken (%s) is listed as such, left untouched, and does not hide the others',
    async (_, text, words) => {
      const environments = open();
      await environments.create(draft);
      writeFileSync(file('x'), text);
      const list = environments.list();
      expect(list.environments).toHaveLength(1);
      expect(list.broken).toEqual([{ file: file('x'), message: expect.stringContaining(words) as string }]);
      expect(() => environments.get('x')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
      const other = environments.list().environments[0];
      if (other === undefined) throw new Error('the other one is gone');
      await expect(environments.save({ ...other, id: 'x', name: 'Other' })).rejects.toMatchObject({ code: 'conflict' });
      expect(readFileSync(file('x'), 'utf8')).toBe(text);
    },
  );

  it('that is a folder is listed as broken', () => {
    mkdirSync(file('folder'));
    expect(open().list().broken).toHaveLength(1);
  });

  it('of another kind in the folder is left out', () => {
    writeFileSync(join(folder, 'README.md'), 'hello');
    writeFileSync(join(folder, '.hidden.json'), '{');
    expect(open().list()).toEqual({ environments: [], broken: [] });
  });
});

describe('an address', () => {
  it('is kept without its trailing slashes and with its path', async () => {
    const environments = open();
    const made = await environments.create({
      ...draft,
      baseUrl: ' https://API.example.com:8443/casino/v1// ',
      walletUrl: 'https://w.example/',
    });
    expect(made).toMatchObject({ baseUrl: 'https://api.example.com:8443/casino/v1', walletUrl: 'https://w.example' });
  });

  it.each([
    ['http://api.example.com', 'https'],
    ['HTTP://api.example.com', 'https'],
    ['ftp://api.example.com', 'ftp:'],
    ['javascript:alert(1)', 'javascript:'],
    ['api.example.com', 'not a web URL'],
    ['https://', 'not a web URL'],
    ['', 'missing'],
    ['https://user:secret@api.example.com', 'user name'],
    ['https://api.example.com?x=1', 'query'],
    ['https://api.example.com/?', 'query'],
    ['https://api.example.com/#top', 'fragment'],
    ['https://api.example.com/v1/serviceApi.php/', 'Leave it out: https://api.example.com/v1'],
  ])('%j is refused in words', async (baseUrl, words) => {
    const refusal = { code: 'invalid_input', details: { field: 'baseUrl' }, message: expect.stringContaining(words) as string };
    await expect(open().create({ ...draft, baseUrl })).rejects.toMatchObject(refusal);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('what else is checked', () => {
  it('the name is unique, whatever its case', async () => {
    const environments = open();
    const first = await environments.create(draft);
    await expect(environments.create({ ...draft, name: ' sTAGING ' })).rejects.toMatchObject({
      code: 'conflict',
      details: { id: first.id },
    });
    const second = await environments.create({ ...draft, name: 'Live' });
    await expect(environments.save({ ...second, name: 'STAGING' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(environments.save({ ...first, name: 'STAGING' })).resolves.toMatchObject({ id: first.id, name: 'STAGING' });
  });

  it.each([
    ['an invisible character', 'Sta\u200bging'],
    ['a space of another kind', 'Casino\u00a0Europe'],
    ['two spaces', 'Casino  europe'],
    ['a letter in parts', 'Malmo\u0308'],
  ])('a name that looks like another one, but for %s, is refused', async (_, name) => {
    const environments = open();
    for (const taken of ['Staging', 'Casino Europe', 'Malm\u00f6']) await environments.create({ ...draft, name: taken });
    const refused = environments.create({ ...draft, name });
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    await expect(refused).rejects.toThrow(/the names differ only in case, spaces or invisible characters/);
    await expect(environments.create({ ...draft, name: `${name} 2` })).resolves.toMatchObject({ name: `${name} 2` });
    // The page and the command line write the abbreviation of such a control, so the two names differ there.
    await expect(environments.create({ ...draft, name: `${name}\u202e` })).resolves.toBeDefined();
  });

  it('a name that shows nothing is not a name', async () => {
    await expect(open().create({ ...draft, name: ' \u200b\u00ad' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'name' },
    });
  });

  it('two of the same name at the same moment, also of two programs: one wins', async () => {
    const [one, two] = [open(), open()];
    const results = await Promise.allSettled([one.create(draft), two.create(draft), one.create(draft)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(one.list().environments).toHaveLength(1);
  });

  it.each(['Mars/Olympus', '', '+02:00', 'Europe/Berlin; DROP'])('the time zone %j is not known', async (timeZone) => {
    await expect(open().create({ ...draft, timeZone })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'timeZone' },
    });
  });

  it('the extra certificate is one, and no key', async () => {
    const { cert, key, ca } = await makeCertificate();
    const environments = open();
    await expect(environments.create({ ...draft, ca: `${cert}${ca}` })).resolves.toMatchObject({ ca: `${cert}${ca}` });
    const refused = (pem: string, words: string) =>
      expect(environments.create({ ...draft, name: 'n', ca: pem })).rejects.toMatchObject({
        details: { field: 'ca' },
        message: expect.stringContaining(words) as string,
      });
    await refused('hello', 'PEM');
    for (const [label, words] of [
      ['PKCS7', 'is PKCS#7 (.p7b) without a readable certificate.'],
      ['TRUSTED CERTIFICATE', 'openssl x509 -in FILE -out ca.pem'],
      ['CERTIFICATE REQUEST', 'Enter the issued certificate.'],
      ['PUBLIC KEY', 'Enter the certificate that contains it.'],
    ] as const)
      await refused(cert.replaceAll('CERTIFICATE', label), words);
    await refused(`${cert}${key}`, 'private key');
    await refused(cert.replace(/[A-Za-z]{20}/, 'AAAAAAAAAAAAAAAAAAAA').replace('MII', 'AAA'), 'cannot be read');
    await refused(`${ca}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`, 'Certificate 2 of 2');
  });

  it('the kind stays, and only the built-in provider has its own', async () => {
    const environments = open();
    const made = await environments.create(draft);
    await expect(environments.save({ ...made, kind: 'sandbox' })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'kind' },
    });
  });

  it('an id is a file name and nothing more', () => {
    const environments = open();
    for (const id of ['../settings', '..', 'a/b', 'A', '', 'x'.repeat(200)]) {
      expect(() => environments.get(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    }
  });

  it('ids are made from the name and differ all the same', async () => {
    const environments = open();
    const ids = [];
    for (const name of ['Ünïcode & more', '日本', '  -- ']) ids.push((await environments.create({ ...draft, name })).id);
    expect(ids[0]).toMatch(/^unicode-more-[0-9a-f]{6}$/);
    expect(ids[1]).toMatch(/^environment-[0-9a-f]{6}$/);
    expect(ids[2]).toMatch(/^environment-[0-9a-f]{6}$/);
  });
});

describe('removing', () => {
  it('gives back what saving restores, byte for byte', async () => {
    const environments = open();
    const { id } = await environments.create(draft);
    const before = readFileSync(file(id), 'utf8');
    const removed = await environments.remove(id);
    expect(readdirSync(folder)).toEqual([]);
    expect(() => environments.get(id)).toThrow(expect.objectContaining({ code: 'not_found' }));
    await environments.save(removed);
    expect(readFileSync(file(id), 'utf8')).toBe(before);
    await expect(environments.remove('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('changes by another program', () => {
  it('are seen at the next call, and an unchanged file is not read again', async () => {
    const [one, two] = [open(), open()];
    const made = await one.create(draft);
    expect(two.get(made.id)).toEqual(made);
    expect(two.get(made.id)).toBe(two.get(made.id));
    await two.save({ ...made, partnerId: 43 });
    expect(one.get(made.id).partnerId).toBe(43);
    await two.remove(made.id);
    expect(one.list().environments).toEqual([]);
  });

  it('are told to whoever listens', async () => {
    const heard = vi.fn();
    const [one, two] = [open(heard), open()];
    one.watch();
    await two.create(draft);
    await vi.waitFor(() => expect(heard).toHaveBeenCalled());
  });
});

describe('an overlay', () => {
  it('counts in this program whatever the file says, and keeps its environment from being removed', async () => {
    const [one, two] = [open(), open()];
    const made = await one.create(draft);
    one.overlay(made.id, { baseUrl: 'https://localhost:8443' });
    await two.save({ ...made, baseUrl: 'https://localhost:9999', partnerId: 7 });
    expect(one.get(made.id)).toMatchObject({ baseUrl: 'https://localhost:8443', partnerId: 7 });
    expect(two.get(made.id).baseUrl).toBe('https://localhost:9999');
    await expect(one.remove(made.id)).rejects.toMatchObject({ code: 'refused' });
  });
});
