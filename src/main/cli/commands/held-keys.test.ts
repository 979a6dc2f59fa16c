import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '#testing/app.ts';
import { createCli, createTerminalCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { leaksIn } from '#testing/secret-forms.ts';
import { commands } from '../commands.ts';

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
      err: expect.stringContaining("can't be repeated exactly"),
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
  /** `refused`: the command does nothing. `read`: it works, and prints and keeps nothing of the key. */
  type Row = readonly [files: () => Readonly<Record<string, string>>, args: (folder: string) => readonly string[], ends?: 'read'];
  const run = (env: string, data?: string) => (folder: string) => [
    'run',
    folder,
    '--env',
    env,
    ...keyOption,
    ...(data === undefined ? [] : ['--data', join(folder, data)]),
  ];
  const withFile =
    (command: string, ...before: readonly string[]) =>
    (folder: string) => [...command.split(' '), ...before, join(folder, 'in'), ...keyOption];
  const found = (text: string) => `curl -d '${text.replaceAll("'", "'\\''")}' https://api.example.com/serviceApi.php`;
  const inPlayers = JSON.stringify({ players: [{ playerId: key, externalToken: 'token-1', currency: 'EUR', balance: '1.00' }] });
  /** Every file and directory of each command with `--key-env`, by its option or argument: rows for what it reads, `written` for the others. */
  const inputs: Readonly<Record<string, Readonly<Record<string, Row>> | 'written'>> = {
    'call --data-file': {
      'a payload': [() => ({ in: `{"roundId":${inJson}}` }), withFile('call', 'getGameRound', '--env', 'Staging', '--data-file')],
    },
    'call --out': 'written',
    'run PATH': {
      'a request': [() => ({ 'b.yaml': `${plain}notes: ${inYaml}\n` }), run('Staging')],
      'a comment of a request': [() => ({ 'b.yaml': `# ${key}\n${plain}` }), run('Staging')],
      'the settings of a collection': [() => ({ 'collection.yaml': `variables:\n  a: ${inYaml}\n` }), run('Staging')],
      'the settings of a folder': [
        () => ({ 'f/folder.yaml': `variables:\n  a: ${inYaml}\n`, 'f/b.yaml': plain }),
        run('Staging'),
      ],
      'a field of an environment': [() => t2(rules(inYaml)), run('T2')],
      'a comment of an environment': [() => t2(`# ${key}\n`), run('T2')],
      'the environment of whose provider another is': [
        () => ({ ...t2('sameProviderAs: T3\n'), 'environments/T3.yaml': t2(rules(inYaml))['environments/T2.yaml'] }),
        run('T2'),
      ],
    },
    'run --data': {
      'rows of CSV': [() => ({ 'd.csv': `a\n"${key.replaceAll('"', '""')}"\n` }), run('Staging', 'd.csv')],
      'rows of JSON': [() => ({ 'd.json': `[{"a":${inJson}}]` }), run('Staging', 'd.json')],
      'rows of JSON lines': [() => ({ 'd.jsonl': `{"a":${inJson}}\n` }), run('Staging', 'd.jsonl')],
    },
    'run --blob': 'written',
    'run --junit': 'written',
    'run --report-json': 'written',
    'run --html': 'written',
    'run --code-quality': 'written',
    'run --support-pack': 'written',
    'hash --data-file': { data: [() => ({ in: `{"a":${inJson}}` }), withFile('hash', '--time', 't', '--data-file'), 'read'] },
    'doctor FILE': {
      'a pasted text': [
        () => ({ in: `hash ${'0'.repeat(64)} key ${key}\n{"action":"gameList","time":"t","a":${inJson}}` }),
        withFile('doctor'),
        'read',
      ],
    },
    'doctor --data-file': {
      data: [
        () => ({ in: `{"a":${inJson}}` }),
        withFile('doctor', '--time', 't', '--hash', '0'.repeat(64), '--data-file'),
        'read',
      ],
    },
    'doctor --junit': 'written',
    'gateway --junit': 'written',
    'doctor --write-tests': 'written',
    'wallet test --collection': {
      'a case': [
        () => ({
          'wallet-cases.yaml': `cases:\n  - id: own\n    name: Own\n    why: ${inYaml}\n    harm: None.\n    steps: [{ call: bet, amount: b, expect: booked }]\n`,
        }),
        (folder) => ['wallet', 'test', '--env', 'Staging', '--token', 'a-token', '--collection', folder, ...keyOption],
      ],
    },
    'wallet test --junit': 'written',
    'wallet test --report-json': 'written',
    'wallet test --html': 'written',
    'history export --out': 'written',
    'import FILE': {
      'a command': [
        () => ({ in: found(`{"action":"getGameRound","data":{"roundId":${inJson}}}`) }),
        (folder) => [...withFile('import', '--env', 'Staging', '--into', join(folder, 'made'))(folder)],
        'read',
      ],
      'the key alone': [
        () => ({ in: JSON.stringify({ name: 'a', values: [{ key: 'b', value: key }], _postman_variable_scope: 'environment' }) }),
        (folder) => [...withFile('import', '--env', 'Staging', '--into', join(folder, 'made'))(folder)],
        'read',
      ],
    },
    'import --into': 'written',
    'export PATH': {
      'a request': [
        () => ({ 'b.yaml': `operation: getGameRound\ndata: |\n  {"roundId": ${inJson}}\n` }),
        (folder) => ['export', folder, '--as', 'curl', '--env', 'Staging', ...keyOption],
      ],
      'a note': [
        () => ({ 'b.yaml': `${plain}notes: ${inYaml}\n` }),
        (folder) => ['export', folder, '--as', 'postman', '--env', 'Staging', ...keyOption],
      ],
    },
    'export --out': 'written',
    'sandbox --players': { players: [() => ({ in: inPlayers }), withFile('sandbox', '--port', '0', '--players')] },
    'sandbox --state': { 'a state': [() => ({ in: inPlayers }), withFile('sandbox', '--port', '0', '--state')] },
  };

  it('has a row for every file of every command with --key-env', async () => {
    const specs = await Promise.all(commands.map(async ({ load }) => (await load()).spec));
    const isFile = (value: string | undefined) => /^\[?(?:FILE|DIR|PATH)\b/.test(value ?? '');
    const named = specs
      .filter(({ options = {} }) => 'key-env' in options)
      .flatMap(({ name, positionals = [], options = {} }) => [
        ...positionals.filter(isFile).map((one) => `${name} ${one.replaceAll(/[[\]…]/g, '')}`),
        ...Object.entries(options).flatMap(([option, { value }]) => (isFile(value) ? [`${name} --${option}`] : [])),
      ]);
    expect(Object.keys(inputs).toSorted()).toEqual(named.toSorted());
  });

  const rows = Object.entries(inputs).flatMap(([input, given]) =>
    given === 'written' ? [] : Object.entries(given).map(([title, row]) => [`${input}, ${title}`, row] as const),
  );
  it.each(rows)('%s: nothing of it is sent, printed or kept', async (_, [files, args, ends]) => {
    received.length = 0;
    const folder = await mkdtemp(join(cli.home, '..', 'beside-'));
    const texts = { 'a.yaml': plain, ...files() };
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const result = await cli.run(args(folder), { env });
    if (ends === undefined) {
      expect(result, result.err).toMatchObject({ code: 2 });
      expect(result.err).toContain('private key');
    }
    expect(received).toEqual([]);
    expect([result.out, result.err].flatMap((text) => leaksIn(text, key))).toEqual([]);
    for (const root of [cli.home, folder])
      for (const file of await readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(file.parentPath, file.name);
        if (!file.isFile() || (root === folder && path.slice(folder.length + 1) in texts)) continue;
        const text = await readFile(path, 'latin1');
        expect(leaksIn(text, key), file.name).toEqual([]);
        if (root === cli.home) expect(text, file.name).not.toMatch(/"T[23]"/);
      }
  });
});
