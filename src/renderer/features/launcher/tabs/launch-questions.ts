import type { Client, Confirmed } from '#shared/ipc/index.ts';
import { orNull } from '#renderer/faults/faults.ts';
import { refusalFrom } from '#renderer/calls/refusal.ts';
import { idle } from './launch-tab.ts';
import type { TabList } from './tab-list.ts';

/** Ends or confirms a tab's request to the provider. */
export interface LaunchQuestionActions {
  /** Answers the question that core asked for the tab. */
  readonly confirm: (id: string, confirmed: Confirmed) => void;
  readonly cancel: (id?: string) => Promise<void>;
  readonly dismiss: (id: string) => void;
}

/** The part of the launcher that holds core's questions before a send. */
export interface LaunchQuestions {
  readonly actions: LaunchQuestionActions;
  /** Shows why nothing was sent; `retry` sends it once the question is confirmed. */
  readonly refuse: (id: string, error: unknown, retry: (confirmed: Confirmed) => void) => void;
}

/** Creates the part that shows core's questions to the user. */
export function createLaunchQuestions(client: Client, { find, update }: Pick<TabList, 'find' | 'update'>): LaunchQuestions {
  /** Sends to repeat after a confirmation, by tab. */
  const again = new Map<string, (confirmed: Confirmed) => void>();
  return {
    refuse(id, error, retry) {
      const refusal = refusalFrom(error);
      if (refusal.state === 'unconfirmed') again.set(id, retry);
      update(id, () => ({ preparing: refusal }));
    },
    actions: {
      confirm(id, confirmed) {
        if (find(id)?.preparing.state !== 'unconfirmed') return;
        const retry = again.get(id);
        again.delete(id);
        update(id, () => ({ preparing: idle }));
        retry?.(confirmed);
      },
      async cancel(id) {
        const tab = find(id);
        if (tab?.preparing.state !== 'sending') return;
        const { ticket } = tab.preparing;
        await orNull(client.call('calls.cancel', { ticket }));
      },
      dismiss(id) {
        update(id, (tab) => (tab.preparing.state === 'sending' ? {} : { preparing: idle }));
      },
    },
  };
}
