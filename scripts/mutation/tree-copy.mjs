// A copy of the tree, in which sources are changed. The tree itself is only read: key agents, threads and started programs read
// their sources from the disk and take no option or environment by which a changed text could reach them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Copies the files that git tracks or would add; the packages are linked. Returns the copy, a folder for temporary files, and a
 * function that removes both.
 */
export function copyTree(root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-m-'));
  const tree = path.join(folder, 'tree');
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  const names = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const name of names.split('\0').filter(Boolean)) {
    const from = path.join(root, name);
    if (!existsSync(from)) continue;
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    copyFileSync(from, path.join(tree, name));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'), 'junction');
  return { tree, temporary, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
