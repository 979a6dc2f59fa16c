import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rmSync } from '../files/moves.ts';

/** Returns every file of a history that was set aside as damaged: itself, its log, the calls read out of it, and its record. */
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
