import { createContext, use } from 'react';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { divideName, namesOf, sinceCall, type KnownEnvironments } from '#shared/calls/environment-words.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './environment-name.module.css';

/** The environments there are; null until they were read. Filled once, by the shell: names of environments stand deep inside of features. */
export const EnvironmentsContext = createContext<KnownEnvironments | null>(null);

/** A name on one line. Where it does not fit, what it begins with in common with another one is cut off first, so that the two stay apart. */
export function EnvironmentName({
  name,
  since = '',
  title,
  className,
}: {
  readonly name: string;
  readonly since?: string;
  /** The whole name, where nothing around it has a title. */
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

/** The name that a call was sent under, and what became of that environment since, on one line. */
export function CallEnvironment({ call, className }: { call: CallTarget; className?: string | undefined }) {
  return <EnvironmentName name={call.environmentName} since={useSinceCall(call)} className={className} />;
}

/** What stands behind the name that a call was sent under, where that name could be another one's by now. */
export function SinceCall({ call }: { call: CallTarget }) {
  return useSinceCall(call);
}

type CallTarget = Pick<Call, 'environmentId' | 'environmentName'>;

function useSinceCall(call: CallTarget): string {
  const known = use(EnvironmentsContext);
  return known === null ? '' : sinceCall(call, known);
}
