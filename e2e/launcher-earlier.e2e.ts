import { expect, test } from './fixtures.ts';
import { createLauncher } from './pages/launcher.ts';

test('earlier launches are searched, also in their records, opened with the keyboard, and kept by a limit that is shown', async ({
  workbench,
  shell,
}) => {
  const { page } = workbench;
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const earlier = page.getByRole('region', { name: 'Earlier launches' });
  await expect(earlier).toHaveCount(0);
  for (const gameId of ['1001', '1042', 'none']) {
    await launcher.field('gameId').fill(gameId);
    await launcher.field('exitURL').fill(`https://casino.example/${gameId}`);
    await launcher.launch.click();
    if (gameId === 'none') await expect(launcher.verdict.state).toHaveText('failed');
    else await expect(launcher.entries.filter({ hasText: 'Opened https://localhost' })).toHaveCount(1);
    await page.getByRole('button', { name: 'New launch' }).click();
  }
  const rows = earlier.getByRole('grid', { name: 'Earlier launches' }).locator('tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText(/none.*failed/);
  await expect(earlier).toContainText(
    'Croupier keeps the newest 500 launches, with records and pictures. It has removed none so far.',
  );
  const search = earlier.getByRole('searchbox', { name: 'Search earlier launches' });
  // The first word is in the records alone.
  await search.fill('opened fun');
  await expect(rows).toHaveText([/Game 1042/, /Game 1001/]);
  await search.fill('nothing like it');
  await expect(earlier).toContainText('No launch that is kept fits this search.');
  await search.fill('');
  await earlier.getByLabel('Verdict').selectOption('failed');
  await expect(rows).toHaveText([/none.*failed/]);
  await earlier.getByLabel('Verdict').selectOption('Any verdict');
  await expect(rows).toHaveCount(3);
  await search.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await earlier.getByRole('button', { name: 'Sheet as CSV' }).click();
  await expect(shell.notices).toContainText(/Saved launches-[\d-]+\.csv/);
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();
  await earlier.getByRole('button', { name: 'Change…' }).click();
  await shell.dialog.getByLabel('Number').fill('99');
  await expect(shell.dialog).toContainText('Write a whole number from 100 to 10,000.');
  await shell.dialog.getByLabel('Number').fill('250');
  await expect(shell.dialog).toContainText('This removes nothing now.');
  await shell.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(earlier).toContainText('Croupier keeps the newest 250 launches');
  await search.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(launcher.verdict.state).toHaveText('failed');
});
