import { useEffect } from 'react';
import { Receipt } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { ConfirmSend } from '#renderer/calls/confirm-send.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { RoundForm } from './round-form.tsx';
import { RoundResult } from './round-result.tsx';
import type { RoundsStore } from './rounds-store.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';
import { Refusal } from '#renderer/ui/refusal.tsx';

export interface RoundsPageProps {
  readonly store: RoundsStore;
  readonly environment: Environment | null;
  readonly onOpenCall: (id: number) => void;
  /** Opens a /bet request, which makes a round. */
  readonly onOpenBet: () => void;
  readonly onEditEnvironment: () => void;
  /** Opens the replay that a roundReplayInfo call brought. */
  readonly onOpenReplay: (callId: number) => void;
}

/** Looks a round up by its ID and day: its records, and its replay. */
export function RoundsPage({ store, environment, onOpenCall, onOpenBet, onEditEnvironment, onOpenReplay }: RoundsPageProps) {
  const { looking, recent, openKey, gameNames, confirmLookUp, dismiss } = useStore(store);
  useEffect(() => {
    if (environment !== null) store.getState().enter(environment);
  }, [store, environment]);
  const open = recent.find((entry) => entry.key === openKey) ?? null;

  if (environment === null) {
    return (
      <PageFrame>
        <h1 className="visually-hidden">Rounds</h1>
        <EmptyState icon={<Receipt />} title="No environment is chosen">
          A round belongs to the provider it was played at. Choose an environment at the top right.
        </EmptyState>
      </PageFrame>
    );
  }
  return (
    <PageFrame>
      <h1 className="visually-hidden">Rounds</h1>
      <RoundForm store={store} environment={environment} onEditEnvironment={onEditEnvironment} />
      {looking.state === 'refused' ? <Refusal message={looking.message} onClose={dismiss} /> : null}
      {looking.state === 'looking' ? <Skeleton rows={8} label="Looking the round up" /> : null}
      {looking.state !== 'looking' && open !== null ? (
        <RoundResult
          key={open.key}
          lookup={open.lookup}
          answers={environment.id === open.environmentId ? environment.answers : noAnswers}
          gameNames={gameNames}
          onOpenCall={onOpenCall}
          onOpenReplay={onOpenReplay}
        />
      ) : null}
      {looking.state !== 'looking' && open === null ? <FirstStep environment={environment} onOpenBet={onOpenBet} /> : null}
      <ConfirmSend
        question={looking.state === 'unconfirmed' ? looking.question : null}
        onConfirm={(confirmed) => startWork(confirmLookUp(confirmed))}
        onClose={dismiss}
      />
    </PageFrame>
  );
}

const noAnswers: Environment['answers'] = {};

function FirstStep({ environment, onOpenBet }: { environment: Environment; onOpenBet: () => void }) {
  if (environment.kind !== 'sandbox') {
    return (
      <EmptyState icon={<Receipt />} title="Which round">
        The roundId is the ID of the bet transaction that the provider gave. Two calls are sent: getGameRound for the records and
        roundReplayInfo for the replay.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<Receipt />}
      title="Which round"
      action={
        <Button variant="primary" onClick={onOpenBet}>
          Open a /bet request
        </Button>
      }
    >
      <p>
        Two calls are sent: getGameRound for the records and roundReplayInfo for the replay. The built-in provider has a round for
        each bet.
      </p>
      <p>
        Place one: send /bet, and take the externalTrxId of its response as the roundId. Each bet of the demo game has a round
        too.
      </p>
    </EmptyState>
  );
}
