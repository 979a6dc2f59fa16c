import { useEffect } from 'react';
import { Receipt } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { Asked } from '#renderer/calls/asked.tsx';
import type { GameListsStore } from '#renderer/calls/game-lists.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { RoundForm } from './round-form.tsx';
import { RoundResult } from './round-result.tsx';
import type { RoundsStore } from './rounds-store.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';

export interface RoundsPageProps {
  readonly store: RoundsStore;
  readonly gameLists: GameListsStore;
  readonly environment: Environment | null;
  readonly onOpenCall: (id: number) => void;
  /** Opens a /bet request, which makes a round. */
  readonly onOpenBet: () => void;
  readonly onEditEnvironment: () => void;
  /** Opens the replay that a roundReplayInfo call brought. */
  readonly onOpenReplay: (callId: number) => void;
}

/** Looks a round up by its ID and day: its records, and its replay. */
export function RoundsPage({
  store,
  gameLists,
  environment,
  onOpenCall,
  onOpenBet,
  onEditEnvironment,
  onOpenReplay,
}: RoundsPageProps) {
  const { asking, recent, openKey } = useStore(store);
  const games = useStore(gameLists, ({ lists }) => lists.get(environment?.id ?? '')?.byId ?? null);
  useEffect(() => {
    if (environment === null) return;
    store.getState().enter(environment);
    gameLists.getState().want(environment.id);
  }, [store, gameLists, environment]);
  const open = recent.find((entry) => entry.key === openKey) ?? null;

  if (environment === null) {
    return (
      <PageFrame>
        <h1 className="visually-hidden">Rounds</h1>
        <EmptyState icon={<Receipt />} title="No environment chosen">
          Choose an environment at the top right.
        </EmptyState>
      </PageFrame>
    );
  }
  return (
    <PageFrame>
      <h1 className="visually-hidden">Rounds</h1>
      <RoundForm store={store} environment={environment} onEditEnvironment={onEditEnvironment} />
      <Asked store={store} />
      {asking.state === 'busy' ? <Skeleton rows={8} label="Looking up the round" /> : null}
      {asking.state !== 'busy' && open !== null ? (
        <RoundResult
          key={open.key}
          lookup={open.lookup}
          answers={environment.id === open.environmentId ? environment.answers : noAnswers}
          games={games}
          onOpenCall={onOpenCall}
          onOpenReplay={onOpenReplay}
        />
      ) : null}
      {asking.state !== 'busy' && open === null ? <FirstStep environment={environment} onOpenBet={onOpenBet} /> : null}
    </PageFrame>
  );
}

const noAnswers: Environment['answers'] = {};

function FirstStep({ environment, onOpenBet }: { environment: Environment; onOpenBet: () => void }) {
  if (environment.kind !== 'sandbox') {
    return (
      <EmptyState icon={<Receipt />} title="Look up a round">
        The roundId is the provider&apos;s ID of the bet transaction. Croupier sends getGameRound for the records and
        roundReplayInfo for the replay.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Receipt />}
      title="Look up a round"
      action={
        <Button variant="primary" onClick={onOpenBet}>
          {' '}
          Open /bet{' '}
        </Button>
      }
    >
      <p>Croupier sends getGameRound for the records and roundReplayInfo for the replay.</p>
      <p>
        No round yet? Send /bet and use externalTrxId of its response as the roundId, or bet in the built-in provider&apos;s demo
        game.
      </p>
    </EmptyState>
  );
}
