import { useDeferredValue, useMemo, useRef, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { classNames } from '#renderer/ui/class-names.ts';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { sidebarRow } from '#renderer/ui/sidebar.tsx';
import { contents, isPageName, type PageName } from './contents.ts';
import type { ManualStore } from './manual-store.ts';
import type { ManualPage } from './page-tree.ts';
import { searchSections, sectionsOf, type Found } from './search-pages.ts';
import styles from './manual-list.module.css';

/** Sections that a search shows at most. */
const most = 50;

/** The pages by subject, or what the search finds in them. */
export function ManualList({
  store,
  pages,
  className,
}: {
  store: ManualStore;
  pages: readonly ManualPage[];
  className: string | undefined;
}) {
  const { visit, text, setText, go } = useStore(store);
  const list = useRef<HTMLElement>(null);
  const searched = useDeferredValue(text.trim());
  const sections = useMemo(() => sectionsOf(pages), [pages]);
  const found = useMemo(() => searchSections(sections, searched), [sections, searched]);

  return (
    <nav ref={list} className={classNames('small', className)} aria-label="Pages of the help">
      <search className="sticky-head">
        <SearchField
          label="Search the help"
          value={text}
          onText={setText}
          onDown={() => list.current?.querySelector<HTMLElement>('li button')?.focus()}
        />
        <output className={searched === '' ? 'visually-hidden' : styles.count}>{searched === '' ? '' : countOf(found)}</output>
      </search>
      {searched === '' ? (
        contents.map((group) => (
          <section key={group.title}>
            <h2 className="side-heading">{group.title}</h2>
            <ul>
              {group.pages.map((name) => (
                <Row key={name} current={visit?.page === name} onOpen={() => go({ page: name, heading: null })}>
                  {pages.find((page) => page.name === name)?.title}
                </Row>
              ))}
            </ul>
          </section>
        ))
      ) : (
        <ul aria-label="Found">
          {found.slice(0, most).map((one) => (
            <FoundRow
              key={`${one.page}#${one.heading ?? ''}`}
              found={one}
              current={visit?.page === one.page && visit.heading === one.heading}
              onOpen={(page) => go({ page, heading: one.heading })}
            />
          ))}
        </ul>
      )}
    </nav>
  );
}

function countOf(found: readonly unknown[]): string {
  if (found.length === 0) return 'Nothing found. All words must be in one section.';
  if (found.length > most) return `${found.length} results, best ${most} shown`;
  return found.length === 1 ? '1 result' : `${found.length} results`;
}

function FoundRow({ found, current, onOpen }: { found: Found; current: boolean; onOpen: (page: PageName) => void }) {
  const { page, pageTitle, heading, title, context } = found;
  return (
    <Row current={current} onOpen={() => (isPageName(page) ? onOpen(page) : undefined)}>
      <span className="strong">{heading === null ? pageTitle : `${pageTitle}: ${title}`}</span>
      <span className={styles.context}>{context.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</span>
    </Row>
  );
}

function Row({ current, onOpen, children }: { current: boolean; onOpen: () => void; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        className={sidebarRow(current, styles.row)}
        aria-current={current ? 'page' : undefined}
        onClick={onOpen}
      >
        {children}
      </button>
    </li>
  );
}
