import { folderOf, nameOf, pathIn, refusedName } from '#shared/collections/file-names.ts';
import type { ParsedInput } from '#shared/ipc/index.ts';
import type { Directory } from './directory.ts';

export interface RearrangementsDeps {
  /** Changes a collection while nobody else does. */
  readonly inTurn: <T>(id: string, work: (directory: Directory) => Promise<T>) => Promise<T>;
  /** Returns the shown names of a collection's folder, in its order. */
  readonly names: (id: string, folder: string) => Promise<readonly string[]>;
}

/** Gives requests and folders of one collection another name or place, and keeps the order of the folders that they are in. */
export function createRearrangements({ inTurn, names }: RearrangementsDeps) {
  return {
    rename: ({ id, path, name }: ParsedInput<'collections.rename'>): Promise<{ path: string }> =>
      inTurn(id, async (directory) => {
        const to = await directory.rename(path, name);
        await directory.changeOrder(folderOf(path), (order) => order.map((one) => (one === nameOf(path) ? nameOf(to) : one)));
        return { path: to };
      }),
    async move({ id, path, folder, before }: ParsedInput<'collections.move'>): Promise<{ path: string }> {
      const shown = before === undefined ? [] : await names(id, folder);
      return inTurn(id, async (directory) => {
        const to = await directory.move(path, folder);
        const name = nameOf(to);
        if (folderOf(path) !== folder) {
          await directory.changeOrder(folderOf(path), (order) => order.filter((one) => one !== nameOf(path)));
        }
        if (before !== undefined) {
          const others = shown.filter((one) => pathIn(folder, one) !== path);
          const place = before === null ? others.length : others.indexOf(before);
          await directory.changeOrder(folder, () => others.toSpliced(place < 0 ? others.length : place, 0, name));
        }
        return { path: to };
      });
    },
    duplicate: (id: string, path: string): Promise<{ path: string }> =>
      inTurn(id, async (directory) => {
        const to = await directory.duplicate(path);
        // Beside its original, if that has a position of its own.
        await directory.changeOrder(folderOf(path), (order) =>
          order.includes(nameOf(path)) ? order.toSpliced(order.indexOf(nameOf(path)) + 1, 0, nameOf(to)) : order,
        );
        return { path: to };
      }),
    reorder({ id, folder, order }: ParsedInput<'collections.reorder'>): Promise<void> {
      // No file has such a name.
      const names = [...new Set(order)].filter((name) => refusedName(name, 'folder') === null);
      return inTurn(id, (directory) => directory.changeOrder(folder, () => names, true));
    },
  };
}
