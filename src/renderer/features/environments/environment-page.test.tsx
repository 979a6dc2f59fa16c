import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { sha256 } from '#testing/page/sha256.ts';
import { test } from '#testing/page/test.ts';
import { pkcs12 } from '#testing/pkcs12-files.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';

const staging = { Name: 'staging', 'Base URL': 'https://api.provider.example', Platform: '7', 'Partner ID': '11' };

describe('An environment', () => {
  test('says what is missing or wrong at its field, and refuses plain http', async ({ workbench, shell, environments }) => {
    await shell.goTo('Environments');
    await environments.startNew();
    await environments.field('Name').fill('x');
    await environments.field('Base URL').fill('http://api.provider.example');
    await environments.field('Platform').fill('one');
    await environments.save.click();
    await expect(environments.error('Platform')).toHaveText('The platform must be a whole number.');
    await expect(environments.error('Partner ID')).toHaveText('The partner ID is missing.');
    // The keyboard is at the first of them, which alone is said. Enter in a field is the same as the button.
    await expect(environments.field('Base URL')).toBeFocused();
    const said = workbench.page.locator('[data-announcer] p');
    await expect(said.filter({ hasText: /https:|is missing|whole number/ })).toHaveCount(1);
    await workbench.page.keyboard.press('Enter');
    await expect(environments.field('Base URL')).toBeFocused();
    await environments.field('Platform').fill('1');
    await environments.field('Partner ID').fill('2');
    await environments.save.click();
    await expect(environments.error('Base URL')).toContainText('https://');
    await environments.field('Base URL').fill('https://api.provider.example');
    // Only the user decides which one it is.
    for (const choice of ['Not production', /^Production/])
      await expect(workbench.page.getByRole('radio', { name: choice })).not.toBeChecked();
    await expect(workbench.page.getByText('Choose whether this environment is production.')).toBeVisible();
    await environments.setProduction();
    await environments.save.click();
    await expect(environments.save).toBeDisabled();
    await expect(environments.list).toContainText('x');
  });

  test('a key with what a careless copy adds is stored as it is, unless its trimmed form is chosen', async ({
    shell,
    environments,
  }) => {
    await shell.goTo('Environments');
    await environments.create(staging);
    // Who types has a short key at first: it is a warning once the field is left.
    await environments.key.field.pressSequentially('abc');
    await expect(environments.key.slot).not.toContainText('fewer than');
    await environments.key.field.press('Tab');
    await expect(environments.key.slot).toContainText('The key has fewer than 4 bytes');
    await environments.key.field.fill('');
    await environments.key.field.fill(' "abc-123" ');
    await expect(environments.key.slot).toContainText('The key begins with a space or tab');
    await expect(environments.key.slot).toContainText('The key is in quotes');
    await environments.key.submit();
    await expect(environments.key.slot).toContainText('11 bytes');
    await environments.key.replace();
    await environments.key.field.fill(' "abc-123" ');
    await environments.key.trim.click();
    await expect(environments.key.slot).not.toContainText('The key begins with');
    await expect(environments.key.slot).toContainText('The key has fewer than 8 bytes');
    await environments.key.submit();
    await expect(environments.key.slot).toContainText('7 bytes');
    // Once stored, the slot still shows that so short a key is not masked.
    await expect(environments.key.slot).toContainText("The key has fewer than 8 bytes: Croupier doesn't mask it in responses");
  });

  test('its proxy is chosen, its calls say where they go, and the proxy gets a login that is not shown again', async ({
    workbench,
    shell,
    environments,
  }) => {
    await shell.goTo('Environments');
    await environments.create(staging);
    const { page } = workbench;
    await page.getByRole('radio', { name: 'Address' }).click();
    await environments.save.click();
    await expect(environments.error('Address')).toHaveText('Enter the address of the proxy.');
    await environments.field('Address').fill('http://jane:s3cret@proxy.test:8080');
    await environments.save.click();
    await expect(environments.error('Address')).toHaveText('The proxy contains a user name. Set the login apart from it.');
    await environments.field('Address').fill('proxy.test:8080/');
    await environments.save.click();
    await expect(page.getByText('through http://proxy.test:8080', { exact: true })).toBeVisible();
    await expect(environments.field('Address')).toHaveValue('http://proxy.test:8080');
    await environments.field('Proxy user').fill('jane');
    await environments.field('Proxy password').fill('s3cret');
    await page.getByRole('button', { name: 'Set login' }).click();
    await expect(environments.field('Proxy password')).toHaveValue('');
    await expect(page.getByText('The login is kept until Croupier exits.')).toBeVisible();
    await page.getByRole('radio', { name: 'None' }).click();
    await environments.save.click();
    await expect(page.getByText('The environment uses no proxy.')).toBeVisible();
    await expect(environments.field('Proxy user')).toBeHidden();
  });

  test('removing one is undone by the notice, its key with it', async ({ shell, environments }) => {
    await shell.goTo('Environments');
    await environments.create(staging);
    await environments.key.set('abc-123');
    await expect(environments.key.slot).toContainText('fingerprint');
    await environments.remove();
    await expect(environments.list.getByRole('option')).toHaveText([/sandbox/]);
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(environments.list.getByRole('option')).toHaveText([/sandbox/, /staging/]);
    await environments.open('staging');
    await expect(environments.key.slot).toContainText('7 bytes');
  });

  test('one is made from what the provider gave, used, changed and kept as a plain file', async ({
    workbench,
    shell,
    environments,
  }) => {
    await shell.goTo('Environments');
    await environments.create({ ...staging, Currency: 'SEK' });
    await expect(environments.title).toHaveText('staging');
    await environments.use();
    await expect(shell.environment).toHaveAccessibleName(/^Environment: staging\b/);
    await environments.field('Partner ID').fill('12');
    await expect(shell.area('Environments')).toHaveAccessibleName('Environments, unsaved changes');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await expect(shell.area('Environments')).toHaveAccessibleName('Environments');
    const { stdout } = await workbench.cli(['env', 'show', 'staging', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'staging', platform: 7, partnerId: 12, defaults: { currency: 'SEK' } });
    const folder = join(workbench.home, 'environments');
    // A file that is being written has another name for a moment.
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.some((text) => text.includes('"partnerId": 12'))).toBe(true);
  });

  test('a key is changed without fear: the older one signs again until a code 0 shows that the new one is right', async ({
    workbench,
    shell,
    environments,
    requests,
    response,
  }) => {
    const older = 'the-key-of-last-year';
    let accepted = older;
    const server = await startHttpsServer(async ({ body }, answer) => {
      const { time, hash } = JSON.parse(body.toString()) as { time: string; hash: string };
      const right = hash === (await sha256(`${accepted}${time}`));
      answer.end(JSON.stringify({ code: right ? 0 : 8, message: right ? 'ok' : 'hash not valid', data: { slots: [] } }));
    });
    const { key } = environments;
    const { found, look } = createLook(workbench);
    const print = (which: 'New' | 'Older') => key.of(which).locator('code').textContent();
    try {
      await addEnvironment(workbench, server, 'Live');
      await enterWithKey({ shell, environments }, 'Live', older);
      await key.replace();
      await key.set('the-key-of-this-year ');
      await expect(key.of('New')).toBeChecked();
      const [newPrint, olderPrint] = [await print('New'), await print('Older')];
      await expect(shell.status).toContainText(`New key signs, fingerprint ${newPrint}`);
      await key.replace();
      await look('an environment with two keys');
      await key.slot.getByRole('button', { name: 'Keep both' }).click();
      await shell.openOperation('gameList');
      await requests.send.click();
      await expect(response.code).toHaveText('8 hash not valid');
      await expect(response.explanation).toContainText(`signed with the new key, ${newPrint}`);
      await response.explanation.getByRole('button', { name: 'Sign with the older key' }).click();
      await expect(shell.status).toContainText(`Older key signs, fingerprint ${olderPrint}`);
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await response.show('Sent');
      await expect(response.sent.proof).toContainText(`Signed with the older key, fingerprint ${olderPrint}`);

      // The trailing space was the mistake: a third key takes the place of the new one.
      await shell.goTo('Environments');
      await expect(key.of('Older')).toBeChecked();
      await key.replace();
      await key.set('the-key-of-this-year');
      await expect(key.of('New')).toBeChecked();
      accepted = 'the-key-of-this-year';
      await shell.goTo('Requests');
      await requests.send.click();
      await expect(shell.notices).toContainText(`The older key ${olderPrint}`);
      await expect(shell.notices).toContainText('of Live was removed: call 3, signed with the new one, got code 0.');
      await shell.goTo('Environments');
      await expect(key.slot.getByRole('radio')).toHaveCount(0);
      await expect(key.slot).toContainText('20 bytes');

      expect(found).toEqual([]);
      await key.replace();
      await key.set(older);
      await key.of('Older').click();
      await expect(key.of('Older')).toBeChecked();
      await key.discard('new').click();
      await expect(key.slot.getByRole('radio')).toHaveCount(0);
      await expect(key.slot).toContainText('20 bytes');
    } finally {
      await server.close();
    }
  });

  test('a certificate that nobody vouches for leads to the field that decides it', async ({
    workbench,
    shell,
    environments,
    requests,
    response,
  }) => {
    const { found, look } = createLook(workbench);
    const server = await startHttpsServer((_, answer) => {
      answer.end('{"code":0,"message":"ok","data":{"slots":[]}}');
    });
    try {
      await addBareEnvironment(workbench, 'Unknown', server.baseUrl);
      await enterWithKey({ shell, environments }, 'Unknown', 'a-key-of-the-test');
      await shell.openOperation('gameList');
      await requests.send.click();
      await expect(response.pane).toContainText("doesn't send the certificate of “Test authority”");
      await look('a certificate that nobody vouches for');
      expect(found).toEqual([]);
      await response.pane.getByRole('button', { name: 'Open CA certificate' }).click();
      await expect(environments.title).toHaveText('Unknown');
      const authority = workbench.page.getByRole('textbox', { name: /^CA certificate/ });
      await expect(authority).toBeFocused();
      await authority.fill(server.ca);
      await workbench.page.keyboard.press('ControlOrMeta+S');
      await expect(shell.area('Environments')).toHaveAccessibleName('Environments');
      await shell.goTo('Requests');
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(response.pane.getByRole('button', { name: 'Open CA certificate' })).toHaveCount(0);
    } finally {
      await server.close();
    }
  });

  test('hosts with private addresses are allowed for one environment, seen in its form and taken back there', async ({
    workbench,
    shell,
    environments,
  }) => {
    await addBareEnvironment(workbench, 'behind a VPN', 'https://n.example');
    await addBareEnvironment(workbench, 'another', 'https://n.example');
    await shell.goTo('Environments');
    const hosts = workbench.page.getByRole('textbox', { name: /^Private hosts/ });
    const set = workbench.page.getByRole('button', { name: 'Set hosts' });
    await environments.open('behind a VPN');
    await expect(set).toHaveAttribute('aria-disabled', 'true');
    await hosts.fill('games.corp.example\n127.0.0.1');
    await set.click();
    await expect(workbench.page.getByText('127.0.0.1 is an address of this computer.')).toBeVisible();
    await hosts.fill('games.corp.example\n10.1.2.3');
    await set.click();
    const shown = async (name: string) => (await workbench.cli(['env', 'show', name])).stdout;
    await expect.poll(() => shown('behind a VPN')).toContain('games.corp.example, 10.1.2.3 (on this machine)');
    expect(await shown('another')).toMatch(/private hosts +none/);
    await environments.open('another');
    await expect(hosts).toHaveValue('');
    await environments.open('behind a VPN');
    await workbench.cli(['env', 'set', 'behind a VPN', '--private-host', 'games.corp.example']);
    await expect(hosts).toHaveValue('games.corp.example');
    await hosts.fill('');
    await set.click();
    await expect.poll(() => shown('behind a VPN')).toMatch(/private hosts +none/);
  });

  test('a client certificate is chosen by its files, shown by its name, and removed', async ({
    workbench,
    shell,
    environments,
  }) => {
    const bytes = (base64: readonly string[]) => Uint8Array.from(atob(base64.join('')), (one) => one.charCodeAt(0)) as Buffer;
    const file = (name: string, content: keyof typeof pkcs12) => ({ name, mimeType: '', buffer: bytes(pkcs12[content]) });
    await addBareEnvironment(workbench, 'asks for one', 'https://n.example');
    await shell.goTo('Environments');
    await environments.open('asks for one');
    const { page } = workbench;
    const files = page.getByLabel('Client certificate files');
    const set = page.getByRole('button', { name: 'Set certificate' });
    const passphrase = page.getByRole('textbox', { name: /^Passphrase/ });
    await files.setInputFiles(file('none.p12', 'withoutKey'));
    await set.click();
    await expect(page.getByText('There is no private key in the PKCS#12 file.')).toBeVisible();
    await files.setInputFiles(file('own.p12', 'aes'));
    await expect(page.getByText('own.p12')).toBeVisible();
    await passphrase.fill('wrong');
    await set.click();
    await expect(page.getByText('The passphrase is missing or wrong.')).toBeVisible();
    await passphrase.fill('päss');
    await passphrase.press('Enter');
    await expect(page.getByText('Operator 7, issued by Client Root, valid until 2109-01-18')).toBeVisible();
    await expect(set).toHaveCount(0);
    await page.getByRole('button', { name: 'Remove certificate' }).click();
    await expect(page.getByText('Operator 7, issued by')).toHaveCount(0);
  });

  test('what another program does to them is seen at once', async ({ workbench, shell, environments }) => {
    await shell.goTo('Environments');
    await addBareEnvironment(workbench, 'night', 'https://n.example');
    await expect(environments.list).toContainText('night');
    await workbench.cli(['env', 'remove', 'night']);
    await expect(environments.list).not.toContainText('night');
  });
});
