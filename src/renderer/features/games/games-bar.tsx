import { useId, useMemo } from 'react';
import { Download, GitCompare, Square, TriangleExclamationPoint } from 'lucide-react';
import { useStore } from 'zustand';
import type { CatalogueSnapshot, Environment } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { GamesView } from './game-choice.ts';
import type { GamesStore } from './games-store.ts';
import { countStatuses, statusText, type GameOrder, type ListedGame, type StatusFilter } from './listed-games.ts';
import { ageText, currencyHint, currencyText, olderFirst, snapshotTime } from './snapshot-words.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './games-bar.module.css';

/** Shows which list is shown and its age, the currency, and the next action. */
export function FetchBar({ store, environment }: { store: GamesStore; environment: Environment }) {
  const id = useId();
  const { currency, asking, shown, snapshots, comparing, setCurrency, fetch, cancel, compare } = useStore(store);
  const time = useNow(Date.now);
  const list = snapshots.state === 'ready' ? snapshots.snapshots : [];
  const hint = currencyHint(currency);
  const shownAt = shown.state === 'ready' ? list.findIndex((snapshot) => snapshot.id === shown.id) : -1;
  const other = list[shownAt + 1] ?? list[shownAt - 1];
  const known = [...new Set([environment.defaults.currency, ...list.map((snapshot) => snapshot.currency)])];
  return (
    <PageHead className={styles.bar}>
      <h1>Games</h1>
      {shown.state === 'ready' && comparing === null ? (
        <span className={styles.facts} title={`Fetched ${snapshotTime(shown.snapshot.fetchedAt, time)}`}>
          <b>{currencyText(shown.snapshot.currency)}</b>
          <span>fetched {ageText(Math.min(shown.snapshot.fetchedAt, time), time)}</span>
        </span>
      ) : null}
      <div className="line at-end">
        {shown.state === 'ready' && comparing === null && other !== undefined ? (
          <Button icon={<GitCompare />} onClick={() => startWork(compare(...olderFirst(list, shown.id, other.id)))}>
            Compare
          </Button>
        ) : null}
        <div className={styles.currency}>
          <TextField
            code
            aria-label="Currency"
            aria-describedby={hint === null ? undefined : `${id}-hint`}
            list={`${id}-known`}
            maxLength={255}
            size={5}
            value={currency}
            onText={setCurrency}
          />
          <datalist id={`${id}-known`}>
            {known.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </datalist>
        </div>
        {asking.state === 'busy' ? (
          <Button icon={<Square />} command="send" onClick={() => startWork(cancel())}>
            Cancel
          </Button>
        ) : (
          <Button variant="primary" icon={<Download />} command="send" onClick={() => startWork(fetch())}>
            Fetch
          </Button>
        )}
      </div>
      {hint === null ? null : (
        <p className={styles.hint} id={`${id}-hint`}>
          <TriangleExclamationPoint />
          <span>{hint}</span>
        </p>
      )}
      <Said text={asking.state === 'busy' ? `Fetching the games of ${environment.name}` : ''} />
      {asking.state === 'busy' ? <div className={styles.progress} aria-hidden="true" /> : null}
    </PageHead>
  );
}

const orders = optionsOf<GameOrder>({
  received: 'As received',
  name: 'By name',
  id: 'By ID',
  lowestBet: 'Lowest bet first',
  highestBet: 'Highest bet first',
});

const views = optionsOf<GamesView>({ grid: 'Grid', table: 'Table' });

/** Narrows the list: search, status, order, view, and the number of games that are left. */
export function FilterBar({
  store,
  snapshot,
  games,
  found,
  meanings,
}: {
  store: GamesStore;
  snapshot: CatalogueSnapshot;
  games: readonly ListedGame[];
  /** Number of games that fit. */
  found: number;
  /** Meanings of statuses, by the recorded answer; null if none is recorded. */
  meanings: ReadonlyMap<string, string> | null;
}) {
  const { text, status, order, view, setText, setStatus, setOrder, setView } = useStore(store);
  const statuses = useMemo(() => countStatuses(games), [games]);
  const options = [
    { value: 'any', label: 'Any status' },
    ...statuses.map(({ status: value, games: count }) => ({
      value: statusValue({ only: value }),
      label: `${capital(statusText(value, meanings))} (${count.toLocaleString('en')})`,
    })),
  ];
  const count =
    found === games.length ? amount(found, 'game') : `${found.toLocaleString('en')} of ${amount(games.length, 'game')}`;
  return (
    <search className="bar wrap" aria-label="Games">
      <SearchField label="Search names and IDs" value={text} onText={setText} className="search-box" />
      <Select
        aria-label="Status, as received"
        title={
          meanings === null
            ? "Values as received: the spec doesn't say what they mean"
            : 'Values as received, with their recorded meanings'
        }
        fit
        options={options}
        value={statusValue(status)}
        onChange={(value) => setStatus(readStatus(value))}
      />
      {view === 'grid' ? <Select aria-label="Order" fit options={orders} value={order} onChange={setOrder} /> : null}
      <SegmentedChoice label="View" options={views} value={view} onChange={setView} />
      <output aria-live="off" className="quiet small numbers one-line at-end">
        {count}
      </output>
      <Said text={count} topic="games" />
      {snapshot.problems.length === 0 ? null : (
        <p className={styles.hint}>
          <TriangleExclamationPoint />
          {snapshot.problems.join(' ')}
        </p>
      )}
    </search>
  );
}

function statusValue(status: StatusFilter): string {
  if (status === 'any') return 'any';
  return status.only === null ? 'none' : `=${status.only}`;
}

function readStatus(value: string): StatusFilter {
  if (value === 'any') return 'any';
  return { only: value === 'none' ? null : value.slice(1) };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
