// Makes what people install, installs each in an empty place and uses it there: in `with-keyring.sh unlocked`, over a build. Prints sizes and starts, and
// ends with 1 if anything was wrong.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDist } from '../../scripts/dist.mjs';
import { tryInstalled, type Installed } from './installed.ts';

/** Megabytes that npm may have to fetch. */
const mostPackedMb = 12;

const folder = mkdtempSync(path.join(tmpdir(), 'croupier-install-'));
const dist = path.join(folder, 'dist');
const files = makeDist(process.cwd(), dist);

function made(name: string): string {
  const place = path.join(folder, name);
  mkdirSync(place);
  return place;
}

/** Installs the npm package from its file alone: no registry, no cache, no home. */
function fromNpm(): Installed {
  const place = made('npm');
  const options = ['install', '--offline', '--no-audit', '--no-fund', path.join(dist, files.npm)];
  execFileSync('npm', options, { cwd: place, env: { PATH: process.env['PATH'], HOME: made('npm-home') } });
  return { command: [path.join(place, 'node_modules/.bin/croupier')], folder: made('npm-use'), hasKeychain: true };
}

function megabytes(name: string): number {
  return statSync(path.join(dist, name)).size / 1_000_000;
}

const ways = { [files.npm]: fromNpm };
for (const [name, install] of Object.entries(ways)) {
  const { wrong, ...figures } = await tryInstalled(install());
  const all = { MB: megabytes(name).toFixed(1), ...figures };
  process.stdout.write(
    `${name}: ${Object.entries(all)
      .map(([what, figure]) => `${figure} ${what}`)
      .join(', ')}\n`,
  );
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
if (megabytes(files.npm) > mostPackedMb) process.exitCode = 1;
execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: dist, stdio: 'inherit' });
rmSync(folder, { recursive: true });
