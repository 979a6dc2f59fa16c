/** A window as the app sees it when it quits. */
export interface ListedWindow {
  /** False where the window stays. */
  tryToClose(): Promise<boolean>;
}

const open = new Set<ListedWindow>();

/** Adds a window; gives back the function that removes it and says whether it was the last. */
export function listWindow(window: ListedWindow): () => boolean {
  open.add(window);
  return () => {
    open.delete(window);
    return open.size === 0;
  };
}

/** Every window there is, oldest first. */
export function openWindows(): ListedWindow[] {
  return [...open];
}
