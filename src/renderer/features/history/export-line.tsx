import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import type { CallExports } from './call-exports.ts';
import styles from './export-line.module.css';

/** How far an export is, and the way to end it; nothing where none takes longer than a moment. `onGone`: it ended with the keyboard on it. */
export function ExportLine({ store, onGone }: { store: CallExports; onGone: () => void }) {
  const { shown, cancel } = useStore(store);
  const focused = useRef(false);
  const isShown = shown !== null;
  useEffect(() => {
    if (isShown || !focused.current) return;
    focused.current = false;
    onGone();
  }, [isShown, onGone]);
  if (shown === null) return null;
  const title = `Exporting ${shown.calls.toLocaleString('en')} ${shown.calls === 1 ? 'call' : 'calls'}`;
  return (
    <section className={styles.line} aria-label="Export">
      <output className={styles.title}>{title}</output>
      <progress className={styles.bar} aria-label={title} value={shown.share} max={1} />
      <span className={styles.text}>{shown.text}</span>
      <Button
        keys="Escape"
        onClick={cancel}
        onFocus={() => (focused.current = true)}
        onBlur={(event) => {
          // A button that goes away takes the focus to nowhere, and says nothing of a new place.
          if (event.relatedTarget !== null) focused.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
        }}
      >
        Cancel
      </Button>
    </section>
  );
}
