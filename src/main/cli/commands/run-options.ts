import { extname, resolve } from 'node:path';
import type { Input } from '#shared/ipc/index.ts';
import { usageError, type Arguments, type CommandSpec } from '../arguments.ts';

type Options = NonNullable<Input<'runs.start'>['options']>;

const dataFormats: Readonly<Record<string, 'csv' | 'jsonl'>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' };

/** Reads the options of a run. Fails with `invalid_input`. */
export function readOptions(spec: CommandSpec, args: Arguments, env: NodeJS.ProcessEnv): Options {
  const number = (name: string, least: number, most: number): number | undefined => {
    const text = args.value(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    throw usageError(spec, `--${name} must be a whole number from ${least} to ${most.toLocaleString('en')}.`);
  };
  const repeat = number('repeat', 1, 1_000_000);
  const delayMs = number('delay', 0, 3_600_000);
  const parallel = number('parallel', 1, 100);
  const data = args.value('data');
  const shard = args.value('shard');
  return {
    ...(repeat === undefined ? {} : { repeat }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(data === undefined ? {} : { data: { format: dataFormat(spec, data), file: resolve(data) } }),
    ...(shard === undefined ? {} : { shard: readShard(spec, shard) }),
    bail: args.has('bail'),
    unreadable: args.has('keep-going') ? 'report' : 'refuse',
    requireChecks: args.has('require-checks'),
    variables: Object.fromEntries([
      ...args.values('var').map((text) => readVariable(spec, text, '--var')),
      ...args.values('var-env').map((text) => fromEnvironment(spec, readVariable(spec, text, '--var-env'), env)),
    ]),
  };
}

function readShard(spec: CommandSpec, text: string): { part: number; of: number } {
  const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= of && of <= 1_000) return { part, of };
  throw usageError(spec, '--shard is written as I/N, part I of N parts, such as 1/4; N is at most 1,000.');
}

function dataFormat(spec: CommandSpec, path: string): 'csv' | 'jsonl' {
  const found = dataFormats[extname(path).toLowerCase()];
  if (found !== undefined) return found;
  throw usageError(spec, `--data takes a file that ends with ${Object.keys(dataFormats).join(', ')}.`);
}

function fromEnvironment(spec: CommandSpec, [name, variable]: [string, string], env: NodeJS.ProcessEnv): [string, string] {
  const value = env[variable];
  if (value !== undefined) return [name, value];
  throw usageError(spec, `The environment variable that --var-env names for ${name} is not set.`);
}

function readVariable(spec: CommandSpec, text: string, option: '--var' | '--var-env'): [string, string] {
  const at = text.indexOf('=');
  // Not quoted, because a key may have been typed here by mistake.
  if (at < 1) throw usageError(spec, `${option} is written as ${option === '--var' ? 'NAME=VALUE' : 'NAME=VAR'}.`);
  const name = text.slice(0, at);
  if (!/^[A-Za-z_][\w.-]{0,99}$/.test(name)) {
    throw usageError(spec, `The name of a ${option} has letters, digits, _, . and - and begins with a letter.`);
  }
  return [name, text.slice(at + 1)];
}
