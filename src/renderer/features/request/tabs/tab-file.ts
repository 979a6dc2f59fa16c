import type { CollectionRequest } from '#shared/collections/model.ts';
import { nameOf } from '#shared/collections/file-names.ts';
import type { Overrides, ReadRequest } from '#shared/ipc/index.ts';
import { formOfPayload, operationByName, type OperationName } from '#shared/provider/index.ts';

/**
 * The parts of a request that are in its file and in no form: tags, checks of its response, values taken from it, notes, and examples.
 */
export type TabExtras = Pick<CollectionRequest, 'tags' | 'take' | 'expect' | 'notes' | 'examples'>;

export const noExtras: TabExtras = { tags: [], take: {}, expect: [], notes: '', examples: [] };

/** The file that a tab was opened from. */
export interface TabFile {
  readonly collectionId: string;
  /** With its `.yaml`. */
  readonly path: string;
  /** Names the bytes of the file that the tab last equalled, or would replace. */
  readonly revision: string;
  /** True if the file was removed: there is nothing to save over. */
  readonly gone: boolean;
  /** The version that another program wrote while the tab had unsaved edits; null if there is nothing to ask. */
  readonly theirs: ReadRequest | null;
  /** The reason why the last save or reading failed; null if it did not. */
  readonly problem: string | null;
}

/** Returns a tab's file as it was just read or written. */
export function fileOf(collectionId: string, { path, revision }: ReadRequest): TabFile {
  return { collectionId, path, revision, gone: false, theirs: null, problem: null };
}

/** Returns whether a tab still has the file that something was asked about. */
export function isOf<T extends { readonly file: TabFile | null }>(tab: T, file: TabFile): tab is T & { readonly file: TabFile } {
  return tab.file?.collectionId === file.collectionId && tab.file.path === file.path;
}

/** Returns the name of a file on its tab. */
export function fileTitle(path: string): string {
  return nameOf(path).replace(/\.yaml$/, '');
}

/** Returns the parts of a tab that its file holds. */
export function requestOf(tab: RequestContent): CollectionRequest {
  const { operation, form, text, overrides, extras } = tab;
  return { operation, form, data: text, overrides, ...extras };
}

/** Returns the parts of a file that its tab holds. */
export function contentOf({ operation, form, data, overrides, ...extras }: CollectionRequest): RequestContent {
  return { operation, form: formOfPayload(operationByName(operation), form, data), text: data, overrides, extras };
}

/** A request as a tab sends it and its file holds it. */
export interface RequestContent {
  readonly operation: OperationName;
  readonly form: string;
  readonly text: string;
  readonly overrides: Overrides;
  readonly extras: TabExtras;
}

/** Returns a key that is equal for two requests that would be the same file. */
export function contentKey({ operation, form, text, overrides, extras }: RequestContent): string {
  const { hash, time, platform, partnerId, omit } = overrides;
  const { tags, take, expect, notes, examples } = extras;
  const rest = [operation, form, hash, time, platform, partnerId, omit, tags, take, expect, notes, examples];
  return `${JSON.stringify(rest)}\n${text}`;
}

/** Returns a request as one text to compare by eye: its data, and below it what else differs from a bare request. */
export function comparableText(content: RequestContent): string {
  const { operation, form, text, overrides, extras } = content;
  const { tags, take, expect, notes, examples } = extras;
  const rest = {
    operation,
    form,
    ...(tags.length === 0 ? {} : { tags }),
    overrides,
    take,
    expect,
    notes,
    ...(examples.length === 0 ? {} : { examples }),
  };
  return `${text.replace(/\n?$/, '\n')}\n${JSON.stringify(rest, null, 2)}\n`;
}
