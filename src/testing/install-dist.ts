// Makes what people install, installs each in an empty place and uses it there: in `with-keyring.sh unlocked`, over a build. Prints sizes and starts, and
// ends with 1 if anything was wrong.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDist } from '../../scripts/dist.mjs';
import { programOf } from '../../scripts/program-of.mjs';
import { givenKeys, tryInstalled, type Installed } from './installed.ts';
import { packDesktops } from './packed-desktop.ts';

/** Megabytes that npm may have to fetch. */
const mostPackedMb = 12;
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
  const env = { NODE_OPTIONS: '--no-such-option' };
  return { command: [single], folder: made('single-use'), hasKeychain: true, env, callMs: 150 };
}

/** The folder from which the container is built: the single file, libraries, the name of localhost, and a user. */
function containerFolder(name: string): string {
  const place = made(name);
  execFileSync('tar', ['-xzf', path.join(dist, files['container'] ?? ''), '-C', place]);
  return place;
}

/** The root of the container alone, with /dev/null. */
function inEmptyRoot(): Installed {
  const root = path.join(containerFolder('empty'), 'root');
  const enter = 'mount --bind /dev/null "$0/dev/null" && exec unshare --root="$0" --wd=/work /usr/bin/croupier "$@"';
  const command = ['unshare', '--map-root-user', '--mount', 'sh', '-c', enter, root];
  return { command, folder: made('empty', 'root', 'work'), inside: '/work', hasKeychain: false };
}

/** The container, built and run as its own user by buildah, which needs no service and gives it this network. */
function inContainer(): Installed {
  const store = ['--storage-driver=vfs', `--root=${made('store')}`, `--runroot=${made('run')}`];
  const buildah = (...args: string[]) => execFileSync('buildah', [...store, ...args], { encoding: 'utf8' }).trim();
  buildah('build', '--isolation=chroot', '--format=docker', '--tag=croupier', containerFolder('container'));
  const says = buildah('inspect', '--type=image', '--format={{.Docker.Config.User}} {{.Docker.Config.Entrypoint}}', 'croupier');
  if (says !== '10001:10001 [/usr/bin/croupier]') throw new Error(`The image runs as ${says}.`);
  const use = made('container-use');
  // The container's user writes beside what this process has put there.
  process.umask(0);
  chmodSync(use, 0o777);
  const env = Object.entries({ HOME: '/work/user', CROUPIER_HOME: '/work/home', ...givenKeys }).map(
    (pair) => `--env=${pair.join('=')}`,
  );
  const options = ['--isolation=chroot', `--volume=${use}:/work`, '--workingdir=/work', ...env];
  const command = ['buildah', ...store, 'run', ...options, buildah('from', 'croupier'), '--', '/usr/bin/croupier'];
  return { command, folder: use, inside: '/work', hasKeychain: false, isKilled: true };
}

function megabytes(name: string): number {
  return statSync(path.join(dist, name)).size / 1_000_000;
}

const desktops = await packDesktops(made('desktop'));
for (const line of [...desktops.sizes, ...desktops.wrong]) process.stdout.write(`desktop, ${line}\n`);
if (desktops.wrong.length > 0) process.exitCode = 1;

const hasBuildah = spawnSync('buildah', ['--version']).status === 0;
const ways = {
  'npm package': fromNpm,
  'single file': fromSingleFile,
  'single file in an empty root': inEmptyRoot,
  'command line of the desktop package': (): Installed => ({
    command: [desktops.commandLine],
    folder: made('desktop-use'),
    hasKeychain: true,
    callMs: 150,
  }),
  ...(hasBuildah ? { container: inContainer } : {}),
};
if (!hasBuildah) process.stdout.write('container: its folder was made; buildah is not here to build it\n');
for (const [name, install] of Object.entries(ways)) {
  const { wrong, ...figures } = await tryInstalled(install());
  const shown = Object.entries(figures).map(([what, figure]) => `${figure} ${what}`);
  process.stdout.write(`${name}: ${shown.join(', ')}\n`);
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
// Who builds the same commit gets the same bytes, whatever the folder.
execFileSync(...programOf('electron-vite', ['build', '--logLevel', 'warn']), { stdio: 'inherit' });
makeDist(process.cwd(), path.join(folder, 'again', 'dist'));
const [sums, sumsAgain] = [dist, path.join(folder, 'again', 'dist')].map((one) =>
  readFileSync(path.join(one, 'SHA256SUMS'), 'utf8'),
);
process.stdout.write(`made again: ${sums === sumsAgain ? 'the same' : 'OTHER'} checksums\n`);
if (sums !== sumsAgain) process.exitCode = 1;
rmSync(folder, { recursive: true });
