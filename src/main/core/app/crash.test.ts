import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import type { CrashDriverInput } from '#testing/crash-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import type { Received } from '#testing/https-server.ts';
import type { ServerResponse } from 'node:http';

const driver = fileURLToPath(new URL('../../../testing/crash-driver.ts', import.meta.url));
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function prepare(answer: (received: Received, response: ServerResponse) => void) {
  const server = await startHttpsServer(answer);
  const home = await temporaryFolder();
  opened.push({ close: async () => rmSync(home, { recursive: true, force: true }) }, server);
  const setup = await createTestApp({ home });
  const { id } = await setup.environment(server);
  await setup.close();
  return { home, environmentId: id };
}

interface Acknowledged {
  readonly id: number;
  readonly number: number;
  readonly state: string;
}

/** Starts the driver; `lines` grows with each call that it was given back. */
function run(input: CrashDriverInput): { child: ChildProcess; lines: Acknowledged[]; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [driver, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: Acknowledged[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.map((line) => JSON.parse(line) as Acknowledged));
  });
  return { child, lines, ended: once(child, 'close') };
}

const accepted = '{"code":0,"message":"ok","data":[]}';

describe('a kill between the record and the response', () => {
  it('leaves a row that says so, seen by whoever opens the home next, at once', async () => {
    const arrived = Promise.withResolvers<void>();
    const { home, environmentId } = await prepare(() => arrived.resolve());
    const { child, ended, lines } = run({ home, environmentId, key: 'k', calls: 1, atOnce: 1 });
    await arrived.promise;

    const looking = await createTestApp({ home });
    opened.push(looking);
    expect((await looking.client.call('calls.list', {})).calls).toMatchObject([{ state: 'pending', failure: null }]);
    child.kill('SIGKILL');
    await ended;
    expect(lines).toEqual([]);
    const { calls } = await looking.client.call('calls.list', {});
    expect(calls).toMatchObject([{ state: 'interrupted', failure: { kind: 'interrupted' }, status: null, code: null }]);
    const [call] = calls;
    const { request, response } = await looking.client.call('calls.get', { id: call?.id ?? 0 });
    expect(request.bodyText).toContain('"roundId":0');
    expect(response).toBeNull();
  });

  it('of an exact repeat leaves a row that says which call it repeats, and that call as it was', async () => {
    const arrived = Promise.withResolvers<void>();
    let answers = true;
    const { home, environmentId } = await prepare((_, response) => {
      if (answers) response.end(accepted);
      else arrived.resolve();
    });
    const first = run({ home, environmentId, key: 'k', calls: 1, atOnce: 1 });
    await first.ended;
    answers = false;
    const { child, ended, lines } = run({ home, environmentId, key: 'k', calls: 1, atOnce: 1, repeats: first.lines[0]?.id ?? 0 });
    await arrived.promise;
    child.kill('SIGKILL');
    await ended;
    expect(lines).toEqual([]);
    const looking = await createTestApp({ home });
    opened.push(looking);
    const { calls } = await looking.client.call('calls.list', {});
    expect(calls).toMatchObject([
      { state: 'interrupted', repeats: first.lines[0]?.id },
      { state: 'answered', repeats: null, code: 0 },
    ]);
    const [again, before] = await Promise.all(calls.map(({ id }) => looking.client.call('calls.get', { id })));
    expect(again?.request).toEqual(before?.request);
  });
});
