import { AppError } from '#shared/errors.ts';
import type { Call, Client, Confirmed, Environment, RequestDraft } from '#shared/ipc/index.ts';
import type { FilledChecks } from '#shared/variables/substitute-request.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { orNull } from '#renderer/faults/faults.ts';
import { withFrozenTime } from '../frozen-time.ts';
import type { RequestTab } from './request-tab.ts';
import { IDLE, refusal, unresolved } from './sending.ts';
import { contentKey, type TabFile } from './tab-file.ts';
import type { TabList } from './tab-list.ts';
import type { TabVariables } from './tab-variables.ts';

/** Actions of tabs on calls. */
export type SendActions = ReturnType<typeof createSendTabs>;

/** Functions that sending needs beside the tabs. */
export interface SendDeps {
  /** Returns the selected environment, which templates start from; null while none is loaded. */
  readonly environment: () => Environment | null;
  /** Shows a notice. */
  readonly notify: Notify;
  readonly now: () => number;
  /** Returns the moment at which time stands for requests; null while it runs. */
  readonly frozenAt: () => number | null;
  /** Returns a fresh ID for tabs and tickets. */
  readonly newId: () => string;
  /** Inserts values into the request to send. */
  readonly variables: Pick<TabVariables, 'substitute' | 'ready' | 'checks' | 'renew'>;
  /** Returns why a file's collection is not run; null if it is. */
  readonly readOnly: (file: TabFile) => string | null;
  /** Called when a request of a collection got its response, with the checks of the response. */
  readonly onResponse: (file: TabFile, call: Call, checks: FilledChecks) => void;
}

/** The request that one press of Send hands to core. */
interface Outgoing {
  readonly draft: RequestDraft;
  readonly file: TabFile | null;
  readonly checks: FilledChecks | null;
  /** True if values of variables were inserted. */
  readonly filled: boolean;
  /** The tab's content at that moment. */
  readonly content: string;
  /** True if the user confirmed to send the key in it. */
  readonly keyConfirmed: boolean;
}

/** Hands a request to core, and keeps one that core asks about. */
function createDelivery(
  client: Client,
  deps: Pick<SendDeps, 'now' | 'newId' | 'variables' | 'onResponse'>,
  { find, update }: Pick<TabList, 'find' | 'update'>,
) {
  /** Requests that core asks about, by tab: the user confirms exactly these. */
  const asked = new Map<string, Outgoing>();

  return {
    async deliver(tabId: string, outgoing: Outgoing, confirmed: Confirmed): Promise<void> {
      const { draft, file, checks, filled, content, keyConfirmed } = outgoing;
      const ticket = deps.newId();
      update(tabId, (now) => ({
        ...now,
        sending: { state: 'sending', ticket, startedAt: deps.now(), left: false, cancelled: false },
      }));
      const mine = (now: RequestTab) => now.sending.state === 'sending' && now.sending.ticket === ticket;
      try {
        const call = await client.call('calls.send', { draft, ticket, confirmed, ...(keyConfirmed ? { keyConfirmed } : {}) });
        asked.delete(tabId);
        deps.variables.renew(tabId);
        if (file !== null && checks !== null && call.response !== null) deps.onResponse(file, call, checks);
        update(tabId, (now) => {
          if (!mine(now)) return now;
          // With a key in it, the history has another text than was typed: only the tab has the typed one.
          const kept = now.file === null && !filled && call.maskedKeys === undefined;
          if (!kept) return { ...now, call, callId: call.id, sending: IDLE };
          // From here on the history holds what was sent, so it counts as kept.
          return { ...now, call, callId: call.id, clean: content, dirty: contentKey(now) !== content, sending: IDLE };
        });
      } catch (error) {
        const sending = refusal(error);
        if (sending.state === 'unconfirmed' || sending.state === 'keyAsked') asked.set(tabId, outgoing);
        update(tabId, (now) => (mine(now) ? { ...now, sending } : now));
      }
    },
    /** Takes the request that the tab's question is about, once; undefined if the tab does not ask that. */
    takeAsked(tabId: string, question: 'unconfirmed' | 'keyAsked'): Outgoing | undefined {
      const outgoing = asked.get(tabId);
      if (find(tabId)?.sending.state !== question) return undefined;
      asked.delete(tabId);
      return outgoing;
    },
  };
}

