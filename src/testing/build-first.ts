import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildArguments, needsBuild } from '../../scripts/build-state.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');

/** Builds the programs before the suites that start them, if a source is newer. */
export function setup(): void {
  if (process.env['CROUPIER_TESTS_FROM_SOURCE'] !== undefined || !needsBuild(root)) return;
  const { status } = spawnSync(process.execPath, buildArguments(root), { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed: what it printed above says why.');
}
