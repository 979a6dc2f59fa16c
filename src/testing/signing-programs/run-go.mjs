// Compiles the programs of all cases, a case a line, as the functions of one Go program, and runs it with the cases.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const packages = [
  'bytes',
  'crypto/hmac',
  'crypto/md5',
  'crypto/sha1',
  'crypto/sha256',
  'crypto/sha512',
  'encoding/base64',
  'encoding/hex',
];
packages.push('encoding/json', 'fmt', 'math/big', 'net/url', 'os', 'strconv', 'strings', 'unicode/utf16');

const cases = readFileSync(0, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const programs = [...new Set(cases.map(({ program }) => program))];
// A program that declares its data gets it filled.
const filled = (program) =>
  program.includes('var data Data')
    ? program
    : program.replace(/^type Data (?:map.*|struct \{\n(?:\t.*\n)*\})$/m, '$&\nvar data Data\nfill(&data, body)');
// A helper that many programs have is compiled once.
const helpers = new Map();
const shared = (program) =>
  program.replace(/^ascii := (func.*\n(?:\t.*\n)*\})$/m, (_, code) => {
    if (!helpers.has(code)) helpers.set(code, `ascii${helpers.size}`);
    return `ascii := ${helpers.get(code)}`;
  });
const functions = programs.map(
  (program) => `func(data any, body []byte, action string, platform, partnerID int) (string, string) {
{
${shared(filled(program))}${program.includes('dataText :=') ? '\n_ = dataText' : ''}
return hashText, timeText
}
},`,
);
const named = Array.from(helpers, ([code, name]) => `var ${name} = ${code}\n`).join('');
const body = `${named}var programs = []func(any, []byte, string, int, int) (string, string){\n${functions.join('\n')}\n}\n`;
const imports = packages
  .filter((name) => new RegExp(`\\b${path.basename(name)}\\.`).test(body))
  .map((name) => `import "${name}"\n`);

const folder = mkdtempSync(path.join(tmpdir(), 'croupier-go-'));
try {
  writeFileSync(path.join(folder, 'programs.go'), `package main\n${imports.join('')}${body}`);
  copyFileSync(new URL('run.go', import.meta.url), path.join(folder, 'run.go'));
  const input = cases.map(({ program, ...rest }) => `${JSON.stringify({ ...rest, at: programs.indexOf(program) })}\n`).join('');
  const { stdout, stderr, status } = spawnSync('go', ['run', '-gcflags=-N -l', '-ldflags=-s -w', 'run.go', 'programs.go'], {
    cwd: folder,
    input,
    maxBuffer: 1 << 28,
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
