import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { formatTime } from '#shared/signing/time.ts';
import { clockDifference } from '#shared/calls/server-clock.ts';
import type { ClockStore, ServerClock } from './clock-store.ts';
import styles from './clock-line.module.css';

interface ClockLineProps {
  readonly clock: ClockStore;
  readonly environment: Environment;
}

/** Our time as requests write it, the server's difference from it, the zone, and the way to let time stand. */
export function ClockLine({ clock, environment }: ClockLineProps) {
  const { id, baseUrl, timeZone } = environment;
  const frozenAt = useStore(clock, (state) => state.frozenAt);
  const server = useStore(clock, (state) => state.server);
  useEffect(() => clock.getState().watch({ id, baseUrl }), [clock, id, baseUrl]);
  const ours = useNow(Date.now, 1_000, frozenAt === null);
  const { freeze, release } = clock.getState();
  return (
    <p className={styles.line}>
      <span>
        {frozenAt === null ? 'Your time' : 'Time frozen at'}{' '}
        <time className="code">{formatTime(frozenAt ?? ours, timeZone, 'dmy')}</time>
      </span>
      <ServerDifference server={server} />
      <span>zone {timeZone}</span>
      <Button variant="quiet" onClick={frozenAt === null ? freeze : release}>
        {frozenAt === null ? 'Freeze time' : 'Unfreeze time'}
      </Button>
    </p>
  );
}

/** The server's clock against ours; nothing where the two may be equal. */
function ServerDifference({ server }: { readonly server: ServerClock | null }) {
  if (server === null) return <span>server clock unknown</span>;
  const difference = clockDifference(server);
  if (difference === null) return null;
  const { callIds } = server;
  return (
    <span title={`From the Date header of ${callIds.length === 1 ? 'call' : 'calls'} ${callIds.join(', ')}`}>
      server clock {difference}
    </span>
  );
}
