import { useEffect, useState } from 'react';
import { X } from 'lucide-react';
import type { TakenValue } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import styles from './taken-values.module.css';

/** Access to the values that earlier responses gave the requests of collections. */
export interface TakenAccess {
  /** The name of their environment; null while none is chosen. */
  readonly environment: string | null;
  readonly of: (collectionId: string) => readonly TakenValue[];
  readonly want: (collectionId: string) => void;
  /** Forgets one value, or all for null. Resolves to null, or to the reason of a failure. */
  readonly forget: (collectionId: string, name: string | null) => Promise<string | null>;
}

/** The values that earlier responses gave the requests of a collection: their sources, and the way to forget them. */
export function TakenValues({ access, collectionId }: { readonly access: TakenAccess; readonly collectionId: string }) {
  const { environment, want, forget } = access;
  const values = access.of(collectionId);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => want(collectionId), [want, collectionId]);
  if (environment === null) return null;
  const drop = async (name: string | null) => setProblem(await forget(collectionId, name));
  return (
    <section className={styles.taken} aria-labelledby="taken-values">
      <div className={styles.head}>
        <h3 id="taken-values" className="medium">
          From responses in {environment}
        </h3>
        {values.length < 2 ? null : (
          <Button variant="quiet" onClick={() => startWork(drop(null))}>
            Forget all
          </Button>
        )}
      </div>
      {values.length === 0 ? (
        <p className="quiet small">None yet. When you send a request outside a run, its response variables appear here.</p>
      ) : (
        <>
          <p className="quiet small">
            These override all other variables when you send a request outside a run. They aren&apos;t saved to a file.
          </p>
          <ul className={styles.list} aria-label="Values from earlier responses">
            {values.map(({ name, value, path, callId }) => (
              <li key={name}>
                <div className={styles.value}>
                  <code className="short" title={name}>
                    {name}
                  </code>
                  <code className="short quiet" title={value}>
                    {value === '' ? '(empty)' : value}
                  </code>
                  <span className={styles.from}>
                    {path.replace(/\.yaml$/, '')}, {callId === null ? 'when saved' : `call ${callId}`}
                  </span>
                </div>
                <IconButton small label={`Forget ${name}`} icon={<X />} onClick={() => startWork(drop(name))} />
              </li>
            ))}
          </ul>
        </>
      )}
      {problem === null ? null : (
        <p className="bad small" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
