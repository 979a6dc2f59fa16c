import { describe } from 'vitest';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { Output, RunSummary } from '#shared/ipc/index.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { announced } from '../../../../e2e/pages/announced.ts';
import { createWalletScreen } from '../../../../e2e/pages/wallet.ts';

describe('The wallet test', () => {
  test('is planned, runs a group, and leads from a case to its calls and its open point', async ({
    workbench,
    shell,
    history,
  }) => {
    const { page } = workbench;
    const wallet = createWalletScreen(page);
    const { found, look } = createLook(workbench);
    await shell.main.getByRole('button', { name: 'Test my wallet' }).click();
    await expect(wallet.totals).toHaveText(/114 cases\s*15 waiting for an answer\s*99 planned/);
    await expect(wallet.main).toContainText('Nothing was sent yet.');
    await expect(wallet.main).toContainText('at stake at most 20.00 EUR, 0.10 a bet');
    await look('the plan');
    await wallet.group('Win').click();
    await wallet.main.getByRole('button', { name: 'Run this group' }).click();
    await expect(wallet.main.getByRole('button', { name: 'Run again' })).toBeVisible();
    await expect(wallet.totals).toHaveText(/8 hold\s*3 observed\s*103 not run/);
    await expect(wallet.group('Win')).toHaveText(/8 of 11/);
    await wallet.rows.filter({ hasText: 'A bet and its win' }).click();
    await expect(wallet.details).toContainText('Holds.');
    await look('a case');
    await wallet.details.getByRole('button', { name: 'Show calls' }).click();
    await expect(history.rows.first()).toContainText('/playerInfo');
    // The bet, the win and the balances around them.
    await expect(history.rows).toHaveCount(6);
    await shell.goTo('Wallet');
    // An open point that was observed is recorded in one press, and forgotten in another.
    await wallet.rows.filter({ hasText: 'A second win of a round' }).click();
    const record = wallet.details.getByRole('button', { name: "Record as the environment's answer" });
    await record.click();
    await expect(record).toBeHidden();
    await shell.notices.getByRole('button', { name: 'Undo' }).click();
    await expect(record).toBeVisible();
    await wallet.group('Cancel').click();
    await wallet.rows.first().click();
    await wallet.details.getByRole('button', { name: /^Answer/ }).click();
    await expect(shell.main).toContainText('/cancel');
    expect(found).toEqual([]);
  });

  test('asks before production, and says why it did not start', async ({ workbench, shell }) => {
    const wallet = createWalletScreen(workbench.page);
    const address = ['--base-url', 'https://localhost:1', '--platform', '1', '--partner-id', '2'];
    await workbench.cli(['env', 'set', 'Live', ...address, '--production']);
    await shell.useEnvironment('Live');
    await shell.goTo('Wallet');
    // The keyboard passes the cases on its way to Setup, and opens one by a key of its own.
    await wallet.rows.first().focus();
    await expect(wallet.main.getByLabel('Stake')).toBeVisible();
    await workbench.page.keyboard.press('ArrowDown');
    await expect(wallet.details).toContainText('Not run yet.');
    await wallet.details.getByRole('button', { name: 'Close the case' }).click();
    await wallet.main.getByLabel('Stake').fill('none');
    await expect(wallet.main).toContainText('The stake must be a number above 0');
    await wallet.main.getByLabel('Stake').fill('5');
    await expect(wallet.main).toContainText('at stake at most 5.00');
    await wallet.run.click();
    await expect(shell.dialog).toContainText('Test the wallet of Live?');
    await shell.dialog.getByRole('button', { name: 'Test Live' }).click();
    await expect(wallet.main.getByRole('alert')).toContainText('session token');
  });

  test('compares with the run before, stops, and puts back what is left', async ({ workbench, shell }) => {
    const wallet = createWalletScreen(workbench.page);
    const { found, look } = createLook(workbench);
    const run = (runId: string, state: RunSummary['state'] = 'finished'): RunSummary => ({
      runId,
      collectionId: 'wallet',
      collection: 'Wallet',
      path: '',
      environmentId: 'sandbox',
      environment: 'sandbox',
      startedAt: 1_790_000_000_000,
      durationMs: 6_100,
      state,
      planned: 3,
      totals: { ...noTotals, requests: 3 },
      warnings: [],
    });
    const verdicts: Record<string, CaseOutcome['verdict'][]> = {
      now: ['fails', 'holds', 'warns'],
      before: ['holds', 'fails', 'warns'],
    };
    const restored: unknown[] = [];
    workbench.instead({
      'runs.list': () => ({ runs: [run('now'), run('before')] }),
      'runs.requests': ({ runId }) => ({
        requests: (verdicts[runId] ?? []).map((verdict, index) => finished(index, verdict)),
        next: null,
        end: 3,
        unknown: false,
      }),
      'wallet.restore': (input) => {
        restored.push(input);
        const [after, left] = restored.length === 1 ? ['999.00', '-1.00'] : ['1000.00', '0.00'];
        return { players: [{ playerId: 'player-1', before: '998.00', after, left }] };
      },
    });
    await shell.goTo('Wallet');
    await expect(wallet.totals).toHaveText(/1 fail\s*1 warn\s*1 hold\s*111 not run/);
    await wallet.group('Failures and warnings').click();
    await expect(wallet.rows).toHaveCount(2);
    await wallet.main.getByRole('button', { name: 'Compare with the run before' }).click();
    await expect(wallet.main).toContainText('1 broken since, 1 fixed, 1 still failing');
    await expect(wallet.rows.first()).toContainText('broken since');
    await wallet.rows.first().click();
    await expect(wallet.details).toContainText('Expected: the money moved once. Came: -2.00.');
    await look('a failure');
    await wallet.main.getByRole('button', { name: 'Report' }).click();
    await expect(workbench.page.getByRole('menuitem')).toHaveText(['HTML page', 'JSON', 'JUnit XML']);
    await workbench.page.keyboard.press('Escape');
    await expect(wallet.main).toContainText('The run left money moved: -2.00 of player-1.');
    const putBack = wallet.main.getByRole('button', { name: 'Put back' });
    await putBack.click();
    await expect(shell.notices).toContainText('Not everything was put back. player-1: 998.00 → 999.00. Left: -1.00 of player-1.');
    await putBack.click();
    await expect(shell.notices).toContainText('Put back. player-1: 998.00 → 1000.00.');
    await expect(wallet.main).not.toContainText('left money moved');
    expect(restored).toMatchObject([{ runId: 'now' }, { runId: 'now' }]);
    workbench.instead({
      'runs.list': () => ({
        runs: [{ ...run('live', 'running'), planned: 114, totals: { ...noTotals, requests: 0 } }, run('now'), run('before')],
      }),
      'wallet.start': () => ({ runId: 'live', planned: 114, warnings: [], notes: [] }),
      'runs.cancel': () => ({ cancelled: true }),
    });
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    await expect(wallet.totals).toHaveText(/15 waiting for an answer\s*99 planned/);
    const progress = { runId: 'live', planned: 114, underWay: 1, waiting: 111, current: 'Bet/bet-02 A win' };
    const totals = { ...noTotals, requests: 1 };
    workbench.emit('runs.progressed', { ...progress, state: 'running', totals, finished: [finished(0, 'holds')] });
    await expect(wallet.main).toContainText('1 of 114 cases doneA win');
    await workbench.page.keyboard.press('Escape');
    await expect(wallet.main.getByRole('button', { name: /^Stopping/ })).toBeVisible();
    workbench.emit('runs.progressed', { ...progress, state: 'cancelled', totals, finished: [] });
    await expect(announced(workbench.page, /^Wallet test/)).toHaveText('Wallet test cancelled: 1 holds.');
    expect(found).toEqual([]);
  });
});

