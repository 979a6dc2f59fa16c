import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli, createTerminalCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
let terminal: Cli;
beforeAll(async () => {
  cli = await createCli();
  terminal = await createTerminalCli(cli.home);
  const app = await createTestApp({ home: cli.home, sandbox: true });
  for (const playerId of ['zqxw-1', 'zqxw-12', 'vvkk-3']) {
    await app.send(draftOf('sandbox', { operation: 'bet', text: JSON.stringify({ playerId, amount: 1 }) }));
  }
  await app.close();
});
afterAll(async () => {
  await terminal.close();
  await cli.close();
});

const holding = (text: string) =>
  readdirSync(cli.home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(cli.home, name)).isFile() && readFileSync(join(cli.home, name)).includes(text),
  );
const calls = async () => (JSON.parse((await cli.run(['history', 'list', '--json'])).out) as { total: number }).total;

it('needs a player, and a yes where nobody can be asked', async () => {
  expect(await cli.run(['history', 'forget'])).toMatchObject({ code: 2, err: expect.stringContaining('--player ID') });
  expect(await cli.run(['history', 'forget', '--player', 'zqxw-1'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/Nothing was removed\. These mention "zqxw-1": 1 call\. .*--yes/),
  });
  const { code, out } = await cli.run(['history', 'forget', '--player', 'zqxw-1', '--dry-run']);
  expect({ code, lines: out.split('\n').slice(0, 4) }).toEqual({
    code: 0,
    lines: ['Found for the player "zqxw-1":', '  1 call', 'Not removed:', '  Git keeps earlier versions of collection files.'],
  });
  expect(await calls()).toBe(3);
});

it('asks on a terminal, and removes with a yes', async () => {
  const forget = ['history', 'forget', '--player', 'vvkk-3'];
  expect(await terminal.run(forget, { input: 'n\n' })).toMatchObject({
    code: 2,
    out: expect.stringContaining('Nothing was removed.'),
  });
  expect(await calls()).toBe(3);
  const { code, out } = await terminal.run(forget, { input: 'y\n' });
  expect(code).toBe(0);
  expect(out).toContain('This can\'t be undone. Forget the player "vvkk-3"?');
  expect(out).toContain('Removed for the player "vvkk-3":');
  expect(holding('vvkk')).toEqual([]);
  expect(await calls()).toBe(2);
});

it('says what can still be read, and ends with 70, while another program reads the history', async () => {
  const reader = new DatabaseSync(join(cli.home, 'history.sqlite'));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM calls').get();
  const blocked = await cli.run(['history', 'forget', '--player', 'zqxw-12', '--yes', '--json']);
  expect(blocked).toMatchObject({ code: 70, err: expect.stringMatching(/can still be read in .*history\.sqlite-wal/) });
  expect(JSON.parse(blocked.out)).toMatchObject({ calls: 1, dryRun: false, remains: expect.stringContaining('-wal') });
  reader.exec('COMMIT');
  reader.close();
  expect(await cli.run(['history', 'forget', '--player', 'zqxw-12', '--yes'])).toMatchObject({ code: 0 });
  expect(holding('zqxw-12')).toEqual([]);
  expect(await calls()).toBe(1);
});

it('cleans the files of what sessions deleted that have ended, and of old notes', async () => {
  const app = await createTestApp({ home: cli.home, sandbox: true });
  const { id } = await app.send(draftOf('sandbox', { operation: 'bet', text: '{"playerId":"yyhh-9","amount":1}' }));
  await app.client.call('calls.note', { id, note: 'jjqq first' });
  await app.client.call('calls.note', { id, note: 'second' });
  await app.client.call('calls.delete', { ids: [id] });
  const held = await cli.run(['history', 'clean', '--json']);
  expect(held).toMatchObject({
    code: 70,
    err: expect.stringContaining('1 deleted call can be restored until the session that deleted it ends.'),
  });
  expect(holding('yyhh-9')).not.toEqual([]);
  await app.close();
  expect(await cli.run(['history', 'clean'])).toMatchObject({
    code: 0,
    out: 'The history files contain no deleted data.\n',
    err: '',
  });
  for (const text of ['yyhh-9', 'jjqq']) expect(holding(text)).toEqual([]);
});
