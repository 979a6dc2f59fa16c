import type { StorePart } from '#renderer/ui/store-part.ts';
import { readRemembered, writeRemembered, type SidebarPart } from './remembered-tree.ts';
import { ancestors, rowKey, type Place } from './tree-rows.ts';

/** The part of the tree that is in sight, and the position of the keyboard in it. */
export interface TreeViewState {
  /** The part of the sidebar that is shown. */
  readonly part: SidebarPart;
  /** Keys of the open rows. */
  readonly open: ReadonlySet<string>;
  readonly filter: string;
  /** Key of the row that has the keyboard, or had it last. */
  readonly activeKey: string | null;
  /** True while the keyboard is in the tree. */
  readonly focused: boolean;

  readonly setPart: (part: SidebarPart) => void;
  readonly setFilter: (filter: string) => void;
  readonly setActive: (key: string | null) => void;
  readonly setFocused: (focused: boolean) => void;
  readonly toggle: (key: string, open: boolean) => void;
  /** Returns the open rows as JSON text, for `settings.write`. */
  readonly exportView: () => string;
  readonly restoreView: (text: string | undefined) => void;
}

/** The part of the store that holds the view, and its functions for the other parts. */
export interface TreeView {
  readonly state: TreeViewState;
  /** Opens the folders around a row, and makes it the active one. */
  readonly reveal: (place: Place) => void;
  /** Opens the folders around a row. */
  readonly show: (place: Place) => void;
  /** Opens a collection or folder. */
  readonly expand: (place: Place) => void;
  readonly isActive: (place: Place) => boolean;
  readonly activate: (place: Place) => void;
  /** Keeps open and active rows open and active at another path. */
  readonly follow: (from: Place, to: Place) => void;
}

/** Creates the part of the store that holds the view. */
export function createTreeView({ getState, setState }: StorePart<TreeViewState>): TreeView {
  function openAlso(keys: readonly string[]): void {
    setState(({ open }) => ({ open: new Set([...open, ...keys]) }));
  }

  function show({ collectionId, path }: Place): void {
    openAlso(ancestors(path).map((one) => rowKey(collectionId, one)));
  }

  return {
    state: {
      part: 'operations',
      open: new Set(),
      filter: '',
      activeKey: null,
      focused: false,
      setPart: (part) => setState({ part }),
      setFilter: (filter) => setState({ filter }),
      setActive: (activeKey) => setState({ activeKey }),
      setFocused: (focused) => setState({ focused }),
      toggle(key, wanted) {
        setState(({ open }) => {
          const next = new Set(open);
          if (wanted) next.add(key);
          else next.delete(key);
          return { open: next };
        });
      },
      exportView: () => writeRemembered(getState()),
      restoreView: (text) => setState(readRemembered(text)),
    },
    reveal(place) {
      show(place);
      setState({ activeKey: rowKey(place.collectionId, place.path), filter: '' });
    },
    show,
    expand: ({ collectionId, path }) => openAlso([rowKey(collectionId, path)]),
    isActive: ({ collectionId, path }) => getState().activeKey === rowKey(collectionId, path),
    activate: ({ collectionId, path }) => setState({ activeKey: rowKey(collectionId, path) }),
    follow(from, to) {
      const [key, next] = [rowKey(from.collectionId, from.path), rowKey(to.collectionId, to.path)];
      setState(({ open, activeKey }) => ({
        open: new Set([...open].map((one) => (one === key || one.startsWith(`${key}/`) ? next + one.slice(key.length) : one))),
        activeKey: activeKey === key ? next : activeKey,
      }));
    },
  };
}
