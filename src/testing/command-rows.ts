import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { commands } from '../main/cli/commands.ts';
import { startHttpsServer, type TestServer } from './https-server.ts';

/** A line of the command line that does its usual work. */
export interface CommandRow {
  /** The whole line; its files are in the working directory. */
  readonly line: string;
  readonly status: number;
  readonly input?: string;
  /** It runs until it is ended. */
  readonly stays?: true;
}

/** Each command once, in an order in which each finds what it needs. `hasKeychain` decides where a key has to be given. */
function commandRows(hasKeychain: boolean, baseUrl: string, key: string): Readonly<Record<string, CommandRow>> {
  const keyed = hasKeychain ? 0 : 5;
  const given = hasKeychain ? '' : ' --key-env KEY';
  return {
    'env set': { line: `env set mine --base-url ${baseUrl} --ca ca.pem --platform 1 --partner-id 2 --no-production`, status: 0 },
    'env list': { line: 'env list', status: 0 },
    'env show': { line: 'env show mine', status: 0 },
    'env default': { line: 'env default mine', status: 0 },
    'env certificate': { line: 'env certificate mine', status: 0 },
    'key set': { line: 'key set mine', status: keyed, input: key },
    'key status': { line: 'key status mine', status: keyed },
    'key choose': { line: 'key choose mine new', status: 2 },
    'key discard': { line: 'key discard mine older', status: 2 },
    'proxy login': { line: 'proxy login http://proxy.test:8080', status: keyed, input: 'jane:not the key' },
    'proxy logout': { line: 'proxy logout http://proxy.test:8080', status: 0 },
    'env export': { line: 'env export mine --into c', status: 0 },
    'env diff': { line: 'env diff mine --from c', status: 0 },
    'env import': { line: 'env import mine --from c', status: 0 },
    call: { line: `call gameList --env mine --data-file data.json${given}`, status: 0 },
    'history repeat': { line: 'history repeat 1', status: 0 },
    run: { line: `run c --env mine --shard 1/1 --blob parts${given}`, status: 0 },
    'report merge': { line: 'report merge parts', status: 0 },
    'wallet test': { line: 'wallet test --env mine --token a-token', status: 1 },
    'wallet restore': { line: 'wallet restore last --token a-token', status: 2 },
    schemas: { line: 'schemas c', status: 0 },
    mcp: { line: 'mcp', status: 0 },
    hash: { line: 'hash --key-env KEY --time "28-11-2026 10:00:00"', status: 0 },
    doctor: { line: 'doctor request.json --key-env KEY', status: 1 },
    operations: { line: 'operations', status: 0 },
    'history list': { line: 'history list', status: 0 },
    'history search': { line: 'history search EUR', status: 0 },
    'history show': { line: 'history show 1', status: 0 },
    'history diff': { line: 'history diff 1 2', status: 0 },
    'history save': { line: 'history save 1 --into c --name saved', status: 0 },
    'history export': { line: 'history export 1 --as support --out pack.html', status: 0 },
    'history open': { line: 'history open pack.json', status: 0 },
    'history status': { line: 'history status', status: 0 },
    'history limits': { line: 'history limits', status: 0 },
    'history compact': { line: 'history compact', status: 0 },
    'history clean': { line: 'history clean', status: 0 },
    'history forget': { line: 'history forget --player player-1 --yes', status: 0 },
    'evidence key': { line: 'evidence key', status: 0 },
    'evidence verify': { line: 'evidence verify request.json', status: 2 },
    export: { line: 'export c --as postman --out exported.json', status: 0 },
    import: { line: 'import exported.json --into imported', status: 0 },
    diagnostics: { line: 'diagnostics', status: 0 },
    completion: { line: 'completion bash', status: 0 },
    man: { line: 'man', status: 0 },
    sandbox: { line: 'sandbox --port 0 --key-env KEY', status: 0, stays: true },
    gateway: { line: 'gateway --env mine --key-env KEY', status: 0, stays: true },
    serve: { line: 'serve --no-open --port 0', status: 0, stays: true },
    'key remove': { line: 'key remove mine', status: 0 },
    'env remove': { line: 'env remove mine', status: 0 },
    uninstall: { line: 'uninstall --yes', status: 0 },
  };
}

const croupier = resolve(import.meta.dirname, '../../bin/croupier');

/** Returns the words of a line. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([whole, quoted]) => quoted ?? whole);
}

/**
 * Runs a command in a folder with its home, to its end; one that stays is ended when it has printed its first line. `program` is the one of this
 * tree or one that was installed, with its own arguments.
 */
export async function outcomeOf(
  args: readonly string[],
  { input = '', stays }: Pick<CommandRow, 'input' | 'stays'>,
  folder: string,
  more: NodeJS.ProcessEnv,
  [program = '', ...own]: readonly string[] = [croupier],
): Promise<{ status: number | string; out: string; err: string }> {
  const env = { ...process.env, CROUPIER_HOME: join(folder, 'home'), ...more };
  const child = spawn(program, [...own, ...args], { cwd: folder, env });
  let [out, err] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  // A command that refuses its arguments reads no input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  createInterface({ input: child.stdout }).once('line', () => stays === true && child.kill('SIGTERM'));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { status: code ?? signal ?? 'no status', out, err };
}

/** Writes what the rows read into a folder, and starts the provider that they send to. Fails if a command has no row. */
export async function groundOfRows(
  folder: string,
  hasKeychain: boolean,
  key: string,
): Promise<{ server: TestServer; rows: ReturnType<typeof commandRows> }> {
  const server = await startHttpsServer((_, response) => void response.end('{"code":0,"message":"ok","data":{"slots":[]}}'));
  await mkdir(join(folder, 'c'));
  await writeFile(join(folder, 'c', 'games.yaml'), 'operation: gameList\nenvelope:\n  currency: EUR\n');
  await writeFile(join(folder, 'data.json'), '{"currency": "EUR"}');
  await writeFile(join(folder, 'ca.pem'), server.ca);
  const unsigned = { action: 'gameList', platformId: 1, partnerId: 2, time: '28-11-2026 10:00:00', hash: '0'.repeat(64) };
  await writeFile(join(folder, 'request.json'), JSON.stringify(unsigned));
  const rows = commandRows(hasKeychain, server.baseUrl, key);
  for (const { name } of commands) if (rows[name] === undefined) throw new Error(`"${name}" has no row.`);
  return { server, rows };
}
