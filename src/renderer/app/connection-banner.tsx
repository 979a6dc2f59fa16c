import { useEffect, useState } from 'react';
import { Unplug } from 'lucide-react';
import { Button } from '#renderer/ui/button.tsx';
import type { Connection } from '#renderer/api/connection.ts';
import { useConnection } from './use-connection.ts';
import styles from './connection-banner.module.css';

/** Says that the host does not answer, that nothing typed is lost, and when it is tried again. */
export function ConnectionBanner({ connection }: { connection: Connection }) {
  const state = useConnection(connection);
  return (
    <output aria-live="assertive">
      {state.state === 'lost' ? (
        <div className={styles.banner}>
          <Unplug aria-hidden="true" />
          <span>
            <strong>The workbench is not answering.</strong> What you typed is kept here.
          </span>
          <Countdown until={state.nextTryAt} />
          <Button onClick={connection.retry}>Try now</Button>
        </div>
      ) : null}
      {state.state === 'ended' ? (
        <div className={styles.banner}>
          <Unplug aria-hidden="true" />
          <span>{state.message}</span>
        </div>
      ) : null}
    </output>
  );
}

/** Not read out: a screen reader would otherwise hear every second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return (
    <span className={styles.count} aria-hidden="true">
      {seconds > 0 ? `next try in ${seconds} s` : 'trying'}
    </span>
  );
}
