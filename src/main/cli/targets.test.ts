import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { commands } from './commands.ts';

let cli: Cli;
let provider: Awaited<ReturnType<typeof startHttpsServer>>;
let folder: string;
let requests = 0;
/** Tells of each request; none is answered while `holds`. */
const arrived = new EventEmitter();
let holds = false;
beforeAll(async () => {
  cli = await createCli();
  folder = dirname(cli.home);
  provider = await startHttpsServer((_, response) => {
    requests += 1;
    arrived.emit('request');
    if (!holds) response.end('{"code":0,"message":"ok","data":null}');
  });
  await writeFile(join(folder, 'ca.pem'), provider.ca);
  const settings = ['--platform=1', '--partner-id=2', '--no-production', '--ca', join(folder, 'ca.pem')];
  await cli.run(['env', 'set', 'stage', '--base-url', provider.baseUrl, ...settings]);
  await mkdir(join(folder, 'collection'));
  await writeFile(join(folder, 'collection', 'a.yaml'), 'operation: getGameRound\ndata: |\n  {"roundId": 1, "logMonth": 0}\n');
  await mkdir(join(folder, 'taken'));
});
afterAll(async () => {
  await cli.close();
  await provider.close();
});

const run = (...more: string[]) => ['run', join(folder, 'collection'), ...more];
const key = { env: { KEY: 'the-key-of-this-test' } };
const stage = ['--env', 'stage', '--key-env', 'KEY'];

type Target = (path: string) => string[];

const reportOf =
  (option: string): Target =>
  (path) => [...run(`--${option}`, path), ...stage];

/**
 * Every option that names a file or a directory: the command that begins its file before it sends anything; or else what it does with it. A pack and a part need a directory
 * that is made first.
 */
const named: Readonly<Record<string, Target | 'made' | 'read' | 'sends nothing'>> = {
  'call --data-file': 'read',
  'call --out': (path) => ['call', 'gameList', '--out', path, ...stage],
  'doctor --data-file': 'read',
  'doctor --junit': (path) => ['doctor', '--signer', 'cat', '--junit', path],
  'gateway --junit': (path) => ['gateway', '--env', 'sandbox', '--junit', path],
  'doctor --write-tests': 'sends nothing',
  'env diff --from': 'read',
  'env export --into': 'sends nothing',
  'env import --from': 'read',
  'env set --ca': 'read',
  'export --out': (path) => ['export', join(folder, 'collection'), '--as', 'postman', '--out', path],
  'hash --data-file': 'read',
  'history diff --pack': 'read',
  'history export --out': (path) => ['history', 'export', '1', '--as', 'har', '--out', path],
  'history list --pack': 'read',
  'history save --into': 'sends nothing',
  'history search --pack': 'read',
  'history show --pack': 'read',
  'import --into': 'sends nothing',
  'report merge --html': (path) => ['report', 'merge', folder, '--html', path],
  'report merge --junit': (path) => ['report', 'merge', folder, '--junit', path],
  'report merge --report-json': (path) => ['report', 'merge', folder, '--report-json', path],
  'run --blob': 'made',
  'run --code-quality': reportOf('code-quality'),
  'run --data': 'read',
  'run --html': reportOf('html'),
  'run --junit': reportOf('junit'),
  'run --report-json': reportOf('report-json'),
  'run --support-pack': 'made',
  'sandbox --players': 'read',
  'wallet test --collection': 'read',
  'wallet test --html': (path) => ['wallet', 'test', '--env', 'sandbox', '--html', path],
  'wallet test --junit': (path) => ['wallet', 'test', '--env', 'sandbox', '--junit', path],
  'wallet test --report-json': (path) => ['wallet', 'test', '--env', 'sandbox', '--report-json', path],
  'sandbox --state': (path) => ['sandbox', '--port', '0', '--state', path],
};

it('each option that names a file is in the table', async () => {
  const options = await Promise.all(
    commands.map(async ({ name, load }) =>
      Object.entries((await load()).spec.options ?? {}).flatMap(([option, { value }]) =>
        value === 'FILE' || value === 'DIR' ? [`${name} --${option}`] : [],
      ),
    ),
  );
  expect(options.flat().toSorted()).toEqual(Object.keys(named).toSorted());
});

it.each(Object.entries(named).flatMap(([option, args]) => (typeof args === 'string' ? [] : [[option, args] as const])))(
  '%s that cannot be written is refused before anything is sent',
  async (_option, args) => {
    const before = await readdir(folder);
    for (const path of [join(folder, 'missing', 'r'), join(folder, 'ca.pem', 'r'), join(folder, 'taken'), '/dev/null']) {
      const { code, out } = await cli.run(args(path), key);
      expect({ path, code, out }).toEqual({ path, code: 2, out: '' });
    }
    expect({ requests, left: await readdir(folder) }).toEqual({ requests: 0, left: before });
  },
);

it.each(['blob', 'support-pack'])('--%s whose directory cannot be made is refused before anything is sent', async (option) => {
  const args = run(`--${option}`, join(folder, 'ca.pem', 'd'), '--shard', '1/1', ...stage);
  expect(await cli.run(args, key)).toMatchObject({ code: 2, out: '' });
  expect(requests).toBe(0);
});

describe('the files of a command that is under way', () => {
  afterEach(() => void (holds = false));
  const reports = ['code-quality', 'html', 'junit', 'report-json'];
  const files = reports.map((name) => `under-way-${name}`);
  const here = async () => (await readdir(folder)).filter((name) => name.includes('under-way'));
  const begun = (names: readonly string[]) =>
    names.map((name) => expect.stringMatching(`^\\.${name}\\.[0-9a-f]{16}\\.tmp$`) as string);
  const started = async (args: string[]) => {
    holds = true;
    const child = cli.start([...args, ...stage], key);
    child.stdout.resume();
    child.stderr.resume();
    await once(arrived, 'request');
    return child;
  };

  it.each([
    ['a run', () => run(...reports.flatMap((name, at) => [`--${name}`, join(folder, files[at] ?? '')])), files, files],
    ['a call', () => ['call', 'gameList', '--out', join(folder, 'under-way-call')], ['under-way-call'], []],
  ] as const)(
    'are held by %s, which writes what it promised when it is stopped, and leaves no other file',
    async (_name, args, held, left) => {
      const child = await started(args());
      expect((await here()).toSorted()).toEqual(begun(held));
      child.kill('SIGINT');
      await once(child, 'close');
      expect((await here()).toSorted()).toEqual([...left].toSorted());
      for (const name of left) await rm(join(folder, name));
    },
  );

  it('leave nothing if the command is ended at once, or refused', async () => {
    const child = await started(run('--html', join(folder, 'under-way')));
    child.kill('SIGINT');
    child.kill('SIGTERM');
    await once(child, 'close');
    await cli.run([...run('--html', join(folder, 'under-way')), '--env', 'nowhere']);
    expect(await here()).toEqual([]);
  });
});
