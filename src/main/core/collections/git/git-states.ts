import type { FileVersion, Output } from '#shared/ipc/index.ts';
import { pathIn, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import { beyond } from '#shared/model/readers.ts';
import type { Pass } from '../../files/passed.ts';
import { locateExisting, readNamed, readSource, textOf } from '../disk.ts';
import type { LiveCollections } from '../live-collections.ts';
import type { Scan } from '../tree.ts';
import { createWatcher, type Watcher } from '../watcher.ts';
import type { Reading } from '../../untrusted/jobs.ts';
import type { FileVersions } from './conflict-versions.ts';
import { createGitMarker, isInRepository, lastCommit, type GitMarker } from './git-marks.ts';
import { findGit, GitFailure, type Git } from './run-git.ts';

export interface GitStatesDeps {
  /** Its PATH leads to `git`, and its other variables to git's settings. */
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Fails with `not_found` for a collection that is not open. */
  readonly directoryOf: (id: string) => Promise<string>;
  readonly lives: Pick<LiveCollections, 'of'>;
  readonly reading: Pick<Reading, 'run'>;
  readonly pass: Pass;
  /** Called after a commit, a checkout or the like in the repository of a collection whose marks were asked for. */
  readonly onCommit: (id: string) => void;
}

/** Open collections as git sees them. Nothing here writes. */
export function createGitStates({ env, platform, directoryOf, lives, reading, pass, onCommit }: GitStatesDeps) {
  const markers = new Map<string, GitMarker>();
  const watchers = new Map<string, { gitDirectory: string; watcher: Watcher }>();
  let closed = false;

  /** Watches a repository for a collection. Returns whether it was not watched before. */
  function watch(id: string, gitDirectory: string): boolean {
    if (closed || watchers.get(id)?.gitDirectory === gitDirectory) return false;
    watchers.get(id)?.watcher.close();
    const watcher = createWatcher({
      directory: gitDirectory,
      platform,
      // Every commit, checkout, reset and merge writes one of them.
      counts: (name) => /^(?:logs[\\/])?(?:HEAD|index)$/.test(name),
      onChange: () => onCommit(id),
    });
    watcher.follow(['', 'logs']);
    watchers.set(id, { gitDirectory, watcher });
    return true;
  }

  const gitFor = async (directory: string) => ((await isInRepository(directory)) ? findGit(env, platform) : null);

  async function committed(git: Git, directory: string, path: string): Promise<FileVersion | null> {
    const commit = await lastCommit(git, directory);
    if (commit === null) return null;
    // With the size of what it holds: an object may have gigabytes.
    const listed = await git.ask(directory, 'git.lists', ['ls-tree', '-z', '--long', commit, '--', path]);
    const [, id, size] = /^\d+ blob ([0-9a-f]+) +(\S+)\t/.exec(listed?.toString('utf8') ?? '') ?? [];
    if (id === undefined) return null;
    const excess = beyond('git.file', { bytes: Number(size) });
    if (excess !== null) throw noOther(path, `the committed one ${excess}`);
    const bytes = (await git.ask(directory, 'git.file', ['cat-file', 'blob', id])) ?? Buffer.alloc(0);
    return { label: `Committed, ${commit.slice(0, 7)}`, text: textOf(bytes) };
  }

  /** Returns the last commit's version of a file and the one on the disk. */
  async function withCommitted(directory: string, path: string, text: string): Promise<FileVersions> {
    const git = await gitFor(directory);
    if (git === null) throw noOther(path, 'its collection is not in a git repository, or git is not on the PATH.');
    const left = await committed(git, directory, path).catch((error: unknown) => {
      if (error instanceof GitFailure) throw noOther(path, `${error.message}.`);
      throw error;
    });
    if (left === null) throw noOther(path, 'the last commit does not have it.');
    return { left, right: { label: 'In the file', text } };
  }

  return {
    /** Fails with `not_found`. Without git, and outside of a repository, nothing is marked and nothing said. */
    async marks(id: string): Promise<Output<'collections.gitMarks'>> {
      const directory = await directoryOf(id);
      const git = await gitFor(directory);
      if (git === null) return { marks: [], notices: [] };
      // Not a look of its own: a change of several files that is under way would be told half done.
      const files = filesOf(await (await lives.of(id)).seen());
      const marker = markers.get(id) ?? createGitMarker(directory, reading);
      markers.set(id, marker);
      try {
        const found = await marker.mark(git, files);
        // A commit in between was not seen.
        const { marks, unseen } = watch(id, found.gitDirectory) ? await marker.mark(git, files) : found;
        return { marks: [...marks], notices: unseen.length === 0 ? [] : [unseenNotice(unseen)] };
      } catch (error) {
        if (!(error instanceof GitFailure)) throw error;
        return { marks: [], notices: [`Changes since the last commit are not marked: ${error.message}.`] };
      }
    },
    /** Fails as `collections.versions` does. */
    async versions(id: string, path: string): Promise<Output<'collections.versions'>> {
      const directory = await directoryOf(id);
      const { absolute } = await locateExisting(directory, path);
      const source = await readNamed(path, () => readSource('collection.file', absolute));
      const text = source?.text ?? '';
      const conflict = await reading.run('collections.conflict', text, { subject: path, bytes: text.length });
      const { left, right } = conflict ?? (await withCommitted(directory, path, text));
      await pass('team', [left.text, right.text], {
        keyFound: () =>
          `A version of ${path} contains an environment's private key, so Croupier doesn't show it. Replace that key: everyone with the repository has it.`,
      });
      return { of: conflict === null ? 'commit' : 'conflict', left, right };
    },
    drop(id: string): void {
      markers.delete(id);
      watchers.get(id)?.watcher.close();
      watchers.delete(id);
    },
    close(): void {
      closed = true;
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}

/** Returns the revisions of the files that the tree shows: requests, and the settings of folders and of the collection. */
function filesOf({ nodes, contents }: Scan): Map<string, string> {
  const shown = nodes.map(({ kind, path }) => (kind === 'request' ? path : pathIn(path, settingsNames.folder)));
  const revisions = [settingsNames.collection, ...shown].map((path) => [path, contents.get(path)] as const);
  return new Map(revisions.filter((one): one is [string, string] => one[1] !== undefined));
}

function unseenNotice(paths: readonly string[]): string {
  const [first = ''] = paths;
  const which = paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
  return `Croupier can't tell whether ${which} changed since the last commit: .gitattributes makes git write different bytes than it stores.`;
}

function noOther(path: string, why: string): AppError {
  return new AppError('not_found', `No other version of ${path}: ${why}`);
}
