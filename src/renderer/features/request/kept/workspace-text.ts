import { late, otherwise, z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { noExtras } from '../tabs/tab-file.ts';
import type { RequestLayout } from '../request-layout.ts';
import type { RequestTab } from '../tabs/request-tab.ts';
import type { TabFile } from '../tabs/tab-file.ts';
import type { TabListState } from '../tabs/tab-list.ts';

/** A tab as it is kept. */
export type SavedTab = Pick<
  RequestTab,
  'operation' | 'form' | 'text' | 'overrides' | 'extras' | 'view' | 'dirty' | 'callId' | 'origin'
> & { readonly file: Pick<TabFile, 'collectionId' | 'path' | 'revision'> | null };

/** The state that is kept beside the tabs. */
export type SavedList = Pick<RequestLayout, 'orientation' | 'shares' | 'hashPane' | 'comments' | 'about'> & {
  readonly active: string | null;
};

const usual: SavedList = {
  active: null,
  orientation: 'side',
  shares: { panes: 50, hash: 70 },
  hashPane: true,
  comments: true,
  about: {},
};
const listSchema = late(() => {
  const share = z.number().check(z.gte(1), z.lte(99));
  return z.object({
    active: otherwise(z.nullable(z.string()), usual.active),
    orientation: otherwise(z.enum(['side', 'stacked']), usual.orientation),
    shares: otherwise(z.object({ panes: share, hash: share }), usual.shares),
    hashPane: otherwise(z.boolean(), usual.hashPane),
    comments: otherwise(z.boolean(), usual.comments),
    about: otherwise(z.record(z.string(), z.boolean()), usual.about),
  });
});

/** A workspace as it was kept, its tabs in their order. */
export interface SavedWorkspace {
  readonly list: SavedList;
  readonly tabs: readonly { readonly id: string; readonly tab: SavedTab }[];
}

/** Contents of a file, of which a later version may understand more: `known` is what this version would write of it. */
export interface Before {
  readonly raw: unknown;
  readonly known: unknown;
}

const unknownBefore: Before = { raw: undefined, known: undefined };

/** A tab as it is open or as it was read. */
type Kept = SavedTab;

/** Returns JSON text of a tab. Fields of its file that this version does not know stay in it. */
export function writeTab(tab: Kept, before: Before = unknownBefore): string {
  return JSON.stringify(keepUnknown(before.raw, before.known, plainTab(tab)));
}

/** Returns the parts of a tab that its file holds. */
export function plainTab({ operation, form, text, overrides, extras, file, view, dirty, callId, origin }: Kept) {
  return {
    operation,
    form,
    text,
    overrides,
    ...(extras === noExtras ? {} : { extras }),
    ...(file === null ? {} : { file: { collectionId: file.collectionId, path: file.path, revision: file.revision } }),
    view,
    dirty,
    callId,
    ...(origin === null ? {} : { origin }),
  };
}

/** Returns whether both are kept as the same text. */
export function isKeptAlike(one: Kept, other: Kept): boolean {
  return (
    one.text === other.text &&
    one.operation === other.operation &&
    one.form === other.form &&
    one.overrides === other.overrides &&
    one.extras === other.extras &&
    one.file === other.file &&
    one.view === other.view &&
    one.dirty === other.dirty &&
    one.callId === other.callId &&
    one.origin === other.origin
  );
}

type ListState = RequestLayout & Pick<TabListState, 'activeId' | 'tabs'>;

/** Returns JSON text of the list of the open tabs; `others` are kept and not shown. */
export function writeList(state: ListState, others: readonly string[], before: unknown): string {
  const { activeId, orientation, shares, hashPane, comments, about, tabs } = state;
  const rawTabs = tabsIn(before);
  const entries = [
    ...tabs.map(({ id, dirty, callId, file }) => ({ id, unsaved: dirty, plain: !dirty && callId === null && file === null })),
    ...others.map((id) => ({ id, unsaved: true, plain: false })),
  ].map((entry) => ({ ...rawTabs.get(entry.id), ...entry }));
  const now = { version: 1, active: activeId, orientation, shares, hashPane, comments, about, tabs: entries };
  return JSON.stringify({ ...(isObject(before) ? before : {}), ...now });
}

/** Reads the text of `writeList`, each field by itself; `raw` is for the next writing. */
export function readList(text: string | null): { readonly list: SavedList; readonly raw: unknown } {
  if (text === null) return { list: usual, raw: {} };
  const raw = parsed(text);
  return { list: isObject(raw) ? listSchema().parse(raw) : usual, raw };
}

function tabsIn(value: unknown): Map<string, object> {
  const tabs: unknown[] = isObject(value) && Array.isArray(value['tabs']) ? value['tabs'] : [];
  return new Map(tabs.flatMap((tab) => (isObject(tab) && typeof tab['id'] === 'string' ? [[tab['id'], tab]] : [])));
}

/** Returns the difference between two texts: `text` of the second replaces the part of the first from `from` to `to`. */
export function changeOf(before: string, after: string): { readonly from: number; readonly to: number; readonly text: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let end = 0;
  while (end < most - from && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end += 1;
  return { from, to: before.length - end, text: after.slice(from, after.length - end) };
}

/** Returns its value; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
