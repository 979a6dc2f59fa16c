import { useLayoutEffect, useRef } from 'react';
import { images, pages } from 'virtual:manual';
import { useStore } from 'zustand';
import { classNames } from '#renderer/ui/class-names.ts';
import { Blocks } from './block-view.tsx';
import { headingAt } from './headings.ts';
import { ManualList } from './manual-list.tsx';
import type { ManualStore, Visit } from './manual-store.ts';
import { isPageName } from './contents.ts';
import type { LinkGoal } from './page-tree.ts';
import styles from './manual-view.module.css';

/**
 * The list of pages with their search, and the page that is read. `onOutside` opens an address outside after a question; null if the host is a
 * browser, which opens it in a tab.
 */
export function ManualView({ store, onOutside }: { store: ManualStore; onOutside: ((url: string) => void) | null }) {
  const { visit, listShown, go } = useStore(store);

  function open(to: LinkGoal): void {
    if ('url' in to) onOutside?.(to.url);
    else if (isPageName(to.page)) go({ page: to.page, heading: to.heading });
  }

  return (
    <div className={classNames('fill-row', listShown && styles.listShown)}>
      <ManualList store={store} pages={pages} className={styles.list} />
      {visit === null ? null : (
        <PageView visit={visit} onScroll={store.getState().noteScroll} onOpen={open} inTabs={onOutside === null} />
      )}
    </div>
  );
}

function PageView({
  visit,
  onScroll,
  onOpen,
  inTabs,
}: {
  visit: Visit;
  onScroll: (scroll: number) => void;
  onOpen: (to: LinkGoal) => void;
  inTabs: boolean;
}) {
  const box = useRef<HTMLElement>(null);
  const page = pages.find(({ name }) => name === visit.page);

  // A reader is led to the heading that they asked for, or back to where they were.
  useLayoutEffect(() => {
    const scroller = box.current;
    if (scroller === null) return;
    const heading = headingAt(document, visit);
    heading?.focus({ preventScroll: true });
    if (visit.scroll !== null) scroller.scrollTop = visit.scroll;
    else if (visit.heading === null) scroller.scrollTop = 0;
    else heading?.scrollIntoView({ block: 'start' });
  }, [visit]);

  if (page === undefined) return null;
  return (
    <article
      ref={box}
      className={styles.page}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keys, too
      tabIndex={0}
      aria-label={page.title}
      onScroll={({ currentTarget }) => onScroll(currentTarget.scrollTop)}
    >
      <div className={styles.text}>
        <Blocks blocks={page.blocks} images={images} onOpen={onOpen} inTabs={inTabs} />
      </div>
    </article>
  );
}
