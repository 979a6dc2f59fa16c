import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment } from '../../../e2e/own-environment.ts';
import { createComparison } from '../../../e2e/pages/comparison.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';
import { seenText } from '../../../e2e/pages/seen-text.ts';

/** The two names differ only at the end, where a narrow place cuts a name off. */
const names = {
  staging: 'Casino Europe integration, partner account one, staging',
  live: 'Casino Europe integration, partner account one, live',
} as const;
type Name = keyof typeof names;

/** Checks that a user can see which of the two environments is meant, at the smallest width at which everything is side by side. */
async function tells(place: string, part: Locator, one: Name): Promise<void> {
  const other = one === 'staging' ? 'live' : 'staging';
  await expect(part, place).toContainText(names[one]);
  await part.scrollIntoViewIfNeeded();
  await expect.poll(() => seenText(part), { message: place }).toContain(one);
  expect(await seenText(part), place).not.toContain(other);
}

test('two environments at one base URL are distinguished by their names wherever they are named', async ({
  workbench,
  shell,
  requests,
  response,
  history,
  palette,
}) => {
  const { page } = workbench;
  const server = await startHttpsServer((_, answer) => {
    answer.end('{"code":0,"message":"ok"}');
  });
  const collection = join(dirname(workbench.home), 'bets');
  await mkdir(collection);
  await writeFile(join(collection, 'bet.yaml'), 'operation: bet\ndata: |\n  {"amount": 1, "currency": "EUR"}\n');
  const choices = page.getByRole('menuitemradio');
  const both = async (place: string, parts: Locator) => {
    for (const one of ['staging', 'live'] as const) await tells(place, parts.filter({ hasText: names[one] }), one);
  };
  try {
    await addEnvironment(workbench, server, names.staging, '--production');
    await addEnvironment(workbench, server, names.live, '--production');
    await workbench.resize(1024, 768);
    await shell.openOperation('/playerInfo');
    for (const one of ['staging', 'live'] as const) {
      await shell.environment.click();
      await both('a choice of the switcher', choices);
      await choices.filter({ hasText: names[one] }).click();
      await tells('the switcher', shell.environment, one);
      await tells('Send', requests.send, one);
      await requests.send.click();
      await tells('the question before production', shell.dialog, one);
      await shell.dialog.getByRole('button', { name: 'Send playerInfo' }).click();
      await tells('the facts of the response', response.facts, one);
    }

    await palette.open();
    await both('an environment in the palette', palette.options.filter({ hasText: 'Use Casino' }));
    await both('a call in the palette', palette.options.filter({ hasText: '/playerInfo' }).filter({ hasText: 'Casino' }));
    await page.keyboard.press('Escape');

    await shell.goTo('History');
    await both('a row of the history', history.rows.getByRole('gridcell'));
    await history.rows.nth(1).click();
    await tells('the detail of a call', history.detail.pane.locator('time').locator('..'), 'staging');
    await history.open(1);
    const note = shell.main.getByRole('status').filter({ hasText: 'Opened from call ' });
    await tells('the way back to its environment', note.getByRole('button', { name: /^Switch to / }), 'staging');
    await tells('the way to stay', note.getByRole('button', { name: /^Keep / }), 'live');
    // Its banner is one of two, and the other one says more.
    await note.getByRole('button', { name: /^Keep / }).click();
    const mark = shell.main.getByText(/^Call \d+ went to /);
    // A space at which the line is broken takes no room.
    expect((await seenText(mark)).replaceAll(' ', '')).toMatch(/wentto.*staging,but.*liveisselected\.$/);

    await shell.goTo('History');
    await history.rows.nth(0).getByRole('checkbox').click();
    await history.rows.nth(1).getByRole('checkbox').click();
    await shell.main.getByRole('button', { name: /^Compare/ }).click();
    const comparison = createComparison(page);
    await tells('a compared call', comparison.card(1), 'staging');
    await tells('a compared call', comparison.card(2), 'live');
    await comparison.back.click();

    await shell.goTo('Environments');
    await both('the list of environments', shell.sidebar.getByRole('option').filter({ hasText: 'Casino' }));

    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    await runs.newRun.click();
    const targets = runs.dialog.getByRole('combobox', { name: 'Environment' }).getByRole('option');
    await expect(targets).toHaveText([/^Casino E…live \(platform/, /^Casino E…staging \(platform/, /^sandbox/]);
    await page.keyboard.press('Escape');
    await runs.start(collection);
    await tells('the question before a run', shell.dialog, 'live');
    await shell.dialog.getByRole('button', { name: /^Run against / }).click();
    await tells('the head of a run', runs.main.locator('header, h1').locator('..').first(), 'live');
    await tells('the list of runs', runs.list, 'live');

    // The call shows more than a name that another environment may have by now.
    await workbench.cli(['env', 'set', names.staging, '--name', 'Casino Asia']);
    await workbench.cli(['env', 'remove', names.live, '--yes']);
    await shell.goTo('History');
    await expect(history.rows.filter({ hasText: 'staging' })).toContainText('(now Casino Asia)');
    await expect(history.rows.filter({ hasText: 'live' }).first()).toContainText('(removed)');
    await history.open(1);
    await expect(note).toHaveText(
      `Opened from call 2 on ${names.live} (removed). This tab sends to Casino Asia.Keep Casino Asia`,
    );
    await expect(mark).toHaveText(`Call 2 went to ${names.live} (removed), but Casino Asia is selected.`);
  } finally {
    await server.close();
  }
});
