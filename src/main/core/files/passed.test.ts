import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createPass, searches, vouched, type KeyFinders, type TextClass } from './passed.ts';

const main = resolve(import.meta.dirname, '../..');

/** Returns each place that lets a content pass, as `file: class why`, and where a key is searched as `file: class searched`. */
function placesIn(): string[] {
  return globSync('**/*.ts', { cwd: main, exclude: ['**/*.test.ts'] })
    .filter((file) => !file.endsWith('passed.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(main, file), 'utf8').matchAll(/\bvouched\(\s*'(\w+)',\s*'(\w+)'|\bpass\(\s*'(\w+)'/g),
        ([, known, why, searched]) => `${file}: ${known ?? searched ?? ''} ${why ?? 'searched'}`,
      ),
    )
    .sort();
}

it('each writer has a class, and says why nothing is searched where nothing is', () => {
  expect(placesIn()).toMatchInlineSnapshot(`
    [
      "cli/commands/call-outcome.ts: answer asked",
      "cli/commands/doctor-signer.ts: export own",
      "cli/commands/doctor-signer.ts: report asked",
      "cli/commands/export.ts: export core",
      "cli/commands/export.ts: export core",
      "cli/commands/run-output.ts: report core",
      "cli/commands/sandbox.ts: provider searched",
      "cli/commands/sandbox.ts: provider searched",
      "cli/commands/schemas.ts: team own",
      "cli/write-export.ts: export core",
      "core/app/collection-services.ts: report searched",
      "core/app/ground.ts: home searched",
      "core/catalogue/thumbnail-files.ts: home asked",
      "core/collections/collection-directory.ts: team own",
      "core/collections/collections.ts: team searched",
      "core/collections/directory-entries.ts: team same",
      "core/collections/environments/collection-environments.ts: home searched",
      "core/collections/environments/links.ts: home own",
      "core/collections/examples.ts: export searched",
      "core/collections/git/git-states.ts: team searched",
      "core/collections/keep-beside.ts: team same",
      "core/collections/opened-directories.ts: home gate",
      "core/collections/starters.ts: team own",
      "core/environments/environments.ts: home same",
      "core/evidence/evidence.ts: evidence searched",
      "core/evidence/signature.ts: home own",
      "core/formats/exports/collection-exports.ts: export searched",
      "core/formats/exports/exports.ts: export searched",
      "core/formats/exports/exports.ts: export searched",
      "core/keys/key-index.ts: home own",
      "core/runs/prepare-run.ts: report searched",
      "core/runs/runs.ts: report searched",
      "core/session-tokens/token-commands.ts: home gate",
      "core/settings/settings.ts: home masked",
      "core/settings/settings.ts: home masked",
      "core/settings/settings.ts: home masked",
      "core/workspaces/from-settings.ts: home masked",
      "core/workspaces/from-settings.ts: home masked",
      "core/workspaces/from-settings.ts: home masked",
      "core/workspaces/workspaces.ts: home own",
      "loopback/ports.ts: home own",
    ]
  `);
});

it('a text that was not searched cannot be written', async () => {
  const { writeFileDurably } = await import('./files.ts');
  // @ts-expect-error A planted newcomer: its text has no class.
  const forgotten = () => writeFileDurably('/nowhere', 'a text');
  // @ts-expect-error A planted newcomer: it gives no reason.
  const without = () => vouched('home', 'a text');
  // @ts-expect-error A planted newcomer: no gate searches what a team shares.
  const unsearched = () => vouched('team', 'gate', 'a text');
  // @ts-expect-error A planted newcomer: the state of the built-in provider is always searched.
  const never = () => vouched('provider', 'asked', 'a text');
  // @ts-expect-error A planted newcomer: its evidence is not searched for tokens.
  const tokens = () => createPass(finders, () => ['one'])('evidence', ['a text'], {});
  expect([forgotten, without, unsearched, never, tokens]).toHaveLength(5);
});

/** The keys of two environments: `one`, and `removed`, whose environment was removed. */
const finders: KeyFinders = {
  contains: async (id, text) => Buffer.from(text).includes(`key-of-${id}`),
  find: async (text) =>
    ['one', 'two'].filter((id) => Buffer.from(text).includes(`key-of-${id}`)).map((environmentId) => ({ environmentId })),
};
const locked: KeyFinders = {
  ...finders,
  contains: () => Promise.reject(new Error('The keychain is locked.')),
  find: async () => [],
};
const passing = (known: TextClass, text: string | Uint8Array, keys = finders) =>
  createPass(keys, () => ['one'])(known as 'evidence', [text], {
    of: ['removed'],
    keyFound: (id) => `It holds the key of ${id}.`,
    holdsToken: (one) => one.includes('a-token'),
  }).then(
    (passed) => passed(text),
    ({ message }: Error) => message,
  );

const all = ['a key-of-one', 'a key-of-removed', 'a key-of-two'];
const exact = ['It holds the key of one.', 'It holds the key of removed.'];
const readable = [...exact, 'It holds the key of two.'];
it.each<[TextClass, string[], string]>([
  ['home', readable, 'a text with a-token'],
  ['team', readable, 'a text with a-token'],
  ['provider', readable, 'a text with a-token'],
  ['export', [...exact, 'a key-of-two'], 'a text with a-token'],
  ['evidence', [...exact, 'a key-of-two'], searches.evidence.tokenFound],
  ['report', readable, 'a text with a-token'],
  ['answer', all, 'a text with a-token'],
])('the class %s decides what is searched, and how long a text may be', async (known, ofKeys, ofToken) => {
  const { keys, size } = searches[known];
  const { bytes, advice } = size;
  expect(await Promise.all(all.map((text) => passing(known, text)))).toEqual(ofKeys);
  expect(await passing(known, 'a text with a-token')).toBe(ofToken);
  expect(await passing(known, 'a text')).toBe('a text');
  expect(await passing(known, '', locked)).toBe('');
  expect(await passing(known, 'a text', locked)).toBe(keys === 'none' ? 'a text' : 'The keychain is locked.');
  // Only its length is looked at: nobody reserves 200 MB for it.
  expect(await passing(known, { length: bytes + 1 } as Uint8Array)).toBe(
    `Nothing was written: it would have ${(bytes + 1).toLocaleString('en')} bytes, and the limit is ${bytes.toLocaleString('en')}. ${advice}`,
  );
});

it.each(Object.entries(searches))('the class %s says what to do about a key', async (known, { keys, keyFound }) => {
  const found = createPass(finders, () => ['one'])(known as 'home', ['a key-of-one'], {});
  if (keys === 'none') await found;
  else await expect(found).rejects.toMatchObject({ code: 'refused', message: keyFound, details: { environmentId: 'one' } });
});
