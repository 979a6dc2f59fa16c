import { expect, test } from 'vitest';
import { caseRows, groupsOf, ticketText } from './case-rows.ts';
import type { ToldCase } from './told-case.ts';
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

function toldOf(path: string, state: 'failed' | 'skipped', outcome?: CaseOutcome): ToldCase {
  const nothing = { operation: null, callId: null, code: null, status: null, durationMs: null, checks: [], findings: [] };
  const more = outcome === undefined ? {} : { case: outcome };
  return {
    runId: 'r',
    startedAt: 0,
    request: { path, state, reason: 'The run was stopped', unchecked: false, unrecorded: '', ...nothing, ...more },
  };
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

test('rows are the planned cases with what was told of them, and cases that only a run knows', () => {
  const told = new Map([
    ['bet-01', toldOf('Bet/bet-01 A bet', 'failed', failed)],
    ['own-1', toldOf('Own cases/own-1 A bonus bet', 'skipped')],
  ]);
  const rows = caseRows([planned, { ...planned, id: 'bet-02' }], told, 'notRun');
  expect(rows.map(({ id, group, name, state, saw }) => [id, group, name, state, saw])).toEqual([
    ['bet-01', 'Bet', 'A bet', 'fails', 'no money moved.'],
    ['bet-02', 'Bet', 'A bet', 'notRun', ''],
    ['own-1', 'Own cases', 'A bonus bet', 'notRun', 'The run was stopped.'],
  ]);
  expect(groupsOf(rows).map(({ title, holds, rows: own, bad }) => [title, holds, own.length, bad])).toEqual([
    ['All cases', 0, 3, true],
    ['Bet', 0, 2, true],
    ['Own cases', 0, 1, false],
  ]);
});

test("a ticket has everything that the wallet's developer needs, in plain text", () => {
  const [row] = caseRows([planned], new Map([['bet-01', toldOf('Bet/bet-01 A bet', 'failed', failed)]]), 'notRun');
  const environment = { name: 'staging', baseUrl: 'https://a.example', walletUrl: '' } as Environment;
  expect(row === undefined ? '' : ticketText(row, environment, '12:00')).toBe(`Wallet case bet-01: A bet
fails, required, Endpoints, 10. staging, https://a.example, 12:00.

1. Sent: /bet 0.10
   Expected: accepted, the money moved
   Came: no money moved (not as expected)

Why a provider sends this: A round begins.
If this fails in production: Nobody can play.
`);
});
