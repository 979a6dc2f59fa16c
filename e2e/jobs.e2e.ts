import { createHash } from 'node:crypto';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { keepCopies } from './copies.ts';
import { expect, test } from './fixtures.ts';
import { startJob, type Job } from './job.ts';
import { announced } from './pages/announced.ts';
import { createComparison } from './pages/comparison.ts';
import { createDoctor } from './pages/doctor.ts';
import { createRunsScreen } from './pages/runs.ts';
import { addBareEnvironment, enterWithKey } from './own-environment.ts';

/**
 * The jobs that recur, with the largest number of actions that each may take. Each is done a second time by the keyboard alone; what a
 * screen reader is given then is compared with a file, so that whoever changes a word reads what is heard.
 */
const most = { firstCall: 1, refusedHash: 1, failingBet: 6, collection: 12, environment: 8 } as const;

function within(job: Job, name: keyof typeof most): void {
  expect(job.actions(), name).toBeLessThanOrEqual(most[name]);
}

async function heardAs(job: Job, name: keyof typeof most): Promise<void> {
  process.stdout.write(`${name} by keyboard alone: ${job.presses()} presses of keys\n`);
  expect(await job.heard()).toMatchSnapshot(`${name}.txt`);
}

test.describe('The first code 0', () => {
  test('is one press away', async ({ workbench, response }) => {
    const job = await startJob(workbench.page);
    await job.press('ControlOrMeta+Enter', () => expect(response.code).toHaveText('0 ok'));
    within(job, 'firstCall');
    await heardAs(job, 'firstCall');
  });
});

test.describe('The refused hash of a log line', () => {
  const key = 'a-key-of-the-job';
  const data = '{"gameId":"1042","exitURL":"https:\\/\\/casino.example\\/lobby"}';
  const hash = createHash('sha256').update(`${key}22-11-2026 10:40:02${data}`, 'utf8').digest('hex');
  const line = `provider refused: {"action":"getLauncherURL","platform":1,"partnerId":2,"time":"22-11-2026 10:40:02","data":${data},"hash":"${hash}"} {"code":8}`;

  test.beforeEach(async ({ workbench, shell, environments }) => {
    await addBareEnvironment(workbench, 'staging');
    await enterWithKey({ shell, environments }, 'staging', key);
    // The job begins after what was said so far.
    await expect(announced(workbench.page, /^The key of staging/)).toBeAttached();
    await workbench.page.evaluate((text) => navigator.clipboard.writeText(text), line);
  });

  test('by keyboard alone', async ({ workbench, requests }) => {
    const doctor = createDoctor(workbench.page);
    const job = await startJob(workbench.page);
    await job.press('ControlOrMeta+Shift+V', () => expect(doctor.finding).toContainText('Your backend escapes the slashes'));
    // Here the mistake is named; what follows is the next job.
    within(job, 'refusedHash');
    await job.reach(doctor.button('Open corrected in Requests'));
    await job.press('Enter', () => expect(requests.activeTab).toHaveText(/getLauncherURL/));
    await heardAs(job, 'refusedHash');
  });
});

