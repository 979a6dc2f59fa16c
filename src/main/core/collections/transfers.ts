import { randomBytes } from 'node:crypto';
import { sep } from 'node:path';
import { folderOf, nameOf, pathIn } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { Output, ParsedInput } from '#shared/ipc/index.ts';
import type { Directory } from './directory.ts';
import type { RearrangementsDeps } from './rearrangements.ts';
import { asStorage, moveEntry } from './disk.ts';

interface Transfer {
  readonly id: string;
  readonly path: string;
  /** Its place in the order of the folder it was in, or -1. */
  readonly place: number;
  readonly toId: string;
  readonly to: string;
  /** The change of the target folder's order; null if it did not change. */
  readonly order: { readonly before: readonly string[]; readonly after: readonly string[]; readonly wasNone: boolean } | null;
}

/**
 * Moves requests and folders between open collections, or within one, each with an undo in this session. Moves remember where things
 * were; nothing of it is written.
 */
export function createTransfers({ inTurn, names }: RearrangementsDeps) {
  const done = new Map<string, Transfer>();

  /** Always the same one first: two moves in opposite directions would wait for each other forever. */
  function inBoth<T>(id: string, toId: string, work: (from: Directory, to: Directory) => Promise<T>): Promise<T> {
    if (id === toId) return inTurn(id, (directory) => work(directory, directory));
    if (id < toId) return inTurn(id, (from) => inTurn(toId, (to) => work(from, to)));
    return inTurn(toId, (to) => inTurn(id, (from) => work(from, to)));
  }

  async function move(from: Directory, path: string, to: Directory, target: string): Promise<void> {
    const absolute = await from.find(path);
    // One collection can lie in another, so paths alone do not decide.
    const goal = await to.findFree(target);
    if (goal.startsWith(`${absolute}${sep}`)) {
      throw new AppError('invalid_input', 'A folder cannot be moved into itself. Choose another place.');
    }
    try {
      await moveEntry(absolute, goal);
    } catch (cause) {
      throw asStorage(cause, path);
    }
  }

  /** Takes a name out of a folder's order and gives the place it had, or -1. */
  async function takeOut(directory: Directory, path: string): Promise<number> {
    let place = -1;
    await directory.changeOrder(folderOf(path), (order) => {
      place = order.indexOf(nameOf(path));
      return order.filter((one) => one !== nameOf(path));
    });
    return place;
  }

  async function putIn(
    to: Directory,
    target: string,
    before: string | null,
    shown: readonly string[],
  ): Promise<Transfer['order']> {
    const folder = folderOf(target);
    const others = shown.filter((one) => one !== nameOf(target));
    const at = before === null ? -1 : others.indexOf(before);
    const after = others.toSpliced(at < 0 ? others.length : at, 0, nameOf(target));
    const settings = await to.readSettings(folder).catch(() => null);
    await to.changeOrder(folder, () => after);
    return settings === null ? null : { before: settings.settings.order, after, wasNone: settings.revision === null };
  }

  return {
    async transfer({
      id,
      path,
      toId,
      folder,
      before,
    }: ParsedInput<'collections.transfer'>): Promise<Output<'collections.transfer'>> {
      const shown = before === undefined ? [] : await names(toId, folder);
      return inBoth(id, toId, async (from, to) => {
        const target = pathIn(folder, nameOf(path));
        await move(from, path, to, target);
        const undo = randomBytes(8).toString('hex');
        // Known as soon as it is moved: an order that cannot be written is not a reason to keep it from going back.
        done.set(undo, { id, path, place: -1, toId, to: target, order: null });
        const place = await takeOut(from, path);
        const order = before === undefined ? null : await putIn(to, target, before, shown);
        done.set(undo, { id, path, place, toId, to: target, order });
        return { path: target, undo };
      });
    },
    async undoTransfer(undo: string): Promise<{ path: string }> {
      const transfer = done.get(undo);
      if (transfer === undefined) {
        throw new AppError('not_found', 'Cannot undo: the item was already moved back, or Croupier has restarted since.');
      }
      const { id, path, place, toId, to: target, order } = transfer;
      return inBoth(id, toId, async (from, to) => {
        await move(to, target, from, path);
        done.delete(undo);
        await to.changeOrder(folderOf(target), (now) =>
          order !== null && same(now, order.after) ? order.before : now.filter((one) => one !== nameOf(target)),
        );
        if (order?.wasNone === true) await to.dropEmptySettings(folderOf(target));
        if (place >= 0) {
          await from.changeOrder(folderOf(path), (now) =>
            now.includes(nameOf(path)) ? now : now.toSpliced(place, 0, nameOf(path)),
          );
        }
        return { path };
      });
    },
  };
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
