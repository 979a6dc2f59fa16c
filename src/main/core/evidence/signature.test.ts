import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import {
  fingerprintIn,
  openEvidenceKey,
  readEvidenceKey,
  signedFiles,
  signedPage,
  verifyFiles,
  verifyPage,
  type EvidenceKey,
  type Files,
} from './signature.ts';

let home: string;
let key: EvidenceKey;
let other: EvidenceKey;
beforeAll(async () => {
  home = await temporaryFolder();
  mkdirSync(join(home, 'other'));
  key = await openEvidenceKey(home);
  other = await openEvidenceKey(join(home, 'other'));
});
afterAll(() => rm(home, { recursive: true }));

const plain: Files = [
  ['launch.json', '{"a":1}\n'],
  ['launch.html', '<p>passed</p>'],
  ['picture-01.png', Buffer.from('89504e470d0a1a0a00', 'hex')],
  ['picture-02.png', Buffer.from('89504e470d0a1a0a01', 'hex')],
];
const html = '<!doctype html><p>ä passed</p>';

type Contents = Map<string, string | Uint8Array>;
const textIn = (files: Contents, path: string) => Buffer.from(files.get(path) ?? '').toString();
const edit = (path: string, change: (text: string) => string) => (files: Contents) =>
  files.set(path, change(textIn(files, path)));
const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
/** Writes the list of the files as they are now. */
function listAgain(files: Contents): string {
  const paths = [...files.keys()].filter((path) => path !== 'hashes.txt' && path !== 'signature.json');
  const list = paths.map((path) => `${hashOf(files.get(path) ?? '')}  ${path}\n`).join('');
  files.set('hashes.txt', list);
  return list;
}
const member = (name: string, change: (value: string) => unknown) =>
  edit('signature.json', (text) => {
    const whole = JSON.parse(text) as Record<string, string>;
    return JSON.stringify({ ...whole, [name]: change(whole[name] ?? '') });
  });
const flip = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  return bytes.toString('base64');
};

const isWhole = (files: Files, whose: EvidenceKey) => {
  const found = verifyFiles(files);
  return found.isListSigned && found.fingerprint === whose.fingerprint && found.files.every(({ state }) => state === 'as signed');
};

describe('the files of a folder', () => {
  it('are as signed, and the list is one that sha256sum reads', () => {
    const files = signedFiles(plain, key);
    expect(isWhole(files, key)).toBe(true);
    expect(String(files.at(-2)?.[1])).toContain(`${hashOf('{"a":1}\n')}  launch.json\n`);
  });

  it.each<[name: string, change: (files: Contents) => unknown]>([
    ['a verdict edited', edit('launch.html', (text) => text.replace('passed', 'failed'))],
    ['a byte added', edit('launch.json', (text) => `${text} `)],
    ['a byte removed', edit('launch.json', (text) => text.slice(0, -1))],
    ['a line end changed', edit('launch.json', (text) => text.replace('\n', '\r\n'))],
    ['an empty file', edit('launch.html', () => '')],
    ['a picture that differs in a bit', (files) => files.set('picture-01.png', Buffer.from('89504e470d0a1a0a02', 'hex'))],
    [
      'two pictures swapped',
      (files) => {
        const [one, two] = ['picture-01.png', 'picture-02.png'].map((path) => files.get(path) ?? '');
        files.set('picture-01.png', two ?? '').set('picture-02.png', one ?? '');
      },
    ],
    ['a picture removed', (files) => files.delete('picture-01.png')],
    ['the JSON removed', (files) => files.delete('launch.json')],
    ['a file added', (files) => files.set('note.txt', 'it was fine')],
    ['a file added in a folder', (files) => files.set('real/launch.html', '')],
    [
      'a file renamed',
      (files) => files.set('picture-03.png', files.get('picture-01.png') ?? '') && files.delete('picture-01.png'),
    ],
    [
      'a file renamed in another case',
      (files) => files.set('Launch.json', files.get('launch.json') ?? '') && files.delete('launch.json'),
    ],
    [
      'a new list of an edited page',
      (files) => {
        files.set('launch.html', '<p>failed</p>');
        listAgain(files);
      },
    ],
    [
      'a list without a removed picture',
      (files) => {
        files.delete('picture-02.png');
        listAgain(files);
      },
    ],
    [
      'a list with an added file',
      (files) => {
        files.set('note.txt', 'x');
        listAgain(files);
      },
    ],
    ['a list in another order', edit('hashes.txt', (text) => `${text.trimEnd().split('\n').toReversed().join('\n')}\n`)],
    ['a list with a line twice', edit('hashes.txt', (text) => `${text}${text.split('\n')[0] ?? ''}\n`)],
    ['a list with a word behind it', edit('hashes.txt', (text) => `${text}# checked\n`)],
    ['a list in capitals', edit('hashes.txt', (text) => text.toUpperCase())],
    ['an empty list', edit('hashes.txt', () => '')],
    ['a signature of another list', (files) => files.set('signature.json', key.sign('another'))],
    ['a signature by another key', (files) => files.set('signature.json', other.sign(textIn(files, 'hashes.txt')))],
    [
      'all edited and signed by another key',
      (files) => {
        files.set('launch.html', '<p>failed</p>');
        files.set('signature.json', other.sign(listAgain(files)));
      },
    ],
    ['the key of another home beside the signature', member('key', () => (JSON.parse(other.sign('')) as { key: string }).key)],
    ['a bit of the signature', member('signature', flip)],
    ['a bit of the key', member('key', flip)],
    ['no signature in it', member('signature', () => '')],
    ['a key that is none', member('key', () => 'AAAA')],
    [
      'a key of another kind',
      member('key', () =>
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      ),
    ],
    ['a signature of a later format', member('format', () => 2)],
    ['a signature with more in it', member('more', () => 'x')],
    ['a signature that is not JSON', edit('signature.json', (text) => text.slice(1))],
  ])('are not, with %s', (_, change) => {
    const files: Contents = new Map(signedFiles(plain, key));
    change(files);
    expect(isWhole([...files], key)).toBe(false);
  });

  it('say which file differs, and how', () => {
    const files: Contents = new Map(signedFiles(plain, key));
    files.delete('picture-01.png');
    files.set('launch.json', '').set('note.txt', '');
    expect(verifyFiles([...files])).toEqual({
      isListSigned: true,
      fingerprint: key.fingerprint,
      files: [
        { path: 'launch.json', state: 'changed' },
        { path: 'launch.html', state: 'as signed' },
        { path: 'picture-01.png', state: 'missing' },
        { path: 'picture-02.png', state: 'as signed' },
        { path: 'note.txt', state: 'not signed' },
      ],
    });
  });

  it.each(['hashes.txt', 'signature.json'])('without %s are no signed evidence', (missing) => {
    const files = signedFiles(plain, key).filter(([path]) => path !== missing);
    expect(() => verifyFiles(files)).toThrow(`There is no ${missing} here.`);
  });
});

