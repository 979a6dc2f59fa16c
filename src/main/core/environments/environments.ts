import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, type Stats } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { Environment as EnvironmentSchema } from '#shared/model/environment.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { compareNames } from '#shared/listed.ts';
import { readUsersText, writeFileDurably } from '../files/files.ts';
import { withLock } from '../files/locks.ts';
import { vouched, type Passed } from '../files/passed.ts';
import { validateEnvironment, validateServicePath } from './validate-environment.ts';
import { printEnvironment, readEnvironment } from './environment-file.ts';
import { createInvalidAnswers } from './invalid-answers.ts';
import { checkSharing, checkUnshared } from './shared-answers.ts';
import { watchFolder } from './watch-folder.ts';
import { unlink } from '../files/moves.ts';

/** Settings of a running built-in provider's environment, which override the file in this process. */
type EnvironmentOverlay = Partial<Pick<Environment, 'baseUrl' | 'walletUrl' | 'ca'>>;

export interface Environments {
  list(): { environments: Environment[]; broken: { file: string; message: string }[] };
  /** Fails with `not_found`, or with `invalid_input` where the file is broken. The same object until the file changes. */
  get(id: string): Environment;
  create(draft: EnvironmentDraft): Promise<Environment>;
  /**
   * Writes a whole environment, also one that was removed. Fails with `conflict` where another one has the name. Of one that shares the answers of
   * another, its own are not written: `answersForOther` says what the other gets.
   */
  save(environment: Environment): Promise<Environment>;
  /** Fails with `not_found`, or with `refused` for the environment of a running built-in provider and for one whose answers others share. */
  remove(id: string): Promise<Environment>;
  overlay(id: string, values: EnvironmentOverlay): void;
  /** Replaces the certificate authority; writes it into the file if that has the URL of this process's provider. */
  trust(id: string, ca: string): Promise<void>;
  /** Calls `onChange` for changes by other processes from now on. */
  watch(): void;
  close(): void;
}

