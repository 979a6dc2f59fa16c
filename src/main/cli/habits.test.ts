import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { createCli, createTerminalCli, newEnvironment, type Cli } from '#testing/cli-driver.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { commands } from './commands.ts';
import { exits } from './command.ts';
import { report } from './program.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
  const settings = ['--base-url', 'https://api.example.com', '--platform=7', '--partner-id=31'];
  await cli.run(['env', 'set', 'stage', ...settings, '--no-production']);
  await cli.run(['env', 'set', 'live', ...settings, '--production']);
});
afterAll(() => cli.close());

describe('CROUPIER_ENV', () => {
  const call = (args: readonly string[], name: string) =>
    cli.run(['call', 'gameList', '--dry-run', '--key-env', 'KEY', ...args], { env: { KEY: 'the key', CROUPIER_ENV: name } });

  it('names the environment of a command that has no --env', async () => {
    expect(await call([], 'stage')).toMatchObject({ code: 0, out: expect.stringContaining('"partnerId":31') as string });
    expect(await call([], 'nobody')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no environment "nobody"') as string,
    });
    expect(await call(['-e', 'stage'], 'nobody')).toMatchObject({ code: 0 });
  });

  it('never names production', async () => {
    const { code, out, err } = await call([], 'live');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('live is marked as production. To select it, type --env live.');
  });
});

describe('env default', () => {
  const call = (args: readonly string[] = [], env: Record<string, string> = {}) =>
    cli.run(['call', 'gameList', '--dry-run', '--key-env', 'KEY', ...args], { env: { KEY: 'the key', ...env } });

  it('names the environment of a command that has neither --env nor CROUPIER_ENV, and says so', async () => {
    expect(await cli.run(['env', 'default'])).toMatchObject({ code: 2, out: '' });
    expect(await cli.run(['env', 'default', 'stage'])).toMatchObject({ code: 0, out: 'stage\n' });
    expect((await cli.run(['env', 'list'])).out).toMatch(/^stage .*  default$/m);
    expect(await call()).toMatchObject({
      code: 0,
      out: expect.stringContaining('"partnerId":31') as string,
      err: expect.stringContaining('croupier: using environment stage, the default.\n') as string,
    });
    expect((await call(['--env', 'stage'])).err).not.toContain('environment stage');
    expect(await call([], { CROUPIER_ENV: 'stage' })).toMatchObject({
      code: 0,
      err: expect.stringContaining('croupier: using environment stage, from CROUPIER_ENV.\n') as string,
    });
    expect((await call([], { CROUPIER_ENV: 'nobody' })).err).toContain('There is no environment "nobody".');
  });

  it('is never production, also if it is marked later', async () => {
    expect(await cli.run(['env', 'default', 'live'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining("can't be the default") as string,
    });
    expect((await cli.run(['env', 'default'])).out).toBe('stage\n');
    await cli.run(['env', 'set', 'stage', '--production']);
    const refused = await call();
    await cli.run(['env', 'set', 'stage', '--no-production']);
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('stage is marked as production') as string });
  });

  it('is none after --none, and one that was removed is not replaced by another', async () => {
    await cli.run(newEnvironment('brief', 'https://b.example'));
    await cli.run(['env', 'default', 'brief']);
    await cli.run(['env', 'remove', 'brief']);
    expect(await call()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('was removed') as string });
    expect(await cli.run(['env', 'default', '--none'])).toMatchObject({ code: 0 });
    expect((await call()).err).toContain('Name the environment with --env');
  });
});

