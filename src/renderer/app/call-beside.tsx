import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { CallSummary } from '#shared/ipc/index.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import type { ShownCall } from '#renderer/features/history/shown-call-store.ts';
import { usualShares } from '#renderer/features/provider-log/provider-log-store.ts';
import { CallDetail } from '#renderer/features/response/call-detail.tsx';
import { PendingCall } from '#renderer/features/response/pending-call.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import type { BesideList } from '#renderer/ui/list-panes.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { useMedia } from '#renderer/ui/use-media.ts';
import { useCallContext } from './call-context.ts';
import type { Workbench } from './workbench.ts';
import { PageFrame } from '#renderer/ui/page-frame.tsx';

/** Widths at which the pane of a call is below the list, and at which the two take turns. */
const stackedQuery = '(max-width: 1279px)';
const narrowQuery = '(max-width: 1023px)';

/** Returns the place of a call's pane beside a list. */
export function useCallPlace(): BesideList['place'] {
  const stacked = useMedia(stackedQuery);
  return useMedia(narrowQuery) ? 'tab' : stacked ? 'below' : 'beside';
}

/** Returns where a list's second pane is, and the edge between the two, which is that of the history. */
export function useBeside({ providerLog }: Pick<Workbench, 'providerLog'>): Omit<BesideList, 'pane' | 'title'> {
  const place = useCallPlace();
  const split = place === 'beside' ? 'beside' : 'stacked';
  const share = useStore(providerLog, (state) => state.shares[split]);
  const onShare = (moved: number) => providerLog.getState().setShare(split, moved);
  return { place, share, usual: usualShares[split], onShare };
}

/** A call, by what its pane needs of it before it is read. */
type NamedCall = Pick<CallSummary, 'id' | 'pack'>;

/** Returns the detail of a call that is selected in a list; no pane for none. */
export function useCallBeside(
  workbench: Workbench,
  active: NamedCall | null,
): { readonly title: string; readonly pane: ReactNode } {
  const { shownCall } = workbench;
  const id = active?.id ?? null;
  useEffect(() => {
    shownCall.getState().show(id);
  }, [shownCall, id]);
  if (active === null) return { title: 'Call', pane: null };
  const title = `Call ${callNumber(active)}`;
  const pane = (
    <PageFrame label={title} pane="call" className="scrolls">
      <h2 className="visually-hidden">{title}</h2>
      <Detail workbench={workbench} id={active.id} />
    </PageFrame>
  );
  // The tab of a narrow window has no room for the name of a pack.
  return { title: active.pack === undefined ? title : `Call ${active.pack.number} of the pack`, pane };
}

function Detail({ workbench, id }: { readonly workbench: Workbench; readonly id: number }) {
  const { shownCall } = workbench;
  const shown = useStore(shownCall, (state) => state.shown);
  const call = shown.state === 'ready' && shown.call.id === id ? shown.call : null;
  const contextOf = useCallContext(workbench);
  if (call === null) return failureOf(shown, id, shownCall.getState().retry) ?? <Skeleton rows={8} label="Loading the call" />;
  // One of a support pack had no outcome when that was written, and gets none.
  if (call.state === 'pending' && call.pack === undefined)
    return <PendingCall since={call.sentAt} passed={call.origin !== undefined} onCancel={null} />;
  return <CallDetail key={call.id} store={workbench.historyResponses} call={call} {...contextOf(call)} />;
}

function failureOf(shown: ShownCall, id: number, retry: () => void): ReactNode {
  if (shown.state !== 'failed' || shown.id !== id) return null;
  return <FailedState title="The call could not be read" message={shown.message} retry={retry} />;
}
