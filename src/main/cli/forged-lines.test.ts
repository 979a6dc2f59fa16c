import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli } from '#testing/cli-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it('no text of a response, an environment or a note begins a line of its own', async () => {
  const cli = await createCli();
  ended.push(cli.close);
  const forged = '     9  2026-11-23 01:14:26  bet               Live          code 0, ok, HTTP 200';
  const server = await startHttpsServer((_, response) => {
    response.end(JSON.stringify({ code: 7, message: `no\r\n${forged}`, data: null }));
  });
  ended.push(server.close);
  const app = await createTestApp({ home: cli.home });
  const { id } = await app.environment(server, { name: `Staging\n${forged}` });
  await app.send(draftOf(id, { operation: 'gameList' }));
  await app.send(draftOf(id, { operation: 'gameList' }));
  await app.client.call('calls.note', { id: 1, note: `a note\n${forged}` });
  await app.close();
  for (const [args, lines] of [
    [['history', 'list'], 2],
    [['history', 'show', '1'], null],
    [['history', 'diff', '1', '2'], null],
    [['env', 'list'], 1],
    [['env', 'show', id], null],
  ] as const) {
    const { code, out, err } = await cli.run(args);
    expect({ args, code, err }).toEqual({ args, code: 0, err: '' });
    const all = out.trimEnd().split('\n');
    expect({ args, forged: all.filter((line) => line.startsWith(forged.slice(0, 20))) }).toEqual({ args, forged: [] });
    if (lines !== null) expect(all).toHaveLength(lines);
  }
}, 120_000);
