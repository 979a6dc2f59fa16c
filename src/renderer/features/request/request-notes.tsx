import { memo, type ReactNode } from 'react';
import { History, ShieldOff } from 'lucide-react';
import type { Environment } from '#shared/model/environment.ts';
import { counted } from '#shared/provider/findings.ts';
import { EnvironmentName, SinceCall } from '#renderer/calls/environment-name.tsx';
import type { ProductionStatus } from '#renderer/calls/production-store.ts';
import { Button } from '#renderer/ui/button.tsx';
import type { TabOrigin } from './tabs/request-tab.ts';
import styles from './request-notes.module.css';

interface RequestNotesProps {
  /** The selected environment. */
  readonly environment: Environment;
  readonly environments: readonly Environment[];
  /** The call that the request was opened from; null for none. */
  readonly origin: TabOrigin | null;
  readonly production: ProductionStatus | null;
  readonly onSwitch: (environmentId: string) => void;
  /** Forgets the origin of the request: it belongs to the selected environment now. */
  readonly onAdopt: () => void;
  readonly onAsk: () => void;
}

/** Warns about the target before Send is pressed: it is not that of the call, or Croupier does not ask before production. */
export const RequestNotes = memo(function RequestNotes(props: RequestNotesProps) {
  const { environment, environments, origin, production, onSwitch, onAdopt, onAsk } = props;
  const until = environment.production ? (production?.notAskingUntil ?? null) : null;
  const elsewhere = origin !== null && origin.environmentId !== environment.id ? origin : null;
  const other = environments.find(({ id }) => id === elsewhere?.environmentId);
  return (
    <>
      {elsewhere === null ? null : (
        <Note icon={<History />}>
          <p>
            Opened from call {counted(elsewhere.callId)} on <Name>{elsewhere.environmentName}</Name>
            <SinceCall call={elsewhere} />. This tab sends to <Name>{environment.name}</Name>.
          </p>
          {other === undefined ? null : (
            <Button className={styles.choice ?? ''} title={`Switch to ${other.name}`} onClick={() => onSwitch(other.id)}>
              Switch to <EnvironmentName name={other.name} />
            </Button>
          )}
          <Button className={styles.choice ?? ''} title={`Keep ${environment.name}`} onClick={onAdopt}>
            Keep <EnvironmentName name={environment.name} />
          </Button>
        </Note>
      )}
      {until === null ? null : (
        <Note icon={<ShieldOff />}>
          <p>
            Confirmations are off until <time dateTime={new Date(until).toISOString()}>{clock(until)}</time>. Calls that grant
            free rounds or move money go to <Name>{environment.name}</Name> without asking.
          </p>
          <Button onClick={onAsk}>Ask again</Button>
        </Note>
      )}
    </>
  );
});

function Note({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.note} role="status">
      {icon}
      {children}
    </div>
  );
}

function Name({ children }: { children: string }) {
  return <b>{children}</b>;
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
