import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import { originOf, startedTab, type RequestTab, type TabRun } from './request-tab.ts';
import type { TabList } from './tab-list.ts';

/** Joins tabs with calls of the history. */
export interface CallTabActions {
  /** Opens a call of the history with its draft and its response; resolves to null if it could not be read. */
  readonly openCall: (id: number) => Promise<Call | null>;
  /** Shows in the active tab that its call was sent again, as `call`; returns false if it has another one. */
  readonly showRepeat: (id: number, call: Call) => boolean;
  /** Shows in a tab the call that a run made of its file, with its checks beside the form. */
  readonly showOfRun: (id: string, call: Call, run: TabRun) => void;
  /** Gives the variables of a tab their present values again. */
  readonly forgetRun: (id: string) => void;
  /** Forgets the call that a tab was opened from. */
  readonly adopt: (id: string) => void;
}

/** Creates the part that opens calls, and loads the call of a tab. */
export function createCallTabs(client: Client, { all, find, update, add, show, fail }: TabList, newId: () => string) {
  client.on('calls.changed', ({ id, ticket }) => {
    for (const { id: tabId, callId, call, sending } of all()) {
      if (callId === id && call?.state === 'pending') startWork(load(tabId, id));
      if (sending.state === 'sending' && sending.ticket === ticket)
        update(tabId, (tab) => ({ ...tab, sending: { ...sending, left: true } }));
    }
  });

  async function load(tabId: string, callId: number): Promise<void> {
    try {
      const call = await client.call('calls.get', { id: callId });
      update(tabId, (tab) => (tab.callId === callId ? { ...tab, call } : tab));
    } catch (error) {
      // The row may have been removed since; the typed text stays and the response's pane is empty again.
      update(tabId, (tab) => (tab.callId === callId && tab.call === null ? { ...tab, callId: null } : tab));
      reportIfFault(error);
    }
  }

  const actions: CallTabActions = {
    async openCall(id) {
      try {
        const call = await client.call('calls.get', { id });
        if (call.operation === null)
          throw new AppError('unsupported', `Call ${id} fits no operation, so it can't be a request. History shows it.`);
        fail(null);
        const open = all().find((tab) => tab.callId === id && !tab.dirty && tab.file === null);
        if (open === undefined) add(startedTab(newId(), call.draft, { call }));
        else {
          update(open.id, (tab) => ({ ...tab, call, origin: originOf(call) }));
          show(open.id);
        }
        return call;
      } catch (thrown) {
        fail(`The call could not be opened. ${asAppError(thrown).message}`);
        return null;
      }
    },
    showRepeat(id, call) {
      const tab = find(undefined);
      if (tab === undefined || tab.callId !== id || tab.sending.state === 'sending') return false;
      update(tab.id, (now) => ({ ...now, call, callId: call.id }));
      return true;
    },
    showOfRun(id, call, run) {
      update(id, (tab) => ({ ...tab, call, callId: call.id, origin: originOf(call), run, view: 'checks' }));
    },
    forgetRun(id) {
      update(id, (tab) => ({ ...tab, run: null }));
    },
    adopt(id) {
      update(id, (tab) => ({ ...tab, origin: null }));
    },
  };
  return {
    actions,
    /** Loads the call of a tab that has only its ID. */
    loadMissing({ id, callId, call }: RequestTab) {
      if (callId !== null && call === null) startWork(load(id, callId));
    },
  };
}
