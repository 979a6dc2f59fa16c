import { useRef, useState, type KeyboardEvent } from 'react';
import { SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { Launch, LaunchState, Output } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { nextIndex } from '#renderer/ui/roving.ts';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { KeepLaunchesDialog } from './keep-launches-dialog.tsx';
import { launchTitle, modeText } from './launch-words.ts';
import type { LauncherStore } from './launcher-store.ts';
import { VerdictPill } from './verdict-pill.tsx';
import styles from './earlier-launches.module.css';

const states: readonly { readonly value: LaunchState | 'any'; readonly label: string }[] = [
  { value: 'any', label: 'Any verdict' },
  { value: 'failed', label: 'failed' },
  { value: 'to check', label: 'to check' },
  { value: 'passed', label: 'passed' },
  { value: 'unfinished', label: 'unfinished' },
];

/** Earlier launches with their verdicts: a search over them and their records, and the rule by which they are kept. */
export function EarlierLaunches({ store, now }: { store: LauncherStore; now: () => number }) {
  const earlier = useStore(store, (state) => state.earlier);
  const keeping = useStore(store, (state) => state.keeping);
  const text = useStore(store, (state) => state.earlierText);
  const state = useStore(store, (one) => one.earlierState);
  const [setting, setSetting] = useState(false);
  const section = useRef<HTMLElement>(null);
  const actions = store.getState();
  if (earlier === null || keeping === null || keeping.kept === 0) return null;
  const { launches, total } = earlier;
  return (
    <section className={styles.earlier} aria-label="Earlier launches" ref={section}>
      <header className={styles.head}>
        <h4>Earlier launches</h4>
        <span>{total.toLocaleString('en')}</span>
      </header>
      <div className={styles.find}>
        <SearchField
          label="Search earlier launches"
          placeholder="Game, player, environment, note or record"
          value={text}
          onText={actions.searchEarlier}
          onDown={() => rowsOf(section.current)[0]?.focus()}
          className={styles.search}
        />
        <Select aria-label="Verdict" options={states} value={state} onChange={actions.filterEarlier} className={styles.state} />
      </div>
      {launches.length === 0 ? (
        <EmptyState small icon={<SearchX />} title="Nothing found">
          No launch that is kept fits this search.
        </EmptyState>
      ) : (
        <ul>
          {launches.map((launch) => (
            <li key={launch.id}>
              <Row launch={launch} now={now()} onOpen={() => startWork(actions.openEarlier(launch))} />
            </li>
          ))}
        </ul>
      )}
      {launches.length < total ? (
        <Button variant="quiet" onClick={() => startWork(actions.moreEarlier())}>
          Show more
        </Button>
      ) : null}
      <p className={styles.rule}>
        {ruleText(keeping, now())}{' '}
        <Button variant="quiet" onClick={() => setSetting(true)}>
          Change…
        </Button>
      </p>
      {setting ? <KeepLaunchesDialog store={store} keeping={keeping} onClose={() => setSetting(false)} /> : null}
    </section>
  );
}

function Row({ launch, now, onOpen }: { launch: Launch; now: number; onOpen: () => void }) {
  const outcome = outcomeOf(launch.call);
  return (
    <button type="button" onClick={onOpen} onKeyDown={moveFocus}>
      <span className={styles.name}>{launchTitle(launch)}</span>
      <Pill size="small">{modeText(launch)}</Pill>
      <VerdictPill size="small" launch={launch} />
      {launch.call.code === 0 ? null : (
        <Pill size="small" tone={outcome.tone}>
          {outcome.text}
        </Pill>
      )}
      <span className={styles.facts}>
        {timeText(launch.preparedAt, now)}, <CallEnvironment call={launch} className={styles.environment} />
        {launch.playerId === '' ? '' : `, ${launch.playerId}`}
      </span>
    </button>
  );
}

function rowsOf(section: Element | null): HTMLElement[] {
  return [...(section?.querySelectorAll<HTMLElement>('li button') ?? [])];
}

/** Moves the focus through the list with the arrow keys; up from its first launch leads to the search. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const section = event.currentTarget.closest('section');
  const rows = rowsOf(section);
  const at = rows.indexOf(event.currentTarget);
  const isUp = at === 0 && event.key === 'ArrowUp';
  const next = nextIndex(event.key, at, rows.length, 'vertical');
  if (next === null) return;
  event.preventDefault();
  (isUp ? section?.querySelector('input') : rows[next])?.focus();
}

function ruleText({ most, removed }: Output<'launches.keeping'>, now: number): string {
  const rule = `Croupier keeps the newest ${most.toLocaleString('en')} launches, with records and pictures.`;
  if (removed === null) return `${rule} It has removed none so far.`;
  const { count, at } = removed;
  return `${rule} So far it has removed ${count.toLocaleString('en')} older ${count === 1 ? 'one' : 'ones'}, last at ${timeText(at, now)}.`;
}
