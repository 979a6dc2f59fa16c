import { useStore } from 'zustand';
import type { Call } from '#shared/ipc/calls.ts';
import { findGap } from '#shared/provider/index.ts';
import type { ComparisonOrigin } from '#renderer/features/comparison/comparison-store.ts';
import type { CallDetailProps } from '#renderer/features/response/call-detail.tsx';
import { compare } from './comparing.ts';
import { launchFromCall } from './launcher-area.tsx';
import { showInProviderLog } from './provider-log-beside.tsx';
import type { Workbench } from './workbench.ts';

/** What is known of a call beside its record, and where its pane leads. */
export type CallContext = Pick<
  CallDetailProps,
  'now' | 'onOpenPoint' | 'onOpenCall' | 'onOpenLauncher' | 'onOpenLog' | 'checks' | 'lastGood'
>;

/** The context of any call, for a pane in one area. */
export function useCallContext(workbench: Workbench, origin: ComparisonOrigin): (call: Call | null) => CallContext {
  const { answers, lastGood, openPoints, requests, shell } = workbench;
  const logOf = useStore(shell, (state) => state.sandbox?.environmentId ?? null);
  const found = useStore(lastGood, (state) => state.found);
  const checked = useStore(answers, (state) => state.checked);
  return (call) => {
    const good = call === null ? null : (found.get(call.id) ?? null);
    return {
      now: workbench.now,
      onOpenPoint: (id) => openPoint(id),
      onOpenCall(id) {
        shell.getState().show('requests');
        void requests.getState().openCall(id);
      },
      onOpenLauncher: (callId) => launchFromCall(workbench, callId),
      onOpenLog: logOf !== null && call?.environmentId === logOf ? ({ id }) => showInProviderLog(workbench, id) : undefined,
      checks: call === null ? null : (checked.get(call.id) ?? null),
      lastGood:
        call === null || good === null
          ? null
          : {
              callId: good.goodId,
              sentence: good.sentence,
              onCompare: () => compare(workbench, good.goodId, call.id, origin),
            },
    };
  };

  function openPoint(id: string): void {
    const gap = findGap(id);
    if (gap !== null) openPoints.getState().open(gap.id);
    shell.getState().show('openPoints');
  }
}