test.describe("Yesterday's failing bet", () => {
  test.beforeEach(async ({ workbench, shell, requests, response }) => {
    await shell.openOperation('/bet');
    await requests.form.takeToken(/^player-1 /);
    for (const [amount, outcome] of [
      ['2.5', '0 ok'],
      ['9999999', /^[1-9]/],
    ] as const) {
      await requests.form.field('amount').fill(amount);
      await requests.send.click();
      await expect(response.code).toHaveText(outcome);
    }
    await workbench.page.clock.setSystemTime(Date.now() + 24 * 3_600_000);
    await workbench.page.reload();
  });

  test('is compared and copied as PHP', async ({ workbench, shell, history }) => {
    const { page } = workbench;
    const copied = await keepCopies(page);
    const job = await startJob(page);
    await job.click(shell.area('History'));
    await expect(history.headings.first()).toContainText('Yesterday');
    await job.click(history.rows.filter({ hasText: '9999999' }), { button: 'right' });
    await job.click(page.getByRole('menuitem', { name: 'Copy as' }));
    await job.click(page.getByRole('menuitem', { name: /^PHP/ }).first());
    await expect.poll(copied).toContain('<?php');
    await job.click(shell.main.getByRole('button', { name: 'Compare', exact: true }));
    await expect(createComparison(page).title).toHaveText('Comparison of call 1 and call 2');
    within(job, 'failingBet');
  });

  test('by keyboard alone', async ({ workbench, history, palette }) => {
    const { page } = workbench;
    const copied = await keepCopies(page);
    const job = await startJob(page);
    await job.press('ControlOrMeta+Shift+H', () => expect(history.rows.first()).toBeVisible());
    await job.reach(history.rows.first());
    await job.press('ControlOrMeta+Shift+G', () => expect(palette.input).toBeFocused());
    await job.type('php', () => expect(palette.options.first()).toContainText('PHP'));
    await job.press('Enter', () => expect.poll(copied).toContain('<?php'));
    await job.press('c', () => expect(createComparison(page).title).toHaveText('Comparison of call 1 and call 2'));
    within(job, 'failingBet');
    await heardAs(job, 'failingBet');
  });
});

test.describe('A request that becomes a test', () => {
  test.beforeEach(async ({ shell, requests, response }) => {
    await shell.openOperation('freeRounds');
    await requests.form.field('externalReferenceId').fill('{{$uniqueId}}');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
  });

  test('is saved, checked, run and mended', async ({ workbench, shell, requests, response, collections }) => {
    const { page } = workbench;
    const { main } = shell;
    const runs = createRunsScreen(page);
    const job = await startJob(page);
    await job.click(main.getByRole('button', { name: 'Save to collection…' }));
    await job.click(collections.dialog.getByRole('button', { name: 'Continue' }));
    await job.click(collections.dialog.getByRole('button', { name: 'Save', exact: true }));
    await expect(main.getByRole('button', { name: /^Save Saved/ })).toBeVisible();
    await job.click(response.body.frame.getByText('"referenceId"', { exact: true }));
    await job.click(response.pane.getByRole('button', { name: 'Save the value as a variable' }));
    await job.click(response.pane.getByRole('button', { name: 'Check the value at the cursor' }));
    await job.click(main.getByRole('button', { name: /^Save Unsaved changes/ }));
    await job.click(shell.sidebar.getByRole('button', { name: /^Run / }).first());
    await job.click(runs.run);
    // Each request has a reference of its own, so a check for the same one was wrong.
    await expect(runs.totals).toHaveText(/1 failed/);
    await job.doubleClick(runs.rows.first());
    await job.click(collections.checks.getByRole('button', { name: 'Remove check 2' }));
    await job.press('ControlOrMeta+S');
    await expect(main.getByRole('button', { name: /^Save Saved/ })).toBeVisible();
    within(job, 'collection');
    await requests.send.click();
    await expect(response.facts).toContainText('1 check passed');
  });

  test('by keyboard alone', async ({ workbench, shell, response, collections }) => {
    const { page } = workbench;
    const { main } = shell;
    const runs = createRunsScreen(page);
    const body = response.body.frame.getByRole('textbox');
    const job = await startJob(page);
    const saved = main.getByRole('button', { name: /^Save Saved/ });
    await job.press('ControlOrMeta+S', () => expect(collections.dialog).toBeVisible());
    await job.press('Enter', () => expect(collections.dialog.getByRole('listbox', { name: 'Save in' })).toBeVisible());
    await job.press('Enter', () => expect(saved).toBeVisible());
    for (let panes = 0; panes < 6 && (await shell.focusedPane()) !== 'response'; panes += 1) await job.press('F6');
    await job.reach(body);
    for (const line of ['code', 'message', 'data', 'referenceId'])
      await job.press('ArrowDown', () => expect(body, line).toBeFocused());
    await job.press('Alt+V', () =>
      expect(collections.checks.getByRole('textbox', { name: 'Variable 1, name' })).toHaveValue('referenceId'),
    );
    await job.press('Alt+C', () =>
      expect(collections.checks.getByRole('textbox', { name: 'Check 2, path' })).toHaveValue('/data/referenceId'),
    );
    await job.press('ControlOrMeta+S', () => expect(saved).toBeVisible());
    await job.press('Alt+R', () => expect(runs.dialog.getByRole('combobox', { name: 'Collection' })).toBeFocused());
    await job.press('Enter', () => expect(runs.totals).toHaveText(/1 failed/));
    await job.reach(runs.rows.first());
    await job.press('Enter', () => expect(runs.details.getByRole('button', { name: 'Open request' })).toBeVisible());
    await job.press('Enter', () => expect(collections.checks.getByRole('textbox', { name: 'Check 2, path' })).toBeFocused());
    await job.reach(collections.checks.getByRole('button', { name: 'Remove check 2' }));
    await job.press('Enter', () => expect(collections.checks.getByRole('button', { name: 'Remove check 2' })).toBeHidden());
    await job.press('ControlOrMeta+S', () => expect(saved).toBeVisible());
    await heardAs(job, 'collection');
  });
});

