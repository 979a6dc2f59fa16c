import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';
import { record } from './record.ts';
import { strict, throwDestroyed } from './strict.ts';

/** Most tries: in its history, Chromium writes some URLs in another way. */
const mostTries = 200;

/**
 * Doubles the history of one page, as it was when its last navigation ended. `expect` receives the URLs that the app itself goes
 * to.
 */
export function createHistory(cdp: () => Promise<CdpSession>, expect: (url: string) => void, isDestroyed: () => boolean) {
  let currentIndex = 0;
  let ids: readonly number[] = [];
  /** True once the entries are gone that the history must not have: Chromium's first empty page, and those that were cleared. */
  let isPruned = false;
  /** The reading of the history that began last. */
  let reading: Promise<void> = Promise.resolve();

  function goTo(index: number): void {
    if (isDestroyed()) throwDestroyed();
    const entryId = ids[index];
    if (entryId === undefined) return;
    go(index, entryId).catch((error: unknown) => record('navigationHistory', String(error)));
  }
  async function go(index: number, entryId: number): Promise<void> {
    const line = await cdp();
    const { entries } = await line.send('Page.getNavigationHistory');
    expect(inside(entries[index]?.url ?? ''));
    await line.send('Page.navigateToHistoryEntry', { entryId });
  }
  function keep({ currentIndex: index, entries }: { currentIndex: number; entries: readonly { readonly id: number }[] }): void {
    currentIndex = index;
    ids = entries.map(({ id }) => id);
  }
  async function read(line: CdpSession, url: string, isStillThere: () => boolean): Promise<void> {
    for (let tries = 0; tries < mostTries && isStillThere(); tries += 1) {
      const pruned = isPruned ? {} : await line.send('Page.resetNavigationHistory').catch(() => null);
      const found = await line.send('Page.getNavigationHistory').catch(() => null);
      if (pruned === null || found === null) continue;
      if (isPruned) keep(found);
      const current = inside(found.entries[found.currentIndex]?.url ?? '').replace(/#.*/, '');
      if (current !== url || (!isPruned && found.entries.length > 1)) continue;
      keep(found);
      isPruned = true;
      return;
    }
  }
  async function prune(): Promise<void> {
    const line = await cdp();
    await line.send('Page.resetNavigationHistory');
    keep(await line.send('Page.getNavigationHistory'));
    isPruned = true;
  }
  return {
    /**
     * Reads the history after a page came. The page's own process reports it first; so this asks again until Chromium's history has
     * it, too.
     */
    read(line: CdpSession, url: string, isStillThere: () => boolean): Promise<void> {
      return (reading = read(line, url, isStillThere));
    },
    api: strict('navigationHistory', {
      canGoBack: () => (isDestroyed() ? throwDestroyed() : currentIndex > 0),
      goBack: () => goTo(currentIndex - 1),
      clear() {
        if (isDestroyed()) throwDestroyed();
        ids = ids.slice(currentIndex, currentIndex + 1);
        currentIndex = 0;
        isPruned = false;
        // Chromium's history may not have the page yet that Electron's has.
        reading = reading.then(prune).catch(() => undefined);
      },
    } satisfies Partial<Electron.NavigationHistory>),
  };
}
