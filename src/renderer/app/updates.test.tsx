import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import type { UpdateStatus } from '#shared/ipc/index.ts';

const url = 'https://tools.example/croupier.json';
const newer = { version: '1.2.0', notes: 'https://tools.example/notes', dismissed: false };

test('tells of a newer version only after a URL was given, until its notice is closed', async ({ workbench, shell }) => {
  const { page } = workbench;
  let given = '';
  let dismissed = '';
  let found: Partial<UpdateStatus> = { newer };
  const opened: string[] = [];
  const asked: boolean[] = [];
  workbench.instead({
    'app.info': () => ({
      version: '1.0.0',
      host: 'desktop',
      capabilities: { embedGame: false, pickDirectory: false, openOutside: true },
      home: '/home',
      screenReader: null,
      keychainMessage: null,
      calls: 0,
      run: 'run',
    }),
    'app.openOutside'(input) {
      opened.push(input.url);
      return { opened: true, message: null };
    },
    'settings.write'({ name, value }) {
      if (name === 'updateUrl') given = value;
      if (name === 'updateDismissed') dismissed = value;
      return { masked: false };
    },
    'app.checkUpdate'({ now }) {
      asked.push(now);
      const none = { url: given, checkedAt: null, newer: null, problem: null };
      return given === '' ? none : { ...none, checkedAt: Date.now(), ...found };
    },
  });
  await page.reload();
  await shell.goTo('Settings');
  // The screen gives it the keyboard when it is drawn.
  await expect(page.getByLabel('Search settings and shortcuts')).toBeFocused();
  const row = page.getByRole('listitem').filter({ hasText: 'New versions' });
  const check = row.getByRole('button');
  await expect(row).toContainText('Off. To be told, enter the https URL of a version file.');
  expect(asked).toEqual([false]);
  await row.getByRole('textbox').fill(` ${url}`);
  found = { problem: 'The server answered HTTP 404.' };
  await check.click();
  await expect(row).toContainText('Could not read the URL: The server answered HTTP 404.');
  await expect(shell.notices).not.toContainText('404');
  found = { newer };
  await check.click();
  await expect(row).toContainText('1.2.0 is available.');
  await expect(shell.notices).toContainText('Croupier 1.2.0 is available.');
  await shell.notices.getByRole('link').click();
  expect(opened).toEqual([newer.notes]);
  expect(asked).toEqual([false, true, true]);
  expect(given).toBe(url);
  await shell.notices.getByRole('button', { name: 'Close notice' }).click();
  await expect(shell.notices.getByRole('link')).toHaveCount(0);
  expect(dismissed).toBe('1.2.0');
  found = { newer: { ...newer, dismissed: true } };
  await page.reload();
  await shell.goTo('Settings');
  await expect(row).toContainText('1.2.0 is available.');
  await expect(shell.notices).not.toContainText('1.2.0');
  await row.getByRole('textbox').fill('');
  await check.click();
  await expect(row).toContainText('Off.');
  expect(given).toBe('');
});
