import { describe } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { test } from '#testing/page/test.ts';
import { expect } from '#testing/page/playwright.ts';

describe('At 320 pixels', () => {
  test('a notice covers nothing that an area offers after a fault', async ({ workbench, shell }) => {
    workbench.instead({
      'calls.list'() {
        throw new AppError('internal', 'Something went wrong in Croupier (fault 1a2b3c).');
      },
    });
    await shell.goTo('History');
    const message = "TypeError: Cannot read properties of undefined (reading 'rows')";
    workbench.emit('app.faulted', { message, details: message });
    for (const height of [640, 480]) {
      await workbench.resize(320, height);
      await expect(shell.fault).toBeVisible();
      // A click that something else would take waits for it to go away, and fails.
      await shell.main.getByRole('button', { name: 'Try again' }).click();
      await expect(shell.main.getByRole('alert')).toContainText('Something went wrong in Croupier');
    }
  });
});
