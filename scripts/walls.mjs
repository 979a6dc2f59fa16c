// The walls that every path has to pass, as rules over the sources that ship: `npm run lint` refuses each path past one, by its wall.

/**
 * A wall: a name, the files that it binds, what no line of theirs may hold, its doors (files that may), what a path past it is told, and
 * newcomers that have to be refused: `planted` are lines, for lint; `typed` are files of `src/main/core/calls`, for the compiler.
 */
export const walls = [
  {
    name: 'print',
    binds: /^src\/main\/(?!sandbox\/game\/)/,
    refuses:
      /\bprocess\s*(?:\.|\[['"`])(?:std(?:out|err)|_rawDebug)\b|\bstd(?:out|err)\b.*=\s*process\b|\bconsole\s*(?:\.|\[|;)|\b(?:createW|w)rite\w*\([12]\b|\/dev\/(?:std(?:out|err)|tty)\b/,
    // The second one has to say that the program's own files are missing.
    doors: ['src/main/process/terminal.ts', 'src/main/cli/main.ts'],
    says: 'Print through the terminal of process/terminal.ts.',
    planted: [
      "process.stdout.write('a');",
      "process['stderr'].write('a');",
      'const { stdout } = process;',
      "console.log('a');",
      'const { log } = console;',
      "writeSync(2, 'a');",
      "createWriteStream('/dev/stdout');",
    ],
    typed: [
      "import type { Terminal } from '../../process/terminal.ts';\nexport const planted = (terminal: Terminal) => terminal.write('a');",
    ],
  },
  {
    name: 'end',
    binds: /^src\/main\/(?!sandbox\/game\/)/,
    refuses: /\bprocess\s*\.\s*(?:exit(?:Code)?|reallyExit|abort)\b|\bprocess\.kill\(process\.pid\b/,
    doors: ['src/main/process/end.ts', 'src/main/core/keys/agent-program.ts', 'src/main/cli/main.ts'],
    says: 'End a program through process/end.ts, after its work is written.',
    planted: ['process.exit(1);', 'process.exitCode = 1;', "process.kill(process.pid, 'SIGKILL');"],
  },
  {
    name: 'read',
    binds: /^src\/main\//,
    // What a handle reads is behind whoever opens it.
    refuses:
      /(?<![.\w])(?:readFile|readFileSync|createReadStream|openAsBlob|readv?Sync|openSync(?!\(.*'[wa]x?\+?'))\(|^import\b.*\bopen\b.*'node:fs|^import (?:\*|(?!type\b)\w).*'node:fs|\b(?:import|require|getBuiltinModule)\('(?:node:)?fs/,
    doors: [
      // Each takes a kind of `shared/model/readers.ts`.
      'src/main/core/files/files.ts',
      'src/main/core/collections/disk.ts',
      'src/main/cli/read-input.ts',
      'src/main/sandbox/certificate.ts',
      // Files that Croupier writes: the one that a save replaces is kept whole, a damaged history is read page by page, memory by the page.
      'src/main/core/collections/replace-file.ts',
      'src/main/core/database/pages.ts',
      'src/main/core/keys/outside-memory.ts',
      // They open to write, or to flush what SQLite wrote.
      'src/main/core/database/database.ts',
      'src/main/core/files/new-file.ts',
      'src/main/core/runs/report-files.ts',
      // Files of the program itself.
      'src/main/core/host/own-folder.ts',
      'src/main/loopback/programs.ts',
      'src/main/cli/single/keychain.ts',
      'src/main/core/network/quickjs-wasm.ts',
    ],
    says: 'Read a kind of shared/model/readers.ts: through core/files/files.ts, core/collections/disk.ts or cli/read-input.ts.',
    planted: [
      "const text = await readFile(path, 'utf8');",
      'readFileSync(path);',
      'createReadStream(path);',
      "import { open } from 'node:fs/promises';",
      "import {\n  lstat,\n  open,\n} from 'node:fs/promises';",
      "import * as fs from 'node:fs';",
      "import fs, { constants } from 'node:fs';",
      "process.getBuiltinModule('node:fs').readFileSync(path);",
      "const file = openSync(path, 'r');",
    ],
    typed: [
      "import { readText } from '../files/files.ts';\nreadText('planted', 'a');",
      "import { openToRead } from '../files/files.ts';\nvoid openToRead('a');",
      "import { readHomeFile } from '../files/home-file.ts';\nimport { z } from '#shared/model/schema.ts';\nreadHomeFile({ path: 'a', schema: z.string(), holds: 'x' });",
      "import { readSource } from '../collections/disk.ts';\nvoid readSource('a');",
      "import { readInputFile } from '../../cli/read-input.ts';\nexport const planted = (context: never) => readInputFile('a', context);",
      "import { runProgram } from '../host/run-program.ts';\nexport const planted = (signal: AbortSignal) => runProgram('a', [], { cwd: '/', env: {}, signal });",
      "import type { Git } from '../collections/git/run-git.ts';\nexport const planted = (git: Git) => git.ask('a', ['log']);",
      "import { readJson } from '../../loopback/read-json.ts';\nexport const planted = (request: never) => readJson('planted', request);",
      "import { readers } from '#shared/model/readers.ts';\nimport { createThreads } from '../untrusted/threads.ts';\nexport const planted = (deps: { program: string; later: () => () => void }) =>\n  createThreads({ ...deps, table: { planted: async () => () => 1 }, limits: readers });",
      "import type { ReadingTable } from '../untrusted/jobs.ts';\ndeclare module '../untrusted/jobs.ts' {\n  interface ReadingJobs {\n    planted: () => number;\n  }\n}\nexport const planted: ReadingTable = {} as typeof import('../app/reading-jobs.ts').jobs;",
    ],
  },
  {
    name: 'write',
    binds: /^src\/main\//,
    refuses:
      /\b(?:(?:writeFile|appendFile|copyFile|cp)(?:Sync)?\(|createWriteStream\((?!'\/dev)|writeSync\((?![12]\b))|\bopen(?:Sync)?\([^)]*'(?:wx?|ax?|r\+)\+?'/,
    doors: [
      'src/main/core/files/files.ts',
      'src/main/core/files/new-file.ts',
      'src/main/core/files/private-file.ts',
      // The program's own: marks, a certificate, a page that forwards, a switch of the system, its program by its name.
      'src/main/electron/single-instance.ts',
      'src/main/electron/command-line.ts',
      'src/main/core/database/set-aside.ts',
      'src/main/core/database/database.ts',
      'src/main/sandbox/certificate.ts',
      'src/main/loopback/redirect-file.ts',
      'src/main/core/keys/core-dumps.ts',
      'src/main/cli/single/keychain.ts',
      // Rows of a damaged history, from which core masked keys when it wrote them.
      'src/main/core/database/recover.ts',
      // A page of memory, encrypted, in a file without a name.
      'src/main/core/keys/outside-memory.ts',
      // The lines of a run, whose files, rows and variables were searched before it began.
      'src/main/core/runs/report-files.ts',
      // The user's folder, duplicated or moved.
      'src/main/core/collections/directory-entries.ts',
      'src/main/core/collections/disk.ts',
    ],
    says: 'Write through core/files, with a content that has passed.',
    planted: [
      'await writeFile(path, text);',
      'writeFileSync(path, text);',
      'createWriteStream(path);',
      'await appendFile(path, text);',
      "await open(path, 'wx', 0o600);",
      "openSync(path, 'a');",
      'await copyFile(from, to);',
    ],
    typed: [
      "import { writeFileDurably } from '../files/files.ts';\nvoid writeFileDurably('a', 'text');",
      "import { writeNewFileDurably } from '../files/files.ts';\nvoid writeNewFileDurably('a', Buffer.from('text'));",
      "import { openNewFile } from '../files/new-file.ts';\nvoid openNewFile('a').then((file) => file.write('text'));",
      "import type { Replacing } from '../collections/replace-file.ts';\nimport { vouched } from '../files/passed.ts';\nexport const planted = (team: Replacing) => team.replace('a', vouched('home', 'own', Buffer.from('text')), 'b');",
    ],
  },
  {
    name: 'move',
    binds: /^src\/main\/core\//,
    refuses: /^import \{(?:.*\W)?(?:rename|rm|unlink)(?:Sync)?\b.*'node:fs/,
    doors: [
      'src/main/core/files/moves.ts',
      // It looks at the file again before each try.
      'src/main/core/collections/replace-file.ts',
      // A system that removes no open file says so at once.
      'src/main/core/keys/outside-memory.ts',
    ],
    says: 'Rename and remove with core/files/moves.ts: on Windows another program may have the file open for a moment.',
    planted: ["import { mkdir, rename } from 'node:fs/promises';", "import { rmSync } from 'node:fs';"],
  },
  {
    name: 'time',
    binds: /^src\/main\//,
    refuses: /\bAbortSignal\.timeout\(|\bsetTimeout\(.*\b(?:terminate|kill|destroy|reject|resolve|abort|exit)\b/,
    doors: [
      'src/main/core/host/deadline.ts',
      // Connections that nobody waits for.
      'src/main/core/network/connections.ts',
      'src/main/core/network/game-tunnel.ts',
    ],
    says: 'Wait with core/host/within.ts: they count only the time in which the program ran.',
    planted: ['const signal = AbortSignal.timeout(5_000);', 'setTimeout(() => thread.terminate(), 5_000);'],
    typed: [
      "import { replyWithin } from '../time/within.ts';\nvoid replyWithin(Promise.resolve());",
      "import { startDeadline } from '../time/deadline.ts';\nstartDeadline(() => undefined);",
    ],
  },
  {
    name: 'connect',
    binds: /^src\/main\/(?!sandbox\/)/,
    refuses:
      /\{[^}]*\b(?:connect|createConnection|request|get)\b[^}]*\}.*'node:(?:net|tls|https?|http2)'|(?<![.\w])fetch\((?:url|'https?:)/,
    doors: [
      // They ask core/network/proxies.ts for the way, or are given it.
      'src/main/core/network/connections.ts',
      'src/main/core/network/tunnel.ts',
      'src/main/core/network/game-tunnel.ts',
      'src/main/core/launches/reach-origin.ts',
      // The script that decides is loaded without a proxy; the built-in provider is on this computer.
      'src/main/core/network/pac.ts',
      'src/main/core/built-in-provider/ask-provider.ts',
    ],
    says: 'Connect through core/network/connections.ts or guarded-get.ts, which follow the proxies.',
    planted: [
      "import { request } from 'node:https';",
      "import { connect, type Socket } from 'node:net';",
      "const { connect } = await import('node:tls');",
      "const response = await fetch('https://api.example.com');",
    ],
  },
  {
    name: 'program',
    binds: /^(?:src\/main|scripts|bench|e2e)\//,
    // On Windows a program of npm is a script, and Node starts it in no other way than through a shell, which takes paths apart.
    refuses:
      /\bshell: (?:true|process)|\{ (?:.*\b)?exec(?:Sync)?\b.*'node:child_process'|\b(?:spawn|execFile)(?:Sync)?\('(?:electron-vite|np[mx]|ox\w+|playwright|tsc|vitest)'/,
    // The user's own command, as it was typed for a shell, and this file.
    doors: ['src/main/cli/commands/doctor-signer.ts', 'scripts/walls.mjs'],
    says: 'Start a program without a shell, one of a package through scripts/program-of.mjs.',
    planted: [
      "spawn(command, args, { shell: process.platform === 'win32' });",
      "import { execSync } from 'node:child_process';",
      "execFileSync('npm', ['pack']);",
    ],
  },
];

const isTest = /\.test\.tsx?$|^src\/testing\//;
/** A line that is code: neither a comment nor a text that a program writes out. */
const isCode = (line) => !/^\s*(?:\/\/|\/?\*|['"`])/.test(line);

/** Returns a line for each path past a wall. `texts` maps files to their texts. */
export function wallFaults({ texts }) {
  return walls.flatMap(({ name, binds, refuses, doors, says }) =>
    [...texts]
      .filter(([file]) => binds.test(file) && /\.(?:tsx?|mjs)$/.test(file) && !isTest.test(file) && !doors.includes(file))
      .flatMap(([file, text]) =>
        // An import is one line, with its ends behind it.
        text
          .replace(/^import\b[^;]*;/gm, (one) => one.replaceAll(/\n\s*/g, ' ') + '\n'.repeat(one.split('\n').length - 1))
          .split('\n')
          .flatMap((line, at) =>
            isCode(line) && refuses.test(line) ? [`${file}:${at + 1}: past the wall of "${name}". ${says}`] : [],
          ),
      ),
  );
}

/** Returns what lint says to a newcomer that has this line; null if it says nothing about this wall. */
export function refusalOf({ name }, line) {
  const faults = wallFaults({ texts: new Map([['src/main/core/calls/planted.ts', line]]) });
  return faults.find((fault) => fault.includes(`past the wall of "${name}"`)) ?? null;
}
