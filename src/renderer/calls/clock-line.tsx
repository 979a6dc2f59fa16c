import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Button } from '#renderer/ui/button.tsx';
import { useNow } from '#renderer/ui/use-now.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { formatTime } from '#shared/signing/time.ts';
import { clockAmount } from './call-words.ts';
import type { ClockStore, ServerClock } from './clock-store.ts';
import styles from './clock-line.module.css';

interface ClockLineProps {
  readonly clock: ClockStore;
  readonly environment: Environment;
  readonly now: () => number;
}

/** Our time as requests write it, the server's difference from it, the zone, and the way to let time stand. */
export function ClockLine({ clock, environment, now }: ClockLineProps) {
  const { id, timeZone } = environment;
  const frozenAt = useStore(clock, (state) => state.frozenAt);
  const server = useStore(clock, (state) => state.server);
  useEffect(() => clock.getState().watch(id), [clock, id]);
  const ours = useNow(now, 1_000, frozenAt === null);
  const { freeze, release } = clock.getState();
  return (
    <p className={styles.line}>
      <span>
        {frozenAt === null ? 'Our time' : 'Time frozen at'}{' '}
        <time className={styles.time}>{formatTime(frozenAt ?? ours, timeZone, 'dmy')}</time>
      </span>
      <span title={server === null ? undefined : `By the Date of the response to call ${server.callId}, to about a second`}>
        {serverWords(server)}
      </span>
      <span>zone {timeZone}</span>
      <Button variant="quiet" onClick={frozenAt === null ? freeze : release}>
        {frozenAt === null ? 'Freeze time' : 'Let time run'}
      </Button>
    </p>
  );
}

function serverWords(server: ServerClock | null): string {
  if (server === null) return 'server not seen yet';
  const amount = clockAmount(server.offsetMs);
  return amount === null ? 'server within a second' : `server ${amount} ${server.offsetMs > 0 ? 'ahead' : 'behind'}`;
}
