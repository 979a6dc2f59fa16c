import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { canariesIn, jsonWith, keyCanary, tokenCanaries, tokenOf } from './canaries.ts';
import { createCli, newEnvironment, type Cli } from './cli-driver.ts';
import { startHttpsServer } from './https-server.ts';
import { createChoices, seededRandom, type Choices } from './seeded-random.ts';

const program = fileURLToPath(new URL('../../bin/croupier', import.meta.url));

/** A client of the protocol's own SDK, connected to `croupier mcp`. */
export interface McpSession {
  readonly client: Client;
  /** Uses a tool and returns its texts. */
  use(name: string, values?: object, signal?: AbortSignal): Promise<{ texts: string[]; failed: boolean }>;
  /** Messages that were no part of the protocol, and what was printed on standard error. */
  readonly strange: readonly string[];
  readonly notes: () => string;
  close(): Promise<void>;
}

/** Starts `croupier mcp` on a home and connects to it. */
export async function openMcp(
  { home }: Pick<Cli, 'home'>,
  { args = [], env = {}, modern = false }: { args?: readonly string[]; env?: Record<string, string>; modern?: boolean } = {},
): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: program,
    args: ['mcp', ...args],
    cwd: dirname(home),
    env: { PATH: process.env['PATH'] ?? '', HOME: dirname(home), CROUPIER_HOME: home, ...env },
    stderr: 'pipe',
  });
  let notes = '';
  transport.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  const strange: string[] = [];
  const client = new Client(
    { name: 'test', version: '1' },
    modern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  client.onerror = (error) => strange.push(error.message);
  await client.connect(transport);
  return {
    client,
    strange,
    notes: () => notes,
    async use(name, values = {}, signal) {
      const asked = { name, arguments: values as Record<string, unknown> };
      const result = await client.callTool(asked, signal === undefined ? {} : { signal });
      const texts = result.content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)));
      return { texts, failed: result.isError === true };
    },
    close: () => client.close(),
  };
}

/** A home with calls that hold tokens, an environment with a key, one that is production, and a collection. */
export async function mcpGround() {
  const cli = await createCli();
  const folder = dirname(cli.home);
  let served = 0;
  const provider = await startHttpsServer((_, response) => {
    served += 1;
    const data = jsonWith(tokenCanaries, served);
    response.setHeader('x-trace', tokenOf('uuid', served));
    response.end(`{"code":0,"message":"ok, ${tokenOf('hex', served)} is known","data":${data}}`);
  });
  let live = 0;
  const production = await startHttpsServer((_, response) => {
    live += 1;
    response.end('{"code":0,"message":"ok"}');
  });
  const env = { KEY: keyCanary };
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, provider.ca);
  const settings = ['--platform=1', '--partner-id=2', '--ca', ca];
  await cli.run(newEnvironment('mine', provider.baseUrl, '--ca', ca));
  await cli.run(['env', 'set', 'live', '--base-url', production.baseUrl, ...settings, '--production']);
  for (const [operation, payload] of [
    ['playerInfo', jsonWith(tokenCanaries, 100)],
    ['playerInfo', jsonWith(tokenCanaries, 101)],
    ['getGameRound', `{"roundId": 9007199254740993, "logMonth": 0, "note": "${'x'.repeat(130_000)}"}`],
  ] as const) {
    const line = ['call', operation, '--env', 'mine', '--key-env', 'KEY', '--data-file', '-'];
    const { code, err } = await cli.run(line, { env, input: payload });
    if (code !== 0 && code !== 3) throw new Error(err);
  }
  const collection = join(folder, 'collection');
  await mkdir(collection);
  await writeFile(join(collection, 'games.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: 0\n');
  await writeFile(join(collection, 'fails.yaml'), 'operation: gameList\ndata: |\n  {"currency": "EUR"}\nexpect:\n  - code: 8\n');
  return {
    cli,
    collection,
    env,
    /** Number of requests that reached the production environment. */
    live: () => live,
    open: (args: readonly string[] = []) => openMcp(cli, { args: ['--env', 'mine', '--key-env', 'KEY', ...args], env }),
    async close() {
      await cli.close();
      await provider.close();
      await production.close();
    },
  };
}

