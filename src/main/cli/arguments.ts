import { parseArgs } from 'node:util';
import { AppError } from '#shared/errors.ts';
import { suggestion } from '#shared/suggestion.ts';

export { suggestion };

/** One option of a command. `value` is the name of its value in the usage text; absent for a switch. */
export interface OptionSpec {
  readonly value?: string;
  readonly multiple?: boolean;
  /** All its values, which a shell completes. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** The one letter of an option, the same in every command that has the option. */
export const shortOptions: Readonly<Record<string, string>> = {
  data: 'd',
  'dry-run': 'n',
  env: 'e',
  json: 'j',
  limit: 'l',
  out: 'o',
  set: 's',
  verbose: 'v',
};

/** Description of a command, used to print its help and to check its arguments. */
export interface CommandSpec {
  /** The words after `croupier`. */
  readonly name: string;
  readonly summary: string;
  /** Names of the positional arguments; one in square brackets is optional, and a last one with `…` takes all the rest. */
  readonly positionals?: readonly string[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
}

export interface Arguments {
  readonly positionals: readonly string[];
  has(option: string): boolean;
  /** Returns the value of an option that may be given once. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
}

/** Reads a command's arguments; refuses an unknown one and suggests the nearest known name. */
export function readArguments(spec: CommandSpec, args: readonly string[]): Arguments {
  const { positionals: names = [], options = {} } = spec;
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => {
        const short = shortOptions[name];
        return [name, { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) }];
      }),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const positionals: string[] = [];
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      throw new UsageError(`Unknown option ${token.rawName}.${suggestion(`--${token.name}`, optionNames(spec))}`);
    }
    const values = given.get(token.name) ?? [];
    if (values.length > 0 && option.multiple !== true) throw new UsageError(`Use ${token.rawName} only once.`);
    given.set(token.name, [...values, valueOf(token, option.value)]);
  }
  refuseFileAsData(options['data-file'], given.get('data')?.[0]);
  const least = names.filter((name) => !name.startsWith('[')).length;
  if (positionals.length < least) throw new UsageError(`${names[positionals.length] ?? ''} is missing.`);
  const takesMore = /…\]?$/.test(names.at(-1) ?? '');
  if (positionals.length > names.length && !takesMore) {
    // Not quoted, because a key may have been typed here by mistake.
    throw new UsageError(`Too many arguments: leave out ${positionals.length - names.length}.`);
  }
  return argumentsOf(positionals, given);
}

/** Returns the arguments of a command; an option that is not given has no entry. */
export function argumentsOf(positionals: readonly string[], given: ReadonlyMap<string, readonly string[]>): Arguments {
  return {
    positionals,
    has: (option) => given.has(option),
    value: (option) => given.get(option)?.[0],
    values: (option) => given.get(option) ?? [],
  };
}

/** Refuses curl's `@file`: sent as it is, it would be the text of the payload. */
function refuseFileAsData(fileOption: OptionSpec | undefined, text: string | undefined): void {
  if (text?.startsWith('@') !== true || fileOption === undefined) return;
  const path = text.slice(1);
  const file = /^[\w./\\:-]+$/.test(path) ? path : fileOption.value;
  throw new UsageError(`--data takes text, not @file. Use --data-file ${file ?? 'FILE'}.`);
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/** Returns the value of an option, empty for a switch, whose value has no name. */
function valueOf({ rawName, value, inlineValue }: OptionToken, name: string | undefined): string {
  if (name === undefined && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (name === undefined) return '';
  // Without this check, an option without its value would take the next option as value.
  const swallowed = inlineValue !== true && value !== undefined && /^--?[a-z]/i.test(value);
  if (value === undefined || swallowed) throw new UsageError(`${rawName} needs a value: ${rawName}=${name}.`);
  return value;
}

/** An error about the arguments, below which the usage of the command is printed. */
export class UsageError extends AppError {
  usage = '';

  constructor(message: string) {
    super('invalid_input', message);
  }
}

/** Does something with the arguments of a command: an error about them gets its usage. */
export async function withUsage<T>(spec: CommandSpec, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) error.usage = usageLine(spec);
    throw error;
  }
}

/** Returns the one of the formats that --as names. */
export function formatIn<Format extends { readonly name: string }>(text: string | undefined, formats: readonly Format[]): Format {
  const names = formats.map(({ name }) => name);
  if (text === undefined) throw new UsageError(`Name the format with --as: ${names.join(', ')}.`);
  const format = formats.find(({ name }) => name === text);
  if (format !== undefined) return format;
  const near = suggestion(text, names);
  throw new UsageError(`There is no format ${JSON.stringify(text)}.${near} Available: ${names.join(', ')}.`);
}

/** Returns the whole number that a text is; fails with this message for anything else, and for one beyond the limits. */
export function readWhole(
  text: string,
  message: string,
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const value = Number(text);
  if ((least < 0 ? /^-?\d+$/ : /^\d+$/).test(text) && value >= least && value <= most) return value;
  throw new UsageError(message);
}

/** Returns the whole number of an option between two limits; undefined if it is not given. */
export function readNumber(args: Arguments, option: string, least: number, most: number): number | undefined {
  const text = args.value(option);
  if (text === undefined) return undefined;
  return readWhole(text, `--${option} must be a whole number from ${least} to ${most.toLocaleString('en')}.`, least, most);
}

/** Returns the value of `--port`; 0, a free one, if it is not given. */
export function readPort(args: Arguments): number {
  return readWhole(args.value('port') ?? '0', '--port must be a number from 0 to 65535.', 0, 65_535);
}

function usageLine({ name, positionals = [], options = {} }: CommandSpec): string {
  const listed = Object.entries(options).map(([option, { value, multiple }]) => {
    const text = value === undefined ? `--${option}` : `--${option} ${value}`;
    return `[${text}]${multiple === true ? '…' : ''}`;
  });
  return ['Usage: croupier', name, ...positionals, ...listed].join(' ');
}

/** Returns an option as it is typed, with its letter and the name of its value: `-e, --env NAME`. */
export function optionText(name: string, { value }: OptionSpec): string {
  const short = shortOptions[name];
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** Returns the text that `--help` prints. */
export function helpText({ name, summary, positionals = [], options = {}, notes = [] }: CommandSpec): string {
  const left = Object.entries(options).map(
    ([long, option]) => `${shortOptions[long] === undefined ? '    ' : ''}${optionText(long, option)}`,
  );
  const width = Math.max(0, ...left.map((text) => text.length));
  const lines = Object.values(options).map(({ help }, index) => `  ${(left[index] ?? '').padEnd(width)}  ${help}`);
  return [
    summary,
    '',
    `Usage: croupier ${[name, ...positionals].join(' ')}${lines.length > 0 ? ' [options]' : ''}`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...notes.flatMap((note) => ['', note]),
  ].join('\n');
}

function optionNames({ options = {} }: CommandSpec): string[] {
  return [...Object.keys(options).map((name) => `--${name}`), '--help'];
}
