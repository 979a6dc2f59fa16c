import { isDeepStrictEqual } from 'node:util';
import { environmentsFolder, fileOfRequest, pathIn } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { CollectionEnvironment, Environment, FileProblem, Output, ParsedInput } from '#shared/ipc/index.ts';
import { lookOf } from '#shared/json/hidden-characters.ts';
import type { Collections } from '../collections.ts';
import type { Directory } from '../directory.ts';
import { sandboxId } from '../../environments/validate-environment.ts';
import type { Environments } from '../../environments/environments.ts';
import { withLock } from '../../files/locks.ts';
import type { Pass } from '../../files/passed.ts';
import type { EnvironmentLink, EnvironmentLinks } from './links.ts';
import { differences, fileOf, inHome, settingsIn, sharedOf, withShared, type SharedSettings } from './settings.ts';

export interface CollectionEnvironmentsDeps {
  readonly collections: Pick<Collections, 'filesOf' | 'changeAt'>;
  readonly environments: Pick<Environments, 'list' | 'get' | 'create' | 'save'>;
  readonly links: EnvironmentLinks;
  readonly pass: Pass;
}

/** A file of a collection that can be used. */
interface Found {
  readonly settings: SharedSettings;
  readonly revision: string;
}

const pathOf = (name: string) => pathIn(environmentsFolder, fileOfRequest(name));