/** The environments in `folder`, one file each; several processes may use it at the same time. `checkText` refuses a text that holds a private key. */
export function createEnvironments({
  folder,
  onChange,
  checkText,
}: {
  folder: string;
  onChange: () => void;
  checkText: (text: string) => Promise<Passed<'home', string>>;
}): Environments {
  const overlays = new Map<string, EnvironmentOverlay>();
  const files = createEnvironmentFiles(folder, (id) => overlays.get(id));
  const withAnswers = createSharedAnswers(stored);
  const invalidAnswers = createInvalidAnswers();
  let stopWatching: (() => void) | null = null;
  // Writes take turns: two names could otherwise be found free at the same time.
  let turn: Promise<unknown> = Promise.resolve();

  function stored(id: string): Environment | null {
    const loaded = files.load(id);
    return loaded !== null && 'environment' in loaded ? loaded.environment : null;
  }

  function get(id: string): Environment {
    const loaded = EnvironmentSchema.shape.id.safeParse(id).success ? files.load(id) : null;
    if (loaded === null) throw new AppError('not_found', `There is no environment ${id}. Choose another one, or create it.`);
    if ('error' in loaded) throw new AppError('invalid_input', `${files.pathOf(id)} cannot be read. ${loaded.error.message}`);
    return withAnswers(loaded.environment);
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return withLock(folder, work);
    });
    turn = result.catch(() => undefined);
    return result;
  }

  async function write(environment: Environment): Promise<Environment> {
    const checked = validateEnvironment(environment);
    validateServicePath(checked);
    const look = lookOf(checked.name);
    const all = files.list().environments;
    checkSharing(checked, all);
    const namesake = all.find(({ id, name }) => id !== checked.id && lookOf(name) === look);
    if (namesake !== undefined) {
      const same = namesake.name.toLowerCase() === checked.name.toLowerCase();
      throw new AppError(
        'conflict',
        `An environment named ${namesake.name} already exists${same ? '' : '; the names differ only in case, spaces or invisible characters'}. Choose another name.`,
        { id: namesake.id },
      );
    }
    const existing = files.load(checked.id);
    const before = existing !== null && 'environment' in existing ? withAnswers(existing.environment) : null;
    invalidAnswers.check(checked, before);
    if (existing !== null && 'error' in existing) {
      throw new AppError(
        'conflict',
        `${files.pathOf(checked.id)} was not changed. ${existing.error.message} Repair or move it first.`,
      );
    }
    if (before !== null && before.kind !== checked.kind) {
      throw new AppError('invalid_input', "You can't turn an environment into the built-in provider's, or back.", {
        field: 'kind',
      });
    }
    const written = checked.sameProviderAs === undefined ? checked : { ...checked, answers: {} };
    await writeFileDurably(files.pathOf(checked.id), await checkText(printEnvironment(written)));
    if (before !== null) invalidAnswers.keep(before);
    files.forget(checked.id);
    onChange();
    return get(checked.id);
  }

  return {
    list() {
      const { environments, broken } = files.list();
      return { environments: environments.map(withAnswers), broken };
    },
    get,
    create: (draft) =>
      inTurn(() => {
        const slug = slugOf(draft.name);
        const unread = files.list().broken.find(({ file }) => isNamedBy(basename(file, '.json'), slug));
        if (unread !== undefined) {
          throw new AppError('conflict', `${unread.file} may be ${draft.name}. ${unread.message} Repair or move it first.`);
        }
        const id = newId(slug, files.exists);
        const parsed = EnvironmentSchema.safeParse({ ...draft, id, kind: 'provider' });
        if (!parsed.success)
          throw new AppError('invalid_input', parsed.error.issues[0]?.message ?? 'The environment has the wrong format.');
        return write(parsed.data);
      }),
    save: (environment) => inTurn(() => write(environment)),
    remove: (id) =>
      inTurn(async () => {
        const environment = get(id);
        checkUnshared(environment, files.list().environments);
        if (overlays.has(id)) {
          throw new AppError(
            'refused',
            'The built-in provider is running and needs this environment, which it creates again each time it starts.',
          );
        }
        try {
          await unlink(files.pathOf(id));
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
            throw new AppError(
              'storage',
              `${files.pathOf(id)} could not be removed. Check the folder's permissions.`,
              undefined,
              {
                cause,
              },
            );
          }
        }
        invalidAnswers.keep(environment);
        files.forget(id);
        onChange();
        return environment;
      }),
    overlay(id, values) {
      overlays.set(id, values);
      files.forget(id);
      onChange();
    },
    async trust(id, ca) {
      const overlay = { ...overlays.get(id), ca };
      overlays.set(id, overlay);
      files.forget(id);
      onChange();
      await inTurn(async () => {
        const stored = readEnvironment(id, readUsersText('home.environment', files.pathOf(id)));
        // Another program's provider may have come after this one. It has a certificate of its own.
        if (stored.baseUrl !== overlay.baseUrl || stored.ca === ca) return;
        await writeFileDurably(files.pathOf(id), vouched('home', 'same', printEnvironment({ ...stored, ca })));
        files.forget(id);
      });
    },
    watch() {
      stopWatching ??= watchFolder(folder, onChange);
    },
    close() {
      stopWatching?.();
      stopWatching = null;
    },
  };
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return slug === '' ? 'environment' : slug;
}

/** Returns whether the ID was made for a name with this slug, or is given in its place. */
function isNamedBy(id: string, slug: string): boolean {
  return id === slug || id.replace(/-[0-9a-f]{6}$/, '') === slug;
}

function newId(slug: string, taken: (id: string) => boolean): string {
  for (;;) {
    const id = `${slug}-${randomBytes(3).toString('hex')}`;
    if (!taken(id)) return id;
  }
}

/**
 * Adds the recorded answers of the same provider to environments that have them from another one. Returns the same object for the same two.
 */
function createSharedAnswers(find: (id: string) => Environment | null): (environment: Environment) => Environment {
  const known = new WeakMap<Environment, { readonly answers: Environment['answers']; readonly whole: Environment }>();
  return (environment) => {
    if (environment.sameProviderAs === undefined) return environment;
    // One whose other is gone has none; saving it says so.
    const answers = find(environment.sameProviderAs)?.answers ?? environment.answers;
    const before = known.get(environment);
    if (before?.answers === answers) return before.whole;
    const whole = { ...environment, answers };
    known.set(environment, { answers, whole });
    return whole;
  };
}

/** The environment in a file, or why the file cannot be used. */
type LoadedEnvironment = { readonly environment: Environment } | { readonly error: AppError };

/** The files of environments in one folder, read again only when they change. */
interface EnvironmentFiles {
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
function createEnvironmentFiles(folder: string, overlayOf: (id: string) => Partial<Environment> | undefined): EnvironmentFiles {
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
