import { CircleExclamationPoint, CircleSlash, Unplug } from 'lucide-react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { useExplaining } from '#renderer/calls/explaining.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './response-pane.module.css';

const phaseNames = {
  address: 'while reading the URL; nothing was sent',
  dns: 'while looking up the host',
  connect: 'while connecting',
  tls: 'while securing the connection',
  send: 'while sending',
  headers: 'while waiting for the response',
  body: 'while receiving the response',
} as const;

/** Shows why there is no response, and what to do. */
export function FailureCard({ call }: { readonly call: Call }) {
  const { failure, state } = call;
  const open = useExplaining().openAuthority(call.environmentId);
  const Icon = state === 'cancelled' ? CircleSlash : state === 'interrupted' ? Unplug : CircleExclamationPoint;
  const title =
    state === 'cancelled'
      ? 'Cancelled'
      : state === 'interrupted'
        ? 'The workbench ended before the response'
        : (failure?.message ?? 'No response');
  return (
    <div className={classNames(styles.failure, state === 'interrupted' ? 'on-warn' : state === 'failed' ? 'on-bad' : 'faint')}>
      <Icon />
      <div>
        <h3 className="medium">{title}</h3>
        {state !== 'failed' && failure !== null && failure.message !== title && <p>{failure.message}</p>}
        {failure !== null && failure.hint !== '' && <p>{failure.hint}</p>}
        {failure?.untrusted === true && open !== null && (
          <Button className={styles.open} onClick={open}>
            Open the extra authority
          </Button>
        )}
        {failure !== null && state === 'failed' && <p className="quiet">It happened {phaseNames[failure.phase]}.</p>}
      </div>
    </div>
  );
}
