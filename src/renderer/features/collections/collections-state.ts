import type { CollectionRequest } from '#shared/collections/model.ts';
import type { SidebarPart } from './remembered-tree.ts';
import type { Destination, OpenCollection } from './tree-rows.ts';
export interface CollectionsState {
  readonly list:
    | { readonly state: 'loading' }
    | { readonly state: 'failed'; readonly message: string }
    | { readonly state: 'ready'; readonly collections: readonly OpenCollection[] };
  /** Which part of the sidebar is shown. */
  readonly part: SidebarPart;
  /** Keys of the rows that show what lies in them. */
  readonly open: ReadonlySet<string>;
  readonly filter: string;
  /** The key of the row that has the keyboard, or had it last. */
  readonly activeKey: string | null;
  /** Whether the keyboard is in the tree. */
  readonly focused: boolean;
  /** The key of the row whose name is being written. */
  readonly renaming: string | null;
  /** Whether the question for a directory is open, and why the last answer did not do. */
  readonly opening: { readonly problem: string | null; readonly busy: boolean } | null;
  /** The item in the Move dialog. */
  readonly moving: Place | null;
  /** The collection or folder whose variables are being edited. */
  readonly editing: Place | null;

  readonly load: () => Promise<void>;
  readonly setPart: (part: SidebarPart) => void;
  readonly setFilter: (filter: string) => void;
  readonly setActive: (key: string | null) => void;
  readonly setFocused: (focused: boolean) => void;
  readonly toggle: (key: string, open: boolean) => void;
  /** Opens the question where a request or folder is to be moved; null closes it. */
  readonly startMoving: (place: Place | null) => void;
  readonly startOpening: () => void;
  readonly stopOpening: () => void;
  /** Opens a directory by its absolute path; with `create` it is made where it is missing. */
  readonly openDirectory: (directory: string, create: boolean) => Promise<void>;
  /** Shows a collection that core has just opened. */
  readonly showOpened: (id: string) => Promise<void>;
  readonly forget: (id: string) => Promise<void>;
  readonly startRename: (key: string | null) => void;
  /** Gives false where the name did not do; the field stays open then. */
  readonly rename: (place: Place, name: string) => Promise<boolean>;
  readonly move: (place: Place, to: Destination) => Promise<void>;
  /** Into a folder of any open collection, by its name without `before`; a notice takes it back. */
  readonly transfer: (place: Place, to: { collectionId: string; folder: string; before?: string | null }) => Promise<void>;
  readonly step: (place: Place, step: 'up' | 'down' | 'out' | 'in') => Promise<void>;
  readonly duplicate: (place: Place) => Promise<void>;
  readonly remove: (place: Place) => Promise<void>;
  readonly newFolder: (place: Place) => Promise<void>;
  readonly newRequest: (place: Place, request: CollectionRequest) => Promise<string | null>;
  readonly edit: (place: Place | null) => void;
  /** JSON text of what is open, for `settings.write`. */
  readonly exportView: () => string;
  readonly restoreView: (text: string | undefined) => void;
  readonly close: () => void;
}

/** One thing in a collection. */
export interface Place {
  readonly collectionId: string;
  /** Empty for the collection itself. */
  readonly path: string;
}
