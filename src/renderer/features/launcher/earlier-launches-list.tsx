import { useRef, useState } from 'react';
import { SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import type { Launch, LaunchState, Output } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { outcomeOf, timeText } from '#renderer/calls/call-words.ts';
import { CallEnvironment } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { OptionList } from '#renderer/ui/option-list.tsx';
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
        <h3>Earlier launches</h3>
        <span>{total.toLocaleString('en')}</span>
      </header>
      <div className={styles.find}>
        <SearchField
          label="Search earlier launches"
          placeholder="Game, player, environment, note or record"
          value={text}
          onText={actions.searchEarlier}
          onDown={() => section.current?.querySelector<HTMLElement>('[role="option"]')?.focus()}
          className={styles.search}
        />
        <Select aria-label="Verdict" options={states} value={state} onChange={actions.filterEarlier} className={styles.state} />
      </div>
      {launches.length === 0 ? (
        <EmptyState small icon={<SearchX />} title="Nothing found">
          No launch that is kept fits this search.
        </EmptyState>
      ) : (
        <OptionList
          label="Earlier launches"
          rows={launches}
          rowKey={({ id }) => String(id)}
          currentKey={null}
          onOpen={(launch) => startWork(actions.openEarlier(launch))}
          onUp={() => section.current?.querySelector('input')?.focus()}
          draw={(launch) => <Row launch={launch} now={now()} />}
        />
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

function Row({ launch, now }: { launch: Launch; now: number }) {
  const outcome = outcomeOf(launch.call);
  return (
    <>
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
    </>
  );
}

function ruleText({ most, removed }: Output<'launches.keeping'>, now: number): string {
  const rule = `Croupier keeps the newest ${most.toLocaleString('en')} launches, with records and pictures.`;
  if (removed === null) return `${rule} It has removed none so far.`;
  const { count, at } = removed;
  return `${rule} So far it has removed ${count.toLocaleString('en')} older ${count === 1 ? 'one' : 'ones'}, last at ${timeText(at, now)}.`;
}
