import { expect, test } from './fixtures.ts';
import { keptLists } from './kept-tabs.ts';

test.describe('The keyboard', () => {
  test('keys of a command are chosen in the settings, apply at once and last', async ({ workbench, shell, palette }) => {
    const { page } = workbench;
    const { keyboard } = page;
    await keyboard.press('ControlOrMeta+Comma');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search settings and shortcuts' });
    await search.fill('find anything');
    const keys = page.getByRole('button', { name: /^Keys of "Find anything"/ });
    await keys.focus();
    await keyboard.press('Enter');
    const recorder = page.getByRole('button', { name: 'Press the new keys of "Find anything"' });
    await expect(recorder).toBeFocused();
    await keyboard.press('r');
    await expect(recorder).toHaveAccessibleDescription(/or it must be a function key/);
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
    await page.getByRole('button', { name: /^Keys of "Quick open/ }).focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Press the new keys of "Quick open/ })).toBeFocused();
    await keyboard.press('ControlOrMeta+Alt+J');
    await expect(page.getByText('also "Find anything"')).toBeVisible();
    await search.fill('');
    await expect(page.getByText('2 changed, 2 with keys of another')).toBeVisible();

    await page.reload();
    await shell.goTo('Settings');
    await page.getByRole('button', { name: 'Reset all' }).click();
    await keyboard.press('ControlOrMeta+K');
    await expect(palette.input).toBeFocused();
    // An input method's own Enter and Escape neither choose nor close. In the desktop, the page is behind another object.
    const method = await page.context().newCDPSession(page.mainFrame().page());
    await method.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 });
    for (const key of ['Enter', 'Escape']) await keyboard.press(key);
    await expect(palette.dialog).toBeVisible();
    await expect(palette.input).toHaveValue('かん');
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

  test("the layout is the user's: sidebar and panes move by keys and are remembered", async ({ workbench, shell, requests }) => {
    const { keyboard, page } = { keyboard: workbench.page.keyboard, page: workbench.page };
    await expect(shell.sidebar).toBeVisible();
    await keyboard.press('ControlOrMeta+B');
    await expect(shell.sidebar).toBeHidden();
    const side = await requests.part.boundingBox();
    await keyboard.press('ControlOrMeta+J');
    await expect.poll(async () => (await requests.part.boundingBox())?.width).toBeGreaterThan((side?.width ?? 0) * 1.5);
    await expect.poll(() => keptLists(workbench.home)).toContain('stacked');
    await page.reload();
    await expect(requests.activeTab).toHaveText(/gameList/);
    await expect(shell.sidebar).toBeHidden();
    await expect.poll(async () => (await requests.part.boundingBox())?.width).toBeGreaterThan((side?.width ?? 0) * 1.5);
  });
});
