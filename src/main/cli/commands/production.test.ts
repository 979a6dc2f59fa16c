import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createCli, createTerminalCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';

const env = { PROVIDER_KEY: 'a-test-key' };
let cli: Cli;
let terminal: Cli;
let server: TestServer;
let collection: string;
const received: string[] = [];

/** Two environments at one base URL: Live, which is production, and one that nobody marked and that has the identity of Live. */
beforeAll(async () => {
  cli = await createCli();
  terminal = await createTerminalCli(cli.home);
  server = await startHttpsServer(({ request }, response) => {
    received.push(request.url ?? '');
    response.end('{"code":0,"message":"ok","data":{"slots":[]}}');
  });
  const app = await createTestApp({ home: cli.home });
  const live = await app.environment(server, { name: 'Live', production: true, platform: 7, partnerId: 31 });
  await app.environment(server, { name: 'copy', platform: 7, partnerId: 31 });
  await app.environment(server, { name: 'stage', platform: 7, partnerId: 32 });
  await app.send(draftOf(live.id, { operation: 'bet', text: '{"amount":3,"currency":"EUR"}' }), true);
  await app.close();
  collection = join(cli.home, '..', 'collection');
  await mkdir(collection);
  const bet = 'operation: bet\ndata: |\n  {"amount": {{stake}}, "currency": "EUR"}\n';
  await writeFile(join(collection, 'a.yaml'), 'operation: gameList\n');
  await writeFile(join(collection, 'b.yaml'), bet);
  await writeFile(join(collection, 'c.yaml'), bet);
  await writeFile(join(collection, 'rows.csv'), 'stake\n0.15\n0.15\n');
});
afterAll(async () => {
  await server.close();
  await terminal.close();
  await cli.close();
});

const key = ['--key-env', 'PROVIDER_KEY'];
const bet = ['call', 'bet', '--data', '{"amount":1.25,"currency":"EUR"}', ...key];
const run = () => ['run', collection, '--data', join(collection, 'rows.csv'), ...key];

async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  received.length = 0;
  await work();
  return received.splice(0);
}

