import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, watch } from 'node:fs';
import type { FSWatcher, Stats } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { Environment as EnvironmentSchema } from '#shared/model/environment.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import { answerProblem } from '#shared/provider/index.ts';
import { readTextUpTo, writeFileDurably } from '../files/files.ts';
import { withLock } from '../files/locks.ts';
import { checkEnvironment } from './check-environment.ts';
import { mostFileBytes, printEnvironment, readEnvironment } from './environment-file.ts';

/** Orders names as a reader does: `Test 2` before `Test 10`, whatever their case. */
const byName = new Intl.Collator('en', { numeric: true });

/** Settings of a running built-in provider's environment, which override the file in this process. */
type EnvironmentOverlay = Partial<Pick<Environment, 'baseUrl' | 'walletUrl' | 'ca'>>;

export interface Environments {
  list(): { environments: Environment[]; broken: { file: string; message: string }[] };
  /** Fails with `not_found`, or with `invalid_input` where the file is broken. The same object until the file changes. */
  get(id: string): Environment;
  create(draft: EnvironmentDraft): Promise<Environment>;
  /** Writes a whole environment, also one that was removed. Fails with `conflict` where another one has the name. */
  save(environment: Environment): Promise<Environment>;
  /** Fails with `not_found`, or with `refused` for the environment of a running built-in provider. */
  remove(id: string): Promise<Environment>;
  overlay(id: string, values: EnvironmentOverlay): void;
  /** The same for a new certificate authority; it is written into the file where that has the address of this process's provider. */
  trust(id: string, ca: string): Promise<void>;
  /** Starts to tell `onChange` about changes by other processes. */
  watch(): void;
  close(): void;
}

interface Cached {
  readonly stamp: string;
  readonly read: { environment: Environment } | { error: AppError };
}

