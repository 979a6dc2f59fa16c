import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Kept, RemovableKind } from '#shared/ipc/index.ts';
import type { Database } from '../database/database.ts';
import { onlyRow } from '../database/only-row.ts';
import type { SessionLock } from '../files/session-lock.ts';
import { removeSetAside, setAsideFiles } from './set-aside-files.ts';
import { rm } from '../files/moves.ts';

/**
 * The kinds of data that a home keeps beside the calls, each with its own rule, and their removal by the user. `home`: the folder of
 * the profile.
 */
export function createKeptBeside(home: string, database: Database, run: Pick<SessionLock, 'isAlive'>) {
  const evidence = join(home, 'evidence');
  const removed = join(home, 'removed');

  /** Returns files that were removed from collections in sessions that have ended: nobody can undo that any more. */
  async function left(): Promise<string[]> {
    return (await entries(removed)).filter((path) => !run.isAlive(path.slice(removed.length + 1)));
  }

  function inDatabase(): Kept[] {
    try {
      return database.run((connection) => {
        const kept = (kind: Kept['kind'], sql: string): Kept => {
          const { n, bytes, since } = onlyRow(connection.prepare(sql));
          return { kind, count: Number(n), bytes: bytes as number | null, since: since as number | null };
        };
        return [
          kept('gameLists', 'SELECT count(*) AS n, min(fetched_at) AS since, NULL AS bytes FROM catalogue_snapshots'),
          kept(
            'launches',
            'SELECT count(*) AS n, min(prepared_at) AS since, total(octet_length(launch)) + (SELECT total(octet_length(image)) FROM launch_pictures) AS bytes FROM launches',
          ),
        ];
      });
    } catch (error) {
      // A history that cannot be used is reported where it is asked for.
      if (error instanceof AppError) return [];
      throw error;
    }
  }

  async function pathsOf(kind: Exclude<Kept['kind'], 'gameLists' | 'launches'>): Promise<string[]> {
    switch (kind) {
      case 'runReports':
        return (await entries(join(home, 'collection-runs'))).filter((path) => path.endsWith('.jsonl'));
      case 'evidence':
        return entries(evidence);
      case 'setAside':
        return setAsideFiles(database.path);
      case 'removedFiles':
        return left();
      case 'locks':
        // Not that of a program that is just opening the history.
        return (await entries(join(home, 'runs'))).filter((path) => /[0-9a-f]{24}\.lock$/.test(path));
    }
  }

  return {
    async list(): Promise<Kept[]> {
      const kinds = ['runReports', 'evidence', 'setAside', 'removedFiles', 'locks'] as const;
      const onDisk = kinds.map(async (kind): Promise<Kept> => {
        const paths = await pathsOf(kind);
        const found = (await Promise.all(paths.map((path) => measure(path)))).flat();
        return {
          kind,
          count: paths.length,
          bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
          since: found.length === 0 ? null : Math.round(Math.min(...found.map(({ since }) => since))),
        };
      });
      return [...inDatabase(), ...(await Promise.all(onDisk))];
    },
    /**
     * Removes all of a kind, for good; `count` as `list` returned it. Fails with `conflict` if there are more or fewer by now, and
     * with `storage`.
     */
    async remove(kind: RemovableKind, count: number): Promise<number> {
      const paths = await pathsOf(kind);
      if (paths.length !== count) {
        throw new AppError(
          'conflict',
          `Nothing was removed: the number of items to remove is now ${paths.length.toLocaleString('en')}. Review them and try again.`,
        );
      }
      try {
        if (kind === 'setAside') removeSetAside(database.path);
        else for (const path of paths) await rm(path, { recursive: true, force: true });
      } catch (cause) {
        throw new AppError('storage', 'Some of it could not be removed. Check the permissions of the home.', undefined, {
          cause,
        });
      }
      return count;
    },
  };
}

async function entries(folder: string): Promise<string[]> {
  return (await readdir(folder).catch((): string[] => [])).map((name) => join(folder, name));
}

/** Returns the bytes of a file, or of a folder and everything below it, and when each was written. Follows no link in a folder. */
async function measure(path: string): Promise<{ bytes: number; since: number }[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) return [];
  if (!found.isDirectory()) return [{ bytes: found.size, since: found.mtimeMs }];
  const inside = await readdir(path, { withFileTypes: true }).catch(() => []);
  const parts = await Promise.all(
    inside.filter((one) => one.isFile() || one.isDirectory()).map(({ name }) => measure(join(path, name))),
  );
  return [{ bytes: 0, since: found.mtimeMs }, ...parts.flat()];
}
