import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, allOpenPoints } from '#shared/provider/index.ts';
import { createCli, newEnvironment, type Cli } from '#testing/cli-driver.ts';
import { commands } from './commands.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
});
afterAll(() => cli.close());

describe('the command line', () => {
  it('lists its commands, and says what each takes', { timeout: 60_000 }, async () => {
    const { code, out, err } = await cli.run([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of commands) {
      expect(out).toContain(`  ${name} `);
      const help = await cli.run([...name.split(' '), '--help']);
      expect(help, name).toMatchObject({ code: 0, err: '' });
      expect(help.out).toContain(`Usage: croupier ${name}`);
    }
    expect((await cli.run(['help', 'call'])).out).toContain('Usage: croupier call OPERATION');
    expect((await cli.run(['env', '--help'])).out).toContain('env remove');
    expect((await cli.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  it.each([
    [['cal'], 'Did you mean call?'],
    [['env', 'lst'], 'Did you mean env list?'],
    [['key', 'a-secret-typed-here'], '"key" has no subcommand of that name'],
    [['env'], 'Name the command'],
    [['--flag'], 'There is no command'],
    [['env', 'show'], 'NAME is missing'],
    [['history', 'show', 'one'], 'a whole number'],
    [['history', 'show', '0'], 'a whole number'],
    [['history', 'list', '--limit', '0'], 'a whole number'],
    [['history', 'export'], 'Name calls by their IDs'],
    [['history', 'export', '1', 'two', '--as', 'har'], 'a whole number'],
    [['history', 'export', '1'], '--as'],
    [['history', 'export', '1', '--as', 'crl'], 'Did you mean curl?'],
    [['history', 'export', '1', '--as', 'support'], '--out'],
    [['history', 'export', '1', '--as', 'php', '--key-variable', 'a-secret-typed-here'], 'capital letters'],
    [['history', 'export', '1', '--as', 'har'], 'call 1'],
    [['serve', '--port', '99999'], '--port must be'],
    [['sandbox', '--mode', 'loose'], '--mode must be'],
    [['sandbox', '--time-order', 'mdy'], '--time-order must be'],
    [['sandbox', '--mode', 'received', '--decode', 'arrays'], '--decode needs --mode reencode'],
    [['sandbox', '--time-zone', 'Asia/Tokyo'], '--time-zone needs --time-tolerance'],
    [['sandbox', '--time-zone', 'Mars', '--time-tolerance', '5'], '--time-zone must be'],
    [['sandbox', '--time-tolerance', '1.5'], 'a whole number of seconds'],
    [['sandbox', '--platform', '1.5'], 'a whole number'],
    [['key', 'set', 'sandbox', 'a-secret-typed-here'], 'Too many arguments: leave out 1.'],
    [['env', 'set', 'x', '--base-url', 'https://x.example'], 'add --platform, --partner-id, --production or --no-production'],
    [
      ['env', 'set', 'x', '--base-url', 'https://x.example', '--platform', '1', '--partner-id', '2'],
      '--production or --no-production',
    ],
    [['env', 'set', 'x', '--platform', 'one'], 'a whole number'],
    [['env', 'set', 'x', '--answer', 'nothing'], 'POINT=TEXT'],
    [['env', 'set', 'x', '--answer', 'time.ordr=dmy'], 'Did you mean time.order?'],
    [['env', 'set', 'x', '--production', '--no-production'], 'Use --production or --no-production, not both'],
    [newEnvironment('x', 'http://x.example'), 'https'],
    [newEnvironment('x', 'https://x.example', '--time-zone', 'Mars'), 'Mars'],
  ])('refuses %j with 2', async (args, says) => {
    const { code, out, err } = await cli.run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
    expect(err).not.toContain('a-secret-typed-here');
    expect(err).not.toMatch(/^ {4}at /m);
  });

  it('shows a stack only where CROUPIER_DEBUG asks for one', async () => {
    const { err } = await cli.run(['env', 'show', 'nobody'], { env: { CROUPIER_DEBUG: '1' } });
    expect(err).toMatch(/^ {4}at /m);
  });
});

describe('operations', () => {
  it('prints every operation with its fields and open points, as text and as JSON, and opens no home', async () => {
    const own = await createCli();
    try {
      const list = (await own.run(['operations'])).out.trimEnd().split('\n');
      expect(list.map((line) => line.split(' ')[0])).toEqual(operations.map(({ name }) => name));
      const text = await own.run(['operations', '--verbose']);
      const { out } = await own.run(['operations', '--json']);
      const document = JSON.parse(out) as {
        operations: { name: string; forms: { fields: { name: string; standing: string }[] }[]; gaps: { id: string }[] }[];
      };
      expect(document.operations.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
      expect(new Set(document.operations.flatMap(({ gaps }) => gaps.map(({ id }) => id)))).toEqual(
        new Set(allOpenPoints.filter((point) => point.operations.length > 0).map(({ id }) => id)),
      );
      for (const { name, forms } of document.operations) {
        expect(text.out).toContain(name);
        for (const field of forms.flatMap(({ fields }) => fields)) expect(text.out).toContain(field.name);
      }
      expect((await own.run(['operations', 'bet'])).out).toMatch(/^bet /);
      const standings = document.operations.flatMap(({ forms }) =>
        forms.flatMap(({ fields }) => fields.map((field) => field.standing)),
      );
      expect(new Set(standings)).toEqual(new Set(['required', 'required in real mode', 'not stated']));
      for (const said of [
        'Rule: Request the launcher URL before each launch',
        'string, real or fun, required.',
        ', since 1.1.0):',
        'Not in the spec: request (cancel.request)',
      ]) {
        expect(text.out).toContain(said);
      }
      expect(JSON.parse((await own.run(['operations', '--as', 'openapi'])).out)).toMatchObject({ openapi: '3.1.1' });
      expect(JSON.parse((await own.run(['operations', '--as', 'json-schema'])).out)).toMatchObject({
        $defs: { BetRequest: { type: 'object' } },
      });
      expect(await own.run(['operations', 'bet', '--as', 'openapi'])).toMatchObject({ code: 2, out: '' });
      expect(await own.run(['operations', '--as', 'raml'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('There is no format "raml". Available: openapi, json-schema.') as string,
      });
      await expect(readdir(own.home)).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      await own.close();
    }
  });
});

describe('env', () => {
  it('creates, shows, changes, lists and removes an environment', { timeout: 60_000 }, async () => {
    const created = await cli.run([
      'env',
      'set',
      'Stage Ünö',
      '--base-url',
      'https://stage.example/',
      '--platform',
      '3',
      '--partner-id',
      '-4',
      '--currency',
      'PLN',
      '--time-zone',
      'Europe/Warsaw',
      '--serialization',
      'php-unicode',
      '--production',
      '--json',
    ]);
    expect(created).toMatchObject({ code: 0, err: '' });
    const environment = JSON.parse(created.out) as { id: string };
    expect(environment).toMatchObject({
      name: 'Stage Ünö',
      baseUrl: 'https://stage.example',
      platform: 3,
      partnerId: -4,
      timeZone: 'Europe/Warsaw',
      serialization: 'php-unicode',
      production: true,
      defaults: { currency: 'PLN', lang: 'en' },
    });

    const changed = await cli.run([
      'env',
      'set',
      'Stage Ünö',
      '--lang',
      'pl',
      '--no-production',
      '--answer',
      'time.order=ymd',
      '--total-timeout',
      '5000',
    ]);
    expect(changed).toMatchObject({ code: 0, out: 'Stage Ünö: changed\n' });
    const shown = JSON.parse((await cli.run(['env', 'show', environment.id, '--json'])).out) as unknown;
    expect(shown).toMatchObject({
      id: environment.id,
      production: false,
      defaults: { currency: 'PLN', lang: 'pl' },
      timeouts: { total: 5_000 },
      answers: { 'time.order': { value: 'ymd' } },
    });
    expect((await cli.run(['env', 'show', 'Stage Ünö'])).out).toContain('answer time.order   ymd');
    const refused = await cli.run(['env', 'set', 'Stage Ünö', '--answer', 'amounts.unit=bananas']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('"bananas" is not a choice. Use one of: whole (Whole units');
    expect((await cli.run(['env', 'show', 'Stage Ünö'])).out).not.toContain('bananas');
    await cli.run(['env', 'set', 'Stage Ünö', '--answer', 'currencyList.action=/currencies plain']);
    const operation = (await cli.run(['operations', 'currencyList', '--env', 'Stage Ünö'])).out;
    expect(operation).toContain('POST {base_url}/currencies, plain JSON');
    expect(operation).toContain('Recorded: Path or action of currencyList: path /currencies, plain JSON');
    expect(operation).not.toContain('time and hash are in every body');
    expect((await cli.run(['operations', 'currencyList'])).out).toContain('action not shown in the spec');
    expect((await cli.run(['env', 'list'])).out).toContain('https://stage.example');
    const listed = JSON.parse((await cli.run(['env', 'list', '--json'])).out) as { environments: { name: string }[] };
    expect(listed.environments.map(({ name }) => name)).toEqual(['Stage Ünö']);

    // The environment's file may be passed on: it never has the command.
    const command = ['env', 'set', 'Stage Ünö', '--token-command'];
    expect(await cli.run([...command, '/opt/token "a b"'])).toMatchObject({ code: 0, err: '' });
    expect((await cli.run(['env', 'show', 'Stage Ünö'])).out).toMatch(/^token command +\/opt\/token "a b" \(on this machine\)$/m);
    expect((await cli.run(['env', 'show', 'Stage Ünö', '--json'])).out).not.toContain('/opt/token');
    const piped = await cli.run([...command, '/opt/token | head']);
    expect(piped).toMatchObject({ code: 2, out: '' });
    expect(piped.err).toContain('runs without a shell, so | would do nothing');
    expect(await cli.run([...command, ''])).toMatchObject({ code: 0 });
    expect((await cli.run(['env', 'show', 'Stage Ünö'])).out).toMatch(/^token command +none$/m);

    expect((await cli.run(['env', 'remove', 'Stage Ünö'])).code).toBe(0);
    expect((await cli.run(['env', 'show', 'Stage Ünö'])).code).toBe(2);
  });
});

describe.skipIf(process.platform === 'win32')('bin/croupier', () => {
  const launcher = fileURLToPath(new URL('../../../bin/croupier', import.meta.url));

  it('runs what was built, through links as well', { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'croupier-bin-'));
    try {
      await symlink(launcher, join(folder, 'one'));
      await symlink('one', join(folder, 'two'));
      const run = (command: string) =>
        spawnSync(command, ['hash', '--key-env', 'KEY', '--time', 't', '--data', '{"a": 1.50}', '--json'], {
          env: { PATH: process.env['PATH'], HOME: folder, KEY: 'k' },
          encoding: 'utf8',
        });
      const direct = run(launcher);
      expect(direct.status).toBe(0);
      expect(JSON.parse(direct.stdout)).toMatchObject({ dataJson: '{"a":1.5}' });
      expect(run(join(folder, 'two')).stdout).toBe(direct.stdout);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('starts Node so that a signal opens no debugger', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'croupier-bin-'));
    try {
      const node = `${folder}/node_modules/.bin/node`;
      const script = `mkdir -p "${folder}/bin" "${folder}/out/main" "${folder}/node_modules/.bin" && cp "${launcher}" "${folder}/bin/croupier" && touch "${folder}/out/main/cli.cjs" && printf '#!/bin/sh\\necho "$1"\\n' > "${node}" && chmod +x "${node}"`;
      expect(spawnSync('sh', ['-c', script]).status).toBe(0);
      const { stdout } = spawnSync(join(folder, 'bin', 'croupier'), ['hash'], { encoding: 'utf8' });
      expect(stdout).toBe('--disable-sigusr1\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('asks for a newer Node in one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'croupier-bin-'));
    try {
      const copy = join(folder, 'bin', 'croupier');
      const script = `mkdir -p "${folder}/bin" "${folder}/old" && cp "${launcher}" "${copy}" && printf '#!/bin/sh\\ncase $1 in -p) echo 20;; *) echo v20.0.0;; esac\\n' > "${folder}/old/node" && chmod +x "${folder}/old/node"`;
      expect(spawnSync('sh', ['-c', script]).status).toBe(0);
      const { status, stderr } = spawnSync(copy, ['hash'], { env: { PATH: `${folder}/old:/usr/bin:/bin` }, encoding: 'utf8' });
      expect(status).toBe(70);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('Node 24');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
