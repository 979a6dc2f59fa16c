import { expect, test } from 'vitest';
import { caseRows, groupsOf, ticketText } from './case-rows.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { someReported, someRun } from '#testing/some-run.ts';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import type { Environment } from '#shared/ipc/index.ts';

const planned = {
  id: 'bet-01',
  group: 'bet',
  name: 'A bet',
  why: 'A round begins.',
  harm: 'Nobody can play.',
  cause: '',
  grade: 'required',
  section: 'Endpoints, 10',
  waits: null,
  point: null,
  risk: '0.10',
} as const;

function reported(path: string, state: 'failed' | 'skipped', outcome?: CaseOutcome): ReportedRequest {
  return someReported({ path, state, reason: 'The run was stopped', ...(outcome === undefined ? {} : { case: outcome }) });
}

const failed: CaseOutcome = {
  id: 'bet-01',
  grade: 'required',
  section: 'Endpoints, 10',
  verdict: 'fails',
  saw: 'no money moved',
  steps: [{ sent: '/bet 0.10', calls: [1], expected: 'accepted, the money moved', came: 'no money moved', passed: false }],
  answer: null,
  moved: [],
  timings: {},
};

test('rows are the planned cases with what was told of them last, and cases that only a run knows', () => {
  const own = reported('Own cases/own-1 A bonus bet', 'skipped');
  const told = new Map([
    ['whole', new Map([['bet-01', reported('Bet/bet-01 A bet', 'skipped')] as const, ['own-1', own] as const])],
    ['single', new Map([['bet-01', reported('Bet/bet-01 A bet', 'failed', failed)]])],
  ]);
  const shown = [someRun({ runId: 'single', path: 'bet-01' }), someRun({ runId: 'whole' })];
  const rows = caseRows([planned, { ...planned, id: 'bet-02' }], shown, told);
  expect(rows.map(({ id, group, name, state, saw }) => [id, group, name, state, saw])).toEqual([
    ['bet-01', 'bet', 'A bet', 'fails', 'no money moved.'],
    ['bet-02', 'bet', 'A bet', 'not run', ''],
    ['own-1', 'own', 'A bonus bet', 'not run', 'The run was stopped.'],
  ]);
  expect(groupsOf(rows).map(({ title, rows: listed, only }) => [title, listed.length, only])).toEqual([
    ['All cases', 3, []],
    ['Failures and warnings', 1, ['bet-01']],
    ['Bet', 2, ['bet']],
    ['Own cases', 1, ['own']],
  ]);
});

test("a ticket has everything that the wallet's developer needs, in plain text", () => {
  const told = new Map([['r', new Map([['bet-01', reported('Bet/bet-01 A bet', 'failed', failed)]])]]);
  const [row] = caseRows([planned], [someRun()], told);
  const environment = { name: 'staging', baseUrl: 'https://a.example', walletUrl: '' } as Environment;
  expect(row === undefined ? '' : ticketText(row, environment, '12:00')).toBe(`Wallet case bet-01: A bet
fails, required, Endpoints, 10. staging, https://a.example, 12:00.

1. Sent: /bet 0.10
   Expected: accepted, the money moved
   Came: no money moved (not as expected)

If this fails in production: Nobody can play.
Why a provider sends this: A round begins.
`);
});
