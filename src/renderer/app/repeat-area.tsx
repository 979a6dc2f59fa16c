import { RepeatDialog } from '#renderer/calls/repeat-dialog.tsx';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

/** The questions about exact repeats, over whichever area asked them. */
export function RepeatArea({ workbench }: { workbench: Workbench }) {
  return <RepeatDialog store={workbench.repeats} now={workbench.now} onEdit={(id) => openCall(workbench, id)} />;
}
