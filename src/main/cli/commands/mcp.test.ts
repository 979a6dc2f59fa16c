import { once } from 'node:events';
import Ajv from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { canariesIn } from '#testing/canaries.ts';
import { linesFrom } from '#testing/cli-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { attackMcp, mcpGround, openMcp, usualArguments, type McpSession } from '#testing/mcp-rounds.ts';
import { chooseSeed } from '#testing/seeded-random.ts';
import { createTerminal } from '../../process/terminal.ts';
import { guardedClient, tools, useTool } from '../mcp-tools.ts';
import { report } from '../program.ts';

let ground: Awaited<ReturnType<typeof mcpGround>>;
let session: McpSession;
beforeAll(async () => {
  ground = await mcpGround();
  session = await ground.open(['--allow-send']);
});
afterAll(async () => {
  await session.close();
  await ground.close();
});

const parsed = (text = '') => JSON.parse(text) as Record<string, unknown>;

describe('croupier mcp', () => {
  it('lists each tool with a schema, and the one that sends only if it may', async () => {
    const { tools: all } = await session.client.listTools();
    expect(all.map(({ name }) => name)).toEqual(Object.keys(tools));
    for (const { name, inputSchema, annotations } of all) {
      expect(() => new Ajv().compile(inputSchema), name).not.toThrow();
      for (const [field, { description }] of Object.entries(inputSchema.properties as Record<string, { description: string }>))
        expect(description, `${name} ${field}`).not.toBe('');
      expect(annotations?.readOnlyHint, name).toBe(!['run_collection', 'send_call'].includes(name));
    }
    const reading = await openMcp(ground.cli, { modern: true });
    expect((await reading.client.listTools()).tools.map(({ name }) => name)).toEqual(
      Object.keys(tools).filter((name) => name !== 'send_call'),
    );
    await expect(reading.use('send_call', { operation: 'gameList', env: 'mine' })).rejects.toThrow('not found');
    await reading.close();
    expect(reading.strange).toEqual([]);
  });

  it('does the usual work of every tool, with no key and no token in any result', async () => {
    const usual = usualArguments(ground.collection);
    expect(Object.keys(usual)).toEqual(Object.keys(tools));
    for (const [name, values] of Object.entries(usual)) {
      const { texts, failed } = await session.use(name, values);
      expect({ name, failed, texts: failed ? texts : [] }).toEqual({ name, failed: false, texts: [] });
      expect(canariesIn(texts.join('\n')), name).toEqual([]);
    }
    expect(canariesIn(session.notes())).toEqual([]);
    const [, show = ''] = (await session.use('history_show', { id: 1 })).texts;
    expect(show).toContain('[token]');
    const [, ran] = (await session.use('run_collection', { path: ground.collection })).texts;
    expect(parsed(ran)).toMatchObject({
      run: { totals: { requests: 2, passed: 1, failed: 1 } },
      notPassed: [{ path: 'fails', state: 'failed' }],
    });
    const [, log] = (await session.use('provider_log', { limit: 1 })).texts;
    expect(parsed(log)).toMatchObject({ entries: [{ action: 'gameList', verdict: { code: 0 } }] });
  });

  it('hashes as the command does', async () => {
    const time = '20-11-2026 10:15:30';
    const data = '{"a": "é/b"}';
    const [result] = (await session.use('hash', { env: 'mine', time, data })).texts;
    const { out } = await ground.cli.run(['hash', '--key-env', 'KEY', '--time', time, '--data', data, '--json'], {
      env: ground.env,
    });
    expect(parsed(result)).toEqual(parsed(out));
  });

  it('never sends to production, and says so', async () => {
    for (const operation of ['gameList', 'bet', 'playerInfo']) {
      const { texts, failed } = await session.use('send_call', { operation, env: 'live' });
      expect({ failed, said: texts.join() }).toEqual({ failed: true, said: expect.stringContaining('never sends there') });
    }
    expect(ground.live()).toBe(0);
  });

  it('starts one built-in provider for tools that are used at once', async () => {
    const fresh = await openMcp(ground.cli);
    const run = { path: ground.collection };
    const uses = ['hash', 'run_collection', 'run_collection'].map((name) =>
      fresh.use(name, name === 'hash' ? { env: 'sandbox', time: 'x' } : run),
    );
    for (const { texts, failed } of await Promise.all(uses)) expect(failed, texts.join('\n')).toBe(false);
    const [, log] = (await fresh.use('provider_log')).texts;
    expect(parsed(log)).toMatchObject({ total: 4 });
    await fresh.close();
  });

  it('returns a long result in parts, and says what is left out', async () => {
    const whole: string[] = [];
    for (let from = 0; ;) {
      const { texts } = await session.use('history_show', { id: 3, from });
      whole.push(texts[1] ?? '');
      const next = /use from: (\d+)/.exec(texts.at(-1) ?? '')?.[1];
      if (next === undefined) break;
      from = Number(next);
    }
    expect(whole.length).toBeGreaterThan(1);
    expect(parsed(whole.join(''))).toMatchObject({ id: 3, operation: 'getGameRound' });
  });

  it('ends a search that its client cancels, and goes on', async () => {
    const stop = new AbortController();
    const search = session.use('doctor', { ...usualArguments('')['doctor'], deep: true }, stop.signal);
    stop.abort('enough');
    await expect(search).rejects.toThrow();
    expect((await session.use('environments')).failed).toBe(false);
    expect(session.strange).toEqual([]);
  });

  it('prints only messages of the protocol, and ends with its input', async () => {
    const child = ground.cli.start(['mcp'], { env: { CROUPIER_DEBUG: '1' } });
    const lines = linesFrom(child);
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    child.stdin.write('not JSON\n');
    say({ id: 1, method: 'initialize', params: hello });
    await lines.next((line) => line.includes('"id":1'));
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'hash', arguments: { env: 'sandbox', time: 'x' } } });
    say({ id: 3, method: 'tools/call', params: { name: 'operations', arguments: 'x' } });
    await lines.next((line) => line.includes('"id":2'));
    await lines.next((line) => line.includes('"id":3'));
    for (const line of lines.lines) expect(parsed(line)).toMatchObject({ jsonrpc: '2.0' });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('survives hostile arguments, and gives nothing away', { timeout: 120_000 }, async () => {
    const { faults, tried, answered, refused } = await attackMcp(ground, session, 100, chooseSeed());
    expect(faults).toEqual([]);
    expect({ tried, all: answered + refused }).toEqual({ tried: 100, all: 100 });
    expect(answered).toBeGreaterThan(10);
  });
});

