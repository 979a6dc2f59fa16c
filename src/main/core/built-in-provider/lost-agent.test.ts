import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAgentSecrets, forkAgent } from '#core/app/app.ts';
import type { AgentProcess } from '#core/keys/agent-messages.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';

const agentPath = join(import.meta.dirname, '../keys/agent.ts');
let opened: TestApp | null = null;
afterEach(async () => opened?.close());

it('the built-in provider goes on after the process that holds the keys was lost, and the person is told once of the other keys', async () => {
  const agents: AgentProcess[] = [];
  const spawn = () => {
    const agent = forkAgent(agentPath);
    agents.push(agent);
    return agent;
  };
  // Transient: nothing goes to a keychain of the machine.
  const app = await createTestApp({ sandbox: { transient: true }, host: { secrets: createAgentSecrets({ spawn }) } });
  opened = app;
  const typed = await app.environment({ baseUrl: 'https://localhost:9' });
  const lost: unknown[] = [];
  app.client.on('keys.lost', (payload) => lost.push(payload));
  const send = async () => (await app.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }))).code;
  expect(await send()).toBe(0);
  for (let round = 0; round < 2; round++) {
    const ended = new Promise<void>((resolve) => agents.at(-1)?.onExit(resolve));
    agents.at(-1)?.kill();
    await ended;
    expect(await Promise.all([send(), send()])).toEqual([0, 0]);
  }
  expect(lost).toEqual([{ environmentIds: [typed.id] }]);
  const status = await app.client.call('keys.status', { environmentId: typed.id });
  expect(status).toMatchObject({ state: 'absent', message: expect.stringContaining('Enter it again') as string });
  expect(await app.client.call('keys.status', { environmentId: 'sandbox' })).toMatchObject({ state: 'present' });
  expect(app.faults).toEqual([]);
});

it('the built-in provider runs where the process for its key was gone at the start, and the next one gets the key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'croupier-agent-'));
  const ending = join(folder, 'ending.mjs');
  await writeFile(ending, 'process.exit();\n');
  const paths = [ending];
  const secrets = createAgentSecrets({ spawn: () => forkAgent(paths.shift() ?? agentPath) });
  const app = await createTestApp({ sandbox: { transient: true }, host: { secrets } });
  opened = app;
  expect(paths).toEqual([]);
  expect(await app.client.call('sandbox.status', {})).toMatchObject({ running: true, message: null });
  const call = await app.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
  expect(call.code).toBe(0);
  const status = await app.client.call('keys.status', { environmentId: 'sandbox' });
  expect(status).toMatchObject({ state: 'present', storage: 'session' });
  expect((await app.client.call('calls.get', { id: call.id })).request.keyFingerprint).toBe(status.fingerprint);
  expect(app.faults).toEqual([]);
  await rm(folder, { recursive: true });
});
