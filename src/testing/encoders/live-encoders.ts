import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireTool } from '../external-tools.ts';

/** Programs of this machine that tests run, with their scripts beside this file: who runs them, those that write JSON, those that write times. */
const scripts = {
  php: ['php', 'encode.php', 'times.php'],
  python3: ['python3', 'encode.py', 'times.py'],
  node: ['node', 'encode.mjs', 'times.mjs'],
  perl: ['perl', 'encode.pl', null],
  jq: ['bash', 'encode-jq.sh', null],
} as const;

export type EncoderTool = keyof typeof scripts;
export const encoderTools = Object.keys(scripts) as readonly EncoderTool[];

/** For each way of a program, what it wrote of each text. */
export type Written = ReadonlyMap<string, readonly Buffer[]>;

/** Has a program write JSON texts of one line in all its ways, in one process. Throws if it failed. */
export function encodeWith(tool: EncoderTool, texts: readonly string[]): Written {
  const [runner, script] = scripts[tool];
  return runLines(runner, [besides(script)], texts);
}

/** Has a program write moments, in seconds since 1970, in all its ways, in one process. Throws if it failed. */
export function writeTimesWith(tool: EncoderTool, moments: readonly number[]): Written {
  const [runner, , script] = scripts[tool];
  return script === null ? new Map() : runLines(runner, [besides(script)], moments.map(String));
}

/** Returns the path of a file of this folder. */
export function besides(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs a program that gets a text a line, and prints the text's number, a way and base64 a line. Throws if it failed. */
export function runLines(runner: string, args: readonly string[], texts: readonly string[]): Written {
  const { status, stdout, stderr, error } = spawnSync(runner === 'node' ? process.execPath : requireTool(runner), args, {
    input: texts.map((text) => `${text}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  if (status !== 0 || stderr !== '') throw new Error(`${runner} ${args.join(' ')} ended with ${status}: ${stderr}`);
  const ways = new Map<string, Buffer[]>();
  for (const line of stdout.trimEnd().split('\n')) {
    const [at, way = '', base64 = ''] = line.split('\t');
    const written = ways.get(way) ?? [];
    written[Number(at)] = Buffer.from(base64, 'base64');
    ways.set(way, written);
  }
  return ways;
}
