import { useStore } from 'zustand';
import type { CallExports } from './call-exports.ts';
import { ProgressLine } from './progress-line.tsx';

/** Shows the progress of an export that takes longer than a moment, and the way to end it. */
export function ExportLine({ store, onGone }: { store: CallExports; onGone: () => void }) {
  const { shown, cancel } = useStore(store);
  if (shown === null) return null;
  const title = `Exporting ${shown.calls.toLocaleString('en')} ${shown.calls === 1 ? 'call' : 'calls'}`;
  return (
    <ProgressLine
      label="Export"
      title={title}
      text={shown.text}
      share={shown.share}
      action="Cancel"
      keys="Escape"
      onAction={cancel}
      onGone={onGone}
    />
  );
}
