import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/**
 * Returns the names of everything that Croupier keeps in its home, from the sources: each joins a name to `home`. `unclear` are the
 * places where the name is not a literal, so that nobody can read it. The name of a lock counts for neither: its file is in `locks`.
 */
export function homeFiles(): { readonly names: readonly string[]; readonly unclear: readonly string[] } {
  const names = new Set<string>();
  const unclear: string[] = [];
  for (const file of globSync('src/main/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
    const text = readFileSync(resolve(root, file), 'utf8');
    for (const [place, literal] of text.matchAll(/(?<!withLock\()\bjoin\(\s*(?:\w+\.)*home,\s*(?:'([^']+)'|[^\n]*)/g)) {
      if (literal === undefined) unclear.push(`${file}: ${place}`);
      else names.add(literal);
    }
  }
  return { names: [...names].sort(), unclear };
}
