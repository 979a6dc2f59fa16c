import { expect, test } from './fixtures.ts';

test.describe('The first call', () => {
  test('gameList answers code 0 first of all, and shows the games as a table', async ({ requests, response, shell }) => {
    await expect(requests.activeTab).toHaveText('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.facts).toContainText('HTTP 200');
    await expect(response.facts).toContainText('signed = sent: time, bytes');
    await expect(response.announced).toHaveText(/^gameList answered code 0 ok, in /);
    await expect(response.body.frame).toContainText('"slots"');

    await response.show('Table');
    await expect(response.table).toHaveAttribute('aria-rowcount', '61');
    await expect(response.table.getByRole('columnheader')).toHaveText([
      'id',
      'gameName',
      'bets, with betLevel',
      'thumbnail',
      'status',
    ]);
    await expect(response.table.getByRole('row').nth(1)).toContainText('Lucky Compass');
    await expect(response.pane).toContainText('60 rows in data.slots');
    await response.show('Findings');
    await expect(response.view('Findings')).toContainText('No findings');
    await response.show('Headers');
    await expect(response.view('Headers')).toContainText('content-type');
    await response.show('Timings');
    await expect(response.view('Timings').getByRole('rowheader', { name: 'Whole call' })).toBeVisible();
    await expect(shell.status).toContainText('1 call in the history');
  });
});
