import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLook } from './audit.ts';
import { expect, test } from './fixtures.ts';

test('A file beyond 5 MB is listed with its size and left as it is; a payload beyond its limits is kept and not sent', async ({
  workbench,
  collections,
  requests,
}) => {
  const { page } = workbench;
  const directory = path.join(path.dirname(workbench.home), 'large');
  mkdirSync(directory);
  writeFileSync(path.join(directory, 'collection.yaml'), '');
  const large = path.join(directory, 'recorded lobby.yaml');
  writeFileSync(large, `operation: gameList\ndata: |\n  ${'x'.repeat(7_300_000)}\n`);
  writeFileSync(path.join(directory, 'long.yaml'), `operation: getGameRound\ndata: |\n  {"a":[${'1,'.repeat(30_000)}1]}\n`);
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
  expect(statSync(large).size).toBeGreaterThan(7_300_000);

  await collections.open('long');
  await expect(page.getByRole('region', { name: 'Request', exact: true })).toContainText(
    'The payload has more than 20,000 values',
  );
  await requests.send.click();
  await expect(requests.refusal).toContainText('The payload has more than 20,000 values');
  await expect(requests.activeTab).toHaveText(/^long/);
  expect(found).toEqual([]);
});
