import type { StorePart } from '#renderer/ui/store-part.ts';

/** The two edges that a user moves: between request and response, and between payload and hash input. */
type SplitName = 'panes' | 'hash';

/** Layout of the page of requests, whichever tab is shown. */
export interface RequestLayout {
  readonly orientation: 'side' | 'stacked';
  /** The first pane's part of each split, in percent. */
  readonly shares: Readonly<Record<SplitName, number>>;
  readonly hashPane: boolean;
  /** True if comments from the spec stand at the ends of the editor's lines. */
  readonly comments: boolean;
  /** Operations that were visited, each with whether the spec's facts above its form are open. */
  readonly about: Readonly<Record<string, boolean>>;
}

export interface RequestLayoutState extends RequestLayout {
  readonly toggleOrientation: () => void;
  readonly setShare: (split: SplitName, share: number) => void;
  readonly toggleHashPane: () => void;
  readonly toggleComments: () => void;
  readonly setAbout: (operation: string, open: boolean) => void;
  /** True while the panel of deliberate faults is open. */
  readonly overridesOpen: boolean;
  readonly setOverridesOpen: (open: boolean) => void;
}

/** Creates the part of the store that holds the layout. */
export function createRequestLayout({ setState: set }: Pick<StorePart<RequestLayoutState>, 'setState'>): RequestLayoutState {
  return {
    orientation: 'side',
    shares: { panes: 50, hash: 70 },
    hashPane: true,
    comments: true,
    about: {},
    toggleOrientation() {
      set((state) => ({ orientation: state.orientation === 'side' ? 'stacked' : 'side' }));
    },
    setShare(split, share) {
      set((state) => ({ shares: { ...state.shares, [split]: share } }));
    },
    toggleHashPane() {
      set((state) => ({ hashPane: !state.hashPane }));
    },
    toggleComments() {
      set((state) => ({ comments: !state.comments }));
    },
    setAbout: (operation, open) => set((state) => ({ about: { ...state.about, [operation]: open } })),
    overridesOpen: false,
    setOverridesOpen: (overridesOpen) => set({ overridesOpen }),
  };
}

/** Returns whether two layouts look the same. */
export function isSameLayout(one: RequestLayout, other: RequestLayout): boolean {
  return (
    one.orientation === other.orientation &&
    one.shares === other.shares &&
    one.hashPane === other.hashPane &&
    one.comments === other.comments &&
    one.about === other.about
  );
}
