import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { vouched, withoutKey } from './passed.ts';

const main = resolve(import.meta.dirname, '../..');

/** Returns each place that lets a content pass, as `file: class why`, and where a key is searched as `file: class searched`. */
function placesIn(): string[] {
  return globSync('**/*.ts', { cwd: main, exclude: ['**/*.test.ts'] })
    .filter((file) => !file.endsWith('passed.ts'))
    .flatMap((file) =>
      Array.from(
        readFileSync(join(main, file), 'utf8').matchAll(/\bvouched\(\s*'(\w+)',\s*'(\w+)'|\bwithoutKey\(\s*'(\w+)'/g),
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
      "cli/write-export.ts: export core",
      "core/app/ground.ts: home searched",
      "core/catalogue/thumbnail-files.ts: home asked",
      "core/collection-environments/links.ts: home own",
      "core/collections/collection-directory.ts: team own",
      "core/collections/collections.ts: team searched",
      "core/collections/directory-entries.ts: team same",
      "core/collections/keep-beside.ts: team same",
      "core/collections/opened-directories.ts: home gate",
      "core/collections/starters.ts: team own",
      "core/environments/environments.ts: home same",
      "core/evidence/evidence.ts: evidence core",
      "core/evidence/signature.ts: home own",
      "core/keys/key-index.ts: home own",
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

it('a text that was not searched cannot be written, and one with a key is refused', async () => {
  const holdsKey = async (text: string) => text.includes('the-key');
  expect(await withoutKey('home', 'a text', holdsKey)).toBe('a text');
  await expect(withoutKey('home', 'with the-key', holdsKey)).rejects.toMatchObject({ code: 'refused' });
  const { writeFileDurably } = await import('./files.ts');
  // @ts-expect-error A planted newcomer: its text has no class.
  const forgotten = () => writeFileDurably('/nowhere', 'a text');
  // @ts-expect-error A planted newcomer: it gives no reason.
  const without = () => vouched('home', 'a text');
  // @ts-expect-error A planted newcomer: no gate searches what a team shares.
  const unsearched = () => vouched('team', 'gate', 'a text');
  // @ts-expect-error A planted newcomer: the state of the built-in provider is always searched.
  const never = () => vouched('provider', 'asked', 'a text');
  expect([forgotten, without, unsearched, never]).toHaveLength(4);
});
