import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ProbeReport } from '#shared/ipc/index.ts';
import { createTestApp } from '#testing/app.ts';
import { createCli, createTerminalCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';

const env = { PROVIDER_KEY: 'a-test-key' };
const key = ['--key-env', 'PROVIDER_KEY'];
let cli: Cli;
let terminal: Cli;
let server: TestServer;
const received: string[] = [];

/** A provider that knows another platform and checks it first, so that a plan ends with its first call, before any pause. */
beforeAll(async () => {
  cli = await createCli();
  terminal = await createTerminalCli(cli.home);
  server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString());
    response.setHeader('content-type', 'application/json').end('{"code":9,"message":"platform not valid","data":null}');
  });
  const app = await createTestApp({ home: cli.home });
  await app.environment(server, { name: 'Stage', platform: 7, partnerId: 31 });
  await app.environment(server, {
    name: 'Live',
    production: true,
    platform: 8,
    partnerId: 32,
    answers: { 'checks.order': { value: 'hash', note: 'Asked by mail. Probed on 2020-01-01, call 3.' } },
  });
  await app.close();
});
afterEach(() => void received.splice(0));
afterAll(async () => {
  await server.close();
  await terminal.close();
  await cli.close();
});

const probe = (name: string, ...more: string[]) => ['doctor', '--probe', '--env', name, ...key, ...more];

describe('croupier doctor --probe', () => {
  it('shows the plan, then what the calls show, and ends with 1 if something is wrong', async () => {
    const { code, out, err } = await cli.run(probe('Stage'), { env });
    expect(code).toBe(1);
    expect(err).toMatch(/^Plan: up to \d+ read-only calls to Stage \(https:.*\), one per second\.\n {2}Does a wrong hash/);
    expect(err).not.toContain('another time zone');
    expect(err.indexOf('Plan: up to')).toBeLessThan(err.indexOf('call 1, code 9: Does a wrong hash get code 8? no.'));
    expect(out).toMatch(
      /^wrong {2}The provider rejects platform 7 or partnerId 31 with code 9 before it checks the hash\. .*\(call 1\)\n/,
    );
    expect(out).toMatch(/\nanswer {2}checks\.order: platform and partnerId before the hash: code 9 \(identity\)\n$/);
    expect(err).toContain('to record these answers in Stage, add --record');
    expect(received).toHaveLength(1);
    expect((await cli.run(['history', 'show', '1'])).out).toContain('"hash":"0000');
  });

  it('sends nothing to production without a terminal unless that is confirmed, and records what it found if asked to', async () => {
    const refused = await cli.run(probe('Live'), { env });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/Plan: up to .*Probe Live\? Croupier sends up to \d+ calls .*add --confirm-production\.\n$/s);
    expect(received).toEqual([]);
    const sent = await cli.run(probe('Live', '--confirm-production', '--record', '--moved-times', '--json'), { env });
    expect(sent.code).toBe(1);
    const report = JSON.parse(sent.out) as ProbeReport & { recorded: boolean };
    expect(report).toMatchObject({
      state: 'done',
      recorded: true,
      answers: [{ point: 'checks.order', value: 'identity', before: 'hash' }],
    });
    expect(sent.err).toContain('another time zone');
    expect(received).toHaveLength(1);
    const shown = JSON.parse((await cli.run(['env', 'show', 'Live', '--json'])).out) as {
      answers: Record<string, { value: string; note: string }>;
    };
    expect(shown.answers['checks.order']).toEqual({
      value: 'identity',
      note: expect.stringMatching(/^Asked by mail\. Probed on 2\d{3}-\d\d-\d\d, call \d+\.$/),
    });
  });

  it('asks once on a terminal, after the plan and before the first call', async () => {
    for (const [typed, code, calls] of [
      ['n\n', 2, 0],
      ['y\n', 1, 1],
    ] as const) {
      received.splice(0);
      const { code: ended, out } = await terminal.run(probe('Live'), { env, input: typed });
      expect([ended, received.length]).toEqual([code, calls]);
      expect(out.match(/\[y\/N\]/g)).toHaveLength(1);
      expect(out.indexOf('Plan: up to')).toBeLessThan(out.indexOf('Send these calls to Live (production) now?'));
    }
  });

  it('ends with 4 where the provider wants no more calls, and with 5 without a key', async () => {
    const busy = await startHttpsServer((_received, response) => {
      response.writeHead(429, { 'content-type': 'text/html' }).end('<p>slow down</p>');
    });
    const made = ['--base-url', busy.baseUrl, '--platform=1', '--partner-id=2', '--no-production'];
    await cli.run(['env', 'set', 'Busy', ...made], {});
    const app = await createTestApp({ home: cli.home });
    const { environments } = await app.client.call('environments.list', {});
    const found = environments.find(({ name }) => name === 'Busy');
    if (found !== undefined) await app.client.call('environments.save', { environment: { ...found, ca: busy.ca } });
    await app.close();
    const stopped = await cli.run(probe('Busy', '--record'), { env });
    expect(stopped).toMatchObject({ code: 4, out: expect.stringContaining('HTTP status 429') });
    expect(stopped.err).toContain('the probe did not finish, so nothing was recorded');
    expect(await cli.run(['doctor', '--probe', '--env', 'Busy'])).toMatchObject({ code: 5, out: '' });
    await busy.close();
  });

  it('needs to be told what to examine', async () => {
    expect(await cli.run(['doctor'])).toMatchObject({ code: 2, err: expect.stringContaining('--probe') });
  });
});
