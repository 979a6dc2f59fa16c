import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { createRunsScreen } from './pages/runs.ts';
import { root } from './program.ts';

const shipped = (name: string) => path.join(root, 'starter-collections', name);

test('Starter collections are offered to who has none open, and a copy passes as it is', async ({
  workbench,
  shell,
  collections,
  requests,
}) => {
  const { page } = workbench;
  await collections.show();
  await expect(collections.starters).toHaveText([
    /^First call .*accepts the platform/,
    /^Launch .*launcher URL/,
    /^Wallet session .*balance/,
    /^Free rounds .*many/,
    /^Rounds and replay .*replay\.$/,
  ]);
  await collections.starters.filter({ hasText: 'Wallet session' }).click();
  const directory = path.join(path.dirname(workbench.home), 'home', 'wallet-session');
  await expect(collections.directory).toHaveValue(directory);
  await collections.dialog.getByRole('button', { name: 'Copy and open' }).click();
  await expect(collections.dialog).toBeHidden();
  await expect(collections.row('Same bet again')).toBeVisible();
  for (const name of readdirSync(shipped('wallet-session'))) {
    expect(readFileSync(path.join(directory, name)), name).toEqual(readFileSync(path.join(shipped('wallet-session'), name)));
  }
  await collections.open('Player info');
  await expect(requests.activeTab).toHaveText(/^Player info$/);

  await shell.notices.getByRole('button', { name: 'Run it' }).click();
  const runs = createRunsScreen(page);
  await runs.run.click();
  await expect(runs.totals).toHaveText(/^6 passed\+0 failed\+0 errors\+0 skipped\+0 cancelled=6 planned$/);
});
