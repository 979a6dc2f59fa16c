import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { createOpened } from '../collections/opened-directories.ts';
import { createTokenCommands } from '../session-tokens/token-commands.ts';
import { createEnvironmentLinks } from '../collections/environments/links.ts';
import { createKeyIndex } from '../keys/key-index.ts';
import { createSecretChoices } from './secret-choices.ts';
import { createSettings } from './settings.ts';
import { unknownFiles } from './unknown-files.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(() => rm(home, { recursive: true }));

const put = (name: string, holds: unknown) =>
  writeFileSync(join(home, name), typeof holds === 'string' ? holds : JSON.stringify(holds));

describe('files that hold what this version does not know', () => {
  it('are none where this version wrote all of them', async () => {
    const settings = createSettings(join(home, 'settings.json'));
    for (const name of ['layout', 'appearance', 'desktopWindow']) await settings.write(name, '{}');
    await createSecretChoices(settings).add([{ name: 'token', mark: 'abcd', choice: 'keep' }]);
    await createOpened(join(home, 'collections.json')).add('/a');
    await createTokenCommands(join(home, 'token-commands.json'), () => true).set('e', ['x']);
    await createEnvironmentLinks(join(home, 'environment-links.json')).set('e', { directory: '/a', name: 'e' });
    await createKeyIndex({ path: join(home, 'keys.json'), report: () => undefined }).put('a', {
      fingerprint: null,
      bytes: 1,
      version: 'v',
    });
    const app = await createTestApp({ home });
    await app.client.call('history.retain', {
      retention: { maxAgeDays: null, maxCalls: 500, maxBytes: null },
      removes: 0,
    });
    expect((await app.client.call('settings.read', {})).unknown).toEqual([]);
    await app.close();
  });

  it.each([
    ['settings.json', { layout: '{}', later: 'x' }],
    ['settings.json', { layout: { area: 'games' } }],
    ['settings.json', { secretChoices: JSON.stringify({ salt: 's', choices: {}, later: 1 }) }],
    ['settings.json', { secretChoices: JSON.stringify({ salt: 's', choices: { token: { abcd: 'later' } } }) }],
    ['collections.json', { directories: [], later: 1 }],
    ['keys.json', { format: 1, accounts: {}, later: 1 }],
    ['token-commands.json', { commands: {}, later: 1 }],
    ['environment-links.json', { environments: {}, later: 1 }],
  ])('are named: %s with %j', async (name, holds) => {
    put(name, holds);
    const app = await createTestApp({ home });
    expect((await app.client.call('settings.read', {})).unknown).toEqual([name]);
    await app.close();
  });

  it('are not those that cannot be read, which is said elsewhere', () => {
    put('settings.json', '{');
    put('collections.json', '[1]');
    mkdirSync(join(home, 'keys.json'));
    expect(unknownFiles(home, { 'collections.json': [], 'keys.json': [] })).toEqual([]);
  });
});