describe('an environment marked production', () => {
  it('is never the target by default, also where it is the only one', async () => {
    const alone = await createCli();
    const made = ['--base-url', server.baseUrl, '--platform=7', '--partner-id=31', '--production'];
    expect(await alone.run(['env', 'set', 'Live', ...made])).toMatchObject({ code: 0 });
    for (const args of [['call', 'gameList', ...key], [...bet, '--confirm-production'], run()]) {
      const sent = await sentBy(async () =>
        expect(await alone.run(args, { env: { ...env, CROUPIER_ENV: 'Live' } })).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringMatching(/Live is marked as production.*--env Live/),
        }),
      );
      expect(sent).toEqual([]);
    }
    await alone.close();
  });

  describe('without a terminal', () => {
    it('is read where it was typed, and gets what moves money only with --confirm-production', async () => {
      const read = await sentBy(async () =>
        expect(await cli.run(['call', 'gameList', '--env', 'Live', ...key], { env })).toMatchObject({ code: 0, err: '' }),
      );
      expect(read).toEqual(['/serviceApi.php']);
      const refused = await sentBy(async () =>
        expect(await cli.run([...bet, '--env', 'Live'], { env })).toMatchObject({
          code: 2,
          out: '',
          err: expect.stringMatching(/Send bet to Live\? It takes 1.25 EUR\. Nothing was sent\..*--confirm-production/),
        }),
      );
      expect(refused).toEqual([]);
      expect(await sentBy(() => cli.run([...bet, '--env', 'Live', '--confirm-production'], { env }))).toEqual(['/bet']);
    });

    it('repeats a call as the operation that it was', async () => {
      const repeat = ['history', 'repeat', '1'];
      const refused = await sentBy(async () => {
        expect(await cli.run([...repeat, '--env', 'Live'])).toMatchObject({
          code: 2,
          err: expect.stringContaining('It takes 3 EUR.'),
        });
      });
      expect(refused).toEqual([]);
      expect(await sentBy(() => cli.run([...repeat, '--env', 'Live', '--confirm-production']))).toEqual(['/bet']);
    });

    it('tests a wallet, and puts its money back, only with --confirm-production', async () => {
      const wallet = (...args: string[]) => cli.run(['wallet', ...args, '--token', 'a-token', ...key], { env });
      const test = ['test', '--env', 'Live', '--only', 'bet-01'];
      expect(await sentBy(() => wallet(...test, '--confirm-production'))).toEqual(['/playerInfo']);
      for (const [args, question] of [
        [test, 'Test the wallet of Live?'],
        [['restore', 'last'], 'Put money back at Live?'],
      ] as const) {
        const refused = await sentBy(async () =>
          expect(await wallet(...args)).toMatchObject({ code: 2, err: expect.stringContaining(question) }),
        );
        expect(refused).toEqual([]);
      }
    });

    it('runs with the number and the sum in the refusal, and with --confirm-production', async () => {
      const refused = await sentBy(async () =>
        expect(await cli.run([...run(), '--env', 'Live'], { env })).toMatchObject({
          code: 2,
          err: expect.stringContaining('4 of 6 requests grant free rounds or move money. 4 calls take 0.60 EUR.'),
        }),
      );
      expect(refused).toEqual([]);
      expect(await sentBy(() => cli.run([...run(), '--env', 'Live', '--confirm-production'], { env }))).toHaveLength(6);
    });
  });

  describe('on a terminal', () => {
    it('asks with the operation, the amount and the target, and sends nothing without a yes', async () => {
      const sent = await sentBy(async () => {
        const no = await terminal.run([...bet, '--env', 'Live'], { env, input: 'n\n' });
        expect(no.code).toBe(2);
        expect(no.out).toContain('It takes 1.25 EUR.');
        expect(no.out).toMatch(/Live: production, platform 7, partner 31, https:\/\/\S+\/bet/);
        expect(no.out).toContain('Send bet to Live? [y/N]');
        expect(no.out).toContain('Nothing was sent.');
      });
      expect(sent).toEqual([]);
      expect(await sentBy(() => terminal.run([...bet, '--env', 'Live'], { env, input: 'y\n' }))).toEqual(['/bet']);
      const read = ['call', 'gameList', '--env', 'Live', ...key];
      expect(await sentBy(() => terminal.run(read, { env, input: '\n' }))).toEqual([]);
    });

    it('asks once for a run', async () => {
      const sent = await sentBy(async () => {
        const { code, out } = await terminal.run([...run(), '--env', 'Live'], { env, input: 'y\n' });
        expect(code).toBe(0);
        expect(out.match(/\[y\/N\]/g)).toHaveLength(1);
        expect(out).toContain('4 calls take 0.60 EUR.');
      });
      expect(sent).toHaveLength(6);
    });
  });
});

describe('an environment that is not marked', () => {
  it('is noted where it has the identity of one that is, without a question', async () => {
    const note = 'croupier: copy: Same platform and partner as Live, which is production.';
    expect(await cli.run([...bet, '--env', 'copy'], { env })).toMatchObject({ err: expect.stringContaining(note) });
    expect(await cli.run([...run(), '--env', 'copy'], { env })).toMatchObject({ code: 0, err: expect.stringContaining(note) });
    expect((await cli.run([...bet, '--env', 'stage'], { env })).err).not.toContain('Live');
  });
});

describe('env set', () => {
  const settings = ['--base-url', 'https://n.example', '--platform=1', '--partner-id=2'];

  it('creates nothing of which nobody says whether it is production', async () => {
    const { code, err } = await cli.run(['env', 'set', 'new', ...settings]);
    expect(code).toBe(2);
    expect(err).toContain('--production or --no-production');
    expect((await cli.run(['env', 'list'])).out).not.toContain('new');
    // Only what is made is asked about.
    expect(await cli.run(['env', 'set', 'stage', '--lang', 'pl'])).toMatchObject({ code: 0 });
  });

  it('asks on a terminal, and takes neither answer for granted', async () => {
    expect(await terminal.run(['env', 'set', 'none', ...settings], { input: '\n' })).toMatchObject({ code: 2 });
    const yes = await terminal.run(['env', 'set', 'yes', ...settings], { input: 'y\n' });
    expect(yes.out).toContain('Is yes production, with real players and real money? [y/n]');
    await terminal.run(['env', 'set', 'no', ...settings], { input: 'n\n' });
    const listed = JSON.parse((await cli.run(['env', 'list', '--json'])).out) as {
      environments: { name: string; production: boolean }[];
    };
    const marked = Object.fromEntries(listed.environments.map(({ name, production }) => [name, production]));
    expect(marked).toMatchObject({ yes: true, no: false });
    expect(marked).not.toHaveProperty('none');
  });
});
