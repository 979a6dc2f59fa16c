import { useStore, type StoreApi } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Refusal } from '#renderer/ui/refusal.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import type { AskingState } from './refusal.ts';

/** The question before production, or the refusal, of a screen that sends one thing at a time. */
export function Asked({ store }: { readonly store: Pick<StoreApi<AskingState>, 'getState' | 'getInitialState' | 'subscribe'> }) {
  const asking = useStore(store, (state) => state.asking);
  const { dismiss } = store.getState();
  if (asking.state === 'refused') return <Refusal message={asking.message} onClose={dismiss} />;
  if (asking.state !== 'unconfirmed') return null;
  return <ConfirmSend question={asking.question} onConfirm={(yes) => startWork(asking.again(yes))} onClose={dismiss} />;
}
