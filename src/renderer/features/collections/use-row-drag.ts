import { useRef, useState, type DragEvent } from 'react';
import { startWork } from '#renderer/faults/faults.ts';
import type { CollectionsState } from './collections-store.ts';
import { openCollection } from './open-collections.ts';
import { dropDestination, readOnlyReason, type TreeRow } from './tree-rows.ts';

/** Target of a dragged row: beside or in the row with this key. */
interface Drop {
  readonly key: string;
  readonly where: 'before' | 'into' | 'after';
}

/** Lets the user drag rows onto each other, within a collection and from one to another. */
export function useRowDrag({ list, renaming, move, transfer }: CollectionsState) {
  const dragged = useRef<TreeRow | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);

  function destination(event: DragEvent, row: TreeRow) {
    const from = dragged.current;
    const tree = openCollection(list, row.collectionId)?.tree;
    if (from === null || tree?.state !== 'ready' || readOnlyReason(tree) !== null) return null;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const path = from.collectionId === row.collectionId ? from.path : null;
    return dropDestination(tree.nodes, path, row, (event.clientY - top) / height);
  }

  return {
    drop,
    /** The dragged row left the tree. */
    onDragLeave: () => setDrop(null),
    /** Returns the properties of a row that can be dragged, and dropped on. */
    dragging: (row: TreeRow) => ({
      draggable: row.kind !== 'collection' && !row.readOnly && renaming !== row.key,
      onDragStart(event: DragEvent) {
        dragged.current = row;
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', row.name);
      },
      onDragOver(event: DragEvent) {
        const to = destination(event, row);
        if (to === null) return setDrop(null);
        event.preventDefault();
        if (drop?.key !== row.key || drop.where !== to.where) setDrop({ key: row.key, where: to.where });
      },
      onDrop(event: DragEvent) {
        const to = destination(event, row);
        const from = dragged.current;
        event.preventDefault();
        setDrop(null);
        if (to === null || from === null) return;
        const { folder, before } = to;
        if (from.collectionId === row.collectionId) startWork(move(from, { folder, before }));
        else startWork(transfer(from, { collectionId: row.collectionId, folder, before }));
      },
      onDragEnd() {
        dragged.current = null;
        setDrop(null);
      },
    }),
  };
}
