import { expect } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { appear, createLook } from '../../../e2e/audit.ts';
import type { AreaTitle } from '../../../e2e/pages/shell.ts';

type Workbench = Screens['workbench'];

/** Returns how far the page can be scrolled sideways, which must be 0. */
function overflow({ page }: Workbench): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns the tabs of views that are not whole inside their bar. */
function cutTabs({ page }: Workbench): Promise<(string | null)[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main [role="tablist"][aria-label^="How the "]')].flatMap((list) => {
      const bar = list.parentElement?.getBoundingClientRect();
      return [...list.children]
        .filter((tab) => {
          const { left, right } = tab.getBoundingClientRect();
          return bar === undefined || left < bar.left || right > bar.right || list.scrollWidth > list.clientWidth;
        })
        .map((tab) => tab.textContent);
    }),
  );
}

const areas: readonly AreaTitle[] = [
  'Games',
  'Launcher',
  'Rounds',
  'Runs',
  'History',
  'Doctor',
  'Open points',
  'Environments',
  'Settings',
];

test('as the system asks for it, every screen is readable and can be used by everybody', async ({
  workbench,
  shell,
  requests,
  response,
  history,
  environments,
  openPoints,
  palette,
}) => {
  test.slow();
  const { page } = workbench;
  const { found, look } = createLook(workbench);
  await look('a new request');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await response.show('Table');
  await expect(response.table).toBeVisible();
  await look('a table');
  for (const view of ['Sent', 'Raw'] as const) {
    await response.show(view);
    await look(`a response, ${view}`);
  }
  await shell.openOperation('getLauncherURL');
  await requests.form.choose('gameMode', 'real');
  await expect(requests.form.warning('externalToken')).toBeVisible();
  await requests.send.click();
  await expect(response.code).toHaveText('404 Invalid Token');
  await look('a refused call in the form');
  await requests.openEditor();
  await response.show('Headers');
  await look('the editor');
  await requests.overrides.open();
  await look('overrides');
  await requests.overrides.close();
  await palette.open();
  await look('the palette');
  const field = palette.dialog.getByRole('combobox');
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.insertText('zzqqxx');
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Escape');
  for (const area of areas) {
    await shell.goTo(area);
    await expect(shell.area(area)).toHaveAttribute('aria-current', 'page');
    // The code of a screen comes when it is opened, and its title with it.
    await expect(shell.main.getByRole('heading', { level: 1 })).toBeAttached();
    await look(area);
  }
  await shell.goTo('History');
  await history.rows.first().click();
  await expect(history.detail.pane).toBeVisible();
  await look('a call of the history');
  await shell.goTo('Environments');
  await environments.startNew();
  await look('a new environment');
  await shell.goTo('Open points');
  await openPoints.open('Unit and scale of amounts');
  await look('an open point');
  await page.keyboard.press('ControlOrMeta+Shift+Slash');
  await expect(shell.dialog).toBeVisible();
  await look('the list of keys');
  expect(found).toEqual([]);
});

test('The theme follows the system while it runs, until one is chosen, and the choice is remembered', async ({
  workbench,
  palette,
}) => {
  const { page } = workbench;
  const html = page.locator('html');
  const anew = async () => {
    await page.evaluate(() => document.documentElement.removeAttribute('data-theme'));
    await page.reload();
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await palette.run('theme: dark', /Theme: dark/);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await anew();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ contrast: 'more' });
  await expect(html).toHaveAttribute('data-theme', 'dark-contrast');
  await palette.run('contrast: normal', /Contrast: normal/);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await anew();
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test('The theme leaves focus, selection, environments and splitters in sight where the system forces its colours', async ({
  workbench,
  shell,
  requests,
  environments,
}) => {
  const { page } = workbench;
  await shell.openOperation('getLauncherURL');
  await appear(workbench, 'forced colours');
  /** Returns a colour of the system as the page draws it. */
  const system = (name: string) =>
    page.evaluate((color) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.backgroundColor = color;
      const drawn = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return drawn;
    }, name);
  const [highlight, canvas] = [await system('Highlight'), await system('Canvas')];
  await expect(shell.area('Requests')).toHaveCSS('background-color', highlight);
  await expect(requests.activeTab).toHaveCSS('background-color', highlight);
  const field = requests.form.field('gameId');
  await field.focus();
  await expect(field.locator('xpath=..')).toHaveCSS('outline', `${highlight} solid 2px`);
  const edge = page.getByRole('separator', { name: 'Request and response' });
  await expect(edge).not.toHaveCSS('background-color', canvas);
  await requests.openEditor();
  await expect(page.locator('.monaco-editor.hc-black').first()).toBeVisible();
  await shell.goTo('Environments');
  await expect(environments.color('blue')).toHaveCSS('background-color', 'rgb(185, 214, 255)');
});

for (const width of [1024, 700] as const) {
  test(`At ${width} pixels everything works and nothing has to be scrolled sideways`, async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    await workbench.resize(width, 768);
    if (width < 1024) {
      await expect(shell.sidebar).toBeHidden();
      await shell.openDrawer();
    }
    await shell.operation('getLauncherURL').click();
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await requests.form.field('gameId').fill('1003');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.code).toBeInViewport();
    // In a small window the parts of a request take turns.
    if (width < 1024) await shell.main.getByRole('tab', { name: 'Hash input' }).click();
    await expect(requests.hashInput.pane).toBeInViewport();
    // The longest name of a serialization is beside the tabs of the hash input.
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'php-unicode']);
    await expect(requests.hashInput.pane.getByText(/\bphp-unicode$/)).toBeVisible();
    expect(await cutTabs(workbench)).toEqual([]);
    expect(await overflow(workbench)).toBe(0);
    for (const area of areas) {
      await shell.goTo(area);
      await expect(shell.main).toBeInViewport();
      expect(await overflow(workbench), area).toBe(0);
    }
  });
}
