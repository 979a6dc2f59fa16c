import { describe } from 'vitest';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { announced } from '../../../e2e/pages/announced.ts';

describe('The keyboard', () => {
  test('the palette finds operations, screens, calls and commands', async ({
    workbench,
    requests,
    response,
    history,
    palette,
  }) => {
    await palette.run('§4', /getLauncherURL/);
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await palette.run('theme dark', /Theme: dark/);
    await expect(workbench.page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await palette.run('go to history', /History/).catch(async () => {
      await workbench.page.keyboard.press('Escape');
      await palette.run('History', /History/);
    });
    await expect(history.rows).toHaveCount(1);
    // What only a call has: it stands alone in the list, and Enter opens it.
    await palette.open();
    await workbench.page.keyboard.insertText('content-length');
    await expect(palette.options).toHaveText([/getLauncherURL/]);
    await expect(palette.dialog).toContainText('Calls');
    await expect(palette.dialog).not.toContainText('Nothing found');
    await expect(announced(workbench.page, /result/)).toHaveText('1 result');
    // A screen reader gets the only one, too.
    await expect(palette.input).toHaveAttribute(
      'aria-activedescendant',
      (await palette.options.first().getAttribute('id')) ?? '',
    );
    await workbench.page.keyboard.press('Enter');
    await expect(palette.dialog).toBeHidden();
    await expect(response.code).toHaveText('0 ok');
    await palette.open();
    await workbench.page.keyboard.insertText('nobody-has-this');
    await expect(palette.dialog).toContainText('Nothing found.');
    await expect(palette.options).toHaveCount(0);
    await workbench.page.keyboard.press('Escape');
  });

  test('F6 goes around the panes and Shift+F6 back, out of the editor too', async ({ workbench, shell, requests }) => {
    const { keyboard } = workbench.page;
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    await editor.focus();
    const visited: (string | null)[] = [];
    for (let step = 0; step < 6; step += 1) {
      await keyboard.press('F6');
      visited.push(await shell.focusedPane());
    }
    for (const pane of ['top', 'rail', 'side', 'main', 'response']) expect(visited).toContain(pane);
    const last = await shell.focusedPane();
    await keyboard.press('F6');
    await keyboard.press('Shift+F6');
    expect(await shell.focusedPane()).toBe(last);
  });

  test('every command with its keys is one press away, and a screen reader hears them', async ({
    workbench,
    shell,
    requests,
  }) => {
    await expect(workbench.page).toHaveTitle('Requests - Croupier');
    await expect(requests.send).toHaveAttribute('aria-keyshortcuts', /^(?:Control|Meta)\+Enter$/);
    await workbench.page.keyboard.press('ControlOrMeta+Shift+Slash');
    await expect(shell.dialog).toContainText('Keyboard shortcuts');
    await expect(shell.dialog).toContainText('Send or cancel');
    await expect(shell.dialog).toContainText('Next pane');
    await expect(shell.dialog.getByText(/^(?:Ctrl|Command)\+Enter/)).toHaveCount(1);
    await shell.dismiss();
    await expect(shell.dialog).toBeHidden();
  });

  test('the address of a request can be copied by keys, and the forms of its code are one press away', async ({
    workbench,
    shell,
    response,
    palette,
  }) => {
    const { page } = workbench;
    await shell.openOperation('getLauncherURL');
    await shell.goTo('History');
    await page.keyboard.press('ControlOrMeta+L');
    const address = page.getByRole('textbox', { name: 'Address, from the environment' });
    await expect(address).toBeFocused();
    const copied = page.evaluate(() => {
      const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
      document.activeElement?.dispatchEvent(event);
      return event.clipboardData?.getData('text/plain');
    });
    expect(await copied).toBe(await address.textContent());
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await page.keyboard.press('ControlOrMeta+Shift+G');
    await expect(palette.dialog).toContainText('Copy as PHP');
    await expect(palette.dialog).not.toContainText('New environment');
  });

  test('the palette finds a call by what identifies it, and does what the screens do', async ({
    workbench,
    shell,
    response,
    history,
    palette,
  }) => {
    const { page } = workbench;
    await shell.openOperation('getLauncherURL');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await palette.open();
    await page.keyboard.insertText('getLauncherURL 0');
    const calls = palette.dialog.getByRole('group', { name: 'Calls' });
    await expect(calls.getByRole('option')).toHaveCount(1);
    await expect(calls.getByRole('option')).toContainText(/getLauncherURL.*player.*game/);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('getLauncherURL 404');
    await expect(calls).toBeHidden();
    await page.keyboard.press('Escape');

    await palette.run('faults', /Overrides/);
    await expect(page.getByRole('dialog', { name: 'Overrides' })).toBeVisible();
    await shell.dismiss();
    await palette.run('pin or unpin', /Pin or unpin/);
    await palette.run('export calls', /Export calls/);
    await expect(page.getByRole('menuitem', { name: 'HAR' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(
      history.rows
        .getByRole('img', { name: /pinned/i })
        .or(history.rows.getByTitle(/pinned/i))
        .first(),
    ).toBeVisible();
    await palette.run('private key', /Set private key/);
    await expect(page.getByRole('main', { name: 'Environments' })).toBeVisible();
  });

  test('goes where an action leads, and each thing is said once', async ({ workbench, shell, requests, response, palette }) => {
    const { page } = workbench;
    const { keyboard } = page;
    const said = page.locator('[data-announcer] p');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(said.filter({ hasText: 'gameList answered code 0 ok' })).toHaveCount(1);
    // Another screen, by its keys: its row.
    await keyboard.press('ControlOrMeta+Shift+H');
    const row = shell.main.locator('[data-item][tabindex="0"]');
    await expect(row).toBeFocused();
    await expect(said.filter({ hasText: /^History$/ })).toHaveCount(1);
    // The palette gives the focus back, and says what it found.
    await palette.open();
    await keyboard.insertText('zzzz');
    await expect(announced(page, /found/)).toHaveText('Nothing found');
    await keyboard.press('Escape');
    await expect(row).toBeFocused();
    // A call that is opened: its response, which is not news.
    await palette.open();
    await keyboard.insertText('"slots"');
    await expect(palette.options.filter({ hasText: 'gameList' }).last()).toBeVisible();
    await palette.options.filter({ hasText: '0 ok' }).click();
    await expect(response.pane.getByRole('tab', { selected: true })).toBeFocused();
    await keyboard.press('ControlOrMeta+N');
    await keyboard.press('ControlOrMeta+1');
    await expect(response.code).toHaveText('0 ok');
    expect(await said.filter({ hasText: 'answered' }).count()).toBeLessThan(2);
  });

  test('says what was done where nothing shows it, and why a chord did nothing; keys alone can be switched off', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    palette,
  }) => {
    const { page } = workbench;
    const { keyboard } = page;
    const said = (text: RegExp) => expect(announced(page, text)).toBeAttached();
    // Escape in a menu that a chord opened leads back to where the keyboard was.
    await requests.form.field('gameId').or(requests.send).first().focus();
    const before = await page.evaluate(() => document.activeElement?.outerHTML);
    await keyboard.press('ControlOrMeta+E');
    await expect(page.getByRole('menu')).toBeVisible();
    await keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    expect(await page.evaluate(() => document.activeElement?.outerHTML)).toBe(before);
    for (let sent = 0; sent < 2; sent += 1) {
      await requests.send.click();
      await expect(response.pane).toContainText(`call ${sent + 1}`);
      await expect(response.code).toHaveText('0 ok');
    }
    await shell.goTo('History');
    await history.rows.first().focus();
    await keyboard.press('p');
    await said(/^Pinned 1 call\.$/);
    for (const at of [0, 1]) await history.rows.nth(at).getByRole('checkbox').check();
    await keyboard.press('ControlOrMeta+Shift+G');
    await said(/ needs one call\.$/);
    await palette.run('theme dark', /Theme: dark/);
    await said(/^Theme: dark\.$/);
    await palette.run('single-key off', /Single-key shortcuts: off/);
    await said(/^Single-key shortcuts: off\.$/);
    await expect(history.strip.getByText('Del', { exact: true })).toHaveCount(0);
    await history.rows.first().focus();
    for (const key of ['p', 'Delete', 'c']) await keyboard.press(key);
    await expect(history.rows).toHaveCount(2);
    await expect(announced(page, /^Unpinned/)).toHaveCount(0);
    await expect(shell.main.getByRole('heading', { name: /^Comparison/ })).toHaveCount(0);
  });

  test('undoes by Ctrl+Z and from the palette what its notice undid for some seconds', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    palette,
  }) => {
    const { page } = workbench;
    const { keyboard } = page;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    const remove = async () => {
      await history.rows.first().click();
      await keyboard.press('Delete');
      await expect(history.rows).toHaveCount(0);
      await expect(shell.notices).toContainText('Deleted 1 call.');
      await shell.notices.getByRole('button', { name: 'Close notice' }).click();
    };
    await remove();
    // In a field, the keys undo what was typed.
    const search = shell.main.getByRole('searchbox').first();
    await search.fill('x');
    await search.press('ControlOrMeta+Z');
    await expect(search).toHaveValue('');
    await expect(history.rows).toHaveCount(0);
    await shell.area('History').focus();
    await keyboard.press('ControlOrMeta+Z');
    await expect(history.rows).toHaveCount(1);
    await expect(announced(page, /^Undone/)).toHaveText('Undone: deleted 1 call.');
    await remove();
    await palette.run('undo', /Undo: deleted 1 call/);
    await expect(history.rows).toHaveCount(1);
    // There is nothing left to undo.
    await palette.open();
    await keyboard.insertText('undo');
    await expect(palette.options.filter({ hasText: 'Undo: ' })).toHaveCount(0);
  });

  test('a first call needs no mouse', async ({ workbench, shell, requests, response }) => {
    const { keyboard } = workbench.page;
    await shell.operation('getLauncherURL').focus();
    await keyboard.press('Enter');
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await requests.form.field('gameId').focus();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('1002');
    await keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await keyboard.press('ControlOrMeta+E');
    await expect(workbench.page.locator('[role="menu"]:focus-within')).toBeVisible();
    await keyboard.press('Escape');
    await keyboard.press('ControlOrMeta+Shift+H');
    await expect(shell.area('History')).toHaveAttribute('aria-current', 'page');
  });

  test('keys of a command are chosen in the settings, apply at once and last', async ({ workbench, shell, palette }) => {
    const { page } = workbench;
    const { keyboard } = page;
    await keyboard.press('ControlOrMeta+Comma');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search settings and shortcuts' });
    await search.fill('find anything');
    const keys = page.getByRole('button', { name: /^Keys for "Find anything"/ });
    await keys.focus();
    await keyboard.press('Enter');
    const recorder = page.getByRole('button', { name: 'Press new keys for "Find anything"' });
    await expect(recorder).toBeFocused();
    await keyboard.press('r');
    await expect(recorder).toHaveAccessibleDescription(/or choose a function key/);
    // The command's own keys are chosen like any others, and do nothing else meanwhile.
    await keyboard.press('ControlOrMeta+K');
    await expect(palette.dialog).toBeHidden();
    await expect(keys).toBeFocused();
    await keyboard.press('Enter');
    await expect(recorder).toBeFocused();
    await keyboard.press('ControlOrMeta+Alt+J');
    await expect(keys).toHaveAccessibleName(/Ctrl Alt J|⌘⌥J/);
    await expect(page.getByRole('banner')).toContainText(/Ctrl Alt J|⌘⌥J/);
    await keyboard.press('ControlOrMeta+K');
    await keyboard.press('ControlOrMeta+Alt+J');
    await expect(palette.dialog).toBeVisible();
    await shell.dismiss();

    await search.fill('quick open');
    await page.getByRole('button', { name: /^Keys for "Quick open/ }).focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Press new keys for "Quick open/ })).toBeFocused();
    await keyboard.press('ControlOrMeta+Alt+J');
    await expect(page.getByText('also "Find anything"')).toBeVisible();
    await search.fill('');
    await expect(page.getByText('2 changed, 2 conflicting')).toBeVisible();

    await page.reload();
    await shell.goTo('Settings');
    await page.getByRole('button', { name: 'Reset all' }).click();
    await keyboard.press('ControlOrMeta+K');
    await expect(palette.input).toBeFocused();
    // An input method's own Enter and Escape neither choose nor close.
    await outside.compose('かん');
    for (const key of ['Enter', 'Escape']) await keyboard.press(key);
    await expect(palette.dialog).toBeVisible();
    await expect(palette.input).toHaveValue('かん');
  });

  test("the layout is the user's: sidebar and panes move by keys and are remembered", async ({ workbench, shell, requests }) => {
    const { keyboard } = workbench.page;
    await expect(shell.sidebar).toBeVisible();
    await keyboard.press('ControlOrMeta+B');
    await expect(shell.sidebar).toBeHidden();
    const side = await requests.part.boundingBox();
    await keyboard.press('ControlOrMeta+J');
    await expect.poll(async () => (await requests.part.boundingBox())?.width).toBeGreaterThan((side?.width ?? 0) * 1.5);
    await workbench.page.reload();
    await expect(requests.activeTab).toHaveText(/gameList/);
    await expect(shell.sidebar).toBeHidden();
    await expect.poll(async () => (await requests.part.boundingBox())?.width).toBeGreaterThan((side?.width ?? 0) * 1.5);
  });
});
