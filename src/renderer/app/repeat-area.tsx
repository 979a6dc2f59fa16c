import { startWork } from '#renderer/faults/faults.ts';
import { RepeatDialog } from '#renderer/calls/repeat-dialog.tsx';
import type { Workbench } from './workbench.ts';

/** The questions about exact repeats, over whichever area asked them. */
export function RepeatArea({ workbench }: { workbench: Workbench }) {
  return (
    <RepeatDialog
      store={workbench.repeats}
      now={workbench.now}
      onEdit={(id) => {
        workbench.shell.getState().show('requests');
        startWork(workbench.requests.getState().openCall(id));
      }}
    />
  );
}
