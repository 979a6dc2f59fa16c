import { useEffect, useRef, useState } from 'react';
import { Button } from '#renderer/ui/button.tsx';
import styles from './progress-line.module.css';

/** Work that takes no longer shows none of it. */
const momentMs = 300;

/**
 * At the foot of a page: how far something is, and the one thing to do about it. `share`, 0 to 1; null where it does not go on, or nobody can say.
 * `onGone`: it ended with the keyboard on it.
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
  /** Not before it takes longer than a moment. */
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
      <output className={styles.title}>{title}</output>
      {share === null ? null : <progress className={styles.bar} aria-label={title} value={share} max={1} />}
      <span className={styles.text}>{text}</span>
      <Button
        {...(keys === undefined ? {} : { keys })}
        onClick={onAction}
        onFocus={() => (focused.current = true)}
        onBlur={(event) => {
          // A button that goes away takes the focus to nowhere, and says nothing of a new place.
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
