import { createContext, use, useState, type DragEvent } from 'react';
import { startWork } from '#renderer/faults/faults.ts';

/** Takes the files that open in the same way wherever they are dropped; returns the others. */
export const DroppedFilesContext = createContext<(files: readonly File[]) => Promise<readonly File[]>>((files) =>
  Promise.resolve(files),
);

/**
 * Takes files that are dropped on an element, apart from those of the context. `over`: one is above it. `handlers` are for that element; one
 * around it does not get the same files. `chosen` takes files that were chosen in a dialog as if they were dropped.
 */
export function useDroppedFiles(take: (files: readonly File[]) => void) {
  const [over, setOver] = useState(false);
  const takeFirst = use(DroppedFilesContext);
  async function chosen(files: readonly File[]): Promise<void> {
    const rest = await takeFirst(files);
    if (rest.length > 0) take(rest);
  }
  const handlers = {
    onDragOver(event: DragEvent) {
      if (event.defaultPrevented) return setOver(false);
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false);
      if (event.defaultPrevented || !event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      // The list is empty after the event.
      startWork(chosen([...event.dataTransfer.files]));
    },
  };
  return { over, handlers, chosen };
}
