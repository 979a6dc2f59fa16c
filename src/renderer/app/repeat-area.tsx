import { useStore } from 'zustand';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

const RepeatDialog = lazyDialog(async () => (await import('#renderer/calls/repeat-dialog.tsx')).RepeatDialog);

/** The questions about exact repeats, over whichever area asked them. */
export function RepeatArea({ workbench }: { workbench: Workbench }) {
  const asks = useStore(workbench.repeats, ({ job }) => ['asking', 'unconfirmed', 'refused'].includes(job.state));
  if (!asks) return null;
  return <RepeatDialog store={workbench.repeats} now={workbench.now} onEdit={(id) => openCall(workbench, id)} />;
}
