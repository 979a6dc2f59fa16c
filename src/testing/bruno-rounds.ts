import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Output, SandboxVerdict } from '#shared/ipc/index.ts';
import { createTestApp, temporaryFolder, type TestApp } from './app.ts';

/** One starter, run by Bruno's command line. */
export interface BrunoRound {
  readonly starter: string;
  readonly form: 'bruno' | 'opencollection';
  readonly mode: 'safe' | 'developer';
  readonly requests: number;
  readonly tests: number;
  readonly problems: readonly string[];
}

const key = 'K3y/with "quotes" $HOME & \\ é😀';
const starters = fileURLToPath(new URL('../../starter-collections', import.meta.url));

/** Exports every starter in both forms of Bruno's files, and has Bruno's command line, the program `tool`, run each in both of its modes. */
export async function brunoRounds(tool: string, onRound: (round: BrunoRound) => void): Promise<void> {
  const folder = await temporaryFolder();
  const test = await createTestApp({ home: join(folder, 'home'), sandbox: { key } });
  try {
    const { environments } = await test.client.call('environments.list', {});
    const sandbox = environments.find(({ id }) => id === 'sandbox');
    if (sandbox === undefined) throw new Error('There is no built-in provider.');
    // The safe mode of Bruno knows no time zones.
    await test.client.call('environments.save', { environment: { ...sandbox, timeZone: 'Europe/Warsaw' } });
    await writeFile(join(folder, 'ca.pem'), sandbox.ca);
    for (const starter of await readdir(starters))
      for (const form of ['bruno', 'opencollection'] as const)
        for (const mode of ['safe', 'developer'] as const) onRound(await runStarter(test, { tool, folder, starter, form, mode }));
  } finally {
    await test.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Start extends Pick<BrunoRound, 'starter' | 'form' | 'mode'> {
  readonly tool: string;
  readonly folder: string;
}

async function runStarter(test: TestApp, { tool, folder, starter, form, mode }: Start): Promise<BrunoRound> {
  const verdicts: SandboxVerdict[] = [];
  const stop = test.app.subscribe((name, payload) => {
    if (name === 'sandbox.judged') verdicts.push(payload as SandboxVerdict);
  });
  const { id } = await test.client.call('collections.open', { directory: join(starters, starter) });
  const expected = await expectedOf(test, id);
  const { files } = await test.client.call('collections.export', { id, path: '', format: form, environmentId: 'sandbox' });
  const place = join(folder, `${starter}-${form}-${mode}`);
  await writeAll(place, files);
  const { players } = await test.client.call('sandbox.status', {});
  const run = await runBruno(tool, join(place, directoryOf(files)), [
    `--sandbox=${mode}`,
    `--env=${environmentOf(files)}`,
    `--cacert=${join(folder, 'ca.pem')}`,
    `--env-var=externalToken=${players[0]?.externalToken ?? ''}`,
  ]);
  stop();
  const problems = [...run.problems];
  if (run.requests.length !== expected.length) problems.push(`${run.requests.length} of ${expected.length} requests ran`);
  const refused = verdicts.map(({ verdict }) => verdict.code !== 0);
  if (JSON.stringify(refused) !== JSON.stringify(expected.map((one) => one.refused)))
    problems.push(`the provider answered ${verdicts.map(({ verdict }) => `${verdict.code} ${verdict.why}`).join(', ')}`);
  return { starter, form, mode, requests: run.requests.length, tests: run.tests, problems };
}

/** Requests in the order of the collection, and whether the provider is to reject each. */
async function expectedOf(test: TestApp, id: string): Promise<{ refused: boolean }[]> {
  const { nodes } = await test.client.call('collections.tree', { id });
  const requests: { refused: boolean }[] = [];
  for (const node of nodes) {
    if (node.kind !== 'request') continue;
    const { request } = await test.client.call('collections.read', { id, path: node.path });
    const refused = request.expect.some(
      (one) => ('code' in one && one.code !== '0') || ('path' in one && one.path === '/code' && one.not === '0'),
    );
    requests.push({ refused });
  }
  return requests;
}

type Files = Output<'collections.export'>['files'];

async function writeAll(place: string, files: Files): Promise<void> {
  for (const { name, text } of files) {
    if (text.includes(key)) throw new Error(`${name} holds the key.`);
    await mkdir(dirname(join(place, name)), { recursive: true });
    await writeFile(join(place, name), text);
  }
}

const directoryOf = (files: Files): string => files[0]?.name.split('/')[0] ?? '';

function environmentOf(files: Files): string {
  const [, name = ''] = files.map((file) => /\/environments\/(.*)\.\w+$/.exec(file.name)).find((found) => found !== null) ?? [];
  return name;
}

interface Reported {
  readonly name: string;
  readonly error?: string | null;
  readonly testResults?: readonly { readonly description: string; readonly status: string; readonly error?: string }[];
}

async function runBruno(
  tool: string,
  cwd: string,
  more: readonly string[],
): Promise<{ requests: readonly Reported[]; tests: number; problems: string[] }> {
  const report = join(cwd, 'report.json');
  const args = [tool, 'run', '-r', '--reporter-json', report, '--noproxy', ...more];
  const env = { ...process.env, CROUPIER_KEY: key, NODE_NO_WARNINGS: '1' };
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env, maxBuffer: 1e8 }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, out: stdout + stderr });
    });
  });
  const runs = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as readonly { readonly results: readonly Reported[] }[],
    () => [],
  );
  const requests = runs.flatMap(({ results }) => results);
  const tests = requests.flatMap(({ name, testResults = [] }) => testResults.map((one) => ({ name, ...one })));
  const problems = [
    ...requests.flatMap(({ name, error }) => (error ? [`${name}: ${error}`] : [])),
    ...tests.flatMap(({ name, description, status, error = '' }) =>
      status === 'pass' ? [] : [`${name}, ${description}: ${error}`],
    ),
  ];
  if (code !== 0 && problems.length === 0) problems.push(`Bruno ended with ${code}: ${out.slice(-2_000)}`);
  return { requests, tests: tests.length, problems };
}
