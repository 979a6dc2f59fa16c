import { useEffect, useMemo, useRef, useState } from 'react';
import { ArrowDownToLine, FileDown, ListFilter, X } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Segmented } from '#renderer/ui/segmented.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { launchClock } from '#shared/launches/clock.ts';
import { clockText, filterEntries, groups, levelWords, slotText, type RecordGroup } from '../launch-words.ts';
import { activeSlot, type LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { OverruleDialog } from './overrule-dialog.tsx';
import { EntryIcon, RecordList } from './record-list.tsx';
import { VerdictPane } from './verdict-pane.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import styles from './record-pane.module.css';

/** Chooses the launch of a tab whose record is shown. */
function RecordOf({ tab, chosen, onChoose }: { tab: LaunchTab; chosen: string; onChoose: (id: string) => void }) {
  const options = tab.slots.map((slot) => ({ value: slot.launch.id, label: slotText(tab, slot) }));
  // The names of devices have no room beside each other.
  if (new Set(tab.slots.map(({ screenAt }) => screenAt)).size > 1)
    return <Select aria-label="Record of" className={styles.of} options={options} value={chosen} onChange={onChoose} />;
  return <SegmentedChoice label="Record of" options={options} value={chosen} onChange={onChoose} />;
}

/** Shows what a game does while it does it: by kind, with a search, one entry in full. */
export function RecordPane({ store, tab }: { store: LauncherStore; tab: LaunchTab }) {
  const { group, filter, follow } = useStore(
    store,
    useShallow((state) => ({ group: state.group, filter: state.filter, follow: state.follow })),
  );
  const actions = store.getState();
  const slot = activeSlot(tab);
  const [overruling, setOverruling] = useState(false);
  const [chosen, setChosen] = useState<{ launchId: string; seq: number } | null>(null);
  const all = slot?.entries ?? none;
  const entries = useFiltered(all, group, filter);
  const counts = useCounts(all);
  useSaidEntries(slot?.launch.id ?? null, all.length);
  const clock = useMemo(() => launchClock(all), [all]);
  const seq = chosen !== null && chosen.launchId === slot?.launch.id ? chosen.seq : null;
  const entry = seq === null ? undefined : all.find((one) => one.seq === seq);
  if (slot === null) return null;
  const { launch, shown } = slot;
  const unobserved = shown.state === 'frame' ? shown.unobserved : none;
  const choose = (next: number | null) => setChosen(next === null ? null : { launchId: launch.id, seq: next });
  const showEntry = (next: number) => {
    actions.setGroup('all');
    actions.setFilter('');
    actions.setFollow(false);
    choose(next);
  };
  return (
    <PageFrame className={styles.pane} label="Verdict and record" pane="record">
      <VerdictPane launch={launch} onOverrule={() => setOverruling(true)} onShowEntry={showEntry} />
      {overruling ? (
        <OverruleDialog
          launch={launch}
          onOverrule={(next) => {
            setOverruling(false);
            startWork(actions.overrule(launch.id, next));
          }}
          onClose={() => setOverruling(false)}
        />
      ) : null}
      <PageHead kind="pane">
        <h2 className="grow">Record</h2>
        {tab.slots.length < 2 ? null : (
          <RecordOf tab={tab} chosen={launch.id} onChoose={(id) => actions.selectSlot(tab.id, id)} />
        )}
        <output aria-live="off" className="short faint">
          {countText(all.length, launch.dropped)}
        </output>
        {shown.state === 'frame' ? null : (
          <IconButton
            small
            label="Save network log as HAR"
            icon={<FileDown />}
            side="left"
            onClick={() => startWork(actions.saveNetworkLog(launch.id))}
          />
        )}
        <IconButton
          small
          label={follow ? 'Following the latest entry' : 'Follow the latest entry'}
          icon={<ArrowDownToLine />}
          side="left"
          aria-pressed={follow}
          onClick={() => actions.setFollow(!follow)}
        />
      </PageHead>
      <Segmented
        label="Record filter"
        items={groups.map(({ value, label }) => ({ value, label, ...badgeOf(value, counts) }))}
        value={group}
        onChange={actions.setGroup}
        panelClassName={styles.panel}
      >
        <div className={styles.filter}>
          <SearchField label="Filter the record" value={filter} onText={actions.setFilter} />
        </div>
        {entries.length === 0 ? (
          <EmptyState small icon={<ListFilter />} title={filter === '' ? emptyTitle[group] : 'Nothing found'}>
            {filter === '' ? null : `No entry contains "${filter}".`}
          </EmptyState>
        ) : (
          <RecordList
            key={launch.id}
            entries={entries}
            clock={clock}
            follow={follow}
            onFollow={actions.setFollow}
            chosen={seq}
            onChoose={choose}
          />
        )}
      </Segmented>
      {entry === undefined ? null : <Detail entry={entry} clock={clock} onClose={() => setChosen(null)} />}
      {unobserved.length === 0 ? null : <Unobserved sentences={unobserved} />}
    </PageFrame>
  );
}

const none = [] as const;

/** Says how many entries came to a record in sight; a game may write hundreds in a second. */
function useSaidEntries(launchId: string | null, count: number): void {
  const said = useRef({ launchId, count });
  useEffect(() => {
    const before = said.current;
    said.current = { launchId, count };
    if (before.launchId === launchId && count > before.count) announcer.sayMore('record', count - before.count, moreEntries);
  }, [launchId, count]);
}

function moreEntries(count: number): string {
  return `${count.toLocaleString('en')} more ${count === 1 ? 'entry' : 'entries'} in the record`;
}

function useFiltered(all: readonly LaunchEntry[], group: RecordGroup, filter: string): readonly LaunchEntry[] {
  return useMemo(() => filterEntries(all, group, filter), [all, group, filter]);
}

function useCounts(all: readonly LaunchEntry[]): ReadonlyMap<RecordGroup, number> {
  return useMemo(() => countsOf(all), [all]);
}

const emptyTitle: Readonly<Record<RecordGroup, string>> = {
  all: 'Nothing happened yet',
  navigation: 'No navigation',
  console: 'Nothing on the console',
  requests: 'No failed, slow or unanswered requests',
  blocked: 'Nothing blocked',
  other: 'Nothing else',
};

function Detail({ entry, clock, onClose }: { entry: LaunchEntry; clock: ReturnType<typeof launchClock>; onClose: () => void }) {
  const at = clock(entry, entry.at);
  const seconds = (ms: number) => `${(Math.abs(ms) / 1_000).toFixed(3)} s`;
  return (
    <section className={styles.detail} aria-label="Entry">
      <header className="sign-line">
        <EntryIcon entry={entry} />
        <h3 className="grow">{entry.title}</h3>
        <CopyButton small label="Copy the entry" text={`${clockText(at)} ${entry.title}\n${entry.detail}`.trim()} />
        <IconButton small label="Close the entry" side="left" icon={<X />} onClick={onClose} />
      </header>
      <p className={styles.facts}>
        {levelWords[entry.level]}, {entry.kind}, {seconds(at)} {at < 0 ? 'before' : 'after'} the page began to load
        {entry.count === 1 ? '' : `, ${entry.count.toLocaleString('en')} times until ${seconds(clock(entry, entry.lastAt))}`}
      </p>
      {entry.detail === '' ? null : <pre>{entry.detail}</pre>}
    </section>
  );
}

function Unobserved({ sentences }: { sentences: readonly string[] }) {
  return (
    <div className={styles.unobserved}>
      <details>
        <summary>Not observed in a browser</summary>
        <p>Your browser decides whether the game can reach this computer and its network. The desktop app blocks it.</p>
        <ul className="bullets">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>The desktop app sees all of it.</p>
      </details>
    </div>
  );
}

function countsOf(entries: readonly LaunchEntry[]): ReadonlyMap<RecordGroup, number> {
  const counts = new Map<RecordGroup, number>();
  for (const { group } of entries) counts.set(group, (counts.get(group) ?? 0) + 1);
  return counts;
}

/** A tab shows a number only if somebody looks for its entries. */
function badgeOf(group: RecordGroup, counts: ReadonlyMap<RecordGroup, number>) {
  const count = counts.get(group);
  return count === undefined || group === 'navigation' || group === 'other' ? {} : { badge: count.toLocaleString('en') };
}

function countText(count: number, dropped: number): string {
  const text = `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`;
  return dropped === 0 ? text : `${text}, ${dropped.toLocaleString('en')} left out`;
}