/** The environments in `folder`, one file each; several processes may use it at the same time. */
export function createEnvironments({ folder, onChange }: { folder: string; onChange: () => void }): Environments {
  const cache = new Map<string, Cached>();
  const overlays = new Map<string, EnvironmentOverlay>();
  const invalidBefore = new Set<string>();
  let watcher: FSWatcher | null = null;
  let announcing: NodeJS.Timeout | null = null;
  // Writes take turns: two names could otherwise be found free at the same time.
  let turn: Promise<unknown> = Promise.resolve();

  const fileOf = (id: string) => join(folder, `${id}.json`);

  function load(id: string): Cached | null {
    const found = statFile(fileOf(id));
    if (found === null) {
      cache.delete(id);
      return null;
    }
    const stamp = `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
    const cached = cache.get(id);
    if (cached?.stamp === stamp) return cached;
    const fresh: Cached = { stamp, read: readFile(id) };
    cache.set(id, fresh);
    return fresh;
  }

  function readFile(id: string): Cached['read'] {
    try {
      const stored = readEnvironment(id, readTextUpTo(fileOf(id), mostFileBytes));
      return { environment: { ...stored, ...overlays.get(id) } };
    } catch (error) {
      if (error instanceof AppError) return { error };
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      return { error: new AppError('invalid_input', `It cannot be read (${code}). Check its permissions.`) };
    }
  }

  function list(): ReturnType<Environments['list']> {
    const environments: Environment[] = [];
    const broken: { file: string; message: string }[] = [];
    for (const name of listFolder(folder)) {
      if (name.startsWith('.') || !name.endsWith('.json')) continue;
      const loaded = load(name.slice(0, -'.json'.length));
      if (loaded === null) continue;
      if ('environment' in loaded.read) environments.push(loaded.read.environment);
      else broken.push({ file: join(folder, name), message: loaded.read.error.message });
    }
    environments.sort((a, b) => byName.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
    return { environments, broken };
  }

  function get(id: string): Environment {
    const loaded = EnvironmentSchema.shape.id.safeParse(id).success ? load(id) : null;
    if (loaded === null) throw new AppError('not_found', `There is no environment ${id}. Choose another one, or create it.`);
    if ('error' in loaded.read)
      throw new AppError('invalid_input', `The file ${fileOf(id)} is broken. ${loaded.read.error.message}`);
    return loaded.read.environment;
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return withLock(folder, work);
    });
    turn = result.catch(() => undefined);
    return result;
  }

  /** An invalid answer that was in the file may stay, and come back with an undo; no new one is recorded. */
  function checkNewAnswers(environment: Environment, stored: Environment | null): void {
    for (const [id, { value }] of Object.entries(environment.answers)) {
      if (stored !== null && Object.hasOwn(stored.answers, id) && stored.answers[id]?.value === value) continue;
      if (invalidBefore.has(answerKey(environment.id, id, value))) continue;
      const problem = answerProblem(id, value);
      if (problem !== null) {
        throw new AppError('invalid_input', `The answer to ${id} was not recorded. ${problem}`, { field: 'answers', answer: id });
      }
    }
  }

  function keepInvalid({ id, answers }: Environment): void {
    for (const [point, { value }] of Object.entries(answers)) {
      if (answerProblem(point, value) !== null) invalidBefore.add(answerKey(id, point, value));
    }
  }

  async function write(environment: Environment): Promise<Environment> {
    const checked = checkEnvironment(environment);
    const look = lookOf(checked.name);
    const namesake = list().environments.find(({ id, name }) => id !== checked.id && lookOf(name) === look);
    if (namesake !== undefined) {
      const same = namesake.name.toLowerCase() === checked.name.toLowerCase();
      throw new AppError(
        'conflict',
        `There is already an environment named ${namesake.name}${same ? '' : ', which differs only in case, spaces or characters that show nothing'}. Choose another name.`,
        { id: namesake.id },
      );
    }
    const existing = load(checked.id);
    const stored = existing !== null && 'environment' in existing.read ? existing.read.environment : null;
    checkNewAnswers(checked, stored);
    if (existing !== null && 'error' in existing.read) {
      throw new AppError('conflict', `The file ${fileOf(checked.id)} is broken and is left as it is. Repair or move it first.`);
    }
    if (stored !== null && stored.kind !== checked.kind) {
      throw new AppError('invalid_input', 'The kind of an environment cannot be changed.', { field: 'kind' });
    }
    await writeFileDurably(fileOf(checked.id), printEnvironment(checked));
    if (stored !== null) keepInvalid(stored);
    cache.delete(checked.id);
    onChange();
    return get(checked.id);
  }

  return {
    list,
    get,
    create: (draft) =>
      inTurn(() => {
        const id = newId(draft.name, (candidate) => statFile(fileOf(candidate)) !== null);
        const parsed = EnvironmentSchema.safeParse({ ...draft, id, kind: 'provider' });
        if (!parsed.success)
          throw new AppError('invalid_input', parsed.error.issues[0]?.message ?? 'The environment has another shape.');
        return write(parsed.data);
      }),
    save: (environment) => inTurn(() => write(environment)),
    remove: (id) =>
      inTurn(async () => {
        const environment = get(id);
        if (overlays.has(id)) {
          throw new AppError(
            'refused',
            'The built-in provider is running and needs this environment. It is made again at every start.',
          );
        }
        try {
          await unlink(fileOf(id));
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
            throw new AppError('storage', `${fileOf(id)} could not be removed. Check the folder's permissions.`, undefined, {
              cause,
            });
          }
        }
        keepInvalid(environment);
        cache.delete(id);
        onChange();
        return environment;
      }),
    overlay(id, values) {
      overlays.set(id, values);
      cache.delete(id);
      onChange();
    },
    async trust(id, ca) {
      const overlay = { ...overlays.get(id), ca };
      overlays.set(id, overlay);
      cache.delete(id);
      onChange();
      await inTurn(async () => {
        const stored = readEnvironment(id, readTextUpTo(fileOf(id), mostFileBytes));
        // Another program's provider may have come after this one. It has a certificate of its own.
        if (stored.baseUrl !== overlay.baseUrl || stored.ca === ca) return;
        await writeFileDurably(fileOf(id), printEnvironment({ ...stored, ca }));
        cache.delete(id);
      });
    },
    watch() {
      if (watcher !== null) return;
      try {
        watcher = watch(folder, (_, name) => {
          // Our own temporary files come and go with every write.
          if (name?.startsWith('.') === true || announcing !== null) return;
          announcing = setTimeout(() => {
            announcing = null;
            onChange();
          }, 30);
          announcing.unref();
        });
        watcher.unref();
        watcher.on('error', () => undefined);
      } catch {
        // Not every file system can be watched; what is read is fresh all the same.
        watcher = null;
      }
    },
    close() {
      watcher?.close();
      watcher = null;
      if (announcing !== null) clearTimeout(announcing);
    },
  };
}

function answerKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
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

function newId(name: string, taken: (id: string) => boolean): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  for (;;) {
    const id = `${slug === '' ? 'environment' : slug}-${randomBytes(3).toString('hex')}`;
    if (!taken(id)) return id;
  }
}
