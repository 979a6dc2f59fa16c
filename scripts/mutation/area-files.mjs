// The files of an area of the mutation test.
import { globSync } from 'node:fs';

const isSource = (file) => /\.[cm]?tsx?$/.test(file) && !/\.(test|d)\.[cm]?tsx?$/.test(file);
const isTest = (file) => /\.test\.tsx?$/.test(file);

/**
 * Returns the sorted files that `globs` name below `root`; a glob that begins with `!` excludes. Throws if a glob names nothing.
 */
function filesOf(name, globs, root, isWanted) {
  const found = (glob) => {
    const files = globSync(glob, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    if (files.length > 0) return files;
    throw new Error(`${glob} in the area ${name} matches nothing. Correct it in scripts/mutation/areas.mjs.`);
  };
  const files = new Set(globs.filter((glob) => !glob.startsWith('!')).flatMap(found));
  for (const glob of globs.filter((one) => one.startsWith('!'))) for (const file of found(glob.slice(1))) files.delete(file);
  return [...files].filter(isWanted).sort((a, b) => (a < b ? -1 : 1));
}

/** Returns the sources to change, and the tests that must notice. Throws if a glob of the table matches nothing. */
export function areaFiles(name, { sources, tests }, root) {
  return {
    sources: filesOf(name, sources, root, isSource),
    tests: filesOf(name, tests, root, isTest),
  };
}