test.describe('An own environment with its key', () => {
  const key = 'a-key-of-the-job';
  /** A provider of another company, whose authority this machine trusts. */
  let provider: TestServer;
  test.use({
    // Playwright reads the names of a fixture's dependencies from its source: it requires a pattern.
    // eslint-disable-next-line no-empty-pattern
    plant: async ({}, provide) => {
      provider = await startHttpsServer(({ body }, answer) => {
        const { time, data, hash } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
        const right =
          createHash('sha256')
            .update(`${key}${String(time)}${data === undefined ? '' : JSON.stringify(data)}`)
            .digest('hex') === hash;
        answer.end(JSON.stringify(right ? { code: 0, message: 'ok' } : { code: 8, message: 'hash not valid' }));
      });
      const all = `[...require('node:tls').rootCertificates, ${JSON.stringify(provider.ca)}]`;
      await provide(`require('node:tls').setDefaultCACertificates(${all})`);
      await provider.close();
    },
  });

  test('is made, used and called', async ({ workbench, shell, environments, requests, response }) => {
    const { page } = workbench;
    const job = await startJob(page);
    await job.click(page.getByRole('button', { name: 'Connect your provider' }));
    await job.fill(environments.field('Base URL'), provider.baseUrl);
    await job.fill(environments.field('Platform'), '7');
    await job.fill(environments.field('Partner ID'), '11');
    await job.click(page.getByRole('radio', { name: 'Not production' }));
    await job.fill(environments.field('Private key'), key);
    await job.click(page.getByRole('button', { name: 'Create and use' }));
    await expect(shell.environment).toHaveAccessibleName(/^Environment: localhost/);
    await expect(shell.status).toContainText(/Key .*(?:fingerprint|session only)/);
    await expect(requests.send).toBeFocused();
    await job.click(requests.send);
    await expect(response.code).toHaveText('0 ok');
    within(job, 'environment');
  });

  test('by keyboard alone', async ({ workbench, shell, environments, palette }) => {
    const { page } = workbench;
    const job = await startJob(page);
    await job.press('ControlOrMeta+K', () => expect(palette.input).toBeFocused());
    await job.type('new environment', () => expect(palette.options.first()).toContainText('New environment'));
    await job.press('Enter', () => expect(page.getByRole('main', { name: 'Environments' })).toBeVisible());
    for (const [label, text] of [
      ['Base URL', 'https://api.staging.example'],
      ['Platform', '7'],
      ['Partner ID', '11'],
    ] as const) {
      await job.reach(environments.field(label));
      await job.type(text);
    }
    await job.reach(page.getByRole('radio', { name: 'Not production' }));
    await job.press('Space');
    await job.reach(environments.field('Private key'));
    await job.type(key);
    await job.press('Enter', () => expect(shell.environment).toHaveAccessibleName(/^Environment: api\.staging\.example/));
    await expect(shell.status).toContainText(/Key .*(?:fingerprint|session only)/);
    await heardAs(job, 'environment');
  });
});
