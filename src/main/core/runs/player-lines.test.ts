import { expect, it } from 'vitest';
import type { FoundCall } from '../history/find-calls.ts';
import { createNaming } from '../history/player-naming.ts';
import { lineNames } from './report-files.ts';

const call: FoundCall = {
  id: 7,
  sentAt: 1,
  environmentId: 'e',
  pinned: false,
  pending: false,
  run: 'run-1',
  byToken: false,
};
const naming = createNaming('player-1', [call]);
const nothing = { callId: 7 as number | null, checks: [] as object[], findings: [] as object[], reason: '', path: 'bet' };
const check = { check: '/balance', expected: '1', actual: '2', message: '' };

let reads = 0;
function names(request: Partial<typeof nothing>, runId = 'run-1', who = naming): boolean {
  const line = JSON.stringify({ request: { request: { ...nothing, ...request } } });
  return lineNames(who, runId, line, (text) => {
    reads += 1;
    return JSON.parse(text) as object;
  });
}

it('a line names the player in a field of the spec, whosever call it is of', () => {
  reads = 0;
  expect(names({ reason: '{"playerId":"player-1"}', callId: null })).toBe(true);
  expect(names({ reason: '{"playerId":"player-2"}' })).toBe(false);
  expect(reads).toBe(0);
});

it('a line names the player in a check of such a field, whosever call it is of', () => {
  for (const field of ['/playerId', '/data/playerIds', '$..playerId'])
    for (const part of ['expected', 'actual'])
      expect(names({ checks: [{ ...check, check: field, [part]: 'player-1' }], callId: null }), `${field} ${part}`).toBe(true);
  expect(names({ checks: [{ ...check, check: '$.playerIds[?@ == "player-1"]' }], callId: null })).toBe(true);
  expect(names({ checks: [{ ...check, check: '/playerId', expected: 'player-12' }], callId: null })).toBe(false);
  expect(names({ checks: [{ ...check, check: '/note', expected: 'player-1' }], callId: null })).toBe(false);
  expect(names({ checks: [{ ...check, check: '/myplayerId', expected: 'player-1' }], callId: null })).toBe(false);
});

it.each([
  { reason: 'of player-1.' },
  { path: 'for player-1' },
  { checks: [{ ...check, check: '/a/player-1' }] },
  { checks: [{ ...check, expected: 'player-1' }] },
  { checks: [{ ...check, actual: 'player-1' }] },
  { checks: [{ ...check, message: 'It was player-1.' }] },
  { findings: [{ message: 'player-1' }] },
])('a line of a call of the player names the player with the ID as a word: %j', (request) => {
  expect(names(request)).toBe(true);
  // In another run the number is another call's.
  expect(names(request, 'run-2')).toBe(false);
  expect(names({ ...request, callId: null })).toBe(false);
  expect(names({ ...request, callId: 8 })).toBe(false);
  expect(names(JSON.parse(JSON.stringify(request).replaceAll('player-1', 'player-12')) as object)).toBe(false);
});

it('finds an ID that JSON writes with a backslash', () => {
  const quoted = createNaming('a"b', [call]);
  expect(names({ reason: 'of a"b here' }, 'run-1', quoted)).toBe(true);
});

it('a line that cannot be read, or is of no request, names nobody', () => {
  expect(lineNames(naming, 'run-1', 'player-1', () => null)).toBe(false);
  expect(lineNames(naming, 'run-1', 'player-1', () => ({}))).toBe(false);
});

it('a line names the player in the call that it holds, also after the history has removed that call', () => {
  const holding = (more: object) =>
    names({
      callId: 99,
      call: { url: '', requestBody: '', hashInput: null, hash: null, responseBody: null, verdict: '', ...more },
    } as object);
  expect(holding({ requestBody: '{"data":"{\\"playerId\\":\\"player-1\\"}"}' })).toBe(true);
  expect(holding({ responseBody: '{"playerId":"player-1"}' })).toBe(true);
  expect(holding({ responseBody: '{"note":"player-1"}' })).toBe(false);
});
