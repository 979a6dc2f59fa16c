import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations, templateText } from '#shared/provider/index.ts';
import { createTestApp } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';

let cli: Cli;
let directory: string;
beforeAll(async () => {
  cli = await createCli();
  directory = join(cli.home, '..', 'requests');
  await cli.run(['call', 'gameList', '--env', 'sandbox', '--set', 'currency=JPY']);
  await cli.run(['call', 'getGameRound', '--env', 'sandbox', '--data', '{ "roundId": 9007199254740993, "logMonth": 0 }']);
  await cli.run(['call', 'gameList', '--env', 'sandbox', '--data', '{"currency": "EUR", "password": "Zk83hd93jd93kd0"}']);
  await cli.run(['call', 'bet', '--env', 'sandbox']);
});
afterAll(() => cli.close());

const save = (...args: string[]) => cli.run(['history', 'save', ...args, '--into', directory]);

it('writes the request of a call as it was typed, into a collection that need not be there, which a run sends', async () => {
  expect(await save('2', '--name', 'Round')).toMatchObject({ code: 0, out: 'Round.yaml: saved from call 2\n' });
  expect(await readFile(join(directory, 'Round.yaml'), 'utf8')).toContain('{ "roundId": 9007199254740993, "logMonth": 0 }');
  const named = await save('1', '--json');
  expect(JSON.parse(named.out)).toEqual({ path: expect.stringMatching(/^gameList.*\.yaml$/) as string, callId: 1, standIns: [] });
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

const fresh = ['externalToken', 'token', 'transactionId', 'externalReferenceId', 'externalReferenceIds'];

it('saves each operation with a token or a new ID so that it passes in a fresh home', async () => {
  const app = await createTestApp({ sandbox: true });
  const [into, other] = [join(app.home, '..', 'saved'), await createCli()];
  try {
    const { client } = app;
    const { environments } = await client.call('environments.list', {});
    const environment = environments.find((one) => one.id === 'sandbox');
    if (environment === undefined) throw new Error('There is no built-in provider.');
    const { samples } = await client.call('sandbox.status', {});
    const { id } = await client.call('collections.open', { directory: into, create: true });
    const names: string[] = [];
    for (const operation of operations) {
      for (const form of operation.forms) {
        if (operation.name === 'cancel' || !form.fields.some(({ name }) => fresh.includes(name))) continue;
        const text = templateText(operation, form.id, environment.defaults, { now: Date.now(), samples })
          .replace('"gameMode": "fun"', '"gameMode": "real"')
          .replace('"externalToken": ""', `"externalToken": ${samples['playerInfo']?.['externalToken']}`);
        // The token is gone after generateNewToken, in both homes.
        const name = `${operation.name === 'generateNewToken' ? 'z' : 'a'} ${operation.name} ${form.id}`;
        const sent = await app.send({ operation: operation.name, form: form.id, text, environmentId: 'sandbox', overrides: {} });
        const { draft } = await client.call('calls.get', { id: sent.id });
        const { request, path } = await client.call('collections.create', {
          id,
          folder: '',
          name,
          request: {
            operation: operation.name,
            form: draft.form,
            data: draft.text,
            expect: [operation.endpoint === 'wallet' ? { status: '200' } : { code: '0' }],
          },
        });
        const members = Object.entries(JSON.parse(request.data) as object).filter(([field]) => fresh.includes(field));
        expect([name, members.flatMap(([, value]: [string, unknown]) => value)]).toEqual([
          name,
          members.flatMap(([, value]: [string, unknown]) =>
            (Array.isArray(value) ? value : [value]).map(() => expect.stringMatching(/^\{\{/) as string),
          ),
        ]);
        names.push(path);
      }
    }
    const { code, out } = await other.run(['run', into, '--env', 'sandbox']);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining(`${names.length} requests: ${names.length} passed`) as string,
    });
    expect(names.length).toBeGreaterThan(9);
  } finally {
    await other.close();
    await app.close();
    await rm(into, { recursive: true, force: true });
  }
});

it('says what stands in the file in place of values', async () => {
  const { out, err } = await save('4', '--name', 'Bet', '--json');
  expect(JSON.parse(out)).toMatchObject({ standIns: [{ name: 'externalToken' }, { name: 'transactionId' }] });
  expect(err).toBe(
    'externalToken is saved as {{externalToken}} and transactionId as {{$uniqueId}}. The built-in provider supplies {{externalToken}}. For other providers, run the request with --var-env externalToken=VAR.\n',
  );
  const kept = await save('4', '--name', 'Kept', '--keep-secret', 'externalToken');
  expect(kept.err).toBe('transactionId is saved as {{$uniqueId}}.\n');
});

it.each([
  [['99'], 'call 99'],
  [['x'], 'a whole number'],
  [['1', '--name', 'a/b'], "can't contain /"],
])('refuses %j', async (args, why) => {
  expect(await save(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(why) as string });
});
