import { extname, resolve } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Input, RunData } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { readNumber, UsageError, type Arguments } from '../arguments.ts';
import type { Context } from '../command.ts';
import { readTextFile } from '../read-input.ts';

type Options = NonNullable<Input<'runs.start'>['options']>;

const dataFormats: Readonly<Record<string, 'csv' | 'jsonl'>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' };

/** Reads the options of a run. Fails with `invalid_input`. */
export async function readOptions(args: Arguments, context: Context): Promise<Options> {
  const repeat = readNumber(args, 'repeat', 1, 1_000_000);
  const delayMs = readNumber(args, 'delay', 0, 3_600_000);
  const parallel = readNumber(args, 'parallel', 1, 100);
  const data = args.value('data');
  if (data === undefined && args.has('delimiter')) throw new UsageError('--delimiter needs --data with a .csv file.');
  const shard = args.value('shard');
  return {
    ...(repeat === undefined ? {} : { repeat }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(parallel === undefined ? {} : { parallel }),
    ...(data === undefined ? {} : { data: await readData(data, args, context) }),
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
    tags: [...args.values('tag')],
    excludeTags: [...args.values('exclude-tag')],
    bail: args.has('bail'),
    unreadable: args.has('keep-going') ? 'report' : 'refuse',
    unknownChecks: args.has('skip-unknown-checks') ? 'skip' : 'fail',
    requireChecks: args.has('require-checks'),
    variables: Object.fromEntries([
      ...args.values('var').map((text) => readVariable(text, '--var')),
      ...args.values('var-env').map((text) => fromEnvironment(readVariable(text, '--var-env'), context.terminal.env)),
    ]),
  };
}

function readShard(text: string): { part: number; of: number } {
  const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (part >= 1 && part <= of && of <= 1_000) return { part, of };
  throw new UsageError('Write --shard as I/N, such as 1/4. N is at most 1,000.');
}

/** Names the file of the rows. One JSON array of objects is read here, and its items become lines, with every digit as it is written. */
async function readData(path: string, args: Arguments, context: Context): Promise<RunData> {
  const ending = extname(path).toLowerCase();
  const format = dataFormats[ending];
  const delimiter = delimiterOf(args.value('delimiter'), format);
  if (format !== undefined) return { format, file: resolve(path), ...(delimiter === undefined ? {} : { delimiter }) };
  if (ending !== '.json')
    throw new UsageError(`--data needs a file that ends with ${[...Object.keys(dataFormats), '.json'].join(', ')}.`);
  const text = await readTextFile('input.rows', path, context);
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'array')
    throw new AppError('invalid_input', `${path} is not a JSON array of objects. For one object per line, rename it to .jsonl.`);
  const rows = parsed.root.items.map((item, index) => {
    if (item.kind !== 'object') throw new AppError('invalid_input', `Item ${index + 1} of ${path} is not an object.`);
    return text.slice(item.start, item.end).replaceAll(/[\r\n]+/g, ' ');
  });
  return { format: 'jsonl', text: rows.join('\n') };
}

function delimiterOf(text: string | undefined, format: RunData['format'] | undefined): RunData['delimiter'] {
  if (text === undefined) return undefined;
  if (format !== 'csv') throw new UsageError('--delimiter works only with a .csv file.');
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (delimiter === ',' || delimiter === ';' || delimiter === '\t' || delimiter === '|') return delimiter;
  throw new UsageError('--delimiter must be , ; | or tab. Quote it for the shell: --delimiter ";"');
}

function fromEnvironment([name, variable]: [string, string], env: NodeJS.ProcessEnv): [string, string] {
  const value = env[variable];
  if (value !== undefined) return [name, value];
  throw new UsageError(`The environment variable that --var-env names for ${name} is not set.`);
}

function readVariable(text: string, option: '--var' | '--var-env'): [string, string] {
  const at = text.indexOf('=');
  // Not quoted, because a key may have been typed here by mistake.
  if (at < 1) throw new UsageError(`Write ${option} as ${option === '--var' ? 'NAME=VALUE' : 'NAME=VAR'}.`);
  const name = text.slice(0, at);
  if (!/^[A-Za-z_][\w.-]{0,99}$/.test(name)) {
    throw new UsageError(`The name in ${option} may have letters, digits, _, . and -, and must begin with a letter or _.`);
  }
  return [name, text.slice(at + 1)];
}
