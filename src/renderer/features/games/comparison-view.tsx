import { useMemo } from 'react';
import { ArrowLeftRight, ArrowRight, Equal, SearchX, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { CatalogueComparison, CatalogueSnapshot } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { ComparisonDetails } from './comparison-details.tsx';
import {
  changeKinds,
  changeTitles,
  comparisonRows,
  comparisonText,
  countKinds,
  filterComparison,
  type ChangeKind,
  type ComparisonRow,
} from './comparison-rows.ts';
import type { Comparing } from './compare-snapshots.ts';
import type { GamesStore } from './games-store.ts';
import { compareIds } from './listed-games.ts';
import { currencyText, snapshotTitle } from './snapshot-words.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { now } from '#renderer/ui/use-now.ts';
import page from './games-page.module.css';

/** Two fetched lists against each other, line by line. */
export function ComparisonView({
  store,
  loader,
  comparing,
}: {
  store: GamesStore;
  loader: ThumbnailLoader;
  comparing: Comparing;
}) {
  const snapshots = useStore(store, (state) => state.snapshots);
  const { compare, endComparison } = store.getState();
  const { from, to, result } = comparing;
  const list = snapshots.state === 'ready' ? snapshots.snapshots : [];
  const options = list.map((snapshot) => ({ value: String(snapshot.id), label: snapshotTitle(snapshot, now()) }));
  return (
    <section className="fill-column" aria-label="Comparison" data-comparison-of-lists>
      <PageHead>
        <h2 className="small">Compare</h2>
        <Select
          aria-label="From"
          fit
          options={options}
          value={String(from)}
          onChange={(value) => startWork(compare(Number(value), to))}
        />
        <ArrowRight className="faint" />
        <Select
          aria-label="To"
          fit
          options={options}
          value={String(to)}
          onChange={(value) => startWork(compare(from, Number(value)))}
        />
        <IconButton label="Swap" icon={<ArrowLeftRight />} onClick={() => startWork(compare(to, from))} />
        <Button className="at-end" icon={<X />} onClick={endComparison}>
          Close
        </Button>
      </PageHead>
      <NotLoaded
        of={result}
        rows={10}
        label="Comparing"
        title="The lists could not be compared"
        retry={() => compare(from, to)}
      />
      {result.state === 'ready' ? (
        <Compared store={store} loader={loader} comparing={comparing} comparison={result.comparison} />
      ) : null}
    </section>
  );
}

const tones: Readonly<Record<ChangeKind, PillTone>> = {
  added: 'good',
  removed: 'bad',
  renamed: 'note',
  bets: 'warn',
  status: 'note',
  thumbnail: 'plain',
};

function Compared({
  store,
  loader,
  comparing,
  comparison,
}: {
  store: GamesStore;
  loader: ThumbnailLoader;
  comparing: Comparing;
  comparison: CatalogueComparison;
}) {
  const { kind, text, openKey } = comparing;
  const { setComparison } = store.getState();
  const rows = useMemo(() => comparisonRows(comparison), [comparison]);
  const shown = useMemo(() => filterComparison(rows, kind, text), [rows, kind, text]);
  const counts = useMemo(() => countKinds(rows), [rows]);
  const open = rows.find((row) => row.key === openKey) ?? null;
  const title = (snapshot: CatalogueSnapshot) => snapshotTitle(snapshot, now());
  if (rows.length === 0) {
    return (
      <>
        <Remarks comparison={comparison} />
        <EmptyState icon={<Equal />} title="No differences">
          Both lists have the same {amount(comparison.same, 'game')}
          {comparison.betsCompared ? ', bets included.' : ', apart from their bets.'}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <Remarks comparison={comparison} />
      <Segmented
        label="Kind of change"
        value={kind}
        onChange={(next) => setComparison({ kind: next, openKey: null })}
        items={[
          { value: 'all' as const, label: 'All', badge: rows.length.toLocaleString('en') },
          ...changeKinds
            .filter((value) => counts[value] > 0 || value === kind)
            .map((value) => ({ value, label: changeTitles[value], badge: counts[value].toLocaleString('en') })),
        ]}
      >
        <div className="bar">
          <SearchField
            label="Search the changes"
            value={text}
            onText={(next) => setComparison({ text: next })}
            className="search-box"
          />
          <span className="quiet small one-line at-end">{comparison.same.toLocaleString('en')} unchanged</span>
          <CopyButton words="Copy" text={() => comparisonText(comparison, shown, title)} />
        </div>
        <div className={classNames('fill-row', page.content)}>
          {shown.length === 0 ? (
            <EmptyState
              icon={<SearchX />}
              title="No matching changes"
              action={<Button onClick={() => setComparison({ text: '', kind: 'all' })}>Show all changes</Button>}
            />
          ) : (
            <DataTable
              label="Changes"
              columns={columns}
              rows={shown}
              rowKey={(row) => row.key}
              selectedKey={openKey}
              onOpen={(row) => setComparison({ openKey: row.key })}
              onOpenByClick
            />
          )}
          {open === null ? null : (
            <ComparisonDetails
              row={open}
              comparison={comparison}
              loader={loader}
              onClose={() => setComparison({ openKey: null })}
            />
          )}
        </div>
      </Segmented>
    </>
  );
}

function Remarks({ comparison: { from, to, betsCompared } }: { comparison: CatalogueComparison }) {
  if (betsCompared) return null;
  return (
    <p className="band edge-below on-warn">
      Bets were not compared: one list is in {currencyText(from.currency)}, the other in {currencyText(to.currency)}.
    </p>
  );
}

const columns: readonly Column<ComparisonRow>[] = [
  {
    id: 'kind',
    title: 'Change',
    width: '98px',
    text: (row) => changeTitles[row.kind],
    cell: (row) => (
      <Pill tone={tones[row.kind]} size="small">
        {changeTitles[row.kind].toLowerCase()}
      </Pill>
    ),
  },
  {
    id: 'id',
    title: 'ID',
    width: '88px',
    code: true,
    sortable: true,
    text: (row) => row.id,
    compare: (a, b) => compareIds(a.id, b.id),
  },
  { id: 'name', title: 'Name', width: 'minmax(140px, 260px)', sortable: true, text: (row) => row.name },
  { id: 'what', title: 'Details', width: 'minmax(220px, 1fr)', text: (row) => row.what },
];
