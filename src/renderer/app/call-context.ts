import { useStore } from 'zustand';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import type { CallDetailProps } from '#renderer/features/response/call-detail.tsx';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

/** Facts about a call beside its record, and the way that its pane leads to other calls. */
export type CallContext = Pick<CallDetailProps, 'onOpenCall' | 'checks'>;

/** Returns the context of any call, for a pane in one area. */
export function useCallContext(workbench: Workbench): (call: Call | null) => CallContext {
  const { results } = workbench;
  const checked = useStore(results, (state) => state.checked);
  return (call) => ({
    onOpenCall: (id) => openCall(workbench, id),
    checks: call === null ? null : (checked.get(call.id) ?? null),
  });
}
