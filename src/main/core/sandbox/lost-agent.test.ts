import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAgentSecrets, forkAgent } from '#core/app.ts';
import type { AgentProcess } from '#core/keys/agent-messages.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';

let opened: TestApp | null = null;
afterEach(async () => opened?.close());

it('the built-in provider goes on after the process that holds the keys was lost, and the person is told once of the other keys', async () => {
  const agents: AgentProcess[] = [];
  const spawn = () => {
    const agent = forkAgent(join(import.meta.dirname, '../keys/agent.ts'));
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
