import { useEffect, useState } from 'react';
import { Square } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import styles from './response-pane.module.css';

/** A call under way: its time so far, and the way to stop it. */
export function PendingCall({
  since,
  left = true,
  cancelled = false,
  passed = false,
  onCancel,
}: {
  readonly since: number;
  /** False while core prepares it, and may still ask or refuse. */
  readonly left?: boolean;
  /** True if the user cancelled, and core has not replied yet. */
  readonly cancelled?: boolean;
  /** True for somebody else's request, which the gateway passes on. */
  readonly passed?: boolean;
  readonly onCancel: (() => void) | null;
}) {
  const [elapsed, setElapsed] = useState(() => Date.now() - since);
  useEffect(() => {
    const timer = setInterval(() => setElapsed(Date.now() - since), 100);
    return () => clearInterval(timer);
  }, [since]);
  // A quick response should not flash a waiting screen.
  if (elapsed < 150) return null;
  return (
    <div className={styles.waiting}>
      <span className={styles.progress} aria-hidden="true" data-own-colors />
      {/* Always in the page, so that a screen reader hears changes in it. */}
      <p role="status" className={styles.cancelled}>
        {cancelled ? "You cancelled. Croupier doesn't know yet whether the request was sent." : null}
      </p>
      <p>
        {cancelled ? 'Waiting for Croupier' : passed ? 'Passing on' : left ? 'Sending' : 'Preparing the request'}{' '}
        <span className="numbers">{(elapsed / 1_000).toFixed(1)} s</span>
      </p>
      {onCancel !== null && (
        <Button icon={<Square />} command="cancel" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}
