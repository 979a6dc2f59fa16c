import { describe } from 'vitest';
import { test } from '#testing/page/test.ts';
import { expect } from '#testing/page/playwright.ts';

describe('An environment', () => {
  test('says what is missing or wrong at its field, and refuses plain http', async ({ workbench, shell, environments }) => {
    await shell.goTo('Environments');
    await environments.startNew();
    await environments.field('Name').fill('x');
    await environments.field('Base URL').fill('http://api.provider.example');
    await environments.field('Platform').fill('one');
    await environments.save.click();
    await expect(environments.error('Platform')).toHaveText('The platform is a whole number.');
    await expect(environments.error('Partner ID')).toHaveText('The partner ID is missing.');
    await environments.field('Platform').fill('1');
    await environments.field('Partner ID').fill('2');
    await environments.save.click();
    await expect(environments.error('Base URL')).toContainText('https://');
    await environments.field('Base URL').fill('https://api.provider.example');
    // Only the user decides which one it is.
    for (const choice of ['Not production', /^Production/])
      await expect(workbench.page.getByRole('radio', { name: choice })).not.toBeChecked();
    await expect(workbench.page.getByText('Say whether this environment is production.')).toBeVisible();
    await environments.setProduction();
    await environments.save.click();
    await expect(environments.save).toBeDisabled();
    await expect(environments.list).toContainText('x');
  });
});
