import { expect, test } from './fixtures.ts';

test('The theme follows the system while it runs, until one is chosen, and the choice is remembered', async ({
  workbench,
  palette,
}) => {
  const { page } = workbench;
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await palette.run('theme: dark', /Theme: dark/);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ contrast: 'more' });
  await expect(html).toHaveAttribute('data-theme', 'dark-contrast');
  await palette.run('contrast: normal', /Contrast: normal/);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
});