/** Sends the requests of tabs, asks the user where core asks, and keeps the resulting call. */
export function createSendTabs(client: Client, deps: SendDeps, { find, update }: Pick<TabList, 'find' | 'update'>) {
  const { deliver, takeAsked } = createDelivery(client, deps, { find, update });
  /** Tickets of tabs whose sending waits for the files around them; core was not asked for these yet. */
  const waiting = new Set<string>();

  async function transmit(tabId: string, environmentId: string, waited = false): Promise<void> {
    const tab = find(tabId);
    if (tab === undefined || tab.sending.state === 'sending') return;
    const reason = tab.file === null ? null : deps.readOnly(tab.file);
    if (reason !== null) {
      update(tabId, (now) => ({ ...now, sending: refusal(new AppError('refused', reason)) }));
      return;
    }
    const environment = deps.environment();
    const target = environment?.id === environmentId ? environment : null;
    const startedAt = deps.now();
    const frozenAt = deps.frozenAt();
    const moment = frozenAt ?? startedAt;
    const filled = target === null ? null : deps.variables.substitute(tab, target, moment);
    if (filled?.ok === false && filled.errors.length === 0 && !waited) {
      if (await isReady(tab, startedAt)) await transmit(tabId, environmentId, true);
      return;
    }
    if (filled?.ok === false) {
      const [first] = filled.errors;
      update(tabId, (now) => ({ ...now, sending: refusal(unresolved(first)) }));
      return;
    }
    const { file } = tab;
    const checks = target === null || file === null || file.gone ? null : deps.variables.checks(tab, target, moment);
    const plain = { environmentId, ...(filled?.draft ?? draftOf(tab)) };
    const draft = target === null ? plain : withFrozenTime(plain, target, frozenAt);
    await deliver(tabId, { draft, file, checks, filled: filled !== null, content: contentKey(tab), keyConfirmed: false }, false);
  }

  /** Waits for the files around a tab that was opened a moment ago; false if it was cancelled meanwhile. */
  async function isReady(tab: RequestTab, startedAt: number): Promise<boolean> {
    const ticket = deps.newId();
    waiting.add(ticket);
    update(tab.id, (now) => ({ ...now, sending: { state: 'sending', ticket, startedAt, left: false, cancelled: false } }));
    await orNull(deps.variables.ready(tab));
    if (!waiting.delete(ticket)) return false;
    update(tab.id, (now) => ({ ...now, sending: IDLE }));
    return true;
  }

  return {
    /** Sends the active tab; a second call while it is under way does nothing. */
    async send(environmentId: string): Promise<void> {
      const tab = find(undefined);
      if (tab !== undefined) await transmit(tab.id, environmentId);
    },
    /** Answers core's question, and sends the request that it was about. */
    async confirmSend(id: string, confirmed: Confirmed): Promise<void> {
      const outgoing = takeAsked(id, 'unconfirmed');
      if (outgoing !== undefined) await deliver(id, outgoing, confirmed);
    },
    /** Sends the request although it holds a private key. */
    async confirmKey(id: string): Promise<void> {
      const outgoing = takeAsked(id, 'keyAsked');
      // Before production core asks about that as well.
      if (outgoing !== undefined) await deliver(id, { ...outgoing, keyConfirmed: true }, false);
    },
    /** Closes the question or the refusal of a tab. */
    dismiss(id: string) {
      update(id, (tab) => (tab.sending.state === 'sending' ? tab : { ...tab, sending: IDLE }));
    },
    async cancel(id?: string): Promise<void> {
      const tab = find(id);
      if (tab?.sending.state !== 'sending') return;
      const { sending } = tab;
      if (waiting.delete(sending.ticket)) return update(tab.id, (now) => ({ ...now, sending: IDLE }));
      // Shown at once: a suspended host replies to neither.
      update(tab.id, (now) => ({ ...now, sending: { ...sending, cancelled: true } }));
      await client.call('calls.cancel', { ticket: sending.ticket });
    },
  };
}

function draftOf({ operation, form, text, overrides }: RequestTab): Omit<RequestDraft, 'environmentId'> {
  return { operation, form, text, overrides };
}
