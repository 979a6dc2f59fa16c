import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '#shared/model/schema.ts';
import { WorkspaceList } from '#shared/ipc/workspaces.ts';
import { readText } from '../files/files.ts';
import { isOfNewerVersion } from '../files/home-file.ts';

const folderName = /^[0-9a-f]{24}$/;
const tabName = /^([A-Za-z0-9-]{1,64})\.tab\.json$/;

const Holder = z.object({ run: z.string(), page: z.string(), turn: z.number() });
/** The present or last holder of a workspace: a page of a session. `turn` counts such changes in the home. */
export type Holder = z.infer<typeof Holder>;
const nobody: Holder = { run: '', page: '', turn: 0 };

/** A workspace as it is on the disk. */
export interface Folder {
  readonly id: string;
  readonly holder: Holder;
  /** Text of the list; null if it is missing. */
  readonly text: string | null;
  /** Null if there is no list that this version understands. */
  readonly list: WorkspaceList | null;
  /** True if another version of Croupier wrote it, in a form that this one does not know. */
  readonly newer: boolean;
  /** Tabs whose texts exist, in the order of the list and then the others. */
  readonly tabs: readonly string[];
  /** Number of tabs that may hold unsaved text. */
  readonly unsaved: number;
  /** True if nobody would miss anything in it. */
  readonly plain: boolean;
}

/** Returns the paths of workspaces' files. */
export function placesIn(root: string) {
  const folder = (id: string) => join(root, id);
  return {
    folder,
    /** Path of the lock of a workspace; the folder of all of them is that of claims. */
    lock: (id: string) => join(root, 'locks', `${id}.lock`),
    list: (id: string) => join(folder(id), 'list.json'),
    holder: (id: string) => join(folder(id), 'holder.json'),
    tab: (id: string, tab: string) => join(folder(id), `${tab}.tab.json`),
  };
}
export type Places = ReturnType<typeof placesIn>;

/** Returns every workspace of the home, in no order. */
export function foldersIn(root: string): Folder[] {
  return namesIn(root)
    .filter((name) => folderName.test(name))
    .map((id) => readFolder(root, id));
}

export function readFolder(root: string, id: string): Folder {
  const places = placesIn(root);
  const text = textOf(places.list(id));
  const value = text === null ? undefined : parsed(text);
  const list = WorkspaceList.safeParse(value).data ?? null;
  const held = parsed(textOf(places.holder(id)) ?? '');
  const holder = isOfNewerVersion(held) ? null : (Holder.safeParse(held).data ?? null);
  const found = namesIn(places.folder(id)).flatMap((name) => tabName.exec(name)?.[1] ?? []);
  const listed = (list?.tabs ?? []).filter((tab) => found.includes(tab.id));
  // A program that ended between a tab's text and the list left a text that no list names.
  const others = found.filter((tab) => !listed.some((one) => one.id === tab)).sort();
  const unsaved = listed.filter((tab) => tab.unsaved).length + others.length;
  return {
    id,
    holder: holder ?? nobody,
    text,
    list,
    newer:
      (list === null && typeof value === 'object' && value !== null && 'version' in value && value.version !== 1) ||
      // Half a write leaves no JSON of another form: somebody else wrote it, who may hold the workspace.
      (holder === null && typeof held === 'object' && held !== null),
    tabs: [...listed.map((tab) => tab.id), ...others],
    unsaved,
    plain: others.length === 0 && listed.every((tab) => tab.plain),
  };
}

/** Returns a text that changes when the file does, also through another process; '' if it is missing. */
export function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.ino}:${found.mtimeNs}:${found.size}`;
}

function textOf(path: string): string | null {
  try {
    return readText('home.workspace', path);
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Parses a text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
