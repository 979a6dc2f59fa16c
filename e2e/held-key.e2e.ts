import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createLook } from './audit.ts';
import { expect, test } from './fixtures.ts';
import { addEnvironment } from './own-environment.ts';
import { startHttpsServer } from '../src/testing/https-server.ts';
import { leaksIn } from '../src/testing/secret-forms.ts';

const key = 'Canary-7Qv9/+"\\é<&%20';

test.describe('A private key in a request', () => {
  test('is asked about before it leaves, and the call is kept with the key masked', async ({
    workbench,
    shell,
    environments,
    requests,
    response,
    history,
  }) => {
    const bodies: string[] = [];
    let leak = '';
    const server = await startHttpsServer(({ body }, answer) => {
      bodies.push(body.toString('utf8'));
      answer.end(JSON.stringify({ code: 0, message: 'ok', data: {}, leak }));
    });
    const { page } = workbench;
    try {
      await addEnvironment(workbench, server, 'Staging');
      await shell.goTo('Environments');
      await environments.open('Staging');
      await environments.key.set(key);
      await expect(environments.key.slot).toContainText('Session only');
      await shell.useEnvironment('Staging');
      await shell.goTo('Requests');
      await shell.openOperation('/playerInfo');
      await requests.form.field('externalToken').fill(key);
      await expect(shell.notices).toContainText('After a restart, Croupier shows [private key] in its place.');
      await requests.send.click();
      await expect(shell.dialog).toContainText('Send the private key of Staging?');
      await expect(shell.dialog).toContainText('anyone who reads playerInfo at Staging could then sign as you');
      const { found, look } = createLook(workbench);
      await look('the question before a key leaves');
      expect(found).toEqual([]);
      await shell.dialog.getByRole('button', { name: "Don't send" }).click();
      await expect(shell.dialog).toBeHidden();
      expect(bodies).toEqual([]);

      await requests.send.click();
      await shell.dialog.getByRole('button', { name: 'Send the key' }).click();
      await expect(response.code).toHaveText('0 ok');
      expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ externalToken: key });
      await expect(response.pane).toContainText('This request contained the private key of Staging.');
      await expect(response.pane.getByRole('button', { name: 'Repeat exactly' })).toHaveCount(0);
      // The history has another text than the typed one.
      await expect(requests.activeTab).toHaveAccessibleName(/, changed/);

      leak = key;
      await requests.form.field('externalToken').fill('a-token-of-the-player');
      await requests.send.click();
      await expect(response.pane).toContainText('The response contained the private key of Staging.');
      await expect(response.explanation).not.toContainText('private key');
      await expect(response.pane.getByRole('button', { name: 'Repeat exactly' })).toHaveCount(1);
      await expect(response.pane.getByRole('button', { name: 'Save the body with the key masked' })).toBeVisible();
      await look('a response with a masked key');
      expect(found).toEqual([]);
      await shell.goTo('History');
      await expect(history.rows).toHaveCount(2);
      await history.rows.nth(1).focus();
      await expect(history.repeatExactly).toBeDisabled();
      await page.keyboard.press('r');
      await expect(shell.dialog).toBeHidden();
      await history.open(1);
      await expect(page.getByText('[private key]').first()).toBeVisible();
      // The tabs are written by now: the history was opened after them.
      for (const entry of await readdir(workbench.home, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8');
        expect(leaksIn(text, key), entry.name).toEqual([]);
      }
    } finally {
      await server.close();
    }
  });
});
