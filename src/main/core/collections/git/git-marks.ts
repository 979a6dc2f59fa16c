import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { folderOf, normalName } from '#shared/collections/file-names.ts';
import type { GitMark } from '#shared/ipc/index.ts';
import { readBytes, revisionOf } from '../disk.ts';
import type { Reading } from '../../untrusted/jobs.ts';
import type { Git } from './run-git.ts';

/** Files of a collection compared with the last commit. */
interface GitMarks {
  /** Files that differ from it, in the order of the files asked about. */
  readonly marks: readonly GitMark[];
  /** Files that git itself changes as it writes them: their bytes say nothing about a change. */
  readonly unseen: readonly string[];
  /** Directory of the repository's own state; it changes with each commit. */
  readonly gitDirectory: string;
}

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'collections.committed': typeof readCommitted;
  }
}

/** Facts of the last commit and of the index about the files of a collection. */
interface Committed {
  /** The IDs that the last commit has, by the files' paths. */
  readonly ids: ReadonlyMap<string, string>;
  readonly unmerged: ReadonlySet<string>;
  /** Files in a submodule: another repository has what is in them. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Finds some files in the lists of `ls-tree` and `ls-files --stage`, which may name hundreds of thousands of others. */
export function readCommitted({
  tree,
  index,
  paths,
}: {
  readonly tree: Uint8Array;
  readonly index: Uint8Array;
  readonly paths: readonly string[];
}): Committed {
  const byName = new Map(paths.map((path) => [normalName(path), path]));
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = folderOf(path); at !== '' && !folders.has(normalName(at)); at = folderOf(at)) folders.add(normalName(at));
  const ids = new Map<string, string>();
  const unmerged = new Set<string>();
  const modules = new Set<string>();
  for (const { id, path } of entries(tree)) {
    const file = byName.get(path);
    if (file !== undefined) ids.set(file, id);
  }
  for (const { mode, stage, path } of entries(index)) {
    const file = byName.get(path);
    if (file !== undefined && stage !== '0') unmerged.add(file);
    if (mode === submodule && folders.has(path)) modules.add(path);
  }
  return { ids, unmerged, elsewhere: new Set(paths.filter((path) => foldersAround(path).some((folder) => modules.has(folder)))) };
}

/** Marks the files of a directory. */
export type GitMarker = ReturnType<typeof createGitMarker>;

/** Attributes by which git writes a file with other bytes than it keeps; `filter` names a program, which Croupier does not run. */
const changing = ['filter', 'ident', 'working-tree-encoding'];

/** Creates a marker, which reads a file again only if it changed. */
export function createGitMarker(directory: string, reading: Pick<Reading, 'run'>) {
  let known = new Map<string, { revision: string; algorithm: string; ids: readonly string[] }>();

  /** Returns the IDs under which git would keep the file, as it is and with line feeds alone; null if it cannot be read. */
  async function read(path: string, algorithm: string) {
    const bytes = await readBytes('collection.file', join(directory, ...path.split('/'))).catch(() => null);
    // It may have changed since it was asked about.
    return bytes === null ? null : { revision: revisionOf(bytes), algorithm, ids: blobIds(bytes, algorithm) };
  }

  /** Returns which paths are new and which changed, by the IDs that the last commit has. */
  async function differingFrom(committed: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>) {
    const next: typeof known = new Map();
    const differing = new Map<string, GitMark['mark']>();
    for (const [path, revision] of files) {
      const id = committed.get(path);
      if (id === undefined) differing.set(path, 'new');
      else {
        const algorithm = id.length === 64 ? 'sha256' : 'sha1';
        const before = known.get(path);
        // Waited for only if need be, and now and then: there may be 20,000 of them.
        const file = before?.revision === revision && before.algorithm === algorithm ? before : await read(path, algorithm);
        if (file !== null) next.set(path, file);
        if (next.size % 2_000 === 0) await setImmediate();
        if (file?.ids.includes(id) === false) differing.set(path, 'changed');
      }
    }
    known = next;
    return differing;
  }

  return {
    /**
     * Compares files with the last commit. `files` are their paths below the directory, with `/`, and the revisions of their bytes. Fails with
     * `GitFailure`, also if the directory is in no repository.
     */
    async mark(git: Git, files: ReadonlyMap<string, string>): Promise<GitMarks> {
      const gitDirectory = textOf(await git.ask(directory, 'git.lists', ['rev-parse', '--absolute-git-dir']));
      const commit = await lastCommit(git, directory);
      const tree = (commit === null ? null : await git.ask(directory, 'git.lists', ['ls-tree', '-r', '-z', commit])) ?? noBytes;
      const index = (await git.ask(directory, 'git.lists', ['ls-files', '--stage', '-z'])) ?? noBytes;
      const { ids, unmerged, elsewhere } = await reading.run(
        'collections.committed',
        { tree, index, paths: [...files.keys()] },
        // Moved: a copy of some tens of megabytes would hold up other calls.
        {
          subject: "The last commit's file list",
          bytes: tree.length + index.length,
          transfer: ownBuffers([tree, index]),
        },
      );
      // To take the reply was a step of its own.
      await setImmediate();
      const own = new Map([...files].filter(([path]) => !elsewhere.has(path)));
      const paths = [...own.keys()];
      const differing = await differingFrom(ids, own);
      const pathsWith = (mark: GitMark['mark']) => paths.filter((path) => differing.get(path) === mark);
      const ignored = await ignoredAmong(git, directory, pathsWith('new'));
      const unseen = await writtenByGit(git, directory, pathsWith('changed'));
      const marks = paths.flatMap((path) => {
        const mark = unmerged.has(path) ? 'conflicted' : differing.get(path);
        const isSeen = mark === 'conflicted' || !(ignored.has(path) || unseen.has(path));
        return mark === undefined || !isSeen ? [] : [{ path, mark }];
      });
      return { marks, unseen: [...unseen], gitDirectory };
    },
  };
}