/** The environments beside the requests of collections, and those of the home that follow them. */
export function createCollectionEnvironments(deps: CollectionEnvironmentsDeps) {
  const { collections, environments, links, pass } = deps;

  /** Fails with `invalid_input` and `refused`; null if there is no such file. */
  async function read(files: Directory, name: string): Promise<Found | null> {
    const found = await files.readEnvironment(name);
    if (found === null) return null;
    await pass('home', [found.text, found.ca], {
      keyFound: () => `${pathOf(name)} contains an environment's private key. Remove it from the file, and from git.`,
    });
    return { settings: settingsIn(found.file, found.ca), revision: found.revision };
  }

  /** Returns the environment of the home that follows a file, or one that has its name. */
  function homeOf(directory: string, name: string): { environment: Environment | null; follows: boolean } {
    const known = environments.list().environments;
    const all = links.all();
    const follower = known.find(({ id }) => isDeepStrictEqual(all.get(id), { directory, name }));
    if (follower !== undefined) return { environment: follower, follows: true };
    const look = lookOf(name);
    return { environment: known.find((one) => lookOf(one.name) === look) ?? null, follows: false };
  }

  /** Returns the settings of an environment of the home that a file of the directory can hold. */
  function sharedIn(directory: string, environment: Environment): SharedSettings {
    return sharedOf(environment, (id) => {
      const link = links.all().get(id);
      if (link?.directory === directory) return link.name;
      return environments.list().environments.find((one) => one.id === id)?.name ?? id;
    });
  }

  /** Returns the ID of the environment of the home that a file names as that of the same provider. Fails with `refused`. */
  function providerIn(directory: string, path: string): (name: string) => string {
    return (name) => {
      const { environment } = homeOf(directory, name);
      if (environment !== null) return environment.id;
      throw new AppError(
        'refused',
        `${path} shares the recorded answers of ${name}, which is not in this home. Use ${name} first.`,
      );
    };
  }

  async function describe(directory: string, files: Directory, name: string): Promise<CollectionEnvironment> {
    const { environment, follows } = homeOf(directory, name);
    const base = { name, path: pathOf(name), environmentId: environment?.id ?? null };
    let found: Found | null;
    try {
      found = await read(files, name);
      if (found === null) throw new AppError('not_found', `${base.path} no longer exists.`);
      if (follows && environment !== null) await takeOver(environment.id, directory, files, name);
    } catch (error) {
      const problem = problemOf(error);
      return { ...base, state: 'unreadable', revision: '', problem, differences: [] };
    }
    const home = environment === null ? null : sharedIn(directory, environments.get(environment.id));
    const differing = differences(home, found.settings);
    const state = !follows ? (home === null ? 'new' : 'own') : differing.length === 0 ? 'followed' : 'asks';
    return { ...base, state, revision: found.revision, problem: null, differences: differing };
  }

  /** Takes over what changed in the file, unless a person must be asked. */
  async function takeOver(id: string, directory: string, files: Directory, name: string): Promise<void> {
    const isDue = (settings: SharedSettings) => {
      const differing = differences(sharedIn(directory, environments.get(id)), settings);
      return differing.length > 0 && !differing.some(({ asks }) => asks);
    };
    const first = await read(files, name);
    if (first === null || !isDue(first.settings)) return;
    await inTurn(async () => {
      // An edit here may have written both meanwhile.
      const now = await read(files, name);
      if (now === null || !isDue(now.settings) || !homeOf(directory, name).follows) return;
      await environments.save(withShared(environments.get(id), now.settings, providerIn(directory, pathOf(name))));
    });
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => withLock(links.path, work);

  /** Writes the settings of an environment into a file of a collection. */
  async function write(files: Directory, name: string, settings: SharedSettings): Promise<{ isNew: boolean }> {
    const there = await files.readEnvironment(name);
    await files.saveEnvironment(name, fileOf(settings, there?.file ?? null), settings.ca, there?.revision ?? null);
    return { isNew: there === null };
  }

  /** Fails with `conflict` if a setting that a person changed here has changed in the file, too. */
  async function saveFollowing(link: EnvironmentLink, stored: Environment, environment: Environment): Promise<Environment> {
    const before = sharedIn(link.directory, stored);
    const saved = await environments.save(environment);
    const after = sharedIn(link.directory, saved);
    const changed = differences(before, after);
    if (changed.length === 0) return saved;
    try {
      await collections.changeAt(link.directory, async (files) => {
        const found = await read(files, link.name);
        if (found === null) return links.set(saved.id, null);
        const elsewhere = new Set(differences(before, found.settings).map(({ field }) => field));
        const both = changed.find(({ field }) => elsewhere.has(field));
        if (both !== undefined) {
          const message = `${both.field} also changed in ${pathOf(link.name)}. Review the collection's environments first.`;
          throw new AppError('conflict', message, { field: both.field });
        }
        await write(files, link.name, merged(found.settings, after, changed));
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') {
        // The collection is gone: the environment is this home's own from now on.
        await links.set(saved.id, null);
        return saved;
      }
      await environments.save(stored);
      throw error instanceof AppError
        ? new AppError(error.code, `Not saved. ${error.message}`, error.details, { cause: error })
        : error;
    }
    return saved;
  }

  return {
    /**
     * Lists the environments of a collection. One of the home that follows its file takes over what changed there, unless a person must be asked
     * about it.
     */
    async list(where: ParsedInput<'collections.environments'>): Promise<Output<'collections.environments'>> {
      const { directory, files } = await collections.filesOf(where);
      const found: CollectionEnvironment[] = [];
      for (const name of await files.environmentNames()) found.push(await describe(directory, files, name));
      return { environments: found };
    },
    /** Takes an environment into the home, or the changes of one that is there; it follows the file from then on. */
    async use({ name, revision, ...where }: ParsedInput<'collections.useEnvironment'>): Promise<Environment> {
      const { directory, files } = await collections.filesOf(where);
      return inTurn(async () => {
        const found = await read(files, name);
        if (found === null) throw new AppError('not_found', `${pathOf(name)} is not in the collection.`);
        if (found.revision !== revision)
          throw new AppError('conflict', `${pathOf(name)} has changed since it was shown. Review it again.`);
        const { environment } = homeOf(directory, name);
        if (environment?.kind === 'sandbox' || name === sandboxId)
          throw new AppError('refused', `${name} is the environment of the built-in provider. Rename ${pathOf(name)}.`);
        const providerOf = providerIn(directory, pathOf(name));
        const saved =
          environment === null
            ? await environments.create({
                name,
                ...inHome(found.settings, providerOf),
                ...(found.settings.production ? { color: 'red' as const } : {}),
              })
            : await environments.save(withShared(environment, found.settings, providerOf));
        await links.set(saved.id, { directory, name });
        return saved;
      });
    },
    /** Writes an environment of the home into the collection, and has it follow that file. */
    async share({
      environmentId,
      ...where
    }: ParsedInput<'collections.shareEnvironment'>): Promise<Output<'collections.shareEnvironment'>> {
      const environment = environments.get(environmentId);
      if (environment.kind === 'sandbox')
        throw new AppError('refused', "The built-in provider's environment changes at each start. Export another one.");
      const { directory } = await collections.filesOf(where);
      return inTurn(async () => {
        const link = links.all().get(environmentId);
        const name = link?.directory === directory ? link.name : environment.name;
        const settings = sharedIn(directory, environment);
        const { isNew } = await collections.changeAt(directory, async (files) => {
          if (settings.sameProviderAs !== '' && (await files.readEnvironment(settings.sameProviderAs)) === null)
            throw new AppError(
              'refused',
              `${environment.name} shares the recorded answers of ${settings.sameProviderAs}. Export ${settings.sameProviderAs} first.`,
            );
          return write(files, name, settings);
        });
        await links.set(environmentId, { directory, name });
        return { path: pathOf(name), isNew };
      });
    },
    /** Saves an environment as `environments.save`, and the changed lines of the file that it follows. */
    save(environment: Environment): Promise<Environment> {
      return inTurn(async () => {
        const link = links.all().get(environment.id);
        const stored = environments.list().environments.find(({ id }) => id === environment.id);
        return link === undefined || stored === undefined
          ? environments.save(environment)
          : saveFollowing(link, stored, environment);
      });
    },
  };
}

/** Returns the settings of a file with those of the home that a person changed. */
function merged(file: SharedSettings, home: SharedSettings, changed: readonly { readonly field: string }[]): SharedSettings {
  const isChanged = (field: string) => changed.some((one) => one.field === field);
  const pick = <T extends object>(before: T, after: T, prefix: string): T =>
    Object.fromEntries(
      Object.entries({ ...before, ...after }).map(([name]) => [
        name,
        isChanged(`${prefix}${name}`) ? after[name as keyof T] : before[name as keyof T],
      ]),
    ) as T;
  const ids = new Set([...Object.keys(file.answers), ...Object.keys(home.answers)]);
  const answers = [...ids].flatMap((id) => {
    const isOurs = ['', '.date', '.evidence'].some((part) => isChanged(`answers.${id}${part}`));
    const answer = isOurs ? home.answers[id] : file.answers[id];
    return answer === undefined ? [] : [[id, answer] as const];
  });
  return {
    ...pick(file, home, ''),
    defaults: pick(file.defaults, home.defaults, 'defaults.'),
    launchRules: pick(file.launchRules, home.launchRules, 'launchRules.'),
    answers: Object.fromEntries(answers),
  };
}

function problemOf(error: unknown): FileProblem {
  if (!(error instanceof AppError) || error.code === 'cancelled') throw error;
  const { line = null, column = null } = (error.details ?? {}) as { line?: number | null; column?: number | null };
  return { message: error.message, line, column, excerpt: '' };
}
