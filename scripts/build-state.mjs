// Decides whether the build is older than its sources, and knows how to build.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const built = [
  'out/main/desktop.cjs',
  'out/main/cli.cjs',
  'out/main/key-agent.cjs',
  'out/main/search-worker.cjs',
  'out/main/reading-worker.cjs',
  'out/main/export-worker.cjs',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
  'out/licences.txt',
];
const sources = [
  'src',
  // The pages of the help.
  'docs',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'scripts/bundled-packages.mjs',
  'scripts/manual-pages.mjs',
  'scripts/markdown-tree.mjs',
  'scripts/third-party-notices.mjs',
];

/** Returns Node's arguments that build the tree at `root`, from whatever folder and PATH. */
export const buildArguments = (root) => [
  path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
  'build',
  '--logLevel',
  'warn',
];

/** Returns whether a built file is missing or a source is newer than the oldest of them. Tests are not sources. */
export function needsBuild(root) {
  const times = built.map((file) => modified(path.join(root, file)));
  const oldest = Math.min(...times);
  return oldest === 0 || sources.some((name) => newest(path.join(root, name)) > oldest);
}

function newest(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  let time = 0;
  for (const entry of readdirSync(file, { withFileTypes: true })) {
    if (entry.name === 'testing' || /\.test\.tsx?$/.test(entry.name)) continue;
    time = Math.max(time, newest(path.join(file, entry.name)));
  }
  return time;
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