const noTotals = {
  passed: 0,
  failed: 0,
  errored: 0,
  skipped: 0,
  cancelled: 0,
  checks: 0,
  checksPassed: 0,
  checksFailed: 0,
  unchecked: 0,
  unrecorded: 0,
  withFindings: 0,
  unfinished: 0,
};

function finished(index: number, verdict: CaseOutcome['verdict']): Output<'runs.requests'>['requests'][number] {
  const id = `bet-0${index + 1}`;
  const step = { sent: '/bet 1.00', calls: [1], expected: 'the money moved once', came: '-2.00', passed: verdict === 'holds' };
  const left = index === 0 ? '-2.00' : '0.00';
  return {
    index,
    iteration: 1,
    row: null,
    request: {
      path: `Bet/${id} A bet`,
      operation: 'bet',
      state: verdict === 'fails' ? 'failed' : 'passed',
      reason: '',
      callId: 1,
      code: 0,
      status: 200,
      durationMs: 3,
      checks: [],
      unchecked: false,
      unrecorded: '',
      findings: [],
      case: {
        id,
        grade: 'required',
        section: 'Endpoints, 10',
        verdict,
        saw: verdict === 'holds' ? '' : 'The player paid twice',
        steps: [step],
        answer: null,
        moved: [{ playerId: 'player-1', before: '1000.00', after: '998.00', left }],
        timings: { bet: [3] },
      },
    },
  };
}
