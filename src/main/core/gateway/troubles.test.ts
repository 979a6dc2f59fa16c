import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestAppOptions } from '#testing/app.ts';
import { startConnectProxy } from '#testing/connect-proxy.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import type { Environment, GatewayStatus } from '#shared/ipc/index.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): unknown }>(one: T): T {
  opened.push(one);
  return one;
}

interface Passing extends TestApp {
  readonly status: () => Promise<GatewayStatus>;
  /** Sends a body as a backend does. Returns the status and the body of the response. */
  readonly ask: (body: string) => Promise<string>;
}

/** Starts a gateway to a provider that accepts everything, with a note as long as the request wants. */
async function start(more: (port: number) => Partial<Environment> = () => ({}), options: TestAppOptions = {}): Promise<Passing> {
  const far = keep(
    await startHttpsServer(({ body }, response) => {
      const { wants = 0 } = JSON.parse(body.toString()) as { wants?: number };
      response.end(`{"code":0,"note":"${'y'.repeat(wants)}"}`);
    }),
  );
  const test = keep(await createTestApp(options));
  const { client } = test;
  const environment = await test.environment({ ...far, ...more(far.port) }, more(far.port));
  const { baseUrl, caFile } = await client.call('gateway.start', { environmentId: environment.id, anyPartner: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(caFile) });
  keep({ close: () => agent.destroy() });
  const ask: Passing['ask'] = (body) =>
    new Promise((resolve, reject) => {
      const asked = request(`${baseUrl}/serviceApi.php`, { method: 'POST', agent }, (response) => {
        let text = `${response.statusCode} `;
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      });
      asked.on('error', reject).end(body);
    });
  const status = async () => (await client.call('gateway.status', {})) ?? Promise.reject(new Error('no gateway'));
  return { ...test, ask, status };
}

it('on a full disk everything passes, and what is missing is counted', async ({ skip }) => {
  const disk = mkdtempSync(join(tmpdir(), 'croupier-small-disk-'));
  keep({ close: () => rmSync(disk, { recursive: true }) });
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', disk]).status === 0;
  skip(!isMounted, 'only root may mount a small disk');
  keep({ close: () => spawnSync('umount', ['-l', disk]) });
  const { client, ask, status, faults } = await start(undefined, { home: disk });
  const send = async (times: number, size: number, wants = 0) => {
    for (let nth = 0; nth < times; nth += 1)
      expect(await ask(JSON.stringify({ wants, note: 'x'.repeat(size) }))).toBe(`200 {"code":0,"note":"${'y'.repeat(wants)}"}`);
  };
  const answered = async () =>
    (await client.call('calls.list', { limit: 100 })).calls.filter(({ state }) => state === 'answered').length;
  await send(5, 1_000);
  expect(await status()).toMatchObject({ missing: 0, missingWhy: null });
  const filler = join(disk, 'filler');
  const file = openSync(filler, 'a');
  expect(() => {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  }).toThrow('ENOSPC');
  closeSync(file);
  // The small ones find room in pages that the history has already.
  await send(10, 10);
  await send(20, 50_000);
  // Room for a request, and none for its response.
  truncateSync(filler, statSync(filler).size - 65_536);
  await send(3, 10, 500_000);
  const { missing, missingWhy } = await status();
  expect(missing).toBeGreaterThanOrEqual(23);
  expect(missing).toBe(38 - (await answered()));
  expect(missingWhy).toContain('disk is full');
  rmSync(filler);
  await send(5, 50_000);
  expect(await answered()).toBe(43 - missing);
  expect(await status()).toMatchObject({ missing });
  await client.call('gateway.stop', {});
  // Live, all are seen.
  expect(await client.call('gateway.log', {})).toMatchObject({ total: 43 });
  expect(faults).toEqual([]);
});

it('passes through the proxy of its environment', async () => {
  const proxy = keep(await startConnectProxy());
  const { ask, client } = await start(() => ({ proxy: proxy.address }));
  expect(await ask('{}')).toMatch(/^200/);
  expect(proxy.asked).toHaveLength(1);
  const { timings } = await client.call('calls.get', { id: 1 });
  expect(timings?.proxy?.address).toBe(proxy.address);
});

it('names the proxy that refuses', async () => {
  const proxy = keep(await startConnectProxy({ refuses: '403 Forbidden' }));
  const { ask, client } = await start(() => ({ proxy: proxy.address }));
  const { port } = new URL(proxy.address);
  expect(await ask('{}')).toMatch(new RegExp(`^502 Croupier gateway: .*localhost:${port}`));
  expect(await client.call('calls.get', { id: 1 })).toMatchObject({
    state: 'failed',
    failure: { kind: 'proxy', proxy: proxy.address },
  });
});
