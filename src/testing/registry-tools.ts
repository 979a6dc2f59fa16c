import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programOf } from '../../scripts/program-of.mjs';

/** Other tools that exports are run by, with their versions. They are installed when a long test or a benchmark asks for them. */
const versions = { newman: '6.2.2', '@usebruno/cli': '4.1.0', '@modelcontextprotocol/inspector': '2.12.0' } as const;

/**
 * Installs tools from the registry into a folder, unless they are there. Returns the path of a file of one of them. Throws if that
 * fails.
 */
export function installTools(
  folder: string,
  names: readonly (keyof typeof versions)[],
): (name: keyof typeof versions, file: string) => string {
  const fileOf = (name: string, file: string) => join(folder, 'node_modules', name, file);
  const missing = names.filter((name) => {
    try {
      const { version } = JSON.parse(readFileSync(fileOf(name, 'package.json'), 'utf8')) as { version: string };
      return version !== versions[name];
    } catch {
      return true;
    }
  });
  if (missing.length === 0) return fileOf;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const packages = missing.map((name) => `${name}@${versions[name]}`);
  const install = programOf('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages]);
  const { status } = spawnSync(...install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${packages.join(' and ')} could not be installed into ${folder}.`);
  return fileOf;
}
