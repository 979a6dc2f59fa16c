import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { requireTool } from '../external-tools.ts';
import { dotnetByRule } from './dotnet-by-rule.ts';
import { besides, runLines, type Written } from './live-encoders.ts';
import { moments } from './mistakes-of-times.ts';
import { payloads } from './payloads.ts';

/** Texts of programs that tests do not run; of .NET, those that its rules give. */
interface Recording {
  /** Program → its version, the packages of Debian that have it, and how it was run; for .NET the rule in their place. */
  readonly programs: Readonly<Record<string, { readonly version: string; readonly packages: string; readonly command: string }>>;
  /** Programs with each of their ways to write: `go: Encoder`. */
  readonly ways: readonly string[];
  /** Name of a payload → it, and what was written of it. */
  readonly payloads: Readonly<Record<string, { readonly payload: string; readonly written: Recorded }>>;
  /** The moments in their order, in seconds since 1970, and what was written of each. */
  readonly times: readonly { readonly moment: number; readonly written: Recorded }[];
}

/** Text that was written → the positions of those `ways` that wrote it. Bytes that are not UTF-8 are given as base64. */
type Recorded = Readonly<Record<string, readonly number[]>>;

const base64 = 'base64: ';

const file = besides('recorded-encoders.json');
const java = ['gson', 'jackson-core', 'jackson-databind', 'jackson-annotations'].map((name) => `/usr/share/java/${name}.jar`);
const programs = {
  ruby: {
    packages: 'ruby ruby-activesupport',
    version: [
      'ruby',
      '-ractive_support',
      '-rjson',
      '-e',
      'puts "#{RUBY_DESCRIPTION}, json #{JSON::VERSION}, Active Support #{ActiveSupport.version}"',
    ],
    encode: ['ruby', 'encode.rb'],
    times: ['ruby', 'times.rb'],
  },
  go: { packages: 'golang-go', version: ['go', 'version'], encode: ['go', 'run', 'encode.go'], times: ['go', 'run', 'times.go'] },
  java: {
    packages: 'default-jdk-headless libgoogle-gson-java libjackson2-databind-java',
    version: ['java', '--version'],
    encode: ['java', '-cp', java.join(':'), 'Encode.java'],
    times: ['java', 'Times.java'],
  },
  lua: {
    packages: 'lua5.1 lua-cjson',
    version: ['lua5.1', '-e', 'print(_VERSION .. ", cjson " .. require("cjson")._VERSION)'],
    encode: ['lua5.1', 'encode.lua'],
    times: null,
  },
} as const;

/** Runs the programs and returns what they write. Throws, with the package to install, if one is missing. */
export function recordEncoders(): Recording {
  const texts = payloads.map(({ text }) => text);
  const ways: string[] = [];
  const written = payloads.map((): Record<string, number[]> => ({}));
  const times = moments.map((): Record<string, number[]> => ({}));
  const note = (into: readonly Record<string, number[]>[], program: string, found: Written) => {
    for (const [way, all] of found) {
      const name = `${program}: ${way}`;
      if (!ways.includes(name)) ways.push(name);
      for (const [at, bytes] of all.entries()) {
        const text = bytes.toString('utf8');
        const key = Buffer.from(text).equals(bytes) ? text : base64 + bytes.toString('base64');
        (into[at]![key] ??= []).push(ways.indexOf(name));
      }
    }
  };
  const told: Record<string, Recording['programs'][string]> = {};
  for (const [program, { packages, version, encode, times: write }] of Object.entries(programs)) {
    note(written, program, run(encode, texts));
    if (write !== null) note(times, program, run(write, moments.map(String)));
    const debian = firstLine(['dpkg-query', '--show', '--showformat=${Package} ${Version}, ', ...packages.split(' ')]);
    told[program] = { version: firstLine(version), packages: debian.replace(/, $/, ''), command: encode.join(' ') };
  }
  told['dotnet'] = { version: 'by rule', packages: 'none of this distribution has it', command: 'dotnet-by-rule.ts' };
  note(written, 'dotnet', dotnetByRule(texts));
  return {
    programs: told,
    ways,
    payloads: Object.fromEntries(payloads.map(({ name, text }, at) => [name, { payload: text, written: written[at] ?? {} }])),
    times: moments.map((moment, at) => ({ moment, written: times[at] ?? {} })),
  };
}

function run([runner, ...args]: readonly [string, ...string[]], texts: readonly string[]): Written {
  const script = args.at(-1) ?? '';
  return runLines(runner, [...args.slice(0, -1), besides(script)], texts);
}

function firstLine([runner, ...args]: readonly [string, ...string[]]): string {
  return spawnSync(requireTool(runner), args, { encoding: 'utf8' }).stdout.split('\n')[0] ?? '';
}

/** Returns what was recorded, as a program would have written it now. */
export function recordedEncoders(): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

/** Keeps a recording beside this file. `npm run format` lays it out. */
export function keepRecording(recording: Recording): void {
  writeFileSync(file, JSON.stringify(recording));
}

/** Returns what a program wrote of the payloads, or of the moments, as it would print it now. */
export function writtenBy(
  { ways, payloads: all, times }: Recording,
  program: string,
  what: 'payloads' | 'times' = 'payloads',
): Written {
  const found = new Map<string, Buffer[]>();
  for (const [at, { written }] of (what === 'times' ? times : Object.values(all)).entries())
    for (const [text, by] of Object.entries(written))
      for (const position of by) {
        const [name, way = ''] = (ways[position] ?? '').split(/: (.*)/s);
        if (name !== program) continue;
        const made = found.get(way) ?? [];
        made[at] = text.startsWith(base64) ? Buffer.from(text.slice(base64.length), 'base64') : Buffer.from(text);
        found.set(way, made);
      }
  return found;
}
