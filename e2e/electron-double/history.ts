import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';
import { record } from './record.ts';
import { strict, throwDestroyed } from './strict.ts';

/** The history of one page, as it was when its last navigation ended. `expect` is told where the app itself goes. */
export function createHistory(cdp: () => Promise<CdpSession>, expect: (url: string) => void, isDestroyed: () => boolean) {
  let currentIndex = 0;
  let ids: readonly number[] = [];

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
  return {
    async read(line: CdpSession): Promise<void> {
      const found = await line.send('Page.getNavigationHistory').catch(() => null);
      if (found === null) return;
      currentIndex = found.currentIndex;
      ids = found.entries.map(({ id }) => id);
    },
    api: strict('navigationHistory', {
      canGoBack: () => (isDestroyed() ? throwDestroyed() : currentIndex > 0),
      canGoForward: () => (isDestroyed() ? throwDestroyed() : currentIndex < ids.length - 1),
      goBack: () => goTo(currentIndex - 1),
      goForward: () => goTo(currentIndex + 1),
      clear() {
        void cdp()
          .then((line) => line.send('Page.resetNavigationHistory'))
          .catch(() => undefined);
      },
    } satisfies Partial<Electron.NavigationHistory>),
  };
}
