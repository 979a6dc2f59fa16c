import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The open tabs as they lie in a home, one after the other. */
export function keptTabs(home: string): string {
  const folder = path.join(home, 'workspaces');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.tab.json'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}
