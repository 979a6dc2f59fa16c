import type { CatalogueComparison, Client } from '#shared/ipc/index.ts';
import { loaded, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { ChangeKind } from './comparison-rows.ts';

/** Two snapshots side by side. */
export interface Comparing {
  readonly from: number;
  readonly to: number;
  readonly result: Loaded<{ comparison: CatalogueComparison }>;
  readonly kind: ChangeKind | 'all';
  readonly text: string;
  /** Key of the line whose details are open. */
  readonly openKey: string | null;
}

/** The part of the store that compares snapshots. */
export interface CompareSnapshotsState {
  readonly comparing: Comparing | null;
  readonly compare: (from: number, to: number) => Promise<void>;
  readonly setComparison: (change: Partial<Pick<Comparing, 'kind' | 'text' | 'openKey'>>) => void;
  readonly endComparison: () => void;
}

export interface CompareSnapshotsDeps {
  /** Moves the keyboard to the element of a selector once it is drawn. */
  readonly moveFocus: (selector: string) => void;
}

/** Creates the part of the store that compares snapshots. */
export function createCompareSnapshots(
  client: Client,
  { moveFocus }: CompareSnapshotsDeps,
  { getState, setState }: StorePart<CompareSnapshotsState>,
): CompareSnapshotsState {
  return {
    comparing: null,
    async compare(from, to) {
      const before = getState().comparing;
      const { kind = 'all', text = '' } = before ?? {};
      setState({ comparing: { from, to, kind, text, openKey: null, result: { state: 'loading' } } });
      // The button that began it is gone.
      if (before === null) moveFocus('[data-comparison-of-lists]');
      const result = await loaded(client.call('catalogue.compare', { from, to }).then((comparison) => ({ comparison })));
      const { comparing } = getState();
      if (comparing?.from === from && comparing.to === to) setState({ comparing: { ...comparing, result } });
    },
    setComparison(change) {
      const { comparing } = getState();
      if (comparing !== null) setState({ comparing: { ...comparing, ...change } });
    },
    endComparison: () => setState({ comparing: null }),
  };
}
