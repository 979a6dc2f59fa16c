import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { describeWithTool, requireTool } from '#testing/external-tools.ts';
import { makeCertificate } from '#testing/https-server.ts';

/** `npm run test:long -- gateway` runs those that take long, too. */
const isWhole = process.env['CROUPIER_GATEWAY'] === 'whole';
const file = (name: string) => fileURLToPath(new URL(`../../../testing/http-clients/${name}`, import.meta.url));
const json = '{"action":"gameList"}';

interface RealClient {
  /** Program or library that a machine may lack. */
  readonly tool: string;
  /** The program that runs, if it is another one. */
  readonly runs?: string;
  readonly isSlow?: true;
  readonly args: (url: string, ca: string) => readonly string[];
  readonly input?: string;
  readonly requests: number;
}

/** Requests on one connection, one after the other. */
function curl(...requests: readonly (readonly string[])[]): RealClient['args'] {
  return (url, ca) =>
    requests.flatMap(([path, ...options], at) => {
      const next = at === 0 ? [] : ['--next'];
      return next.concat('-sS', '-i', '--expect100-timeout', '60', '--cacert', ca, options, `${url}${path}`);
    });
}

const clients: Readonly<Record<string, RealClient>> = {
  'curl, one connection': {
    tool: 'curl',
    args: curl(
      ['/sized?x=%20y&z', '--http1.1'],
      ['/sized', '-d', json, '-H', 'X-mixed-CASE:  \u00e9', '-H', 'Accept:', '-H', 'X-Empty;'],
      ['/chunked', '-H', 'Transfer-Encoding: chunked', '-d', json],
      ['/sized', '-I'],
      ['/early', '-d', json, '-H', 'Expect: 100-continue'],
      ['/nothing', '-X', 'PURGE'],
      ['/large', '-T', '-'],
      ['/error', '-d', json],
    ),
    input: 'a/\u00e9'.repeat(500_000),
    requests: 8,
  },
  'curl, a large upload and HTTP/1.0': {
    tool: 'curl',
    args: curl(['/large', '--data-binary', '@-'], ['/end'], ['/sized', '--http1.0', '-d', json], ['/sized', '--http1.0']),
    input: 'a/\u00e9'.repeat(500_000),
    requests: 4,
  },
  'PHP, curl': { tool: 'php', args: (...to) => [file('client.php'), 'curl', ...to], requests: 10 },
  'PHP, streams': { tool: 'php', args: (...to) => [file('client.php'), 'streams', ...to], requests: 10 },
  'Node, fetch': { tool: 'node', args: (...to) => [file('client.mjs'), 'fetch', ...to], requests: 10 },
  'Node, https': { tool: 'node', args: (...to) => [file('client.mjs'), 'https', ...to], requests: 10 },
  'Python, http.client': { tool: 'python3', args: (...to) => [file('client.py'), 'http', ...to], requests: 10 },
  'Python, requests': {
    tool: '/usr/lib/python3/dist-packages/requests/__init__.py',
    runs: '/usr/bin/python3',
    args: (...to) => [file('client.py'), 'requests', ...to],
    requests: 10,
  },
  'Java, HttpClient': { tool: 'java', isSlow: true, args: (...to) => [file('Client.java'), ...to], requests: 9 },
  'Go, net/http': { tool: 'go', isSlow: true, args: (...to) => ['run', file('client.go'), ...to], requests: 10 },
};

let folder: string;
let test: TestApp;
let provider: ChildProcess;
let answers: AsyncIterator<string>;
let direct: { readonly url: string; readonly ca: string };
let through: typeof direct;

describeWithTool('python3', 'a provider in Python gets what it would get without the gateway from', (python) => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'croupier-clients-'));
    const certificate = await makeCertificate();
    const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => join(folder, name)) as [string, string, string];
    await writeFile(ca, certificate.ca);
    await writeFile(cert, certificate.cert);
    await writeFile(key, certificate.key);
    provider = spawn(python, [file('provider.py'), cert, key], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (provider.stdout === null) throw new Error('no output');
    answers = createInterface({ input: provider.stdout })[Symbol.asyncIterator]();
    const url = `https://localhost:${(await answers.next()).value}`;
    direct = { url, ca };
    test = await createTestApp();
    const environment = await test.environment({ baseUrl: url, ca: certificate.ca });
    const status = await test.client.call('gateway.start', { environmentId: environment.id, anyPartner: true });
    through = { url: status.baseUrl, ca: status.caFile };
  });
  afterAll(async () => {
    provider.kill();
    await test.close();
    await rm(folder, { recursive: true });
  });

  /** Returns what the client printed, and what the provider got on each connection. */
  async function run({ tool, runs = requireTool(tool), args, input = '' }: RealClient, { url, ca }: typeof direct) {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca, GO111MODULE: 'off' };
    const child = spawn(runs, args(url, ca), { stdio: ['pipe', 'pipe', 'pipe'], env });
    child.stdin.end(input);
    child.stdin.on('error', () => undefined);
    const [said, problem] = ['', ''].map(() => [] as Buffer[]) as [Buffer[], Buffer[]];
    child.stdout.on('data', (part: Buffer) => said.push(part));
    child.stderr.on('data', (part: Buffer) => problem.push(part));
    const [code] = (await once(child, 'close')) as [number];
    provider.stdin?.write('\n');
    const came = JSON.parse(String((await answers.next()).value)) as string[];
    const received = came.map((base64) => Buffer.from(base64, 'base64').toString('latin1'));
    return { code, problem: Buffer.concat(problem).toString(), said: Buffer.concat(said).toString('latin1'), received };
  }

  for (const [name, client] of Object.entries(clients)) {
    if (client.isSlow && !isWhole) continue;
    describeWithTool(client.tool, name, () => {
      it('byte for byte, and answers it alike', async () => {
        const before = (await test.client.call('calls.list', {})).total;
        const plain = await run(client, direct);
        expect(plain).toMatchObject({ code: 0, problem: '' });
        const passed = await run(client, through);
        expect(passed).toEqual(plain);
        const { total, calls } = await test.client.call('calls.list', { limit: client.requests });
        expect(total - before).toBe(client.requests);
        expect(new Set(calls.map(({ state }) => state))).toEqual(new Set(['answered']));
        for (const { id } of calls) {
          const { request, findings } = await test.client.call('calls.get', { id });
          const isWaiting = request.headers.some(([header]) => /^expect$/i.test(header));
          if (isWaiting) expect(findings.map(({ rule }) => rule)).not.toContain('http.unasked');
        }
        expect(test.faults).toEqual([]);
      });
    });
  }
});