describe('a page', () => {
  const signed = () => signedPage(html, key);
  it.each<[name: string, change: (page: string) => string, isSigned: boolean]>([
    ['as it is', (page) => page, true],
    ['with another word', (page) => page.replace('passed', 'failed'), false],
    ['with a byte before it', (page) => ` ${page}`, false],
    ['with a byte behind it', (page) => `${page} `, false],
    ['with two signatures', (page) => page + page.slice(page.lastIndexOf('\n<!--')), false],
    [
      'with a signature of another page',
      (page) => page.slice(0, page.lastIndexOf('\n<!--')) + signedPage('x', key).slice(1),
      false,
    ],
    ['in other line ends', (page) => page.replaceAll('\n', '\r\n').replace('\r\n<!--', '\n<!--'), false],
  ])('%s', (_, change, isSigned) => {
    expect(verifyPage(Buffer.from(change(signed())))).toMatchObject({ isListSigned: isSigned });
  });

  it('without a signature is refused', () => {
    expect(() => verifyPage(Buffer.from(html))).toThrow("doesn't end with a Croupier signature");
  });
});

describe('the key', () => {
  it('is the same at each start, of its owner alone, and known by its fingerprint and as PEM', async () => {
    expect(await openEvidenceKey(home)).toMatchObject({ fingerprint: key.fingerprint });
    expect(statSync(join(home, 'evidence-key.json')).mode & 0o077).toBe(0);
    expect([fingerprintIn(key.publicKey), fingerprintIn(` ${key.fingerprint}\n`)]).toEqual([key.fingerprint, key.fingerprint]);
    expect(() => fingerprintIn('SHA256:abc')).toThrow('This is not an evidence key.');
  });

  it('is one, if two begin at once', async () => {
    const folder = join(home, 'two');
    mkdirSync(folder);
    const [one, two] = await Promise.all([openEvidenceKey(folder), openEvidenceKey(folder)]);
    expect(one.fingerprint).toBe(two.fingerprint);
  });

  it.each([
    ['half of it', (text: string) => text.slice(0, 40), 'is damaged and was left unchanged'],
    ['a later one', () => '{"format":2,"seed":"x"}', 'was written by a newer version of Croupier'],
    ['another form', () => '{}', "has a format that this version doesn't know"],
  ])('of which the file holds %s is left alone, and nothing is signed', async (_, change, words) => {
    const folder = join(home, 'broken');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'evidence-key.json');
    const text = change(readFileSync(join(home, 'evidence-key.json'), 'utf8'));
    writeFileSync(path, text);
    await expect(openEvidenceKey(folder)).rejects.toThrow(words);
    expect(() => readEvidenceKey(folder)).toThrow(words);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
