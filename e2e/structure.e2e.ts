import { expect, test } from './fixtures.ts';
import type { AreaTitle } from './pages/shell.ts';
import { createWalk } from './structure.ts';

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

test('every screen has one title, headings and landmarks in order, and targets of 24 px', async ({
  workbench,
  shell,
  requests,
  response,
  history,
  environments,
  palette,
}) => {
  test.slow();
  const { page } = workbench;
  const { found, look } = createWalk(workbench);
  await look('a new request');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  for (const view of ['Table', 'Sent', 'Raw'] as const) {
    await response.show(view);
    await look(`a response, ${view}`);
  }
  await requests.openEditor();
  await requests.overrides.open();
  await look('the editor and the overrides');
  await requests.overrides.hash('Wrong digit');
  await requests.overrides.close();
  await shell.openOperation('getLauncherURL');
  await look('tabs, and a form');
  await palette.open();
  await look('the palette');
  const field = palette.dialog.getByRole('combobox');
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.insertText('no such thing');
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Escape');
  for (const area of areas) {
    await shell.goTo(area);
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
  await shell.goTo('Runs');
  await shell.sidebar.getByRole('button', { name: 'New run' }).click();
  // The action that waits keeps the keyboard, and says why.
  const run = shell.dialog.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toHaveAccessibleDescription("Use an absolute path for the collection's directory.");
  await run.focus();
  await expect(run).toBeFocused();
  await look('the dialog of a run');
  await page.keyboard.press('Escape');
  await workbench.resize(720, 450);
  for (const area of ['Requests', 'History'] as const) {
    await shell.goTo(area);
    await look(`${area} at 720 x 450`);
  }
  expect(found).toEqual([]);
});