it('env remove asks before a production environment goes', async () => {
  await cli.run(['env', 'set', 'gone', '--base-url', 'https://g.example', '--platform=1', '--partner-id=1', '--production']);
  expect(await cli.run(['env', 'remove', 'gone'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(
      'Nothing was removed: gone is marked as production. To remove it without asking, add --yes.',
    ) as string,
  });
  expect(await cli.run(['env', 'remove', 'gone', '--yes'])).toMatchObject({ code: 0, out: 'gone: removed\n' });
});

describe('color', () => {
  const red = '\u001b[31mcroupier:\u001b[39m There is no environment';
  it.each([
    ['no terminal', {}, [], false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, [], true],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, [], false],
    ['FORCE_COLOR and --json', { FORCE_COLOR: '1' }, ['--json'], false],
  ] as const)('with %s: %s %s is %s', async (_name, env, more, expected) => {
    const { err } = await cli.run(['env', 'show', 'nobody', ...more], { env });
    expect(err.startsWith(red)).toBe(expected);
    expect(err.includes('\u001b')).toBe(expected);
  });

  it.each([
    ['key, time, data', '\u001b[32m', (key: string, time: string, data: string) => key + time + data],
    ['time, key, data', '\u001b[31m', (key: string, time: string, data: string) => time + key + data],
  ] as const)('of a hash of %s the verdict of the doctor has', async (_parts, color, input) => {
    const [key, time, data] = ['a-key', '20-11-2026 10:15:30', '{"roundId":1}'];
    const hash = createHash('sha256')
      .update(input(key, time, data))
      .digest('hex');
    const args = ['doctor', '--hash', hash, '--time', time, '--data', data, '--key-env', 'KEY'];
    const { out } = await cli.run(args, { env: { KEY: key, FORCE_COLOR: '1' } });
    expect(out.startsWith(color), out).toBe(true);
    expect((await cli.run(args, { env: { KEY: key, NO_COLOR: '1' } })).out).not.toContain('\u001b');
  });

  describeWithTool('python3', 'on a terminal', () => {
    it.each([
      [{ TERM: 'xterm' }, true],
      [{ TERM: 'xterm', NO_COLOR: '1' }, false],
      [{ TERM: 'dumb' }, false],
    ] as const)('with %j is %s', async (env, expected) => {
      const terminal = await createTerminalCli(cli.home);
      try {
        expect((await terminal.run(['env', 'show', 'nobody'], { env })).out.startsWith(red)).toBe(expected);
      } finally {
        await terminal.close();
      }
    });
  });
});

