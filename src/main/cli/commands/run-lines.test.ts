import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { noRequests } from '#shared/collections/run-totals.ts';
import { someReported } from '#testing/some-run.ts';
import { createTerminal } from '../../process/terminal.ts';
import { createSkipped, linesOf, progressText } from './run-lines.ts';

it('keeps each line on its line and names what would move the cursor, so that nothing of a response is lost', async () => {
  const request = someReported({
    path: 'a\nb',
    state: 'failed',
    callId: null,
    code: null,
    status: null,
    durationMs: null,
    reason: '1 of 1 check failed.',
    checks: [{ check: '/message is ok', passed: false, expected: 'ok', actual: 'x\r\n\u001b[2Jy\u0085', message: '' }],
    findings: [{ about: 'response', rule: 'type', severity: 'warning', path: '/\u0007', message: 'one\n\ntwo' }],
  });
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  for (const line of linesOf({ index: 0, iteration: 1, row: null, request }, false, new Set())) await terminal.line(line);
  expect(String(stdout.read()).split('\n')).toEqual([
    'failed     a[LF]b.yaml  1 of 1 check failed.',
    '           a[LF]b.yaml: /message is ok: expected ok, actual x[CR][LF][ESC][2Jy[NEL]. ',
    '           a[LF]b.yaml: response, warning at /[U+0007]: one[LF][LF]two',
    '',
  ]);
});

it('has one line of all requests that were not made for one reason, with the names of five', async () => {
  const skipped = createSkipped();
  for (let at = 1; at <= 500; at++) skipped.add('skipped', `bet ${at}`, 'Another request did not pass.');
  skipped.add('waiting', 'win', 'The run was cancelled.');
  expect(skipped.lines()).toEqual([
    ['skipped    bet 1, bet 2, bet 3, bet 4, bet 5 and 495 more  Another request did not pass.'],
    ['waiting    win  The run was cancelled.'],
  ]);
});

it('shows on a terminal how far a run is', () => {
  const totals = { ...noRequests(), requests: 1_200, failed: 2, errored: 1 };
  expect(progressText({ totals, planned: 4_000, current: 'wallet/Bet' })).toBe(
    '1,200 of 4,000 requests, 3 did not pass; now wallet/Bet',
  );
  expect(progressText({ totals: noRequests(), planned: 1, current: '' })).toBe('0 of 1 requests');
});
