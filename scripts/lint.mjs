// Lint as one command: oxlint with type information, the import table, lengths by their tokens' names, forbidden words, formatting.
import { spawnSync } from 'node:child_process';
import { checkTree } from './import-table.mjs';
import { lengthFaults } from './style-tokens.mjs';
import { wordFaults } from './words.mjs';

const run = (command, args) => spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status === 0;

const refused = [...checkTree(process.cwd()), ...lengthFaults(process.cwd()), ...wordFaults(process.cwd())];
for (const line of refused) console.error(line);
const ok = [
  run('oxlint', ['--type-aware', '--deny-warnings', 'src', 'e2e', 'bench', 'scripts', 'electron.vite.config.ts']),
  run('oxfmt', ['--list-different']),
  refused.length === 0,
].every(Boolean);
process.exitCode = ok ? 0 : 1;
