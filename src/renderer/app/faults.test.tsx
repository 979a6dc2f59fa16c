import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

test('a fault of the page in what parts draw leaves the others, and they are drawn again', async ({
  workbench,
  shell,
  history,
}) => {
  const { page } = workbench;
  workbench.troubles.expect(/TypeError: planted/);
  await workbench.cli(['call', 'gameList', '--env', 'sandbox']);
  await shell.goTo('Open points');
  await page.evaluate(() => {
    const { toLocaleString } = Number.prototype;
    Reflect.set(window, 'mend', () => (Number.prototype.toLocaleString = toLocaleString));
    Number.prototype.toLocaleString = () => {
      throw new TypeError('planted');
    };
  });
  // Its list and the status bar count the calls.
  await shell.goTo('History');
  const failed = (text: string) => page.getByRole('alert').filter({ hasText: text });
  const bar = failed('The status bar could not be shown.');
  const area = failed('History could not be shown');
  await expect(bar).toBeVisible();
  await expect(area).toContainText('An error in Croupier stopped this.');
  await expect(shell.fault).toContainText('TypeError: planted');
  await expect(shell.fault).toHaveCount(1);
  await expect(shell.loading).toHaveCount(0);
  await shell.goTo('Open points');
  await expect(shell.main.getByRole('heading', { level: 1 })).toHaveText('Open points');
  await page.evaluate(() => (Reflect.get(window, 'mend') as () => void)());
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(shell.status).toContainText(/(?<!\d)1 call(?!s)/);
  await shell.goTo('History');
  await expect(history.rows).toHaveCount(1);
});
