import { useEffect, useRef, useState } from 'react';
import { Button } from '#renderer/ui/button.tsx';
import styles from './progress-line.module.css';

/** Milliseconds within which work ends without a progress line. */
const momentMs = 300;

/**
 * Shows the progress of something at the foot of a page, and the one action on it. `share`, 0 to 1; null if it stands still, or is
 * not known. `onGone`: called when it ended with the keyboard on it.
 */
export function ProgressLine({
  label,
  title,
  text,
  share,
  action,
  keys,
  soon = false,
  onAction,
  onGone,
}: {
  label: string;
  title: string;
  text: string;
  share: number | null;
  action: string;
  /** The key that does the same on the rows. */
  keys?: string;
  /** True to show it only once it takes longer than a moment. */
  soon?: boolean;
  onAction: () => void;
  onGone: () => void;
}) {
  const [shown, setShown] = useState(!soon);
  const focused = useRef(false);
  const gone = useRef(onGone);
  useEffect(() => {
    gone.current = onGone;
  }, [onGone]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), momentMs);
    return () => {
      clearTimeout(timer);
      if (focused.current) gone.current();
    };
  }, []);
  if (!shown) return null;
  return (
    <section className={styles.line} aria-label={label}>
      <output className="strong">{title}</output>
      {share === null ? null : <progress className={styles.bar} aria-label={title} value={share} max={1} />}
      <span className="grow quiet">{text}</span>
      <Button
        {...(keys === undefined ? {} : { keys })}
        onClick={onAction}
        onFocus={() => (focused.current = true)}
        onBlur={(event) => {
          // A button that goes away takes the focus to nowhere, and its event names no new place.
          if (event.relatedTarget !== null) focused.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === keys) onAction();
        }}
      >
        {action}
      </Button>
    </section>
  );
}
