// How programs of npm packages are started on every system. On Windows those in `node_modules/.bin` are scripts that Node starts only in a shell,
// which takes paths with spaces apart.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
/** Programs of development dependencies, with their packages. */
const packages = {
  'electron-vite': 'electron-vite',
  oxfmt: 'oxfmt',
  oxlint: 'oxlint',
  playwright: '@playwright/test',
  postject: 'postject',
  tsc: 'typescript',
  vitest: 'vitest',
};

/**
 * Returns a command and its arguments as Node starts them without a shell: npm and the programs of packages by Node itself, others as they are.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {[command: string, args: string[]]}
 */
export function programOf(name, args, env = process.env) {
  // The npm that started this script; one that starts it by hand is found by its name.
  const npm = name === 'npm' ? env.npm_execpath : undefined;
  if (npm !== undefined) return [process.execPath, [npm, ...args]];
  if (!Object.hasOwn(packages, name)) return [name, [...args]];
  const folder = path.join(root, 'node_modules', packages[name]);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return [process.execPath, [path.join(folder, bin[name]), ...args]];
}
