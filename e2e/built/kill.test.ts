import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { makeSurroundings, runCroupier, startCroupier, type Surroundings } from '../program.ts';

let surroundings: Surroundings;
let server: TestServer | null = null;
beforeEach(async () => {
  surroundings = await makeSurroundings();
});
afterEach(async () => {
  await server?.close();
  server = null;
  await surroundings.remove();
});

interface Listed {
  readonly calls: readonly { id: number; state: string; code: number | null }[];
  readonly total: number;
}

async function listed(): Promise<Listed> {
  const { code, stdout, stderr } = await runCroupier(surroundings, ['history', 'list', '--json', '--limit', '500']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Listed;
}

async function environment(name: string, { baseUrl, ca }: TestServer): Promise<void> {
  const set = ['env', 'set', name, '--base-url', baseUrl, '--platform', '1', '--partner-id', '2', '--no-production', '--ca', '-'];
  expect(await runCroupier(surroundings, set, { stdin: ca })).toMatchObject({ code: 0 });
}

const key = { env: { PROVIDER_KEY: 'a-test-key' } };

describe('a workbench that is killed', () => {
  it('between “recorded as pending” and the answer leaves a row that says so', async () => {
    let heard: (body: string) => void = () => undefined;
    const arrived = new Promise<string>((resolve) => (heard = resolve));
    server = await startHttpsServer(({ body }) => heard(body.toString('utf8')));
    await environment('slow', server);
    const calling = startCroupier(surroundings, ['call', 'getGameRound', '--env', 'slow', '--key-env', 'PROVIDER_KEY'], key);
    const sent = await arrived;
    // While it is under way, another program sees it as pending, not as lost.
    expect(await listed()).toMatchObject({ total: 1, calls: [{ id: 1, state: 'pending' }] });
    calling.kill('SIGKILL');
    expect(await calling.finished).toMatchObject({ signal: 'SIGKILL', stdout: '' });

    expect(await listed()).toMatchObject({ total: 1, calls: [{ id: 1, state: 'interrupted', code: null }] });
    const shown = await runCroupier(surroundings, ['history', 'show', '1', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      state: 'interrupted',
      request: { bodyText: sent },
      response: null,
      failure: { kind: 'interrupted' },
    });
    const words = await runCroupier(surroundings, ['history', 'show', '1']);
    expect(words.stdout).toMatch(/ended before the response/);
    expect(words.stdout).toContain(sent);
  });
});
