import { memo, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import {
  ArrowRight,
  Ban,
  Check,
  CircleExclamationPoint,
  Download,
  Globe,
  LogOut,
  Minus,
  SquareTerminal,
  TriangleExclamationPoint,
  Wallet,
} from 'lucide-react';
import type { LaunchEntry } from '#shared/ipc/index.ts';
import type { launchClock } from '#shared/launches/clock.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { clockText, levelWords } from '../launch-words.ts';
import { inSight, layoutOf, scrollTo } from './record-window.ts';
import styles from './record-list.module.css';

/**
 * The entries of a record; only those in sight are in the page. Arrow keys choose one; the list follows its end until the user
 * scrolls up.
 */
export function RecordList({
  entries,
  clock,
  follow,
  onFollow,
  chosen,
  onChoose,
}: {
  entries: readonly LaunchEntry[];
  clock: ReturnType<typeof launchClock>;
  follow: boolean;
  onFollow: (follow: boolean) => void;
  /** The number of the entry whose detail is shown; null for none. */
  chosen: number | null;
  onChoose: (seq: number | null) => void;
}) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutOf(entries), [entries]);
  const [range, setRange] = useState({ start: 0, end: 40 });
  const at = entries.findIndex((entry) => entry.seq === chosen);
  const lastTop = useRef(0);

  const measure = useEffectEvent(() => {
    const list = box.current;
    if (list === null) return;
    const next = inSight(layout, list.scrollTop, list.clientHeight);
    setRange((before) => (before.start === next.start && before.end === next.end ? before : next));
  });

  const onScroll = useEffectEvent(() => {
    const list = box.current;
    if (list === null) return;
    measure();
    // A box that became lower is no longer at its end either: only a user who scrolls up wants to stay there.
    const goesUp = list.scrollTop < lastTop.current;
    lastTop.current = list.scrollTop;
    const atEnd = list.scrollTop + list.clientHeight >= layout.height - 4;
    if (atEnd !== follow && list.clientHeight > 0 && (atEnd || goesUp)) onFollow(atEnd);
  });

  const onSize = useEffectEvent(() => {
    const list = box.current;
    if (list !== null && follow) list.scrollTop = layout.height;
    measure();
  });

  useEffect(() => {
    const list = box.current;
    if (list === null) return;
    const scrolled = () => onScroll();
    list.addEventListener('scroll', scrolled, { passive: true });
    const sized = new ResizeObserver(() => onSize());
    sized.observe(list);
    return () => {
      list.removeEventListener('scroll', scrolled);
      sized.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    const list = box.current;
    if (list !== null && follow) list.scrollTop = layout.height;
    measure();
  }, [layout, follow]);

  function choose(index: number) {
    const entry = entries[index];
    const list = box.current;
    if (entry === undefined || list === null) return;
    onChoose(entry.seq);
    list.scrollTop = scrollTo(layout, index, list.scrollTop, list.clientHeight);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = entries.length - 1;
    const page = 10;
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? last : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Escape' && chosen !== null) {
      event.preventDefault();
      onChoose(null);
    } else if (next !== undefined) {
      event.preventDefault();
      choose(Math.min(Math.max(next, 0), last));
    }
  }

  const drawn = entries.slice(range.start, range.end);
  return (
    <div
      ref={box}
      role="listbox"
      aria-label="Entries of the record"
      tabIndex={0}
      aria-activedescendant={at >= range.start && at < range.end ? `${id}-${chosen}` : undefined}
      className={styles.list}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={styles.all} style={{ height: layout.height }}>
        {drawn.map((entry, offset) => (
          <Row
            key={entry.seq}
            id={`${id}-${entry.seq}`}
            entry={entry}
            time={clock(entry, entry.at)}
            top={layout.tops[range.start + offset] ?? 0}
            position={range.start + offset + 1}
            count={entries.length}
            chosen={entry.seq === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </div>
  );
}

/** Looks of an entry, by its level. */
const grounds = { info: 'quiet', good: 'good', warning: 'on-warn', error: 'on-bad', blocked: 'on-bad' } as const;

const Row = memo(function Row({
  id,
  entry,
  time,
  top,
  position,
  count,
  chosen,
  onChoose,
}: {
  id: string;
  entry: LaunchEntry;
  time: number;
  top: number;
  position: number;
  count: number;
  chosen: boolean;
  onChoose: (seq: number | null) => void;
}) {
  const [line = ''] = entry.detail.split('\n');
  return (
    // The list takes the keys for its options; a pointer chooses one here.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      aria-posinset={position}
      aria-setsize={count}
      className={classNames(styles.entry, grounds[entry.level], chosen && styles.chosen)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onChoose(chosen ? null : entry.seq)}
      onKeyDown={undefined}
      title={entry.detail === '' ? entry.title : `${entry.title}\n${entry.detail}`}
    >
      <time>{clockText(time)}</time>
      <EntryIcon entry={entry} />
      <p>
        <span className="visually-hidden">{levelWords[entry.level]}: </span>
        <span className={styles.title}>{entry.title}</span>
        {entry.count === 1 ? null : <span className="faint tiny"> × {entry.count.toLocaleString('en')}</span>}
        {line === '' ? null : <small>{line}</small>}
      </p>
    </div>
  );
});

/** An icon whose shape shows what happened, so that the colour is not alone. */
export function EntryIcon({ entry }: { entry: Pick<LaunchEntry, 'kind' | 'level' | 'group'> }) {
  return <span aria-hidden="true">{iconOf(entry)}</span>;
}

function iconOf({ kind, level, group }: Pick<LaunchEntry, 'kind' | 'level' | 'group'>) {
  if (kind === 'exit') return <LogOut />;
  if (level === 'blocked') return <Ban />;
  if (level === 'error') return <CircleExclamationPoint />;
  if (level === 'warning') return <TriangleExclamationPoint />;
  if (level === 'good') return <Check />;
  if (kind === 'wallet') return <Wallet />;
  if (kind === 'call') return <Globe />;
  if (group === 'console') return <SquareTerminal />;
  if (group === 'requests') return <Download />;
  return group === 'navigation' ? <ArrowRight /> : <Minus />;
}