/** Returns the ID of the last commit; null if there is none yet. Fails with `GitFailure`. */
export async function lastCommit(git: Git, directory: string): Promise<string | null> {
  return textOf(await git.ask(directory, 'git.lists', ['rev-parse', '--quiet', '--verify', 'HEAD'])) || null;
}

/** Returns the buffers that hold nothing else than these bytes. */
function ownBuffers(all: readonly Uint8Array[]): ArrayBuffer[] {
  return all.flatMap(({ buffer, byteLength }) =>
    byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer ? [buffer] : [],
  );
}

const submodule = '160000';
const noBytes = new Uint8Array();

function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== ''; at = folderOf(at)) folders.push(normalName(at));
  return folders;
}

/** Returns whether a directory or one above it has a `.git`, so that git is started for none that is in no repository. */
export async function isInRepository(directory: string): Promise<boolean> {
  for (let at = directory; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return true;
    if (at === dirname(at)) return false;
  }
}

/** Reads the lines of `ls-tree` and `ls-files --stage`: mode, type or not, ID, stage or not, a tab and the path. */
function* entries(output: Uint8Array): Iterable<{ mode: string; id: string; stage: string; path: string }> {
  const bytes = Buffer.from(output.buffer, output.byteOffset, output.byteLength);
  for (let start = 0, end = bytes.indexOf(0); end !== -1; start = end + 1, end = bytes.indexOf(0, start)) {
    const line = bytes.toString('utf8', start, end);
    const tab = line.indexOf('\t');
    const [mode = '', ...parts] = line.slice(0, tab).split(' ');
    const at = parts.findIndex((part) => /^(?:[0-9a-f]{64}|[0-9a-f]{40})$/.test(part));
    yield { mode, id: parts[at] ?? '', stage: parts[at + 1] ?? '', path: normalName(line.slice(tab + 1)) };
  }
}

async function ignoredAmong(git: Git, directory: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  return new Set(records(await git.ask(directory, 'git.lists', ['check-ignore', '-z', '--stdin'], `${paths.join('\0')}\0`)));
}

async function writtenByGit(git: Git, directory: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const said = records(
    await git.ask(directory, 'git.lists', ['check-attr', '-z', '--stdin', ...changing], `${paths.join('\0')}\0`),
  );
  const found = new Set<string>();
  for (let at = 0; at + 2 < said.length; at += 3) {
    const [path = '', , value = ''] = said.slice(at, at + 3);
    if (value !== 'unspecified' && value !== 'unset') found.add(path);
  }
  return found;
}

function records(output: Buffer | null): string[] {
  return (output ?? Buffer.alloc(0)).toString('utf8').split('\0').filter(Boolean);
}

function textOf(output: Buffer | null): string {
  return (output ?? Buffer.alloc(0)).toString('utf8').replace(/\r?\n$/, '');
}

function blobIds(bytes: Buffer, algorithm: string): string[] {
  const idOf = (blob: Buffer) => createHash(algorithm).update(`blob ${blob.length}\0`).update(blob).digest('hex');
  // Git may keep a file with line feeds and write it with those of the system.
  return bytes.includes('\r\n') ? [idOf(bytes), idOf(withLineFeeds(bytes))] : [idOf(bytes)];
}

function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
