// Makes what people install, installs each in an empty place and uses it there: in `with-keyring.sh unlocked`, over a build. Prints sizes and starts, and
// ends with 1 if anything was wrong.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { makeDist } from '../../scripts/dist.mjs';
import { tryInstalled, type Installed } from './installed.ts';

/** Megabytes that npm may have to fetch. */
const mostPackedMb = 12;
/** Milliseconds to a signed call with the single file, while nothing else runs. */
const mostCallMs = 150;
/** Libraries of the ARM that this machine may emulate, from Debian's packages libc6-arm64-cross and libstdc++6-arm64-cross. */
const armLibraries = '/usr/aarch64-linux-gnu';

const folder = mkdtempSync(path.join(tmpdir(), 'croupier-install-'));
const dist = path.join(folder, 'dist');
const files = makeDist(process.cwd(), dist);
const single = path.join(dist, files[`linux-${process.arch}`] ?? '');

function made(...names: string[]): string {
  const place = path.join(folder, ...names);
  mkdirSync(place, { recursive: true });
  return place;
}

/** Installs the npm package from its file alone: no registry, no cache, no home. */
function fromNpm(): Installed {
  const place = made('npm');
  const options = ['install', '--offline', '--no-audit', '--no-fund', path.join(dist, files['npm'] ?? '')];
  execFileSync('npm', options, { cwd: place, env: { PATH: process.env['PATH'], HOME: made('npm-home') } });
  return { command: [path.join(place, 'node_modules/.bin/croupier')], folder: made('npm-use'), hasKeychain: true };
}

/** The single file ignores options of Node, also one that Node does not know. */
function fromSingleFile(): Installed {
  return { command: [single], folder: made('single-use'), hasKeychain: true, env: { NODE_OPTIONS: '--no-such-option' } };
}

/** A root with the single file, the system's libraries that it asks for, the name of localhost and /dev/null. */
function inEmptyRoot(): Installed {
  const root = made('root');
  copyFileSync(single, path.join(root, 'croupier'));
  const libraries = execFileSync('ldd', [single], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const library of libraries) copyFileSync(library, path.join(made('root', path.dirname(library)), path.basename(library)));
  writeFileSync(path.join(made('root', 'etc'), 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  writeFileSync(path.join(made('root', 'dev'), 'null'), '');
  chmodSync(made('root', 'tmp'), 0o1777);
  const enter = 'mount --bind /dev/null "$0/dev/null" && exec unshare --root="$0" --wd=/work /croupier "$@"';
  const command = ['unshare', '--map-root-user', '--mount', 'sh', '-c', enter, root];
  return { command, folder: made('root', 'work'), inside: '/work', hasKeychain: false };
}

function megabytes(name: string): number {
  return statSync(path.join(dist, name)).size / 1_000_000;
}

const ways = { 'npm package': fromNpm, 'single file': fromSingleFile, 'single file in an empty root': inEmptyRoot };
for (const [name, install] of Object.entries(ways)) {
  const [load = 0] = loadavg();
  const { wrong, ...figures } = await tryInstalled(install());
  const shown = Object.entries(figures).map(([what, figure]) => `${figure} ${what}`);
  process.stdout.write(`${name}: ${shown.join(', ')}; load ${load.toFixed(1)}\n`);
  if (name === 'single file' && load < 1 && figures['ms to a signed call'] > mostCallMs)
    wrong.push(`more than ${mostCallMs} ms to a call`);
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
if (process.arch !== 'arm64' && existsSync(armLibraries)) {
  const hash = ['hash', '--key-env', 'KEY', '--time', '28-11-2026 10:00:00', '--data', '{}'];
  const own = { env: { KEY: 'a-key-of-twenty-six-bytes.', HOME: made('arm') }, encoding: 'utf8' } as const;
  const emulated = ['-L', armLibraries, path.join(dist, files['linux-arm64'] ?? ''), ...hash];
  const isSame = execFileSync('qemu-aarch64-static', emulated, own) === execFileSync(single, hash, own);
  process.stdout.write(`linux-arm64, emulated: ${isSame ? 'the same hash' : 'ANOTHER HASH'}\n`);
  if (!isSame) process.exitCode = 1;
} else process.stdout.write('linux-arm64 and win-x64: made, and not run here\n');
for (const name of Object.values(files)) process.stdout.write(`${megabytes(name).toFixed(1)} MB ${name}\n`);
if (megabytes(files['npm'] ?? '') > mostPackedMb) process.exitCode = 1;
execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: dist, stdio: 'inherit' });
rmSync(folder, { recursive: true });
