import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createCli, linesFrom } from '#testing/cli-driver.ts';
import { compiledFolder } from '#testing/compiled-folder.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The blocks of code in docs/ci.md by their language, in order. */
let blocks: { language: string; text: string }[];
let folder: string;
beforeAll(async () => {
  const page = await readFile(join(root, 'docs/ci.md'), 'utf8');
  blocks = Array.from(page.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language = '', text = '']) => ({ language, text }));
  folder = await mkdtemp(join(tmpdir(), 'croupier-ci-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the scripts of a block for Jenkins. */
const jenkinsScripts = (at: number): string[] => {
  const { text = '' } = blocks.filter(({ language }) => language === 'groovy')[at] ?? {};
  return Array.from(text.matchAll(/sh '''(.*?)'''/gs), ([, script = '']) => script);
};

const yamlBlock = (at: number) => parse(blocks.filter(({ language }) => language === 'yaml')[at]?.text ?? '') as never;

/** A checkout of its own, with a collection in `requests` that passes, or in which a check fails. */
async function checkout(name: string, passes = true): Promise<string> {
  const directory = join(folder, name, 'work');
  await mkdir(dirname(directory), { recursive: true });
  await cp(join(root, 'starter-collections/first-call'), join(directory, 'requests'), { recursive: true });
  if (!passes) {
    const file = join(directory, 'requests', 'Game list.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/code: 0/, 'code: 5'));
  }
  return directory;
}

/**
 * Runs a script as a CI does in a container: no terminal, no keychain, no home directory, and of the environment only what the CI sets. Instead of
 * the steps that install Croupier, the program of this tree is on the path.
 */
async function shell(script: string, directory: string, env: Record<string, string>) {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, NODE_COMPILE_CACHE: compiledFolder, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without the terminal of whoever runs the tests.
    detached: true,
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, out, err };
}

interface GitHubStep {
  readonly name?: string;
  readonly run?: string;
}

it('the steps for GitHub Actions run two parts and merge them, and a failure is annotated and ends the job', async () => {
  const { jobs } = yamlBlock(0) as { jobs: Record<'run' | 'report', { steps: GitHubStep[] }> };
  const step = (job: 'run' | 'report', name: string) => jobs[job].steps.find((one) => one.name === name)?.run ?? 'exit 99';
  for (const passes of [true, false]) {
    const directory = await checkout(`github-${passes}`, passes);
    const env = { RUNNER_TEMP: dirname(directory), GITHUB_ACTIONS: 'true', PARTS: '2' };
    for (const PART of ['1', '2']) {
      const { code, err } = await shell(step('run', 'Run the part'), directory, { ...env, PART });
      expect(code, err).toBe(passes ? 0 : 1);
      expect(/^::error file=requests\/Game list\.yaml,title=Game list failed[^:]*::code is 5/m.test(err)).toBe(!passes);
    }
    const merged = await shell(step('report', 'Merge the parts'), directory, env);
    expect(merged.code, merged.err).toBe(passes ? 0 : 1);
    expect((await readFile(join(directory, 'junit.xml'), 'utf8')).match(/<testcase /g)).toHaveLength(8);
    expect(await readFile(join(directory, 'report.html'), 'utf8')).toContain(passes ? 'all passed' : '4 failed, of 8 requests');
  }
});

it('the scripts for GitLab run two parts, show what failed and merge them', async () => {
  const { run, report } = yamlBlock(1) as Record<'run' | 'report', { script: string[] }>;
  const directory = await checkout('gitlab', false);
  const env = { CI_BUILDS_DIR: dirname(directory), CI_NODE_TOTAL: '2' };
  for (const CI_NODE_INDEX of ['1', '2'])
    expect(await shell(run.script.join('\n'), directory, { ...env, CI_NODE_INDEX })).toMatchObject({ code: 1 });
  expect(JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8'))).toEqual(
    [2, 4].map((round) => ({
      description: `Game list, iteration ${round}: code is 5: expected 5, actual 0. It is 0.`,
      check_name: 'check',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'requests/Game list.yaml', lines: { begin: 1 } },
    })),
  );
  expect(await shell(report.script.join('\n'), directory, env)).toMatchObject({ code: 1 });
  expect(await readFile(join(directory, 'report.html'), 'utf8')).toContain('4 failed, of 8 requests');
});

it('the scripts for Jenkins run two parts, with a support pack of what failed, and merge them', async () => {
  const { text = '' } = blocks.find(({ language }) => language === 'groovy') ?? {};
  const scripts = jenkinsScripts(0);
  expect(scripts).toHaveLength(2);
  const directory = await checkout('jenkins', false);
  const env = { WORKSPACE_TMP: dirname(directory), PARTS: /PARTS = '(\d)'/.exec(text)?.[1] ?? '' };
  for (const PART of ['1', '2']) {
    const { code, err } = await shell(scripts[0] ?? '', directory, { ...env, PART });
    expect(code, err).toBe(1);
    expect(err).toMatch(/wrote .*\/pack\/support-.*\.html/);
  }
  expect(await shell(scripts[1] ?? '', directory, env)).toMatchObject({ code: 1 });
  expect(await readFile(join(directory, 'junit.xml'), 'utf8')).toContain('Hash input');
});

it('the pod of a Kubernetes job runs the part of its index', async () => {
  const { spec } = yamlBlock(2) as { spec: { template: { spec: { containers: { args: string[] }[] } } } };
  const directory = await checkout('kubernetes');
  const args = spec.template.spec.containers[0]?.args.join(' ').replace('/parts', './parts') ?? 'exit 99';
  const env = { JOB_COMPLETION_INDEX: '3', PARTS: '4', CROUPIER_HOME: join(dirname(directory), 'home') };
  expect(await shell(args, directory, env)).toMatchObject({ code: 0 });
  expect(await readFile(join(directory, 'parts', 'part-4-of-4.jsonl'), 'utf8')).toContain('"part":4');
});

it('the lines for a provider make its environment in a fresh home and sign with the secret of the CI', async () => {
  const { text = '' } = blocks.find(({ language }) => language === 'sh') ?? {};
  const directory = await checkout('provider', false);
  const server = await startHttpsServer((_, response) => void response.end('{"code":8,"message":"hash not valid","data":null}'));
  try {
    await writeFile(join(directory, 'stage-ca.pem'), server.ca);
    const secret = 'a-Secret-of-the-CI-1';
    const env = { STAGE_URL: server.baseUrl, STAGE_KEY: secret, CROUPIER_HOME: join(dirname(directory), 'home') };
    const { code, out, err } = await shell(text, directory, env);
    expect(code, err).toBe(1);
    const report = await readFile(join(directory, 'report.html'), 'utf8');
    expect(report).toContain('&lt;PRIVATE_KEY&gt;');
    expect(`${out}${err}${report}`).not.toContain(secret);
  } finally {
    await server.close();
  }
});

it.each([
  ['GitHub Actions', () => (yamlBlock(3) as [GitHubStep])[0].run],
  ['GitLab', () => (yamlBlock(4) as { backend: { script: string[] } }).backend.script.join('\n')],
  ['Jenkins', () => jenkinsScripts(1)[0]],
])('the step for %s passes the test of a backend through the gateway, and fails if a hash is wrong', async (name, step) => {
  const script = blocks.filter(({ language }) => language === 'sh')[1]?.text ?? '';
  const secret = 'a-Secret-of-the-CI-2';
  const server = await startHttpsServer((_, response) => void response.end('{"code":0,"message":"ok","data":{"slots":[]}}'));
  try {
    for (const signs of [secret, 'another']) {
      const directory = join(folder, `${name} ${signs}`);
      await mkdir(directory);
      await writeFile(join(directory, 'ca.pem'), server.ca);
      const own = script.replaceAll('8500', String(await freePort())).replace('5s', '200ms');
      await writeFile(join(directory, 'through-gateway.sh'), own.replace('--no-production', '$& --ca ca.pem'));
      await writeFile(join(directory, 'integration-test'), `#!${process.execPath}\n${backendTest}`, { mode: 0o755 });
      const env = { STAGE_URL: server.baseUrl, STAGE_KEY: secret, BACKEND_KEY: signs, WORKSPACE_TMP: directory };
      const { code, out, err } = await shell(step() ?? 'exit 99', directory, env);
      expect(code, err).toBe(signs === secret ? 0 : 1);
      const report = await readFile(join(directory, 'gateway.xml'), 'utf8');
      expect(report).toContain('tests="1"');
      expect(report.includes('<failure')).toBe(signs !== secret);
      expect(`${out}${err}${report}`).not.toContain(secret);
    }
  } finally {
    await server.close();
  }
});

it('the script for a wallet passes a correct one, and fails one that a token of nobody opens', { timeout: 60_000 }, async () => {
  const script = blocks.filter(({ language }) => language === 'sh')[2]?.text ?? '';
  const players = 'players:\n  - { playerId: alice, externalToken: token-of-alice, currency: EUR, balance: 10 }\n';
  for (const fault of [null, 'unknown-token-first-player']) {
    const cli = await createCli();
    try {
      const directory = join(folder, `wallet ${fault ?? ''}`);
      await mkdir(directory);
      await writeFile(join(directory, 'players.yaml'), players);
      const planted = fault === null ? [] : ['--wallet-fault', fault];
      const options = ['--port', '0', '--key-env', 'KEY', '--players', join(directory, 'players.yaml'), ...planted];
      const provider = cli.start(['sandbox', ...options], { env: { KEY: 'a-key-of-the-provider-1' } });
      const { walletUrl, caFile } = JSON.parse(await linesFrom(provider).next(() => true)) as Record<string, string>;
      await cp(caFile ?? '', join(directory, 'wallet-ca.pem'));
      const env = { WALLET_URL: walletUrl ?? '', WALLET_TOKEN: 'token-of-alice' };
      const { code, out, err } = await shell(script.replace('wallet test', '$& --only session --only bet'), directory, env);
      expect(code, err).toBe(fault === null ? 0 : 1);
      const reports = await Promise.all(['wallet.xml', 'wallet.html'].map((name) => readFile(join(directory, name), 'utf8')));
      expect(reports[0]).toContain('tests="19"');
      expect(reports[0]?.includes('<failure')).toBe(fault !== null);
      expect(`${out}${err}${reports.join('')}`).not.toContain('token-of-alice');
    } finally {
      await cli.close();
    }
  }
});

/** A test of a backend in Node, which sends one request to its provider. */
const backendTest = `
const time = '20-11-2026 10:15:30';
const hash = require('node:crypto').createHash('sha256').update(process.env.BACKEND_KEY + time).digest('hex');
const body = JSON.stringify({ action: 'gameList', platform: 1, partnerId: 42, currency: 'EUR', time, hash });
fetch(process.env.PROVIDER_URL + '/serviceApi.php', { method: 'POST', body });
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
