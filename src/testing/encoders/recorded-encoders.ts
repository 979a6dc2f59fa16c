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
  /** Name of a payload → it, and the different texts that were written of it, each with those who write it: `go: Encoder`. */
  readonly payloads: Readonly<Record<string, { readonly payload: string; readonly written: readonly Recorded[] }>>;
  /** The moments in their order, in seconds since 1970, and the texts that were written of each. */
  readonly times: readonly { readonly moment: number; readonly written: readonly Recorded[] }[];
}

/** Bytes that are not UTF-8 are given as base64. */
type Recorded = ({ readonly text: string } | { readonly base64: string }) & { readonly by: readonly string[] };

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
  const written = payloads.map(() => new Map<string, string[]>());
  const times = moments.map(() => new Map<string, string[]>());
  const note = (into: readonly Map<string, string[]>[], program: string, ways: Written) => {
    for (const [way, all] of ways)
      for (const [at, bytes] of all.entries()) {
        const by = into[at]?.get(bytes.toString('latin1')) ?? [];
        by.push(`${program}: ${way}`);
        into[at]?.set(bytes.toString('latin1'), by);
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
    payloads: Object.fromEntries(
      payloads.map(({ name, text }, at) => [name, { payload: text, written: entriesOf(written[at]) }]),
    ),
    times: moments.map((moment, at) => ({ moment, written: entriesOf(times[at]) })),
  };
}

function run([runner, ...args]: readonly [string, ...string[]], texts: readonly string[]): Written {
  const script = args.at(-1) ?? '';
  return runLines(runner, [...args.slice(0, -1), besides(script)], texts);
}

function firstLine([runner, ...args]: readonly [string, ...string[]]): string {
  return spawnSync(requireTool(runner), args, { encoding: 'utf8' }).stdout.split('\n')[0] ?? '';
}

function entriesOf(found: ReadonlyMap<string, readonly string[]> = new Map()): Recorded[] {
  return Array.from(found, ([latin1, by]) => {
    const bytes = Buffer.from(latin1, 'latin1');
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? { text, by } : { base64: bytes.toString('base64'), by };
  });
}

/** Returns what was recorded, as a program would have written it now. */
export function recordedEncoders(): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

/** Keeps a recording beside this file. */
export function keepRecording(recording: Recording): void {
  writeFileSync(file, `${JSON.stringify(recording, null, 1)}\n`);
}

/** Returns what a program wrote of the payloads, or of the moments, as it would print it now. */
export function writtenBy(
  { payloads: all, times }: Recording,
  program: string,
  what: 'payloads' | 'times' = 'payloads',
): Written {
  const ways = new Map<string, Buffer[]>();
  for (const [at, { written }] of (what === 'times' ? times : Object.values(all)).entries())
    for (const recorded of written)
      for (const by of recorded.by) {
        const [name, way = ''] = by.split(/: (.*)/s);
        if (name !== program) continue;
        const made = ways.get(way) ?? [];
        made[at] = 'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64');
        ways.set(way, made);
      }
  return ways;
}
