import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import { newerFormatText, saysNothing } from '#shared/collections/format.ts';
import {
  nameKey,
  nameOf,
  pathIn,
  requestOfFile,
  schemaFile,
  schemaLine,
  schemasFolder,
  settingsNames,
  withoutSchemaLine,
} from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { ReadRequest, ReadSettings } from '#shared/ipc/index.ts';
import type { WalletCase } from '#shared/wallet/wallet-case.ts';
import { writeNewFileDurably, writeNewFiles } from '../files/files.ts';
import type { Passed } from '../files/passed.ts';
import { readCases } from './cases-file.ts';
import { createDirectoryEntries, createNames, fileFor, taken } from './directory-entries.ts';
import { checkWritable, locate, namesIn, readNamed, readSource } from './disk.ts';
import { createEnvironmentDirectory } from './environment-directory.ts';
import type { Contents, FormKind } from './file-jobs.ts';
import type { FileReader } from './file-reader.ts';
import type { Replacing } from './replace-file.ts';
import { commentsOf } from './yaml-tree.ts';
import { rm } from '../files/moves.ts';

interface NewRequest {
  /** Lines for a comment at the end of the file; empty for none. */
  readonly comment: string;
  readonly folder: string;
  readonly name: string;
  readonly request: CollectionRequest;
}

/** The files of one collection. Nothing here takes turns: whoever changes something holds the collection's lock. */
export type Directory = ReturnType<typeof createDirectory>;

export interface DirectoryDeps {
  readonly reader: FileReader;
  /** Fails with `refused` for a text that may not be written. */
  readonly checkText: (text: string) => Promise<Passed<'team', Buffer>>;
  readonly replacing: Pick<Replacing, 'replace'>;
}