describe('a tool', () => {
  it('refuses a text that holds a private key, as an export does', async () => {
    const test = await createTestApp();
    const server = await startHttpsServer((_, response) => void response.end('{"code":0,"message":"this-was-no-key-then"}'));
    try {
      const { id } = await test.environment(server, {}, 'another-key-of-this-test');
      const call = await test.send(draftOf(id, { operation: 'gameList', text: '{"currency": "EUR"}' }));
      const context = {
        terminal: createTerminal(process),
        programs: {} as never,
        stop: new AbortController().signal,
        takeUncaught: () => undefined,
        report,
        workbench: { app: test.app, client: guardedClient(test.client, { send: false }) },
      };
      const show = tools['history_show'];
      if (show === undefined) throw new Error('There is no such tool.');
      expect((await useTool(show, { id: call.id }, context)).isError).toBeUndefined();
      await test.app.useKey(id, 'this-was-no-key-then');
      const refused = await useTool(show, { id: call.id }, context);
      expect(refused.isError).toBe(true);
      expect(JSON.stringify(refused)).toContain('private key was sent or received');
      expect(JSON.stringify(refused)).not.toContain('this-was-no-key-then');
    } finally {
      await server.close();
      await test.close();
    }
  });

  it('never signs for production: with the hash, an agent could send by itself', async () => {
    const test = await createTestApp();
    try {
      const client = guardedClient(test.client, { send: true });
      const { id: environmentId } = await test.environment({ baseUrl: 'https://a.example' }, { production: true });
      const [time, data] = ['20-11-2026 10:15:30', '{"a":1}'];
      await expect(client.call('keys.digest', { environmentId, time, data })).rejects.toThrow('never signs for it');
      const { digest } = await test.client.call('keys.digest', { environmentId, time, data });
      const request = { action: '', platform: '', partnerId: '', time, dataText: data, hash: '0'.repeat(64) };
      const report = await client.call('doctor.search', { environmentId, ticket: 'x', request });
      expect(report).toMatchObject({ verdict: 'none', expected: { data, hash: '[left out: production]' } });
      expect(JSON.stringify(report)).not.toContain(digest);
    } finally {
      await test.close();
    }
  });

  it('can make no call of the contract that writes', async () => {
    const test = await createTestApp({ sandbox: true });
    try {
      const client = guardedClient(test.client, { send: false });
      const { id } = await test.environment({ baseUrl: 'https://a.example' });
      await expect(client.call('calls.delete', { ids: [1] })).rejects.toThrow('never uses calls.delete');
      await expect(client.call('settings.write', { name: 'tester', value: 'x' })).rejects.toThrow('never uses');
      const draft = draftOf(id, { operation: 'gameList', text: '{}' });
      await expect(client.call('calls.send', { draft, ticket: 'x' })).rejects.toThrow('never uses calls.send');
      await expect(client.call('runs.start', { directory: '/', path: '', environmentId: id })).rejects.toThrow('only against');
    } finally {
      await test.close();
    }
  });
});
