import { expect, test } from './fixtures.ts';
import { createHistoryScreen } from './pages/history.ts';
import { createWalletScreen } from './pages/wallet.ts';

test('The built-in wallet is tested, its money is put back, and a case opens its calls', async ({ workbench, shell }) => {
  const wallet = createWalletScreen(workbench.page);
  await shell.goTo('Wallet');
  await expect(wallet.totals).toContainText('114');
  await wallet.run.click();
  // It has some 1,450 calls.
  await expect(wallet.totals).not.toContainText('planned', { timeout: 60_000 });
  await expect(wallet.totals).toContainText('skipped');
  await expect(wallet.totals).not.toContainText(/fail|warn/);
  await expect(wallet.main).toContainText('all put back');
  await wallet.group('Retries').click();
  await wallet.rows.first().click();
  await expect(wallet.details).toContainText('recognised, no money moved again');
  await wallet.details.getByRole('button', { name: 'Show calls' }).click();
  await expect(createHistoryScreen(workbench.page).rows.first()).toContainText('playerInfo');
});
