import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEvidenceKey } from '#core/app/tools.ts';
import { temporaryFolder } from '#testing/app.ts';
import { runCommand, type Said } from '#testing/command-runner.ts';
import { signedFiles, signedPage, type EvidenceKey } from '../../core/evidence/signature.ts';
import { evidenceKeyCommand, evidenceVerifyCommand } from './evidence.ts';

let folder: string;
let key: EvidenceKey;
let other: EvidenceKey;
const said: Said = { printed: [], told: [] };
const at = (...names: string[]) => join(folder, ...names);

/** Two homes: evidence of the first as a folder and as a page, and one whose page was edited. */
beforeAll(async () => {
  folder = await temporaryFolder();
  await Promise.all(['home', 'other'].map((name) => mkdir(at(name))));
  key = await openEvidenceKey(at('home'));
  other = await openEvidenceKey(at('other'));
  const files = signedFiles(
    [
      ['real/launch.html', '<p>failed</p>'],
      ['real/launch.json', '{}'],
    ],
    key,
  );
  for (const name of ['good', 'edited'])
    for (const [path, content] of files) {
      await mkdir(dirname(at(name, path)), { recursive: true });
      await writeFile(at(name, path), content);
    }
  await writeFile(at('edited', 'real', 'launch.html'), '<p>passed</p>');
  await writeFile(at('page.html'), signedPage('<p>passed</p>', key));
  await writeFile(at('key.pem'), key.publicKey);
});
afterAll(() => rm(folder, { recursive: true }));

const commands = { 'evidence verify': evidenceVerifyCommand, 'evidence key': evidenceKeyCommand };
const cli = (command: keyof typeof commands, home: string, ...args: string[]) =>
  runCommand(commands[command], { home: at(home), said }, args);

describe('croupier evidence verify', () => {
  it.each<[name: string, home: string, args: () => string[], status: number, line: RegExp]>([
    ['a folder, by the home that signed it', 'home', () => [at('good')], 0, /^Signed with the key of this home, SHA256:/],
    ['a list of that folder', 'home', () => [at('good', 'hashes.txt')], 0, /^Nothing changed since signing: 2 files\.$/],
    ['a page', 'home', () => [at('page.html')], 0, /^Nothing changed since signing: 1 file\.$/],
    [
      'by another home',
      'other',
      () => [at('good')],
      1,
      /^Signed with a key that this home doesn't know: SHA256:.*pass it with --key\.$/,
    ],
    [
      'by another home with the file of the key',
      'other',
      () => [at('good'), '--key', at('key.pem')],
      0,
      /^Signed with the key you gave,/,
    ],
    [
      'by another home with the fingerprint',
      'other',
      () => [at('page.html'), '--key', key.fingerprint],
      0,
      /^Signed with the key you gave,/,
    ],
    ['with the wrong fingerprint', 'home', () => [at('good'), '--key', other.fingerprint], 1, /^Signed with another key:/],
    ['an edited page', 'home', () => [at('edited')], 1, /^real\/launch\.html: changed since signing$/],
  ])('%s', async (_, home, args, status, line) => {
    expect(await cli('evidence verify', home, ...args())).toBe(status);
    expect(said.printed.join('\n').split('\n')).toContainEqual(expect.stringMatching(line));
  });

  it.each<[name: string, args: () => string[], words: string]>([
    ['a folder without evidence', () => [at('home')], 'There is no hashes.txt here.'],
    ['a page without a signature', () => [at('key.pem')], "This page doesn't end with a Croupier signature."],
    ['nothing', () => [at('gone.html')], 'there is no such file'],
    ['a key that is none', () => [at('good'), '--key', at('page.html')], 'This is not an evidence key.'],
  ])('refuses %s', async (_, args, words) => {
    await expect(cli('evidence verify', 'home', ...args())).rejects.toThrow(words);
  });

  it('prints one document for programs, and the key', async () => {
    expect(await cli('evidence verify', 'home', at('edited'), '--json')).toBe(1);
    expect(JSON.parse(said.printed.join(''))).toMatchObject({ verified: false, isOfKey: true, isListSigned: true });
    expect(await cli('evidence key', 'home')).toBe(0);
    expect([said.printed.join(''), said.told.join('')]).toEqual([key.publicKey.trimEnd(), key.fingerprint]);
  });
});
