import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the texts of the open tabs' files in a home, joined by line breaks. */
export function keptTabs(home: string): string {
  const folder = path.join(home, 'workspaces');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.tab.json'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}
