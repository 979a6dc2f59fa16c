import { randomBytes } from 'node:crypto';
import { folderOf, nameOf } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { RearrangementsDeps } from './rearrangements.ts';
import { asStorage } from './disk.ts';
import type { Trash } from './trash.ts';

export interface RemovalsDeps extends Pick<RearrangementsDeps, 'inTurn'> {
  readonly trash: Pick<Trash, 'put' | 'takeBack'>;
}

interface Removal {
  readonly id: string;
  readonly path: string;
  /** Its place in the folder's order, or -1. */
  readonly place: number;
}

/** Removes requests and folders, each with a way back in this session. Remembers where things were; nothing of it is written. */
export function createRemovals({ inTurn, trash }: RemovalsDeps) {
  const removals = new Map<string, Removal>();

  return {
    remove: (id: string, path: string): Promise<{ removal: string }> =>
      inTurn(id, async (directory) => {
        const absolute = await directory.find(path);
        const removal = randomBytes(8).toString('hex');
        try {
          await trash.put(removal, absolute);
        } catch (cause) {
          throw asStorage(cause, path);
        }
        let place = -1;
        removals.set(removal, { id, path, place });
        await directory.changeOrder(folderOf(path), (order) => {
          place = order.indexOf(nameOf(path));
          return order.filter((one) => one !== nameOf(path));
        });
        removals.set(removal, { id, path, place });
        return { removal };
      }),
    restore: (id: string, removal: string): Promise<{ path: string }> =>
      inTurn(id, async (directory) => {
        const removed = removals.get(removal);
        if (removed === undefined || removed.id !== id) {
          throw new AppError('not_found', 'Cannot undo: the item is already restored, or Croupier has restarted since.');
        }
        const { path, place } = removed;
        const absolute = await directory.findFree(path);
        try {
          await trash.takeBack(removal, absolute);
        } catch (cause) {
          throw asStorage(cause, path);
        }
        removals.delete(removal);
        if (place >= 0) {
          await directory.changeOrder(folderOf(path), (order) =>
            order.includes(nameOf(path)) ? order : order.toSpliced(place, 0, nameOf(path)),
          );
        }
        return { path };
      }),
  };
}
