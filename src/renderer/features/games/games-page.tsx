import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { LayoutGrid, SearchX } from 'lucide-react';
import { useStore } from 'zustand';
import { letterOf } from '#shared/chords.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { amount } from '#shared/amount.ts';
import { meaningsOf } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Asked } from '#renderer/calls/asked.tsx';
import { CallProblem } from '#renderer/calls/call-problem.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { NotLoaded } from '#renderer/ui/not-loaded.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { GameDetails, type GameActions } from './game-details.tsx';
import { FetchBar, FilterBar } from './games-bar.tsx';
import { GamesGrid } from './games-grid.tsx';
import type { GamesStore } from './games-store.ts';
import { GamesTable } from './games-table.tsx';
import { filterGames, orderGames, type ListedGame } from './listed-games.ts';
import { betUnit, currencyText } from './snapshot-words.ts';
import type { ThumbnailLoader } from './thumbnail-loader.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './games-page.module.css';

export interface GamesPageProps extends GameActions {
  readonly store: GamesStore;
  readonly loader: ThumbnailLoader;
  readonly environment: Environment | null;
  readonly onOpenCall: (id: number) => void;
}

/** The games of the environment: fetched, searched as a grid or a table, opened, and compared with an earlier fetch. */
export function GamesPage(props: GamesPageProps) {
  const { store, environment, onOpenCall } = props;
  const state = useStore(store);
  const { asking, problem, shown, snapshots, comparing } = state;

  useEffect(() => {
    if (environment !== null) store.getState().enter(environment);
  }, [store, environment]);

  if (environment === null) {
    return (
      <PageFrame>
        <h1 className="visually-hidden">Games</h1>
        <EmptyState icon={<LayoutGrid />} title="No environment chosen">
          Choose one at the top right.
        </EmptyState>
      </PageFrame>
    );
  }
  return (
    <PageFrame>
      <FetchBar store={store} environment={environment} />
      <Asked store={store} />
      {problem === null ? null : (
        <CallProblem
          call={problem}
          title={problem.state === 'cancelled' ? 'Fetch cancelled' : 'No game list received'}
          otherwise="The response isn't a game list in the documented shape. Open the call to see it."
          onOpen={onOpenCall}
          onClose={state.dismiss}
        />
      )}
      {comparing === null ? (
        <>
          {shown.state === 'ready' ? <Games {...props} environment={environment} /> : null}
          <NotLoaded
            of={shown.state === 'none' ? snapshots : shown}
            rows={12}
            label="Loading the games"
            title={shown.state === 'none' ? 'The fetched lists could not be read' : 'The games could not be read'}
            retry={() => (shown.state === 'none' ? state.load() : state.showSnapshot(shown.id))}
          />
          {shown.state === 'none' && snapshots.state === 'ready' && problem === null ? (
            <EmptyState
              icon={<LayoutGrid />}
              title="No game list yet"
              action={
                asking.state === 'busy' ? undefined : (
                  <Button variant="primary" command="send" onClick={() => startWork(state.fetch())}>
                    Fetch games
                  </Button>
                )
              }
            >
              gameList returns the games of {environment.name}, with bets in the currency above.
            </EmptyState>
          ) : null}
        </>
      ) : (
        <ComparisonView {...props} comparing={comparing} />
      )}
    </PageFrame>
  );
}

function Games(props: GamesPageProps & { environment: Environment }) {
  const { store, loader, environment, onLaunch } = props;
  const shown = useStore(store, (state) => state.shown);
  const { view, order, text, status, chosen } = useStore(store);
  const { choose, setText, setStatus } = store.getState();
  const focused = useRef<ListedGame | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const all = shown.state === 'ready' ? shown.games : none;
  const found = useMemo(() => filterGames(all, text, status), [all, text, status]);
  const ordered = useMemo(() => (view === 'grid' ? orderGames(found, order) : found), [found, order, view]);
  const onFocusGame = useCallback((game: ListedGame | null) => {
    focused.current = game;
  }, []);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    if (event.target.closest('input:not([type="radio"]), select, textarea') !== null) return;
    const listed = chosen ?? focused.current;
    if (event.key === 'Escape' && chosen !== null) {
      event.preventDefault();
      close();
      return;
    }
    if (listed === null) return;
    const letter = letterOf(event, false);
    if (letter === 'F' || letter === 'R') {
      event.preventDefault();
      onLaunch({ game: listed.game, mode: letter === 'F' ? 'fun' : 'real' });
    }
  });
  useEffect(() => {
    const box = content.current;
    if (box === null) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    box.addEventListener('keydown', listener);
    return () => box.removeEventListener('keydown', listener);
    // The box is there only once the games are.
  }, [shown.state]);

  /** Closes the details and gives the keyboard back to the list. */
  function close() {
    const inside = content.current?.querySelector('[data-pane="game"]')?.contains(document.activeElement) === true;
    choose(null);
    if (inside) content.current?.querySelector<HTMLElement>('[role="option"][tabindex="0"], tr[tabindex="0"]')?.focus();
  }

  if (shown.state !== 'ready') return null;
  const { snapshot } = shown;
  const answers = snapshot.environmentId === environment.id ? environment.answers : {};
  const meanings = meaningsOf('gameList.status', answers);
  const unit = betUnit(snapshot.currency, answers);
  const list = { games: ordered, meanings, chosen, onChoose: choose, onFocusGame };
  return (
    <>
      <FilterBar store={store} snapshot={snapshot} games={all} found={found.length} meanings={meanings} />
      <div className={classNames('fill-row', styles.content)} ref={content}>
        {found.length === 0 ? (
          <EmptyState
            icon={<SearchX />}
            title={all.length === 0 ? 'The list is empty' : 'No matching games'}
            action={
              all.length === 0 ? undefined : (
                <Button
                  onClick={() => {
                    setText('');
                    setStatus('any');
                  }}
                >
                  Show all {amount(all.length, 'game')}
                </Button>
              )
            }
          >
            {all.length === 0
              ? `${snapshot.environmentName} answered with code 0 and no games for ${currencyText(snapshot.currency)}.`
              : 'Every word must be in the name or ID.'}
          </EmptyState>
        ) : view === 'grid' ? (
          <GamesGrid {...list} environmentId={snapshot.environmentId} loader={loader} />
        ) : (
          <GamesTable {...list} allGames={all} unit={unit} />
        )}
        {chosen === null ? null : (
          <GameDetails {...props} listed={chosen} meanings={meanings} snapshot={snapshot} unit={unit} onClose={close} />
        )}
      </div>
    </>
  );
}

const none: readonly ListedGame[] = [];
