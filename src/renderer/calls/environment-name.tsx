import { createContext, use } from 'react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { divideName, namesOf, sinceCall, type KnownEnvironments } from '#shared/calls/environment-words.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './environment-name.module.css';

/**
 * Provides all environments; null until they were read. The shell fills it once, because names of environments stand deep inside
 * features.
 */
export const EnvironmentsContext = createContext<KnownEnvironments | null>(null);

/**
 * An environment's name on one line. If it does not fit, the beginning that it shares with another name is cut off first, so that
 * the two stay different.
 */
export function EnvironmentName({
  name,
  since = '',
  title,
  className,
}: {
  readonly name: string;
  readonly since?: string;
  /** The whole name as a title, if nothing around it has one. */
  readonly title?: string;
  readonly className?: string | undefined;
}) {
  const known = use(EnvironmentsContext);
  const [start, rest] = divideName(name, known === null ? none : namesOf(known.environments));
  return (
    <span className={classNames(styles.name, className)} title={title}>
      {start === '' ? null : <span className={styles.start}>{start}</span>}
      <span className={styles.rest}>{rest}</span>
      {since === '' ? null : <span className={styles.since}>{since}</span>}
    </span>
  );
}

const none: readonly string[] = [];

/** Shows the name that a call was sent under, and what became of that environment since, on one line. */
export function CallEnvironment({ call, className }: { call: CallTarget; className?: string | undefined }) {
  return <EnvironmentName name={call.environmentName} since={useSinceCall(call)} className={className} />;
}

/** Shows whether a call's URL was not that of its environment, and what became of the environment, if its name could mean another one by now. */
export function SinceCall({ call }: { call: CallTarget }) {
  const since = useSinceCall(call);
  return `${call.instead?.baseUrl === true ? ' (another URL)' : ''}${since}`;
}

type CallTarget = Pick<Call, 'environmentId' | 'environmentName' | 'instead'>;

function useSinceCall(call: CallTarget): string {
  const known = use(EnvironmentsContext);
  return known === null ? '' : sinceCall(call, known);
}
