import { useEffect, useMemo, useRef, useState } from 'react';
import { SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { Launch, LaunchState, Output } from '#shared/ipc/index.ts';
import { coverOf } from '#shared/launches/cover.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { RowTick } from '#renderer/ui/row-tick.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import { now } from '#renderer/ui/use-now.ts';
import { KeepLaunchesDialog } from './keep-launches-dialog.tsx';
import { launchTitle, modeText } from '../launch-words.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { VerdictPill } from './verdict-pill.tsx';
import styles from './earlier-launches.module.css';

const states = optionsOf<LaunchState | 'any'>({
  any: 'Any verdict',
  failed: 'failed',
  'to check': 'to check',
  passed: 'passed',
  unfinished: 'unfinished',
});

/** Pixels of a row with a picture, and rows that are shown at once at most. */
const [rowHeight, mostRows] = [44, 9];

/** Earlier launches side by side, with verdicts and pictures: a search over them and their records, and the sheet of those that are ticked. */
export function EarlierLaunches({ store }: { store: LauncherStore }) {
  const earlier = useStore(store, (state) => state.earlier);
  const keeping = useStore(store, (state) => state.keeping);
  const text = useStore(store, (state) => state.earlierText);
  const state = useStore(store, (one) => one.earlierState);
  const [setting, setSetting] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(none);
  const section = useRef<HTMLElement>(null);
  const actions = store.getState();
  const minute = Math.floor(now() / 60_000) * 60_000;
  const columns = useMemo(
    () => launchColumns(ticked, (id, on) => setTicked((before) => withTick(before, id, on)), store.getState().pictureOf, minute),
    [ticked, store, minute],
  );
  if (earlier === null || keeping === null || keeping.kept === 0) return null;
  const { launches, total } = earlier;
  return (
    <section className={styles.earlier} aria-label="Earlier launches" ref={section}>
      <header className="line faint tiny">
        <h3>Earlier launches</h3>
        <span>{total.toLocaleString('en')}</span>
      </header>
      <div className="wrap">
        <SearchField
          label="Search earlier launches"
          placeholder="Game, player, environment, device, note or record"
          value={text}
          onText={actions.searchEarlier}
          onDown={() => section.current?.querySelector<HTMLElement>('tbody [data-item]')?.focus()}
          className="grow"
        />
        <Select aria-label="Verdict" options={states} value={state} onChange={actions.filterEarlier} fit />
      </div>
      {launches.length === 0 ? (
        <EmptyState small icon={<SearchX />} title="No matching launches" />
      ) : (
        <div className={styles.table} style={{ height: Math.min(launches.length, mostRows) * rowHeight + 46 }}>
          <DataTable
            label="Earlier launches"
            columns={columns}
            rows={launches}
            rowKey={({ id }) => id}
            isTicked={({ id }) => ticked.has(id)}
            rowHeight={rowHeight}
            total={total}
            onOpenByClick
            onOpen={(launch) => startWork(actions.openEarlier(launch))}
            onKey={({ key }, { id }) => {
              if (key === ' ') setTicked((before) => withTick(before, id, !before.has(id)));
              else if (key === 'ArrowUp' && id === launches[0]?.id) section.current?.querySelector('input')?.focus();
              else return false;
              return true;
            }}
            onEndReached={launches.length < total ? () => startWork(actions.moreEarlier()) : undefined}
          />
        </div>
      )}
      <Sheet store={store} launches={launches} ticked={ticked} onTicked={setTicked} />
      <p className="faint tiny">
        {ruleText(keeping, now())}{' '}
        <Button variant="quiet" onClick={() => setSetting(true)}>
          Change…
        </Button>
      </p>
      {setting ? <KeepLaunchesDialog store={store} keeping={keeping} onClose={() => setSetting(false)} /> : null}
    </section>
  );
}

const none: ReadonlySet<string> = new Set();

function withTick(before: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> {
  return new Set(on ? [...before, id] : [...before].filter((one) => one !== id));
}

/** The number of ticked launches, and the sheet of them: one row each, with totals. */
function Sheet({
  store,
  launches,
  ticked,
  onTicked,
}: {
  store: LauncherStore;
  launches: readonly Launch[];
  ticked: ReadonlySet<string>;
  onTicked: (ticked: ReadonlySet<string>) => void;
}) {
  const busy = useStore(store, (state) => state.busy === 'export');
  const all = launches.every(({ id }) => ticked.has(id));
  const tooMany = ticked.size > mostTicked;
  const save = (as: 'sheet' | 'csv') => startWork(store.getState().exportEvidence([...ticked], as));
  return (
    <div className="line-wrap faint tiny" role="group" aria-label="Ticked launches">
      <output>
        {ticked.size === 0
          ? 'Tick launches to export them to one file.'
          : `${ticked.size.toLocaleString('en')} ticked${tooMany ? `. Export at most ${mostTicked}.` : ''}`}
      </output>
      {ticked.size === 0 ? null : (
        <>
          <Button disabled={busy || tooMany} onClick={() => save('sheet')}>
            Export as HTML
          </Button>
          <Button disabled={busy || tooMany} onClick={() => save('csv')}>
            Export as CSV
          </Button>
          <Button variant="quiet" onClick={() => onTicked(none)}>
            Untick all
          </Button>
        </>
      )}
      {all ? null : (
        <Button variant="quiet" onClick={() => onTicked(new Set([...ticked, ...launches.map(({ id }) => id)]))}>
          Tick all shown
        </Button>
      )}
    </div>
  );
}

/** Launches of one sheet at most. */
const mostTicked = 200;

type PictureOf = (id: string, number: number) => Promise<string | null>;

function launchColumns(
  ticked: ReadonlySet<string>,
  onTick: (id: string, on: boolean) => void,
  pictureOf: PictureOf,
  now: number,
): readonly Column<Launch>[] {
  const plain = (id: string, title: string, width: string, text: (launch: Launch) => string): Column<Launch> => ({
    id,
    title,
    width,
    text,
    sortable: true,
  });
  return [
    {
      id: 'ticked',
      title: 'Ticked',
      quiet: true,
      width: '30px',
      text: () => '',
      cell: (launch) => (
        <RowTick
          label={`Tick ${launchTitle(launch)}, ${modeText(launch)}, ${timeText(launch.preparedAt, now)}`}
          checked={ticked.has(launch.id)}
          onTick={(on) => onTick(launch.id, on)}
        />
      ),
    },
    {
      id: 'picture',
      title: 'Picture',
      quiet: true,
      width: '60px',
      text: () => '',
      cell: (launch) => <Cover launch={launch} pictureOf={pictureOf} />,
    },
    plain('game', 'Game', 'minmax(104px, 1fr)', launchTitle),
    plain('mode', 'Mode', '50px', modeText),
    plain('lang', 'Language', '74px', ({ lang }) => lang),
    plain('device', 'Device', 'minmax(128px, 1.2fr)', ({ device }) => device),
    plain('player', 'Player', 'minmax(76px, 0.6fr)', ({ playerId }) => playerId),
    {
      ...plain('verdict', 'Verdict', '130px', ({ verdict, overruled }) => overruled?.state ?? verdict.state),
      cell: (launch) => (
        <span className="line">
          <VerdictPill size="small" launch={launch} />
          {launch.call.code === 0 ? null : (
            <Pill size="small" tone={outcomeOf(launch.call).tone}>
              {outcomeOf(launch.call).text}
            </Pill>
          )}
        </span>
      ),
    },
    {
      ...plain('environment', 'Environment', '92px', ({ environmentName }) => environmentName),
      cell: (launch) => <CallEnvironment call={launch} className={styles.environment} />,
    },
    {
      ...plain('time', 'Prepared', '132px', ({ preparedAt }) => timeText(preparedAt, now)),
      compare: (a, b) => a.preparedAt - b.preparedAt,
    },
  ];
}

/** The picture that stands for a launch; nothing where none is kept. */
function Cover({ launch: { id, pictures }, pictureOf }: { launch: Launch; pictureOf: PictureOf }) {
  const cover = coverOf(pictures);
  const number = cover?.number ?? null;
  const [got, setGot] = useState<{ readonly of: string; readonly url: string | null } | null>(null);
  const of = `${id} ${number ?? ''}`;
  useEffect(() => {
    let wanted = true;
    if (number !== null) startWork(pictureOf(id, number).then((url) => (wanted ? setGot({ of, url }) : undefined)));
    return () => {
      wanted = false;
    };
  }, [id, number, of, pictureOf]);
  // Another launch may stand in this row by now.
  const url = got?.of === of ? got.url : null;
  return url === null ? null : <img className={styles.cover} src={url} alt={cover?.moment ?? 'Screenshot'} />;
}

function ruleText({ most, removed }: Output<'launches.keeping'>, now: number): string {
  const rule = `Croupier keeps the newest ${most.toLocaleString('en')} launches.`;
  if (removed === null) return rule;
  const { count, at } = removed;
  return `${rule} Removed so far: ${count.toLocaleString('en')}, last at ${timeText(at, now)}.`;
}
