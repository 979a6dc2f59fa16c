import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, sep } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Output } from '#shared/ipc/index.ts';
import { compareNames } from '#shared/listed.ts';
import { checkAbsolute } from './collection-directory.ts';
import { asStorage } from './disk.ts';

/** Most names of one directory; `more` says that there are others. */
const mostNames = 1_000;

/**
 * Lists directories for a chooser, for hosts whose system has none. `home` is the user's directory, `parent` the one below which a new
 * collection is offered.
 */
export function createDirectoryList({ home, parent }: { readonly home: string; readonly parent: string }) {
  return {
    /**
     * Lists the directories in a directory: names alone, without hidden ones and links. Null for the user's own, which no list leads out of:
     * fails with `refused` for any other place, with `not_found`, and with `storage` for one that cannot be read.
     */
    async list(directory: string | null): Promise<Output<'collections.directories'>> {
      if (directory !== null) checkAbsolute(directory);
      const top = await realpath(home).catch((cause: unknown) => {
        throw asStorage(cause, home);
      });
      const real = directory === null ? top : await realpath(directory).catch(() => null);
      if (real === null) throw new AppError('not_found', `No folder "${directory ?? home}". Choose another one.`);
      if (real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep)) {
        throw new AppError('refused', `${real} is outside ${top}. To use it, type its path.`);
      }
      const entries = await readdir(real, { withFileTypes: true }).catch((cause: unknown) => {
        throw asStorage(cause, real);
      });
      const names = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        .map(({ name }) => name)
        .sort(compareNames);
      return {
        directory: real,
        parent: real === top ? null : dirname(real),
        names: names.slice(0, mostNames),
        more: names.length > mostNames,
        suggested: await freeDirectory(join(parent, 'requests')),
      };
    },
  };
}

/**
 * Returns the directory below which new collections are offered: the user's own, unless that is a whole drive or root's, which nobody means;
 * then the one that the program was started in, else one inside. A container may have no list of users to ask for root's.
 */
export function placeForCollections(ownHome: string, startedIn: string): string {
  const isMeant = (directory: string) => directory !== parse(directory).root && !['/root', '/var/root'].includes(directory);
  return [ownHome, startedIn].find(isMeant) ?? join(ownHome, 'croupier');
}

/** Returns a directory that is not there: the wanted one, or the first with a number behind its name. */
export async function freeDirectory(wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const directory = number === 1 ? wanted : `${wanted}-${number}`;
    if ((await stat(directory).catch(() => null)) === null) return directory;
  }
}
