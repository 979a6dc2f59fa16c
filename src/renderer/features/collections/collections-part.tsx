import { useEffect, useMemo } from 'react';
import { BookCopy, Ellipsis, FileDiff, FileUp, FolderOpen, LibraryBig } from 'lucide-react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Menu, type MenuItem } from '#renderer/ui/menu.tsx';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { CollectionTree } from './collection-tree.tsx';
import type { CollectionsStore } from './collections-store.ts';
import { rowMenu, type RowActions } from './row-menu.tsx';
import { StarterList } from './starter-list.tsx';
import type { StartersStore } from './starters-store.ts';
import { TeamEnvironmentsBanners } from './team-environments-banner.tsx';
import {
  readOnlyReason,
  rowKey,
  treeRows,
  type CollectionMarks,
  type OpenCollection,
  type TreeRow,
  type Place,
} from './tree-rows.ts';
import styles from './collections-part.module.css';

interface CollectionsPartProps {
  readonly store: CollectionsStore;
  readonly starters: StartersStore;
  /** The file of the request that is shown; null for none. */
  readonly current: Place | null;
  readonly actions: RowActions;
}

/** The open directories of requests: filter, tree, and the problem of the file that the keyboard is on. */
export function CollectionsPart({ store, starters, current, actions }: CollectionsPartProps) {
  const { list, open, filter, activeKey, gitMarks } = useStore(store);
  const state = store.getState();
  const collections = list.state === 'ready' ? list.collections : none;
  const rows = useMemo(() => treeRows(collections, { open, filter, gitMarks }), [collections, open, filter, gitMarks]);
  useGitMarks(state.refreshGitMarks);
  const active = rows.find((row) => row.key === activeKey) ?? null;

  if (list.state === 'loading') return <Skeleton rows={8} label="Loading the collections" />;
  if (list.state === 'failed') {
    return <FailedState title="The collections could not be read" message={list.message} retry={() => startWork(state.load())} />;
  }
  if (collections.length === 0) {
    return (
      <div className={styles.first}>
        <EmptyState
          icon={<LibraryBig />}
          small
          title="No collection is open"
          action={
            <Button variant="primary" icon={<FolderOpen />} onClick={() => state.startOpening()}>
              Open a collection
            </Button>
          }
        >
          A collection is a folder with one file per request, made for git.
        </EmptyState>
        <StarterList store={starters} />
      </div>
    );
  }
  const openItems: MenuItem[] = [
    { label: 'Open a collection', icon: <FolderOpen />, onSelect: () => state.startOpening() },
    { label: 'Import requests…', icon: <FileUp />, onSelect: () => actions.onImport(active) },
    { label: 'New from starter…', icon: <BookCopy />, onSelect: () => starters.getState().ask(null) },
  ];
  return (
    <>
      <div className={styles.head}>
        <SearchField label="Filter collections" value={filter} onText={state.setFilter} className="grow" />
        <Menu
          trigger={<IconButton small label="Collection actions" icon={<Ellipsis />} />}
          align="end"
          items={
            active === null
              ? openItems
              : [...openItems, 'separator', { heading: active.name }, ...rowMenu(active, store, actions)]
          }
          onCloseAutoFocus={(event) => {
            if (store.getState().renaming !== null) event.preventDefault();
          }}
        />
      </div>
      <ReadOnlyBanners collections={collections} />
      <TeamEnvironmentsBanners store={store} />
      <Troubles collections={collections} gitMarks={gitMarks} onRetry={() => startWork(state.load())} />
      {rows.length === 0 ? (
        <EmptyState small title="No matching requests">
          Try part of a name, folder or operation.
        </EmptyState>
      ) : (
        <CollectionTree
          store={store}
          rows={rows}
          currentKey={current === null ? null : rowKey(current.collectionId, current.path)}
          actions={actions}
        />
      )}
      {active !== null && active.problem !== null ? (
        <FileTrouble row={active} onCompare={() => state.compareVersions(active)} />
      ) : active !== null && active.warnings.length > 0 ? (
        <FileWarnings row={active} />
      ) : (
        <Hint collections={collections} active={active} />
      )}
    </>
  );
}

