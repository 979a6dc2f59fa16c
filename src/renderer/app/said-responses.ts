import { checksText } from '#renderer/calls/shown-checks.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { announcement } from '#renderer/features/response/response-facts.ts';
import type { Stores } from './stores.ts';

/**
 * Says once that a call leaves, and each response when it comes, with the screen that has it if that is not in sight; then what became of
 * its checks. Nothing is said of a request that core refuses or asks about, and a tab that is shown again brings nothing new.
 */
export function sayResponses(
  { requests, results, shell }: Pick<Stores, 'requests' | 'results' | 'shell'>,
  say: (text: string) => void,
): void {
  const where = () => (shell.getState().area === 'requests' ? '' : 'In Requests: ');

  requests.subscribe(({ tabs }, before) => {
    if (tabs === before.tabs) return;
    for (const tab of tabs) {
      const earlier = before.tabs.find(({ id }) => id === tab.id);
      if (earlier === undefined || earlier === tab) continue;
      const text = newsOf(tab, earlier);
      if (text !== null) say(where() + text);
    }
  });

  results.subscribe(({ checked }, before) => {
    if (checked === before.checked) return;
    for (const [callId, shown] of checked) {
      if (shown.state !== 'ready' || shown.checks.length === 0 || before.checked.get(callId) === shown) continue;
      say(where() + checksText(shown.checks));
    }
  });
}

function newsOf(tab: RequestTab, earlier: RequestTab): string | null {
  if (tab.sending.state === 'sending') return tab.sending.left && !hasLeft(earlier) ? 'Sending' : null;
  const { call } = tab;
  if (call === null || call.state === 'pending') return null;
  // A tab gets the call of an old run as well, without sending one.
  const wasSent = earlier.sending.state === 'sending' && earlier.callId !== call.id;
  return wasSent || earlier.call?.state === 'pending' ? announcement(call) : null;
}

function hasLeft({ sending }: RequestTab): boolean {
  return sending.state === 'sending' && sending.left;
}
