import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { leaksIn } from '#testing/secret-forms.ts';
import { faultsWhile } from './audit.ts';
import { expect, test } from './fixtures.ts';
import { addBareEnvironment } from './own-environment.ts';

const staging = { Name: 'staging', 'Base URL': 'https://api.provider.example', Platform: '7', 'Partner ID': '11' };

test.describe('Environments', () => {
  test('a form that is not saved comes back with its marks after a reload and after the program was killed', async ({
    workbench,
    shell,
    environments,
  }) => {
    workbench.troubles.expect(/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE)|401 \(Unauthorized\)/);
    await shell.goTo('Environments');
    await environments.open('sandbox');
    await environments.field('Currency').fill('SEK');
    await environments.startNew();
    await environments.field('Name').fill('half');
    await environments.field('Partner ID').fill('12x');
    const check = async () => {
      await expect(environments.field('Name')).toHaveValue('half');
      await expect(environments.field('Partner ID')).toHaveValue('12x');
      await expect(environments.save).toBeEnabled();
      await expect(shell.area('Environments')).toHaveAccessibleName('Environments, unsaved changes');
      await expect(environments.list.getByText('unsaved', { exact: true })).toHaveCount(2);
    };
    await workbench.page.reload();
    await check();
    await workbench.restart('kill');
    await check();
    expect((await workbench.cli(['env', 'list'])).stdout).not.toContain('half');
    await environments.open('sandbox');
    await expect(environments.field('Currency')).toHaveValue('SEK');
    await workbench.page.getByRole('button', { name: 'Discard changes' }).click();
    await expect(environments.list.getByText('unsaved', { exact: true })).toHaveCount(1);
  });

  test('a key goes in and never comes out: not into the page, not in anything the host says', async ({
    workbench,
    shell,
    environments,
  }) => {
    const key = 'Canary-7Qv9/+"\\é<&%20';
    await shell.goTo('Environments');
    await environments.create(staging);
    await expect(environments.key.slot).toContainText('No key');
    await expect(environments.key.field).toHaveAttribute('type', 'password');
    await environments.key.set(key);
    await expect(environments.key.slot).toContainText(/fingerprint\s*[0-9a-f]{4}-[0-9a-f]{2}/);
    await expect(environments.key.slot).toContainText(`${Buffer.byteLength(key)} bytes`);
    // Without a keychain the page says so, and the key stays in this session.
    await expect(environments.key.slot).toContainText('Session only');
    await expect(environments.key.field).toHaveCount(0);
    await environments.use();
    await shell.openOperation('getLauncherURL');
    expect(leaksIn(await workbench.page.content(), key)).toEqual([]);
    const values = await workbench.page.evaluate(() => [
      ...Array.from(document.querySelectorAll('input, textarea'), (element) => (element as HTMLInputElement).value),
      JSON.stringify([localStorage, sessionStorage]),
    ]);
    expect(leaksIn(values.join('\n'), key)).toEqual([]);
    await workbench.page.reload();
    await expect(shell.status).toContainText(/fingerprint|session only/);
    expect(workbench.traffic.answers()).toBeGreaterThan(10);
    expect(leaksIn(await workbench.traffic.text(), key)).toEqual([]);

    await shell.goTo('Environments');
    await environments.open('staging');
    await environments.key.remove();
    await expect(environments.key.slot).toContainText('No key');
  });

  test('a key that the keychain does not hand out is said to be there, and why it cannot sign', async ({
    workbench,
    shell,
    environments,
  }) => {
    await addBareEnvironment(workbench, 'staging');
    const { stdout } = await workbench.cli(['env', 'show', 'staging', '--json']);
    const { id } = JSON.parse(stdout) as { id: string };
    // As a session with a keychain leaves it.
    const entry = { fingerprint: '7f3e-91 keychain 4c1d2e8f', bytes: 32, version: '1' };
    writeFileSync(path.join(workbench.home, 'keys.json'), JSON.stringify({ format: 1, accounts: { [`croupier/${id}`]: entry } }));
    await shell.goTo('Environments');
    await environments.open('staging');
    const { slot } = environments.key;
    await expect(slot).toContainText(/Key unavailable\s*fingerprint 7f3e-91\s*32 bytes/);
    await expect(slot).toContainText('No keychain answers here');
    await expect(slot.getByRole('button', { name: 'Check again' })).toBeVisible();
    expect(await faultsWhile(workbench, 'a key out of reach')).toEqual([]);
  });
});
