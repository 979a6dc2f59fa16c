/** A window as the app sees it when it quits. */
export interface ListedWindow {
  /** Resolves to false if the window stays. */
  tryToClose(): Promise<boolean>;
}

const open = new Set<ListedWindow>();

/** Adds a window; returns the function that removes it, which returns whether it was the last. */
export function listWindow(window: ListedWindow): () => boolean {
  open.add(window);
  return () => {
    open.delete(window);
    return open.size === 0;
  };
}

/** Returns every open window, oldest first. */
export function openWindows(): ListedWindow[] {
  return [...open];
}
