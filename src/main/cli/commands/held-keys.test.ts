import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#testing/app.ts';
import { createCli, createTerminalCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { leaksIn } from '#testing/secret-forms.ts';

const key = 'K3y/with"quotes"&=+<42>';
const env = { PROVIDER_KEY: key };
const keyOption = ['--key-env', 'PROVIDER_KEY'];

let cli: Cli;
let terminal: Cli;
let server: TestServer;
const received: string[] = [];

beforeAll(async () => {
  cli = await createCli();
  terminal = await createTerminalCli(cli.home);
  server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString('utf8'));
    response.end('{"code":0,"message":"ok","data":{}}');
  });
  const app = await createTestApp({ home: cli.home });
  await app.environment(server, { name: 'Staging' });
  await app.close();
});
afterAll(async () => {
  await server.close();
  await terminal.close();
  await cli.close();
});

const call = [
  'call',
  'getGameRound',
  '--data',
  JSON.stringify({ roundId: Buffer.from(key, 'utf16le').toString('base64') }),
  ...keyOption,
];

describe('a key in a request of the command line', () => {
  it('is sent only where --confirm-key says so, and is kept masked', async () => {
    const refused = await cli.run(call, { env });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain('Send the private key of Staging?');
    expect(refused.err).toContain('add --confirm-key');
    expect(received).toEqual([]);
    const sent = await cli.run([...call, '--confirm-key', '--json'], { env });
    expect(sent.code).toBe(0);
    expect(received).toHaveLength(1);
    expect(JSON.parse(sent.out)).toMatchObject({ maskedKeys: ['Staging'] });
    expect([sent.out, sent.err].flatMap((text) => leaksIn(text, key))).toEqual([]);
    expect(await cli.run(['history', 'repeat', '1'], { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('keeps it with the key masked'),
    });
  });

  it('is asked about on a terminal', async () => {
    received.length = 0;
    const no = await terminal.run(call, { env, input: 'n\n' });
    expect(no.code).toBe(2);
    expect(no.out).toContain('Send the private key of Staging? [y/N]');
    expect(received).toEqual([]);
    expect(await terminal.run(call, { env, input: 'y\n' })).toMatchObject({ code: 0 });
    expect(received).toHaveLength(1);
  });
});

describe('an import with values that look like secrets', () => {
  it('asks once on a terminal, in one list, and remembers; without one they stay out', async () => {
    const folder = join(cli.home, '..', 'imports');
    await mkdir(folder);
    const file = join(folder, 'a.postman_environment.json');
    const values = ['apiSecret', 'salt', 'player'].map((name) => ({ key: name, value: `${name}-value-1` }));
    await writeFile(file, JSON.stringify({ name: 'a', values, _postman_variable_scope: 'environment' }));
    const written = (name: string) => readFile(join(folder, name, 'collection.yaml'), 'utf8');

    const quiet = await cli.run(['import', file, '--into', join(folder, 'quiet')]);
    expect(quiet).toMatchObject({ code: 0, err: expect.stringContaining('the value of the variable apiSecret') });
    expect(await written('quiet')).not.toMatch(/apiSecret-value|salt-value/);

    const asked = await terminal.run(['import', file, '--into', join(folder, 'asked')], { input: '2\n' });
    expect(asked).toMatchObject({ code: 0, out: expect.stringMatching(/1 {2}apiSecret[\s\S]*2 {2}salt/) });
    expect(await written('asked')).toContain('salt-value-1');
    expect(await written('asked')).not.toContain('apiSecret-value');

    const again = await terminal.run(['import', file, '--into', join(folder, 'again')], { input: '' });
    expect(again.out).not.toContain('These look like secrets');
    expect(again.out).toContain('written, although they look like secrets: salt');
    expect(await written('again')).toContain('salt-value-1');

    const kept = await cli.run(['import', file, '--into', join(folder, 'kept'), '--keep-secret', 'apiSecret']);
    expect(kept.code).toBe(0);
    expect(await written('kept')).toContain('apiSecret-value-1');
  });

  it('gives a run the value of an environment variable', async () => {
    const folder = join(cli.home, '..', 'runs');
    await mkdir(folder);
    await writeFile(join(folder, 'a.yaml'), 'operation: playerInfo\ndata: |\n  {"externalToken": "{{externalToken}}"}\n');
    received.length = 0;
    const run = ['run', folder, '--env', 'Staging', ...keyOption, '--var-env', 'externalToken=TOKEN'];
    expect(await cli.run(run, { env: { ...env, TOKEN: 't-from-outside' } })).toMatchObject({ code: 0 });
    expect(received[0]).toContain('t-from-outside');
    expect(await cli.run(run, { env })).toMatchObject({ code: 2, err: expect.stringContaining('is not set') });
  });
});

describe('a key in a file that a command reads beside --key-env', () => {
  const plain = 'operation: gameList\ndata: |\n  {}\n';
  const inJson = JSON.stringify(key);
  const inYaml = `'${key}'`;
  const t2 = (more: string) => ({
    'collection.yaml': 'variables: {}\n',
    'environments/T2.yaml': `baseUrl: ${server.baseUrl}\nwalletUrl: ${server.baseUrl}\nplatform: 1\npartnerId: 2\nproduction: false\n${more}`,
  });
  const rules = (rule: string) => `launchRules:\n  noise:\n    - ${rule}\n`;
  type Row = readonly [files: () => Readonly<Record<string, string>>, args: (folder: string) => readonly string[]];
  const run = (env: string, data?: string) => (folder: string) => [
    'run',
    folder,
    '--env',
    env,
    ...keyOption,
    ...(data === undefined ? [] : ['--data', join(folder, data)]),
  ];
  const call = (name: string) => (folder: string) => [
    'call',
    'getGameRound',
    '--env',
    'Staging',
    '--data-file',
    join(folder, name),
    ...keyOption,
  ];
  const rows: Readonly<Record<string, Row>> = {
    'a request': [() => ({ 'b.yaml': `${plain}notes: ${inYaml}\n` }), run('Staging')],
    'a comment of a request': [() => ({ 'b.yaml': `# ${key}\n${plain}` }), run('Staging')],
    'the settings of a collection': [() => ({ 'collection.yaml': `variables:\n  a: ${inYaml}\n` }), run('Staging')],
    'the settings of a folder': [() => ({ 'f/folder.yaml': `variables:\n  a: ${inYaml}\n`, 'f/b.yaml': plain }), run('Staging')],
    'rows of CSV': [() => ({ 'd.csv': `a\n"${key.replaceAll('"', '""')}"\n` }), run('Staging', 'd.csv')],
    'rows of JSON': [() => ({ 'd.json': `[{"a":${inJson}}]` }), run('Staging', 'd.json')],
    'rows of JSON lines': [() => ({ 'd.jsonl': `{"a":${inJson}}\n` }), run('Staging', 'd.jsonl')],
    'a field of an environment': [() => t2(rules(inYaml)), run('T2')],
    'a comment of an environment': [() => t2(`# ${key}\n`), run('T2')],
    'the environment of whose provider another is': [
      () => ({ ...t2('sameProviderAs: T3\n'), 'environments/T3.yaml': t2(rules(inYaml))['environments/T2.yaml'] }),
      run('T2'),
    ],
    'a payload': [() => ({ 'p.json': `{"roundId":${inJson}}` }), call('p.json')],
  };

  it.each(Object.entries(rows))('%s: is refused, and nothing of it is in the home', async (_, [files, args]) => {
    received.length = 0;
    const folder = await mkdtemp(join(cli.home, '..', 'beside-'));
    for (const [name, text] of Object.entries({ 'a.yaml': plain, ...files() })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const result = await cli.run(args(folder), { env });
    expect(result, result.err).toMatchObject({ code: 2 });
    expect(result.err).toContain('private key');
    expect(received).toEqual([]);
    expect([result.out, result.err].flatMap((text) => leaksIn(text, key))).toEqual([]);
    for (const file of await readdir(cli.home, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = await readFile(join(file.parentPath, file.name), 'latin1');
      expect(leaksIn(text, key), file.name).toEqual([]);
      expect(text, file.name).not.toMatch(/"T[23]"/);
    }
  });
});