describe('an error beside a result in JSON', () => {
  it('is JSON on standard error', async () => {
    const { code, out, err } = await cli.run(['env', 'show', 'nobody', '--json']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(JSON.parse(err)).toEqual({
      error: { code: 'not_found', message: expect.stringContaining('There is no environment "nobody".') as string, exit: 2 },
    });
  });

  it('has its place or its problems, and a fault of Croupier says that it is one', () => {
    const told = (error: unknown): unknown => {
      const notes: string[] = [];
      report(error, { env: {}, note: (line) => void notes.push(line) }, { json: true });
      return (JSON.parse(notes.join('')) as { error: unknown }).error;
    };
    expect(told(new AppError('invalid_input', 'a.json\nis not JSON.', { line: 3, column: 7 }))).toEqual({
      code: 'invalid_input',
      message: 'a.json is not JSON.',
      exit: 2,
      line: 3,
      column: 7,
    });
    const details = { headline: 'Nothing was run.', problems: ['a.yaml: no check', 'b.yaml: no check'] };
    expect(told(new AppError('invalid_input', 'Nothing was run. …', details))).toMatchObject(details);
    expect(told(new Error('planted'))).toMatchObject({ code: 'internal', exit: exits.fault });
  });
});

describe('a result that cannot be written', () => {
  it.skipIf(!existsSync('/dev/full'))('to a full disk ends with 70 and says so', async () => {
    const full = await createCli([
      'sh',
      '-c',
      'exec "$0" "$@" > /dev/full',
      new URL('../../../bin/croupier', import.meta.url).pathname,
    ]);
    try {
      const { code, err } = await full.run(['operations']);
      expect({ code, err }).toEqual({
        code: exits.fault,
        err: expect.stringMatching(/^croupier: The result could not be written: ENOSPC/) as string,
      });
    } finally {
      await full.close();
    }
  });

  it('to a pipe whose reader is gone ends with 4', async () => {
    const child = cli.start(['operations']);
    child.stdout.destroy();
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    const code = await new Promise((done) => child.on('close', done));
    expect({ code, err }).toEqual({ code: exits.noAnswer, err: '' });
  });
});

it('takes the letters of usual options, and its help names them', async () => {
  expect(JSON.parse((await cli.run(['env', 'show', 'stage', '-j'])).out)).toMatchObject({ name: 'stage' });
  expect((await cli.run(['call', '--help'])).out).toMatch(/\n {2}-e, --env NAME /);
  expect(await cli.run(['env', 'show', 'stage', '-x'])).toMatchObject({ code: 2, err: expect.stringContaining('-x') as string });
});

it('prints a manual page with every command, option and exit code, of which nothing is read as a macro', async () => {
  const { code, out } = await cli.run(['man']);
  expect(code).toBe(0);
  const plain = out.replaceAll('\\-', '-').replaceAll(/\\f[BIR]/g, '');
  for (const { load } of commands) {
    const { spec } = await load();
    expect(plain).toContain(`\n.SS croupier ${spec.name}`);
    for (const name of Object.keys(spec.options ?? {})) expect(plain).toMatch(new RegExp(`\\n(?:-\\w, )?--${name}\\b`));
  }
  for (const exit of Object.values(exits)) expect(plain).toContain(`\n.TP\n${exit}\n`);
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^(?:\.(?:TH|SH|SS|TP|PP)\b|[^.'])/);
  expect(out).not.toMatch(/\\(?![-ef&])/);
});

const bin = new URL('../../../bin/croupier', import.meta.url).pathname;

describe('completion', () => {
  it.each(['fish', 'powershell', 'zsh'])('for %s has every command and option', async (shell) => {
    const { code, out } = await cli.run(['completion', shell]);
    expect(code).toBe(0);
    for (const { load } of commands) {
      const { spec } = await load();
      for (const word of [...spec.name.split(' '), ...Object.keys(spec.options ?? {})]) expect(out).toContain(word);
    }
    for (const offered of ['gameList', 'postman', 'croupier completion environments', 'croupier completion tags'])
      expect(out, offered).toContain(offered);
  });

  it('refuses a shell that it does not know', async () => {
    expect(await cli.run(['completion', 'fisch'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean fish?') as string,
    });
  });

  describeWithTool('bash', 'in bash', (bash) => {
    it('offers commands, then those of a group, then options', async () => {
      const script = (await cli.run(['completion', 'bash'])).out;
      const collection = join(dirname(cli.home), 'tagged');
      await mkdir(collection);
      await writeFile(join(collection, 'a.yaml'), 'operation: gameList\ntags: [smoke, $(touch x)]\n');
      await writeFile(join(collection, 'b.yaml'), 'operation: gameList\ntags:\n  - slow\n');
      const program = `croupier() { CROUPIER_HOME='${cli.home}' '${bin}' "$@"; }`;
      const offered = (...words: string[]) => {
        const typed = words.map((word) => `'${word}'`).join(' ');
        const ask = `COMP_WORDS=(croupier ${typed}); COMP_CWORD=${words.length}; _croupier; echo "\${COMPREPLY[*]}"`;
        return execFileSync(bash, ['--norc', '-c', `${program}\n${script}\n${ask}`], { encoding: 'utf8' })
          .trim()
          .split(' ');
      };
      expect(offered('op')).toEqual(['operations']);
      expect(offered('history', 'l')).toEqual(['list', 'limits']);
      expect(offered('call', 'gameList', '--dr')).toEqual(['--dry-run']);
      expect(offered('history', 'export', '--a')).toEqual(['--as']);
      expect(offered('call', 'gameL')).toEqual(['gameList']);
      expect(offered('history', 'export', '1', '--as', 'ha')).toEqual(['har']);
      expect(offered('call', 'gameList', '--env', 'st')).toEqual(['stage']);
      expect(offered('key', 'set', 'st')).toEqual(['stage']);
      expect(offered('env', 'remove', 'st')).toEqual(['stage']);
      expect(offered('call', 'gameList', '-e', 'st')).toEqual(['stage']);
      expect(offered('completion', 'z')).toEqual(['zsh']);
      expect(offered('run', collection, '--tag', '')).toEqual(['slow', 'smoke']);
      // A file name, which bash completes by itself.
      expect(offered('run', 'wal')).toEqual(['']);
    });
  });
});

describe('the form of a payload', () => {
  it('is the one that fits it, as on screen, unless it is asked for', async () => {
    const many =
      '{"gameId":"1042","playerIds":["p1","p2"],"externalReferenceIds":["r1","r2"],"betLevel":1,"numberOfFreeRounds":5}';
    const findings = async (...more: string[]) => {
      const { out } = await cli.run(
        ['call', 'freeRounds', '-e', 'stage', '--dry-run', '--json', '--key-env', 'KEY', '-d', many, ...more],
        { env: { KEY: 'the key' } },
      );
      return (JSON.parse(out) as { requestFindings: { rule: string; message: string }[] }).requestFindings
        .map(({ message }) => message)
        .join('\n');
    };
    expect(await findings()).not.toContain('playerIds');
    expect(await findings('--form=single')).toContain('playerIds');
  });
});

describe('a file behind --data', () => {
  it.each([
    [['call', 'bet', '-d', '@bet.json'], '--data-file bet.json'],
    [['call', 'bet', '--data=@-'], '--data-file -'],
    [['hash', '--data', '@a b'], '--data-file FILE'],
    [['doctor', '--data', '@x.json'], '--data-file x.json'],
  ])('as curl has it is refused with the right option: %j', async (args, words) => {
    const { code, out, err } = await cli.run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`--data takes text, not @file. Use ${words}.`);
  });
});

describe('a file by its first bytes', () => {
  const payload = '{"currency":"EUR","player":"Zo\u00eb \u{1f600}"}';
  const wide = Buffer.from(`\uFEFF${payload}\r\n`, 'utf16le');
  const env = { KEY: 'a-key-of-some-length' };
  const hash = ['hash', '--key-env', 'KEY', '--time', '20-11-2026 10:15:30', '--serialization'];
  let right: string;
  beforeAll(async () => {
    right = (await cli.run([...hash, 'php', '--data', payload], { env })).out;
  });
  it('is the payload, whatever wrote it', async () => {
    const said = 'croupier: Standard input was read as UTF-16 LE.\n';
    expect(await cli.run([...hash, 'php', '--data-file', '-'], { env, input: wide })).toMatchObject({
      code: 0,
      out: right,
      err: said,
    });
    const line = Buffer.from(
      `\uFEFF${JSON.stringify({ id: 1, dataTextBase64: Buffer.from(payload).toString('base64') })}\r\n`,
      'utf16le',
    );
    const batch = await cli.run([...hash, 'php', '--batch'], { env, input: line });
    expect(JSON.parse(batch.out)).toMatchObject({ id: 1, hash: right.trim() });
    const call = ['call', 'gameList', '-e', 'stage', '--dry-run', '--key-env', 'KEY', '--data-file', '-'];
    const sent = await cli.run(call, { env, input: wide });
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining('Zo\u00eb \u{1f600}') as string });
    expect(sent.err).toContain(said);
  });
  it('stays as it is for verbatim, and that is said', async () => {
    const { code, err } = await cli.run([...hash, 'verbatim', '--data-file', '-'], { env, input: wide });
    expect({ code, err }).toEqual({
      code: 0,
      err: 'croupier: Standard input is in UTF-16 LE. Its bytes are hashed unchanged.\n',
    });
  });
  it('is named with what to do', async () => {
    const { code, err } = await cli.run(['import', '-', '--dry-run'], { input: Buffer.from('PK\x03\x04') });
    expect(code).toBe(2);
    expect(err).toContain('Standard input is a ZIP archive. Unpack it and use the file inside.');
  });
  it('is a certificate authority as PEM and as DER', async () => {
    const { ca } = await makeCertificate();
    const der = Buffer.from(ca.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    const set = await cli.run(['env', 'set', 'stage', '--ca', '-', '--json'], { input: der });
    expect((JSON.parse(set.out) as { ca: string }).ca.replaceAll(/\s/g, '')).toBe(ca.replaceAll(/\s/g, ''));
    expect(set.err).toBe('croupier: Standard input was read as a certificate in binary form (DER).\n');
    await cli.run(['env', 'set', 'stage', '--ca', '']);
  });
});
