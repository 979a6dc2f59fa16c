// A key and ten session tokens in every option and argument of the command line that takes a text, in the files that they name and in standard input:
// in `with-keyring.sh unlocked`, over a built program. Each is tried in a copy of a home where its command does its work. Prints what got somewhere that
// may not have it, and ends with 1 if there is any.
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandSpec } from '../main/cli/arguments.ts';
import { commands } from '../main/cli/commands.ts';
import { canariesIn, filesBelow, jsonWith, plainKeyCanary, strayInHome, tokenCanaries } from './canaries.ts';
import { groundOfRows, outcomeOf, wordsOf, type CommandRow } from './command-rows.ts';

const tokens = jsonWith(tokenCanaries, 0);
/** Texts that each place gets in turn. */
const canaries = { key: plainKeyCanary, tokens };
/** Name of a file that holds a canary. */
const given = 'given.json';

interface Trial {
  readonly input: string;
  readonly words: readonly string[];
  readonly stdin?: string;
}

/** Returns a command's line with a canary in each of its texts in turn. */
function trialsOf(spec: CommandSpec, { line }: CommandRow, canary: string): Trial[] {
  const words = wordsOf(line);
  const takesValue = (word = '') => word.startsWith('--') && spec.options?.[word.slice(2)]?.value !== undefined;
  const isArgument = words.map(
    (word, at) => at >= spec.name.split(' ').length && !word.startsWith('--') && !takesValue(words[at - 1]),
  );
  const arguments_ = words.flatMap((_, at) => (isArgument[at] === true ? [at] : []));
  const inArguments = (spec.positionals ?? []).flatMap((name, index) =>
    textsFor(name, canary).map(([how, text]): Trial => {
      const at = arguments_[index] ?? words.length;
      return { input: `${spec.name} ${name}${how}`, words: [...words.slice(0, at), text, ...words.slice(at + 1)] };
    }),
  );
  const inOptions = Object.entries(spec.options ?? {}).flatMap(([name, { value, choices }]) => {
    if (value === undefined || choices !== undefined) return [];
    const at = words.indexOf(`--${name}`);
    const others = at === -1 ? words : words.toSpliced(at, 2);
    return textsFor(value, canary).map(([how, text]): Trial => ({
      input: `${spec.name} --${name}${how}`,
      words: [...others, `--${name}=${text}`],
    }));
  });
  return [...inArguments, ...inOptions, { input: `${spec.name} standard input`, words, stdin: canary }];
}

/** Returns the texts of an option or argument by the name of its value: also as either part of a pair, and as the file that it names. */
function textsFor(value: string, canary: string): [how: string, text: string][] {
  const plain: [string, string][] = value.includes('=')
    ? [
        [', name', `${canary}=a`],
        [', value', `externalToken=${canary}`],
      ]
    : [['', canary]];
  return /^\[?(?:FILE|PATH|DIR)/.test(value) ? [...plain, [', file', given]] : plain;
}

const folder = await mkdtemp(join(tmpdir(), 'croupier-canaries-'));
const { server, rows } = await groundOfRows(folder, true, plainKeyCanary);
const specs = new Map((await Promise.all(commands.map(({ load }) => load()))).map(({ spec }) => [spec.name, spec]));
const env = { KEY: plainKeyCanary, CROUPIER_DEBUG: '1' };
let [tried, strays] = [0, 0];
async function doUsualWork(row: CommandRow): Promise<void> {
  const { status, err } = await outcomeOf(wordsOf(row.line), row, folder, { KEY: plainKeyCanary });
  if (status !== row.status) throw new Error(`${row.line} ended with ${status}: ${err}`);
}

/** Tries a line in a copy of the folder, and returns where the canary got that may not have it. */
async function strayAfter({ words, stdin }: Trial, row: CommandRow, canary: string, copy: string): Promise<string[]> {
  await cp(folder, copy, { recursive: true });
  await writeFile(join(copy, given), canary === plainKeyCanary ? JSON.stringify({ a: canary }) : canary);
  const before = new Set(await readdir(copy, { recursive: true }));
  const { status, out, err } = await outcomeOf(words, { ...row, ...(stdin === undefined ? {} : { input: stdin }) }, copy, env);
  const made = [...(await filesBelow(copy))].filter(([file]) => !file.startsWith('home/') && !before.has(file));
  // What is written to a place that was named has its name.
  const isNamed = (file: string) => file.startsWith(canary.split('/')[0] ?? '');
  const found = [
    ...Object.entries({ out, err }).flatMap(([where, text]) =>
      canariesIn(status === 0 ? text.replaceAll(join(copy, canary), '').replaceAll(canary, '') : text).includes('key')
        ? [`key in std${where}`]
        : [],
    ),
    ...(await strayInHome(join(copy, 'home'))).map(([file, what]) => `${what} in home/${file}`),
    ...made.flatMap(([file, bytes]) =>
      canariesIn(isNamed(file) ? bytes.subarray(bytes.indexOf('\n')) : bytes).map((what) => `${what} in ${file.slice(0, 60)}`),
    ),
  ];
  await rm(copy, { recursive: true });
  return [...new Set(found)].map((one) => `${one} (status ${status})`);
}

try {
  // From the first trial on, the key is one that the program knows.
  for (const [command, row] of Object.entries(rows)) if (['env set', 'key set'].includes(command)) await doUsualWork(row);
  for (const [command, row] of Object.entries(rows)) {
    const spec = specs.get(command);
    if (spec === undefined) throw new Error(`There is no command "${command}".`);
    const trials = Object.entries(canaries).flatMap(([kind, canary]) =>
      trialsOf(spec, row, canary).map((trial) => async (at: number) => {
        if (process.argv[2] !== undefined && !trial.input.startsWith(process.argv[2])) return;
        const found = await strayAfter(trial, row, canary, `${folder}-${at}`);
        tried += 1;
        strays += found.length;
        if (found.length > 0) process.stdout.write(`${kind} in ${trial.input}: ${found.join(', ')}\n`);
      }),
    );
    // The keychain is that of all copies.
    const changesKeys = /^(?:key|env remove|uninstall)/.test(command);
    const workers = Array.from({ length: changesKeys ? 1 : 3 }, async (_, at) => {
      for (let trial = trials.shift(); trial !== undefined; trial = trials.shift()) {
        await trial(at);
        if (changesKeys) await outcomeOf(['key', 'set', 'mine'], { input: plainKeyCanary }, folder, env);
      }
    });
    await Promise.all(workers);
    await doUsualWork(row);
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}
process.stdout.write(`${tried} texts of the command line with canaries, found ${strays} times where none may be\n`);
process.exitCode = strays > 0 ? 1 : 0;
