// Lint as one command: oxlint with type information, the import table, exports and files that nobody needs, lengths by their tokens' names, forbidden words, formatting.
import { spawnSync } from 'node:child_process';
import { readTree, refused } from './import-table.mjs';
import { programOf } from './program-of.mjs';
import { lengthFaults } from './style-tokens.mjs';
import { unused } from './unused.mjs';
import { wallFaults } from './walls.mjs';
import { wordFaults } from './words.mjs';

const run = (name, args) => spawnSync(...programOf(name, args), { stdio: 'inherit' }).status === 0;

const root = process.cwd();
const tree = readTree(root);
const faults = [...refused(tree), ...unused(tree, root), ...lengthFaults(root), ...wordFaults(tree, root), ...wallFaults(tree)];
for (const line of faults) console.error(line);
const ok = [
  run('oxlint', ['--type-aware', '--deny-warnings', 'src', 'e2e', 'bench', 'scripts', 'electron.vite.config.ts']),
  run('oxfmt', ['--list-different']),
  faults.length === 0,
].every(Boolean);
process.exitCode = ok ? 0 : 1;
