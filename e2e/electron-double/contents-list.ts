import type { PageTarget } from './browser.ts';
import { record } from './record.ts';

/** A page as the list knows it. */
export interface ListedContents {
  readonly id: number;
  readonly target: PageTarget | null;
  /** True if it has asked for a window and got no reply yet. */
  readonly isOpening: boolean;
  /** Returns the app's reply about that window. */
  askToOpen(): { readonly action: string; readonly url: string };
}

const listed = new Set<ListedContents>();

/** Adds a page; returns the function that removes it. */
export function listContents(contents: ListedContents): () => void {
  listed.add(contents);
  return () => void listed.delete(contents);
}

/** Returns every page, oldest first. */
export function allContents(): ListedContents[] {
  return [...listed];
}

/** Lets the app decide about a window that a page opened, held before its first request. Only refusing is doubled. */
export function decidePopup(popup: PageTarget): void {
  const near = allContents().filter(({ target }) => target?.contextId === popup.contextId);
  // A link that is clicked with the middle button has no opener.
  const opener =
    near.find(({ target }) => target?.targetId === popup.openerId) ?? near.find(({ isOpening }) => isOpening) ?? near[0];
  const { action, url } = opener?.askToOpen() ?? { action: 'deny', url: '' };
  record('window-open', { url, action });
  void refuse(popup);
  if (action !== 'deny') throw new Error('The electron double does not have windows that pages may open.');
}

/**
 * Refuses a window: `window.open` returns in the opener only when the new page runs, so it is released with every request held, and
 * closed.
 */
async function refuse(popup: PageTarget): Promise<void> {
  await popup.cdp.send('Fetch.enable', { patterns: [{}] }).catch(() => undefined);
  await popup.resume().catch(() => undefined);
  await popup.close();
}
