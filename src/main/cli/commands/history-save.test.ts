import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
let directory: string;
beforeAll(async () => {
  cli = await createCli();
  directory = join(cli.home, '..', 'requests');
  await cli.run(['call', 'gameList', '--env', 'sandbox', '--set', 'currency=JPY']);
  await cli.run(['call', 'getGameRound', '--env', 'sandbox', '--data', '{ "roundId": 9007199254740993, "logMonth": 0 }']);
  await cli.run(['call', 'gameList', '--env', 'sandbox', '--data', '{"currency": "EUR", "password": "Zk83hd93jd93kd0"}']);
});
afterAll(() => cli.close());

const save = (...args: string[]) => cli.run(['history', 'save', ...args, '--into', directory]);

it('writes the request of a call as it was typed, into a collection that need not be there, which a run sends', async () => {
  expect(await save('2', '--name', 'Round')).toMatchObject({ code: 0, out: 'Round.yaml: saved from call 2\n' });
  expect(await readFile(join(directory, 'Round.yaml'), 'utf8')).toContain('{ "roundId": 9007199254740993, "logMonth": 0 }');
  const named = await save('1', '--json');
  expect(JSON.parse(named.out)).toEqual({ path: expect.stringMatching(/^gameList.*\.yaml$/) as string, callId: 1 });
  const { code, out } = await cli.run(['run', join(directory, 'Round.yaml'), '--env', 'sandbox']);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 request: 1 passed') as string });
});

it('keeps a file that is there: a given name is refused, and one of its own gets a number', async () => {
  await save('2', '--name', 'Taken');
  const before = await readFile(join(directory, 'Taken.yaml'), 'utf8');
  expect(await save('1', '--name', 'Taken')).toMatchObject({ code: 2, out: '' });
  expect(await readFile(join(directory, 'Taken.yaml'), 'utf8')).toBe(before);
  const names = await Promise.all(
    [(await save('1', '--json')).out, (await save('1', '--json')).out].map(
      async (out) => (JSON.parse(out) as { path: string }).path,
    ),
  );
  expect(new Set(names).size).toBe(2);
});

it('writes a value that looks like a secret only with --keep-secret', async () => {
  const refused = await save('3', '--name', 'Info');
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('add --keep-secret password.') as string });
  expect(await readdir(directory)).not.toContain('Info.yaml');
  expect(await save('3', '--name', 'Info', '--keep-secret', 'password')).toMatchObject({ code: 0 });
  expect(await readFile(join(directory, 'Info.yaml'), 'utf8')).toContain('Zk83hd93jd93kd0');
});

it.each([
  [['99'], 'call 99'],
  [['x'], 'a whole number'],
  [['1', '--name', 'a/b'], 'cannot hold /'],
])('refuses %j', async (args, why) => {
  expect(await save(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(why) as string });
});
