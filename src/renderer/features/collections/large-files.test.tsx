import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';

test('A file beyond 5 MB is listed with its size and left as it is; a payload beyond its limits is kept and not sent', async ({
  workbench,
  collections,
  requests,
}) => {
  const { page } = workbench;
  const directory = join(dirname(workbench.home), 'large');
  const large = 'recorded lobby.yaml';
  await outside.writeFiles(directory, {
    'collection.yaml': '',
    [large]: `operation: gameList\ndata: |\n  ${'x'.repeat(7_300_000)}\n`,
    'long.yaml': `operation: getGameRound\ndata: |\n  {"a":[${'1,'.repeat(30_000)}1]}\n`,
  });
  await collections.openDirectory(directory);
  await expect(collections.row('recorded lobby')).toHaveAccessibleName('recorded lobby, cannot be read');
  await collections.row('recorded lobby').click();
  await expect(collections.trouble).toContainText('bytes; Croupier reads at most 5,000,000. Shorten its data');
  const { found, look } = createLook(workbench);
  await look('a file that is too large');
  // Where the list is a drawer, it stays: the reason stands in it.
  await workbench.resize(760, 700);
  await page.keyboard.press('ControlOrMeta+B');
  await collections.row('recorded lobby').click();
  await expect(collections.trouble).toBeInViewport();
  await look('a file that is too large, narrow');
  await workbench.resize(1_440, 900);
  expect((await stat(join(directory, large))).size).toBeGreaterThan(7_300_000);

  await collections.open('long');
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText(
    'The payload has more than 20,000 values',
  );
  await requests.send.click();
  await expect(requests.refusal).toContainText('The payload has more than 20,000 values');
  await expect(requests.activeTab).toHaveText(/^long/);
  expect(found).toEqual([]);
});
