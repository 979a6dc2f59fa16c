import type { Locator, Page } from '@playwright/test';
import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { appear, createLook } from '../../../../e2e/audit.ts';

/** The parts of the help. */
function manualOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Help' });
  return {
    dialog,
    title: dialog.getByRole('heading', { level: 2 }).last(),
    page: dialog.getByRole('article'),
    list: dialog.getByRole('navigation', { name: 'Pages of the help' }),
    search: dialog.getByRole('searchbox', { name: 'Search the help' }),
  };
}

/** Returns the name of the page's heading that has the focus. */
const heading = (manual: ReturnType<typeof manualOf>, name: string): Locator =>
  manual.page.getByRole('heading', { name, exact: true });

describe('The help', () => {
  test('F1 opens the page of the screen, out of an editor and over a dialog too, and gives the focus back', async ({
    workbench,
    shell,
    requests,
    palette,
  }) => {
    const { page } = workbench;
    const { keyboard } = page;
    const manual = manualOf(page);
    const editor = await requests.openEditor();
    await editor.focus();
    const before = await page.evaluateHandle(() => document.activeElement);
    await keyboard.press('F1');
    await expect(heading(manual, 'Requests')).toBeFocused();
    await keyboard.press('F1');
    await expect(manual.dialog).toBeHidden();
    await expect.poll(() => page.evaluate((element) => document.activeElement === element, before)).toBe(true);
    // Monaco did not open its own list of commands.
    await expect(page.locator('.quick-input-widget:visible')).toHaveCount(0);

    for (const [area, title] of [
      ['Games', 'Pick a game'],
      ['Doctor', 'The doctor'],
      ['Environments', 'Environments'],
    ] as const) {
      await shell.goTo(area);
      await keyboard.press('F1');
      await expect(heading(manual, title)).toBeFocused();
      await expect(heading(manual, title)).toBeInViewport();
      await keyboard.press('Escape');
      await expect(manual.dialog).toBeHidden();
      await expect(page.locator('body :focus')).toBeVisible();
    }

    await palette.run('new run', /New run/);
    const run = page.getByRole('dialog').filter({ hasText: /run/i });
    await expect(run).toBeVisible();
    await keyboard.press('F1');
    await expect(heading(manual, 'Environments')).toBeFocused();
    await keyboard.press('F1');
    await expect(manual.dialog).toBeHidden();
    await expect(run).toBeVisible();
    await keyboard.press('Escape');
    // The palette's own field is gone when the help closes: the focus goes to the content.
    await palette.run('help for', /Help for this screen/);
    await expect(heading(manual, 'Environments')).toBeFocused();
    await keyboard.press('F1');
    await expect(manual.dialog).toBeHidden();
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });

  test('links stay inside, the search leads to headings, and the way back to where one was', async ({ workbench, shell }) => {
    const { page } = workbench;
    const { keyboard } = page;
    const manual = manualOf(page);
    performance.clearResourceTimings();
    await shell.goTo('History');
    await keyboard.press('F1');
    await expect(heading(manual, 'The history')).toBeFocused();
    await expect(manual.page.getByRole('img')).toHaveCount(1);
    await expect.poll(() => manual.page.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_440);
    // A decision is not a page of the help: its name is text.
    await expect(manual.page).toContainText('(why)');
    await expect(manual.page.getByRole('link', { name: 'why' })).toHaveCount(0);
    await manual.page.getByRole('link', { name: 'its log' }).click();
    await expect(heading(manual, 'Its log')).toBeFocused();
    await expect(heading(manual, 'Its log')).toBeInViewport();
    await expect(manual.list.getByRole('button', { name: 'The built-in provider' })).toHaveAttribute('aria-current', 'page');
    await keyboard.press('Alt+ArrowLeft');
    await expect(heading(manual, 'The history')).toBeFocused();
    await keyboard.press('Alt+ArrowRight');
    await expect(heading(manual, 'The built-in provider')).toBeVisible();
    // No page is left to go to: the browser must not leave the workbench.
    await keyboard.press('Alt+ArrowRight');
    await manual.dialog.getByRole('button', { name: 'Back' }).click();
    await expect(heading(manual, 'The history')).toBeFocused();

    await manual.search.fill('exit codes');
    await expect(manual.list.getByRole('status')).toHaveText(/^\d+ results?$/);
    await keyboard.press('ArrowDown');
    await expect(manual.list.getByRole('button', { name: /^Runs: Exit codes/ })).toBeFocused();
    await keyboard.press('Enter');
    await expect(heading(manual, 'Exit codes')).toBeFocused();
    await manual.search.focus();
    await keyboard.press('Escape');
    await expect(manual.search).toHaveValue('');
    await expect(manual.dialog).toBeVisible();

    // Every page can be read, and none needs anything but the host.
    await expect.poll(() => manual.list.getByRole('listitem').count()).toBeGreaterThan(20);
    const names = await manual.list.getByRole('listitem').allTextContents();
    for (const name of names) {
      await manual.list.getByRole('button', { name, exact: true }).click();
      await expect(manual.page.getByRole('heading', { level: 2 }).first()).toHaveText(name);
    }
    const requested = performance.getEntriesByType('resource').map(({ name }) => name);
    expect(requested.filter((url) => !url.startsWith('blob:') && new URL(url).origin !== location.origin)).toEqual([]);
  });

  test('is readable in both themes and in a narrow window', async ({ workbench, shell }) => {
    const { page } = workbench;
    const manual = manualOf(page);
    const { found, look } = createLook(workbench);
    await shell.goTo('Runs');
    await page.keyboard.press('F1');
    await expect(heading(manual, 'Runs')).toBeFocused();
    await look('a page');
    await appear(workbench, 'dark');
    await expect(manual.page.getByRole('img')).toHaveAttribute('src', /runs-dark/);
    await manual.search.fill('exit code');
    await expect(manual.list.getByRole('status')).toHaveText(/results/);
    await look('a search');
    for (const [width, height] of [
      [720, 450],
      [320, 640],
    ] as const) {
      await workbench.resize(width, height);
      await expect(manual.list).toBeHidden();
      expect((await manual.page.boundingBox())?.height).toBeGreaterThan(height - 60);
      expect(await manual.page.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await manual.dialog.getByRole('button', { name: 'List of pages' }).click();
      await expect(manual.page).toBeHidden();
      await manual.list.getByRole('button', { name: /^Runs: Exit codes/ }).click();
      await expect(heading(manual, 'Exit codes')).toBeFocused();
    }
    await look('a page in a narrow window');
    expect(found).toEqual([]);
  });
});
