import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Every file that belongs to a history that was set aside as damaged: it, its log, what was read out of it, and what is known of it. */
export function setAsideFiles(historyPath: string): string[] {
  const folder = dirname(historyPath);
  const start = `${basename(historyPath)}.set-aside-`;
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .sort()
    .map((name) => join(folder, name));
}

/** Removes them. */
export function removeSetAside(historyPath: string): void {
  for (const path of setAsideFiles(historyPath)) rmSync(path, { force: true });
}
