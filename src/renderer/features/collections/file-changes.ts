import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { OpenCollections } from './open-collections.ts';
import type { Place } from './tree-rows.ts';
import type { TreeView } from './tree-view.ts';

/** Changes files of collections one after the other, and shows the results. */
export interface FileChanges {
  /** Works on the files, then reads the collection again; shows the reason of a failure. Resolves to null after a failure. */
  readonly change: <T>(id: string, failed: string, work: () => Promise<T>) => Promise<T | null>;
  /** Changes a path: open tabs and open folders follow. Resolves to null if it stayed. */
  readonly relocate: (place: Place, failed: string, work: () => Promise<Place | null>) => Promise<Place | null>;
}

export interface FileChangesDeps {
  readonly notify: Notify;
  /** Called before something moves; the function that it returns is called with the new position, or null if it stayed. */
  readonly onMoving: (place: Place) => (to: Place | null) => void;
}

/** Creates the changes; they take turns, so that each sees the result of the one before. */
export function createFileChanges(
  { notify, onMoving }: FileChangesDeps,
  { loadTrees }: Pick<OpenCollections, 'loadTrees'>,
  view: Pick<TreeView, 'follow' | 'isActive' | 'activate'>,
): FileChanges {
  let turn: Promise<unknown> = Promise.resolve();

  const change: FileChanges['change'] = (id, failed, work) => {
    const result = turn.then(async () => {
      try {
        const done = await work();
        await loadTrees([id]);
        return done;
      } catch (thrown) {
        notify({ tone: 'bad', text: `${failed} ${asAppError(thrown).message}` });
        await loadTrees([id]);
        return null;
      }
    });
    turn = result.catch(() => undefined);
    return result;
  };

  return {
    change,
    async relocate(place, failed, work) {
      let moved: (to: Place | null) => void = () => undefined;
      let wasActive = false;
      const done = await change(place.collectionId, failed, async () => {
        moved = onMoving(place);
        wasActive = view.isActive(place);
        const to = await work();
        if (to === null) return null;
        view.follow(place, to);
        // `change` reads changes within one collection again.
        if (to.collectionId !== place.collectionId) await loadTrees([place.collectionId, to.collectionId]);
        return to;
      });
      // The old row was there until the tree was read, and the keyboard may have come back to it, or gone on when it was gone.
      if (done !== null && wasActive) view.activate(done);
      moved(done);
      return done;
    },
  };
}