/** Arguments with which each tool does its usual work. */
export function usualArguments(collection: string): Readonly<Record<string, object>> {
  return {
    environments: {},
    operations: { operation: 'bet' },
    open_points: { env: 'mine' },
    hash: { env: 'mine', time: '20-11-2026 10:15:30', data: '{"a": 1}' },
    history_search: { env: ['mine'] },
    history_show: { id: 1 },
    history_compare: { a: 1, b: 2 },
    doctor: { env: 'mine', hash: '0'.repeat(64), time: '20-11-2026 10:15:30', data: '{"a":1}' },
    run_collection: { path: collection },
    provider_log: {},
    send_call: { env: 'mine', operation: 'playerInfo', data: jsonWith(tokenCanaries, 102) },
  };
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const texts = [
  '',
  ' ',
  '-',
  '--confirm-production',
  '--env=live',
  'live',
  'mine',
  'sandbox',
  '../../../../etc/passwd',
  '/proc/self/environ',
  'a=b',
  '__proto__',
  '\u0000',
  '\u202e\u{e0041}\u{e0042}',
  '\ud800',
  "'; DROP TABLE calls; --",
  '%',
  '"',
  '{{externalToken}}',
  '{"a":',
  '{"roundId": 9007199254740993}',
  '20-11-2026 10:15:30',
  '7d',
  'fun',
  'answered',
  'x'.repeat(20_000),
  keyCanary,
  Buffer.from(keyCanary).toString('base64'),
];

/** Returns a value for a schema: usually one that it lets in, otherwise something else. */
function valueFor(schema: Schema, choices: Choices, depth = 0): unknown {
  if (choices.chance(0.12)) return choices.pick([null, -1, 1.5, 1e308, true, 'x', [], {}, [[[]]], { a: null }]);
  if (schema.enum !== undefined) return choices.pick(schema.enum);
  const { minimum = -5, maximum = 5 } = schema;
  if (schema.type === 'integer') return choices.pick([minimum, maximum, minimum + choices.below(5), minimum - 1, 8]);
  if (schema.type === 'boolean') return choices.chance(0.5);
  if (schema.type === 'array' && schema.items !== undefined && depth < 2) {
    const { items } = schema;
    return Array.from({ length: choices.pick([0, 1, 2, 60]) }, () => valueFor(items, choices, depth + 1));
  }
  return choices.pick(texts);
}

function argumentsFor({ properties = {}, required = [] }: Schema, choices: Choices): object {
  const given = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] =>
    // A deep search takes a minute.
    name !== 'deep' && (required.includes(name) ? choices.chance(0.95) : choices.chance(0.4))
      ? [[name, valueFor(schema, choices)]]
      : [],
  );
  const strange = choices.chance(0.05) ? [[choices.pick(['constructor', 'confirmed', 'baseUrl', 'key']), 'x']] : [];
  return Object.fromEntries([...given, ...strange]) as object;
}

/** Uses the tools on a ground of their own with hostile arguments. */
export async function mcpRounds(rounds: number, seed: number) {
  const ground = await mcpGround();
  try {
    const session = await ground.open(['--allow-send']);
    const report = await attackMcp(ground, session, rounds, seed);
    await session.close();
    return report;
  } finally {
    await ground.close();
  }
}

/** Uses the tools with hostile arguments made from their schemas. */
export async function attackMcp(
  ground: Pick<Awaited<ReturnType<typeof mcpGround>>, 'live'>,
  session: McpSession,
  rounds: number,
  seed: number,
) {
  const choices = createChoices(seededRandom(seed));
  const report = { tried: 0, refused: 0, answered: 0, faults: [] as string[] };
  const { tools } = await session.client.listTools();
  for (let round = 0; round < rounds; round += 1) {
    const { name, inputSchema } = choices.pick(tools);
    const values = argumentsFor(inputSchema as Schema, choices);
    report.tried += 1;
    const told = `${name} ${JSON.stringify(values).slice(0, 300)}`;
    try {
      const result = await session.use(name, values);
      report[result.failed ? 'refused' : 'answered'] += 1;
      const all = result.texts.join('\n');
      if (/An error in Croupier|fault [0-9a-f]{6}/.test(all)) report.faults.push(`${told}: ${all.slice(0, 300)}`);
      for (const what of canariesIn(all)) report.faults.push(`${told}: ${what} in the result`);
    } catch (error) {
      report.faults.push(`${told}: ${String(error).slice(0, 300)}`);
    }
  }
  for (const what of canariesIn(session.notes())) report.faults.push(`${what} on standard error`);
  report.faults.push(...session.strange.map((message) => `strange: ${message}`));
  if (ground.live() > 0) report.faults.push(`${ground.live()} requests reached production`);
  return report;
}

/** Lists and uses every tool with the protocol's inspector, a program that nobody here wrote. `inspector` is its entry. */
export async function inspectorRounds(inspector: string) {
  const ground = await mcpGround();
  const report = { used: 0, problems: [] as string[] };
  try {
    const config = join(dirname(ground.cli.home), 'inspector.json');
    const server = { command: program, args: ['mcp', '--allow-send', '--env', 'mine', '--key-env', 'KEY'] };
    const env = { CROUPIER_HOME: ground.cli.home, ...ground.env };
    await writeFile(config, JSON.stringify({ mcpServers: { croupier: { ...server, env } } }));
    const inspect = async (...args: string[]) => {
      const line = [inspector, '--cli', '--config', config, '--server', 'croupier', ...args];
      const found = await promisify(execFile)(process.execPath, line, { maxBuffer: 1e8 }).catch((error: Error) => error);
      if (!(found instanceof Error)) return found.stdout;
      report.problems.push(`${args.join(' ')}: ${found.message.slice(0, 500)}`);
      return '';
    };
    // It also refuses a schema that some client could not read.
    const { tools } = JSON.parse(await inspect('--method', 'tools/list', '--strict')) as { tools: { name: string }[] };
    const usual = usualArguments(ground.collection);
    for (const { name } of tools) {
      const given = Object.entries(usual[name] ?? {}).map(([field, value]) => `${field}=${JSON.stringify(value)}`);
      const args = given.length === 0 ? [] : ['--tool-arg', ...given];
      const out = await inspect('--method', 'tools/call', '--tool-name', name, ...args);
      report.used += 1;
      for (const what of canariesIn(out)) report.problems.push(`${name}: ${what} in the result`);
      if (!out.includes('"content"')) report.problems.push(`${name}: ${out.slice(0, 200)}`);
    }
    if (tools.length !== Object.keys(usual).length) report.problems.push(`It lists ${tools.length} tools.`);
  } finally {
    await ground.close();
  }
  return report;
}
