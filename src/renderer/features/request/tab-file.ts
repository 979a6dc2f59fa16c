import type { CollectionRequest } from '#shared/collections/model.ts';
import { nameOf } from '#shared/collections/file-names.ts';
import type { Overrides, ReadRequest } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';

/** What of a request is in its file and in no form: what its answer has to be, what is taken from it, words, and examples. */
export type TabExtras = Pick<CollectionRequest, 'take' | 'expect' | 'notes' | 'examples'>;

export const noExtras: TabExtras = { take: {}, expect: [], notes: '', examples: [] };

/** The file that a tab was opened from. */
export interface TabFile {
  readonly collectionId: string;
  /** With its `.yaml`. */
  readonly path: string;
  /** Names the file's bytes that the tab was last alike with, or whose successor it would be. */
  readonly revision: string;
  /** The file was removed: there is nothing to save over. */
  readonly gone: boolean;
  /** What another program made of the file while the tab had unsaved edits; null where nothing is to be asked. */
  readonly theirs: ReadRequest | null;
  /** Why the last save or reading did not work; null where it did. */
  readonly problem: string | null;
}

/** A tab's file as it was just read or written. */
export function fileOf(collectionId: string, { path, revision }: ReadRequest): TabFile {
  return { collectionId, path, revision, gone: false, theirs: null, problem: null };
}

/** Tells whether a tab still has the file that something was asked about. */
export function isOf<T extends { readonly file: TabFile | null }>(tab: T, file: TabFile): tab is T & { readonly file: TabFile } {
  return tab.file?.collectionId === file.collectionId && tab.file.path === file.path;
}

/** What a file is called on its tab. */
export function fileTitle(path: string): string {
  return nameOf(path).replace(/\.yaml$/, '');
}

/** What of a tab goes into a file. */
export function requestOf(tab: RequestContent): CollectionRequest {
  const { operation, form, text, overrides, extras } = tab;
  return { operation, form, data: text, overrides, ...extras };
}

/** What of a file goes into a tab. */
export function contentOf({ operation, form, data, overrides, ...extras }: CollectionRequest): RequestContent {
  return { operation, form, text: data, overrides, extras };
}

/** What a tab sends and what its file holds. */
export interface RequestContent {
  readonly operation: OperationName;
  readonly form: string;
  readonly text: string;
  readonly overrides: Overrides;
  readonly extras: TabExtras;
}

/** Equal for two requests that would be the same file. */
export function contentKey({ operation, form, text, overrides, extras }: RequestContent): string {
  const { hash, time, platform, partnerId, omit } = overrides;
  const { take, expect, notes, examples } = extras;
  const rest = [operation, form, hash, time, platform, partnerId, omit, take, expect, notes, examples];
  return `${JSON.stringify(rest)}\n${text}`;
}

/** A request as one text to compare by eye: its data, and below it what else differs from a bare request. */
export function comparableText(content: RequestContent): string {
  const { operation, form, text, overrides, extras } = content;
  const { take, expect, notes, examples } = extras;
  const rest = { operation, form, overrides, take, expect, notes, ...(examples.length === 0 ? {} : { examples }) };
  return `${text.replace(/\n?$/, '\n')}\n${JSON.stringify(rest, null, 2)}\n`;
}
