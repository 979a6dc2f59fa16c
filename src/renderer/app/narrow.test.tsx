import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '#testing/page/playwright.ts';
import { sha256 } from '#testing/page/sha256.ts';
import { test } from '#testing/page/test.ts';
import { keepCopies } from '../../../e2e/copies.ts';
import { layoutFaults } from '../../../e2e/layout-faults.ts';
import { createComparison } from '../../../e2e/pages/comparison.ts';
import { createDoctor } from '../../../e2e/pages/doctor.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';

for (const [width, height] of [
  [720, 450],
  [320, 640],
] as const) {
  test(`at ${width} x ${height} the drawer has areas and list, the parts of a request take turns, and a response has room`, async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const { page } = workbench;
    await workbench.resize(width, height);
    await expect(shell.area('Requests')).toBeHidden();
    await page.keyboard.press('ControlOrMeta+B');
    await expect(shell.area('Requests')).toBeFocused();
    await page.keyboard.press('F6');
    expect(await shell.focusedPane()).toBe('side');
    await page.keyboard.press('Escape');
    const button = shell.topBar.getByRole('button', { name: 'Requests: areas and list' });
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await shell.openOperation('getLauncherURL');
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await expect(shell.area('Requests')).toBeHidden();

    const parts = page.getByRole('tablist', { name: 'Parts of the request' });
    await expect(parts.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await expect(parts.getByRole('tab', { name: 'Response' })).toHaveAttribute('aria-selected', 'true');
    const view = page.getByRole('region', { name: 'Response' });
    await view.getByRole('tab', { name: 'Body' }).scrollIntoViewIfNeeded();
    const body = await view.getByRole('tabpanel').boundingBox();
    expect(body?.height).toBeGreaterThanOrEqual(height === 450 ? 160 : 120);
    // A tab that is opened again shows what it has.
    await shell.goTo('History');
    await expect(shell.main).toBeVisible();
    await shell.goTo('Requests');
    await expect(response.code).toHaveText('0 ok');
  });
}

test('at 720 x 450 the body of a response has its room under any banner, and of banners the one that matters is seen', async ({
  workbench,
  shell,
  requests,
  response,
}) => {
  const { page } = workbench;
  await workbench.resize(720, 450);
  await shell.openOperation('freeRounds');
  await requests.form.field('externalReferenceId').fill('{{nowhere}}');
  const part = (name: string) =>
    page.getByRole('tablist', { name: 'Parts of the request' }).getByRole('tab', { name, exact: true });
  const banners = shell.main.locator('[data-banners] > *').filter({ visible: true });
  await expect(banners).toHaveCount(1);
  await expect(banners).toContainText('nowhere');
  await requests.form.field('externalReferenceId').fill('r-1');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(response.code).toHaveText('0 ok');
  // The same reference again: the provider rejects it, and the reasons are above the body.
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(response.code).toHaveText(/^[1-9]/);
  const body = async () => await response.pane.getByRole('tabpanel').boundingBox();
  // In sight, above the status bar.
  expect(((await shell.status.boundingBox())?.y ?? 0) - ((await body())?.y ?? 0)).toBeGreaterThanOrEqual(160);
  await part('Request').click();
  await requests.form.field('externalReferenceId').fill('{{nowhere}}');
  await part('Response').click();
  await expect(banners).toHaveCount(1);
  expect((await body())?.height).toBeGreaterThanOrEqual(160);
});

const key = 'narrow-test-key';

test('at 320 x 640 an engineer does every job: environment and key, a hash, two calls, a collection and its run', async ({
  workbench,
  shell,
  requests,
  response,
  environments,
  history,
  collections,
}) => {
  const { page } = workbench;
  const doctor = createDoctor(page);
  const runs = createRunsScreen(page);
  const reachable = async () => expect(await layoutFaults(page)).toEqual([]);
  await workbench.resize(320, 640);

  await shell.goTo('Environments');
  await shell.openDrawer();
  await environments.startNew();
  for (const [label, text] of [
    ['Name', 'staging'],
    ['Base URL', 'https://localhost:1'],
    ['Platform', '7'],
    ['Partner ID', '11'],
  ] as const) {
    await environments.field(label).fill(text);
  }
  await environments.setProduction(false);
  await reachable();
  await environments.save.click();
  await environments.key.set(key);
  await expect(environments.key.slot).toContainText('fingerprint');
  await reachable();

  const [time, data] = ['22-11-2026 10:40:02', String.raw`{"gameMode":"fun","exitURL":"https:\/\/casino.example\/lobby"}`];
  const hash = await sha256(`${key}${time}${data}`);
  await shell.goTo('Doctor');
  await doctor.text.fill(
    `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${data},"hash":"${hash}"}`,
  );
  await expect(doctor.recognised).toContainText('getLauncherURL');
  await doctor.field('Key of').selectOption({ label: 'staging' });
  await doctor.show('Finding');
  await expect(doctor.main).toContainText('Your backend escapes the slashes');
  await reachable();

  await shell.goTo('Requests');
  for (const [at, currency] of ['EUR', 'USD'].entries()) {
    await page.getByRole('tab', { name: 'Request', exact: true }).click();
    await requests.form.field('currency').fill(currency);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(response.pane).toContainText(`call ${at + 1}`);
  }
  await shell.goTo('History');
  const copied = await keepCopies(page);
  await history.rows.nth(0).click();
  await history.strip.getByRole('button', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: 'PHP, re-signed' }).click();
  await expect.poll(copied).toContain('USD');
  // The notice has a place of its own.
  await expect(shell.notices).toContainText('Copied call 2');
  await reachable();
  await page.getByRole('tab', { name: 'Calls' }).click();
  for (const row of [0, 1]) await history.rows.nth(row).getByRole('checkbox').check();
  await history.strip.getByRole('button', { name: 'Compare' }).click();
  await expect(createComparison(page).finding).toBeVisible();
  await reachable();

  const directory = join(dirname(workbench.home), 'team');
  await mkdir(directory);
  const file = join(directory, 'list.yaml');
  await writeFile(file, 'operation: gameList\ndata: |\n  {"currency":"EUR"}\nexpect:\n  - code: "7"\n');
  await shell.goTo('Requests');
  await shell.openDrawer();
  await collections.openDirectory(directory);
  await collections.open('list');
  await page.getByRole('tab', { name: 'Request', exact: true }).click();
  await requests.form.field('currency').fill('SEK');
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(() => readFile(file, 'utf8')).toContain('SEK');
  await shell.goTo('Runs');
  await shell.openDrawer();
  await runs.newRun.click();
  await runs.run.click();
  await expect(runs.totals).toHaveText(/1 failed/);
  await runs.rows.first().click();
  await expect(runs.checks.first()).toContainText('Failed');
  await reachable();
});
