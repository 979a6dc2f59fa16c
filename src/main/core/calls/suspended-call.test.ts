import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import type { CrashDriverInput } from '#testing/crash-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { canSuspend, resumeAfter, suspend } from '#testing/suspension.ts';

const driver = fileURLToPath(new URL('../../../testing/crash-driver.ts', import.meta.url));
const movedClock = pathToFileURL(fileURLToPath(new URL('../../../testing/moved-clock.ts', import.meta.url))).href;
const accepted = '{"code":0,"message":"ok","data":[]}';
const hours = 8 * 3_600_000;

/** A program on a home of its own whose clock the test can move, about to send one call; `sent` gives the recorded call when it has ended. */
async function prepare(
  { onTestFinished }: TestContext,
  answer: (response: ServerResponse) => void,
  timeouts: { headers?: number } = {},
) {
  const server = await startHttpsServer((_, response) => answer(response));
  const home = await temporaryFolder();
  onTestFinished(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const setup = await createTestApp({ home });
  const all = { connect: 60_000, headers: 60_000, idle: 60_000, total: 60_000, ...timeouts };
  const { id } = await setup.environment(server, { timeouts: all });
  await setup.close();
  const clock = join(home, 'clock');
  const moveClock = (milliseconds: number) => writeFileSync(clock, String(milliseconds));
  moveClock(0);
  return {
    moveClock,
    start() {
      const input: CrashDriverInput = { home, environmentId: id, key: 'k', calls: 1, atOnce: 1 };
      return spawn(process.execPath, ['--import', movedClock, driver, JSON.stringify(input)], {
        env: { ...process.env, CROUPIER_TEST_CLOCK: clock },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    },
    async sent() {
      const looking = await createTestApp({ home });
      const { calls } = await looking.client.call('calls.list', {});
      expect(calls).toHaveLength(1);
      const call = await looking.client.call('calls.get', { id: calls[0]?.id ?? 0 });
      await looking.close();
      return call;
    },
  };
}

// These wait for programs, of which each has its own home.
describe.concurrent('a call', () => {
  describe.runIf(canSuspend)('of a program that was suspended for longer than a call may take', () => {
    it('records the response that had come as a response, without a duration and without a word on the clock', async (context) => {
      const arrived = Promise.withResolvers<ServerResponse>();
      const { start, sent } = await prepare(context, arrived.resolve, { headers: 1_500 });
      const child = start();
      const response = await arrived.promise;
      await suspend(child);
      response.end(accepted);
      await once(response, 'finish');
      await resumeAfter(child, 2_200);
      await once(child, 'exit');
      const call = await sent();
      expect(call).toMatchObject({ state: 'answered', status: 200, code: 0, failure: null });
      expect(call).toMatchObject({ durationMs: null, timings: null, clockOffsetMs: null });
      expect(call.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toContain('call.unseen note');
      expect(call.findings.map(({ rule }) => rule)).not.toContain('answer.clock');
    });
  });

  describe('on a clock that was set by eight hours', () => {
    it('before a call, which a sleep of the machine is to the clock that stands still, gives no false word on the server', async (context) => {
      const { moveClock, start, sent } = await prepare(context, (response) => {
        response.setHeader('date', new Date(Date.now() + hours).toUTCString());
        response.end(accepted);
      });
      moveClock(hours);
      await once(start(), 'exit');
      const { findings, clockOffsetMs, durationMs } = await sent();
      expect(findings.map(({ rule }) => rule)).not.toContain('answer.clock');
      expect(Math.abs(clockOffsetMs ?? Infinity)).toBeLessThan(5_000);
      expect(durationMs).toBeGreaterThan(0);
    });

    it.for([
      ['ahead', hours, { durationMs: null, timings: null, clockOffsetMs: null }, ['call.unseen']],
      ['back', -hours, { durationMs: expect.any(Number) as number, clockOffsetMs: null }, []],
    ] as const)('%s during a call leaves the clocks uncompared', async ([, by, facts, rules], context) => {
      const { moveClock, start, sent } = await prepare(context, (response) => {
        moveClock(by);
        response.end(accepted);
      });
      await once(start(), 'exit');
      const call = await sent();
      expect(call).toMatchObject({ state: 'answered', code: 0, ...facts });
      expect(call.findings.map(({ rule }) => rule).filter((rule) => /^(call|answer)\./.test(rule))).toEqual(rules);
    });
  });
});