/** Shows why a file cannot be used, with the position and the line itself. */
function FileTrouble({ row, onCompare }: { readonly row: TreeRow; readonly onCompare: () => void }) {
  const { problem } = row;
  if (problem === null) return null;
  const { line, column, message, excerpt } = problem;
  return (
    <section className={classNames(styles.trouble, 'on-bad')} aria-label={`Problem in ${row.name}`} role="status">
      <h3>{row.name} can&apos;t be read</h3>
      <p>
        {line === null ? '' : `Line ${line}, column ${column ?? 1}: `}
        {message}
      </p>
      {excerpt === '' ? null : <pre>{excerpt}</pre>}
      {problem.conflict === true ? (
        <Button icon={<FileDiff />} onClick={onCompare}>
          Compare both versions
        </Button>
      ) : null}
      <p className="quiet">Fix the file in an editor. Croupier then reads it again.</p>
    </section>
  );
}

/** Lists names in a file that nothing reads; they stop nothing. */
function FileWarnings({ row }: { readonly row: TreeRow }) {
  return (
    <section className={classNames(styles.trouble, 'on-warn')} aria-label={`Unknown fields in ${row.name}`} role="status">
      <h3>Unknown fields in {row.name}</h3>
      {row.warnings.map(({ line, column, message }) => (
        <p key={`${line} ${column}`}>
          {line === null ? '' : `Line ${line}, column ${column ?? 1}: `}
          {message}
        </p>
      ))}
      <p className="quiet">They&apos;re kept when you save.</p>
    </section>
  );
}

/** Says what to do in an empty collection, or that a collection is being read. */
function Hint({ collections, active }: { readonly collections: readonly OpenCollection[]; readonly active: TreeRow | null }) {
  const id = active?.collectionId ?? (collections.length === 1 ? collections[0]?.collection.id : undefined);
  const found = collections.find(({ collection }) => collection.id === id);
  if (found?.tree.state === 'loading') {
    return (
      <p className="band edge-above quiet" role="status">
        Reading {found.collection.name}…
      </p>
    );
  }
  if (found?.tree.state !== 'ready' || found.tree.nodes.length > 0) return null;
  return (
    <p className="band edge-above quiet">
      {found.collection.name} is empty. Save an open request with <Kbd command="save" />, or create one from the menu above.
    </p>
  );
}

/** Names each collection that a newer version wrote. */
function ReadOnlyBanners({ collections }: { readonly collections: readonly OpenCollection[] }) {
  return collections.map(({ collection, tree }) => {
    const reason = readOnlyReason(tree);
    if (reason === null) return null;
    return (
      <section key={collection.id} className="band on-warn" role="status" aria-label={`${collection.name} is read-only`}>
        <h3>{collection.name} is read-only</h3>
        <p>{reason}</p>
      </section>
    );
  });
}

/** Lists the problems of whole collections. */
function Troubles({
  collections,
  gitMarks,
  onRetry,
}: {
  readonly collections: readonly OpenCollection[];
  readonly gitMarks: Readonly<Record<string, CollectionMarks>>;
  readonly onRetry: () => void;
}) {
  const sentences = collections.flatMap(({ collection, tree }) => {
    if (collection.problem !== null) return [collection.problem];
    if (tree.state === 'failed') return [`${collection.name}: ${tree.message}`];
    const notices = tree.state === 'ready' ? [...tree.notices, ...(gitMarks[collection.id]?.notices ?? [])] : [];
    return notices.map((notice) => `${collection.name}: ${notice}`);
  });
  if (sentences.length === 0) return null;
  return (
    <div className="band on-warn" role="status">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <Button variant="quiet" onClick={onRetry}>
        Read again
      </Button>
    </div>
  );
}

/** Asks git again when the user comes back to the window: not everything that git does is seen at once. */
function useGitMarks(refresh: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);
}

const none: readonly OpenCollection[] = [];
