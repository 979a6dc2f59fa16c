import type { PageTarget } from './browser.ts';
import { record } from './record.ts';

/** A page as the list knows it. */
export interface ListedContents {
  readonly id: number;
  readonly target: PageTarget | null;
  /** What the app answers to a window that the page wants to open. */
  askToOpen(): { readonly action: string; readonly url: string };
}

const listed = new Set<ListedContents>();

/** Adds a page; gives back the function that removes it. */
export function listContents(contents: ListedContents): () => void {
  listed.add(contents);
  return () => void listed.delete(contents);
}

/** Every page there is, oldest first. */
export function allContents(): ListedContents[] {
  return [...listed];
}

/** A window that a page opened, held before its first request: the app decides. Only refusing is doubled. */
export function decidePopup(popup: PageTarget): void {
  const opener =
    allContents().find(({ target }) => target !== null && target.targetId === popup.openerId) ??
    allContents().find(({ target }) => target?.contextId === popup.contextId);
  const { action, url } = opener?.askToOpen() ?? { action: 'deny', url: '' };
  record('window-open', { url, action });
  void refuse(popup);
  if (action !== 'deny') throw new Error('The electron double does not have windows that pages may open.');
}

/** `window.open` returns in the opener only when the new page runs: it is let go with every request held, and closed. */
async function refuse(popup: PageTarget): Promise<void> {
  await popup.cdp.send('Fetch.enable', { patterns: [{}] }).catch(() => undefined);
  await popup.resume().catch(() => undefined);
  await popup.close();
}
