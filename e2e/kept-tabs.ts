import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the texts of the open tabs' files in a home, joined by line breaks. */
export const keptTabs = (home: string): string => kept(home, '.tab.json');

/** Returns the texts of the lists of tabs, with the layout around them. */
export const keptLists = (home: string): string => kept(home, 'list.json');

function kept(home: string, ending: string): string {
  const folder = path.join(home, 'workspaces');
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}
