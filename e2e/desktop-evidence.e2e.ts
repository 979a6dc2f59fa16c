import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf, spin } from './pages/launcher.ts';

interface Har {
  readonly log: {
    readonly entries: readonly {
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly headers: readonly { readonly name: string; readonly value: string }[];
      };
      readonly response: { readonly status: number; readonly content: { readonly mimeType: string } };
      readonly time: number;
    }[];
  };
}

test('both launches of a tab are exported with one press: wallet calls, network logs, and the hash of each file', async ({
  workbench,
  shell,
}) => {
  const { home } = workbench;
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.mode('both');
  await launcher.takeToken(/^player-1/);
  const token = await launcher.field('externalToken').inputValue();
  await launcher.launch.click();
  const origin = await providerOf(workbench);
  await launcher.game(origin, 'fun');
  const real = await launcher.game(origin, 'real');
  const { bet } = await spin(real);
  await launcher.exportButton.click();
  await expect(shell.dialog.getByRole('checkbox', { name: /^Both launches of this tab/ })).toBeChecked();
  await shell.dialog.getByRole('button', { name: 'As a folder' }).click();
  await expect(shell.notices).toContainText('The evidence is in');
  const [name = ''] = await readdir(path.join(home, 'evidence'));
  const folder = path.join(home, 'evidence', name);
  const checked = execFileSync('sha256sum', ['--check', '--strict', 'hashes.txt'], { cwd: folder, encoding: 'utf8' });
  const files = ['launch.json', 'launch.html', 'network.har'];
  const all = checked.trim().split('\n');
  for (const mode of ['fun', 'real']) expect(all.filter((line) => line.startsWith(`${mode}/moment-`))).not.toEqual([]);
  expect(all.filter((line) => !line.includes('/moment-')).toSorted()).toEqual(
    ['fun', 'real'].flatMap((mode) => files.map((file) => `${mode}/${file}: OK`)).toSorted(),
  );
  const html = await readFile(path.join(folder, 'real', 'launch.html'), 'utf8');
  expect(html).toMatch(new RegExp(`<td>/bet</td><td>${bet}</td><td>\\d+</td><td>0</td><td>1000 EUR</td>`));
  const har = JSON.parse(await readFile(path.join(folder, 'real', 'network.har'), 'utf8')) as Har;
  expect(JSON.stringify(har)).not.toContain(token);
  const [first] = har.log.entries;
  expect(first).toMatchObject({
    request: { method: 'GET' },
    response: { status: 200, content: { mimeType: expect.stringMatching(/^text\/html/) as unknown } },
  });
  expect(first?.request.url).toContain(`${origin}/game/`);
  expect(first?.request.url).toContain('externalToken=[token]');
  expect(first?.request.headers.map((header) => header.name.toLowerCase())).toContain('user-agent');
  expect(har.log.entries.map(({ request }) => `${request.method} ${request.url}`)).toContain(`POST ${origin}/game-api/spin`);
  // By itself, from the record.
  await launcher.record.getByRole('button', { name: 'Save network log as HAR' }).click();
  await expect(shell.notices).toContainText(/Saved .+-1042-(?:fun|real)-[0-9a-f]{8}\.har\./);
});