export function createDirectory(directory: string, { reader, checkText, replacing }: DirectoryDeps) {
  const entries = createDirectoryEntries(directory);
  const { folder, freeName } = createNames(directory);

  async function save(path: string, write: (source: string | null) => Promise<string>, revision: string | null): Promise<void> {
    const { absolute } = await locate(directory, path);
    const source = await readNamed(path, () => readSource('collection.file', absolute));
    if ((source?.revision ?? null) !== revision) throw conflictOf(path, source?.revision ?? null);
    const text = await readNamed(path, () => write(source?.text ?? null));
    if (text === source?.text) return;
    const passed = await checkText(text);
    try {
      await put(absolute, passed, source?.revision ?? null);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      // Another program wrote it since it was read here: that is as if it had been so before.
      const now = await readSource('collection.file', absolute).catch(() => null);
      throw conflictOf(path, now?.revision ?? null);
    }
  }

  async function put(absolute: string, bytes: Passed<'team', Buffer>, revision: string | null): Promise<void> {
    if (revision === null) return writeNewFileDurably(absolute, bytes, 'shared');
    await checkWritable(absolute);
    await replacing.replace(absolute, bytes, revision);
  }

  /** Prints a value as a file, or into the text of one. A new file names its schema for editors, if the collection has schemas. */
  async function write<Kind extends FormKind>(
    path: string,
    kind: Kind,
    source: string | null,
    value: Contents[Kind],
  ): Promise<string> {
    const text = await reader.write(kind, source, value);
    const name = kind === 'settings' ? 'folder' : (kind as Exclude<Kind, 'settings'>);
    if (source !== null || !existsSync(join(directory, schemasFolder, schemaFile(name)))) return text;
    return `${schemaLine(path, name)}${text}`;
  }

  async function readRequest(path: string): Promise<ReadRequest> {
    const name = requestOfFile(nameOf(path));
    if (name === null) throw new AppError('invalid_input', `${path} is not a request file: those end with .yaml.`);
    const { absolute } = await locate(directory, path);
    const source = await readNamed(path, () => readSource('collection.file', absolute));
    if (source === null) throw new AppError('not_found', `${path} is not in the collection.`);
    const { value, unknown, warnings } = await readNamed(path, () => reader.read('request', source.text));
    return { path, name, request: value, revision: source.revision, unknown: [...unknown], warnings: [...warnings] };
  }

  async function readSettings(path: string): Promise<ReadSettings> {
    const file = settingsOf(path);
    if (path !== '') await folder(path);
    const { absolute } = await locate(directory, file);
    const source = await readNamed(file, () => readSource('collection.file', absolute));
    const { value, unknown, warnings } = await readNamed(file, () => reader.read(settingsKind(path), source?.text ?? ''));
    return { path, settings: value, revision: source?.revision ?? null, unknown: [...unknown], warnings: [...warnings] };
  }

  async function bytesOf(path: string, request: CollectionRequest, comment = ''): Promise<Passed<'team', Buffer>> {
    const written = await readNamed(path, () => write(path, 'request', null, request));
    const text = comment === '' ? written : `${written}${comment.replace(/^/gm, '# ').replace(/ +$/gm, '')}\n`;
    return checkText(text);
  }

  return {
    ...entries,
    ...createEnvironmentDirectory(directory, { reader, save, write }),
    readRequest,
    /** Returns the comments of a request's file, or of a folder's settings, a line each; none of a file that is not there. */
    async comments(path: string): Promise<string[]> {
      const file = requestOfFile(nameOf(path)) === null ? settingsOf(path) : path;
      const source = await readSource('collection.file', (await locate(directory, file)).absolute);
      return source === null ? [] : commentsOf(withoutSchemaLine(source.text));
    },
    async saveRequest(path: string, request: CollectionRequest, revision: string): Promise<ReadRequest> {
      await readNameOnly(path);
      await save(path, (source) => write(path, 'request', source, request), revision);
      return readRequest(path);
    },
    async createRequest(parent: string, name: string, request: CollectionRequest): Promise<ReadRequest> {
      const path = await freeName(parent, name, 'request', null);
      await writeNewFileDurably(join(directory, ...path.split('/')), await bytesOf(path, request), 'shared');
      return readRequest(path);
    },
    /**
     * Creates many requests: `each` is called before each one and may end it by failing; `onMade` is called for each created file,
     * before this ends.
     */
    async createRequests(
      requests: readonly NewRequest[],
      each: (at: number) => void,
      onMade: (path: string) => void,
    ): Promise<void> {
      const files = writeNewFiles('shared');
      // A folder's names are read once: additions to them are made here.
      const names = new Map<string, Map<string, string>>();
      try {
        for (const [at, { folder: parent, name, request, comment }] of requests.entries()) {
          each(at);
          const file = fileFor(name, 'request');
          const known = names.get(parent) ?? new Map((await namesIn(await folder(parent))).map((one) => [nameKey(one), one]));
          names.set(parent, known);
          const clash = known.get(nameKey(file));
          if (clash !== undefined) throw taken(clash);
          known.set(nameKey(file), file);
          const path = pathIn(parent, file);
          await files.add(join(directory, ...path.split('/')), await bytesOf(path, request, comment), () => onMade(path));
        }
      } catch (error) {
        // Whoever removes the created files hears of all of them before.
        await files.end().catch(() => undefined);
        throw error;
      }
      await files.end();
    },
    /** Returns the wallet cases of the collection; none without their file. Fails with `invalid_input`. */
    async cases(): Promise<readonly WalletCase[]> {
      const source = await readSource('collection.file', join(directory, settingsNames.cases));
      return source === null ? [] : readNamed(settingsNames.cases, async () => readCases(withoutSchemaLine(source.text)));
    },
    readSettings,
    async saveSettings(path: string, settings: FolderSettings, revision: string | null): Promise<ReadSettings> {
      if (path !== '') await folder(path);
      const file = settingsOf(path);
      await save(file, (source) => write(file, settingsKind(path), source, settings), revision);
      return readSettings(path);
    },
    /** Fails with `refused` if a newer version wrote the collection. If that cannot be decided, whoever reads the file says why. */
    async checkFormat(): Promise<void> {
      const source = await readSource('collection.file', join(directory, settingsNames.collection)).catch(() => null);
      const read = source === null ? null : await reader.read('collection', source.text).catch(() => null);
      const newer = read?.newerFormat ?? null;
      if (newer !== null) throw new AppError('refused', newerFormatText(newer));
    },
    /** Changes a folder's order. Unless `meant`, skips unreadable settings. */
    async changeOrder(
      path: string,
      change: (order: readonly string[]) => readonly string[],
      meant: boolean = false,
    ): Promise<void> {
      const { settings, revision } = await readSettings(path).catch((error: unknown) => {
        if (!meant && error instanceof AppError && error.code === 'invalid_input') return { settings: null, revision: null };
        throw error;
      });
      if (settings === null) return;
      const order = change(settings.order);
      if (order.length === settings.order.length && order.every((name, at) => name === settings.order[at])) return;
      const changed = { ...settings, order: [...order] };
      // What follows from another change adds no format, so that undoing that change gives the old bytes.
      const kind = (source: string | null) => (meant || source === null ? settingsKind(path) : 'settings');
      const file = settingsOf(path);
      await save(file, (source) => write(file, kind(source), source, changed), revision);
    },
    /** Removes empty settings of a folder. */
    async dropEmptySettings(path: string): Promise<void> {
      const { absolute } = await locate(directory, settingsOf(path));
      const source = await readSource('collection.file', absolute);
      if (source !== null && saysNothing(source.text)) await rm(absolute);
    },
  };
}

function conflictOf(path: string, revision: string | null): AppError {
  const message =
    revision === null
      ? `Another program removed ${path}. Save it as a new file, or discard your changes.`
      : `Another program changed ${path} since Croupier read it. Compare both and choose which to keep.`;
  return new AppError('conflict', message, { revision });
}

async function readNameOnly(path: string): Promise<void> {
  if (requestOfFile(nameOf(path)) === null) {
    throw new AppError('invalid_input', `${path} is not a request file: those end with .yaml.`);
  }
}

function settingsKind(path: string): 'collection' | 'settings' {
  return path === '' ? 'collection' : 'settings';
}

function settingsOf(path: string): string {
  return path === '' ? settingsNames.collection : pathIn(path, settingsNames.folder);
}
