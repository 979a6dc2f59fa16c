import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createRoundsScreen } from '../../../../e2e/pages/rounds.ts';

describe('A round', () => {
  test('is asked for only with a whole id and a day that has been', async ({ workbench, shell }) => {
    const rounds = createRoundsScreen(workbench.page);
    await shell.goTo('Rounds');
    await rounds.roundId.fill('12a');
    await expect(rounds.fault).toHaveText('A round ID has digits only.');
    await expect(rounds.lookUp).toBeDisabled();
    await rounds.roundId.fill('12');
    await expect(rounds.lookUp).toBeEnabled();
    await rounds.date.fill('2026-01-01');
    await expect(rounds.fault).toContainText('Day first');
    await rounds.date.fill('31-12-2999');
    await expect(rounds.fault).toContainText('is in the future');
    await expect(rounds.lookUp).toBeDisabled();
  });
});
