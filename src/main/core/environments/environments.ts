import { randomBytes } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { Environment as EnvironmentSchema } from '#shared/model/environment.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { readUsersText, writeFileDurably } from '../files/files.ts';
import { withLock } from '../files/locks.ts';
import { vouched, type Passed } from '../files/passed.ts';
import { checkEnvironment, checkServicePath } from './check-environment.ts';
import { printEnvironment, readEnvironment } from './environment-file.ts';
import { createEnvironmentFiles } from './environment-files.ts';
import { createInvalidAnswers } from './invalid-answers.ts';
import { checkSharing, checkUnshared } from './shared-answers.ts';
import { watchFolder } from './watch-folder.ts';

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
    const checked = checkEnvironment(environment);
    checkServicePath(checked);
    const look = lookOf(checked.name);
    const all = files.list().environments;
    checkSharing(checked, all);
    const namesake = all.find(({ id, name }) => id !== checked.id && lookOf(name) === look);
    if (namesake !== undefined) {
      const same = namesake.name.toLowerCase() === checked.name.toLowerCase();
      throw new AppError(
        'conflict',
        `There is already an environment named ${namesake.name}${same ? '' : ', which differs only in case, spaces or characters that show nothing'}. Choose another name.`,
        { id: namesake.id },
      );
    }
    const existing = files.load(checked.id);
    const before = existing !== null && 'environment' in existing ? withAnswers(existing.environment) : null;
    invalidAnswers.check(checked, before);
    if (existing !== null && 'error' in existing) {
      throw new AppError(
        'conflict',
        `${files.pathOf(checked.id)} is left as it is. ${existing.error.message} Repair or move it first.`,
      );
    }
    if (before !== null && before.kind !== checked.kind) {
      throw new AppError('invalid_input', 'The kind of an environment cannot be changed.', { field: 'kind' });
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
          throw new AppError('invalid_input', parsed.error.issues[0]?.message ?? 'The environment has another shape.');
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
            'The built-in provider is running and needs this environment. It is made again at every start.',
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
