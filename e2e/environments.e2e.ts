import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { startHttpsServer } from '#testing/https-server.ts';
import { leaksIn } from '#testing/secret-forms.ts';
import { expect, test } from './fixtures.ts';
import { createLook, faultsWhile } from './audit.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from './own-environment.ts';

const staging = { Name: 'staging', 'Base URL': 'https://api.provider.example', Platform: '7', 'Partner ID': '11' };

test.describe('Environments', () => {
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
    await expect(environments.save).toBeDisabled();
    const { stdout } = await workbench.cli(['env', 'show', 'staging', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'staging', platform: 7, partnerId: 12, defaults: { currency: 'SEK' } });
    const folder = path.join(workbench.home, 'environments');
    const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    expect(texts.some((text) => text.includes('"partnerId": 12'))).toBe(true);
  });

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
    await expect(environments.key.slot).toContainText('Held for this session only');
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
    await expect(shell.status).toContainText('fingerprint');
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
    await expect(slot).toContainText(/Key out of reach\s*fingerprint 7f3e-91\s*32 bytes/);
    await expect(slot).toContainText('No keychain answers here');
    await expect(slot.getByRole('button', { name: 'Look again' })).toBeVisible();
    expect(await faultsWhile(workbench, 'a key out of reach')).toEqual([]);
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
    const server = await startHttpsServer(({ body }, answer) => {
      const { time, hash } = JSON.parse(body.toString('utf8')) as { time: string; hash: string };
      const right = hash === createHash('sha256').update(`${accepted}${time}`).digest('hex');
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
      await expect(response.pane).toContainText('comes from an authority that this machine does not know');
      await look('a certificate that nobody vouches for');
      expect(found).toEqual([]);
      await response.pane.getByRole('button', { name: 'Open the extra authority' }).click();
      await expect(environments.title).toHaveText('Unknown');
      const authority = workbench.page.getByRole('textbox', { name: /^Extra authority/ });
      await expect(authority).toBeFocused();
      await authority.fill(server.ca);
      await workbench.page.keyboard.press('ControlOrMeta+S');
      await expect(environments.save).toBeDisabled();
      await shell.goTo('Requests');
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(response.pane.getByRole('button', { name: 'Open the extra authority' })).toHaveCount(0);
    } finally {
      await server.close();
    }
  });

  test('what another program does to them is seen at once', async ({ workbench, shell, environments }) => {
    await shell.goTo('Environments');
    await addBareEnvironment(workbench, 'night', 'https://n.example');
    await expect(environments.list).toContainText('night');
    await workbench.cli(['env', 'remove', 'night']);
    await expect(environments.list).not.toContainText('night');
  });
});
