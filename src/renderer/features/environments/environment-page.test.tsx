import { describe } from 'vitest';
import { test } from '#testing/page/test.ts';
import { expect } from '#testing/page/playwright.ts';

const staging = { Name: 'staging', 'Base URL': 'https://api.provider.example', Platform: '7', 'Partner ID': '11' };

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

  test('a key with what a careless copy adds is stored as it is, unless its trimmed form is chosen', async ({
    shell,
    environments,
  }) => {
    await shell.goTo('Environments');
    await environments.create(staging);
    // Who types has a short key at first: it is a warning once the field is left.
    await environments.key.field.pressSequentially('abc');
    await expect(environments.key.slot).not.toContainText('fewer than');
    await environments.key.field.press('Tab');
    await expect(environments.key.slot).toContainText('The key has fewer than 4 bytes');
    await environments.key.field.fill('');
    await environments.key.field.fill(' "abc-123" ');
    await expect(environments.key.slot).toContainText('The key begins with a space or tab');
    await expect(environments.key.slot).toContainText('The key is in quotes');
    await environments.key.submit();
    await expect(environments.key.slot).toContainText('11 bytes');
    await environments.key.replace();
    await environments.key.field.fill(' "abc-123" ');
    await environments.key.trim.click();
    await expect(environments.key.slot).not.toContainText('The key begins with');
    await expect(environments.key.slot).toContainText('The key has fewer than 8 bytes');
    await environments.key.submit();
    await expect(environments.key.slot).toContainText('7 bytes');
    // Once stored, the slot still shows that so short a key is not masked.
    await expect(environments.key.slot).toContainText(
      'The key has fewer than 8 bytes: Croupier shows and keeps a response unmasked',
    );
  });

  test('removing one is undone by the notice, its key with it', async ({ shell, environments }) => {
    await shell.goTo('Environments');
    await environments.create(staging);
    await environments.key.set('abc-123');
    await expect(environments.key.slot).toContainText('fingerprint');
    await environments.remove();
    await expect(environments.list.getByRole('option')).toHaveText([/sandbox/]);
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(environments.list.getByRole('option')).toHaveText([/sandbox/, /staging/]);
    await environments.open('staging');
    await expect(environments.key.slot).toContainText('7 bytes');
  });
});
