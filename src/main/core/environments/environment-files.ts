import { readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { compareNames } from '#shared/listed.ts';
import { readUsersText } from '../files/files.ts';
import { readEnvironment } from './environment-file.ts';

/** The environment in a file, or why the file cannot be used. */
type LoadedEnvironment = { readonly environment: Environment } | { readonly error: AppError };

/** The files of environments in one folder, read again only when they change. */
export interface EnvironmentFiles {
  pathOf(id: string): string;
  exists(id: string): boolean;
  /** Returns null if there is no file; the same object until the file changes or `forget` is called. */
  load(id: string): LoadedEnvironment | null;
  list(): { environments: Environment[]; broken: { file: string; message: string }[] };
  /** Drops the loaded environment: the overlay or the file has changed. */
  forget(id: string): void;
}

interface Cached {
  readonly stamp: string;
  readonly read: LoadedEnvironment;
}

/** `overlayOf` returns the settings that count in this process whatever the file says. */
export function createEnvironmentFiles(
  folder: string,
  overlayOf: (id: string) => Partial<Environment> | undefined,
): EnvironmentFiles {
  const cache = new Map<string, Cached>();

  const fileOf = (id: string) => join(folder, `${id}.json`);

  function load(id: string): LoadedEnvironment | null {
    // Each call looks: another program may have changed where it goes, and whom it trusts.
    const found = statFile(fileOf(id));
    if (found === null) {
      cache.delete(id);
      return null;
    }
    const stamp = `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
    const cached = cache.get(id);
    if (cached?.stamp === stamp) return cached.read;
    const fresh: Cached = { stamp, read: loadFresh(id) };
    cache.set(id, fresh);
    return fresh.read;
  }

  function loadFresh(id: string): LoadedEnvironment {
    try {
      const stored = readEnvironment(id, readUsersText('home.environment', fileOf(id)));
      return { environment: { ...stored, ...overlayOf(id) } };
    } catch (error) {
      if (error instanceof AppError) return { error };
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      return { error: new AppError('invalid_input', `It cannot be read (${code}). Check its permissions.`) };
    }
  }

  function list(): ReturnType<EnvironmentFiles['list']> {
    const environments: Environment[] = [];
    const broken: { file: string; message: string }[] = [];
    for (const name of listFolder(folder)) {
      if (name.startsWith('.') || !name.endsWith('.json')) continue;
      const loaded = load(name.slice(0, -'.json'.length));
      if (loaded === null) continue;
      if ('environment' in loaded) environments.push(loaded.environment);
      else broken.push({ file: join(folder, name), message: loaded.error.message });
    }
    environments.sort((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1));
    return { environments, broken };
  }

  return {
    pathOf: fileOf,
    exists: (id) => statFile(fileOf(id)) !== null,
    load,
    list,
    forget: (id) => void cache.delete(id),
  };
}

function statFile(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new AppError('storage', `${folder} cannot be read. Check its permissions.`, undefined, { cause });
  }
}
