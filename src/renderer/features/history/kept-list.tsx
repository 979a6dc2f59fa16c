import { useEffect, useState } from 'react';
import { keptRule, keptText, keptTitle } from '#shared/history/kept-words.ts';
import { removableKinds } from '#shared/model/removable-kinds.ts';
import type { Kept } from '#shared/ipc/outputs/history.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import type { StorageStore } from './storage-store.ts';
import styles from './kept-list.module.css';

/** Lists what is kept beside the calls: by which rule, how much and since when. What nothing else bounds can be removed here. */
export function KeptList({ store }: { store: StorageStore }) {
  const [kept, setKept] = useState<readonly Kept[] | { problem: string } | null>(null);
  const [asking, setAsking] = useState<Kept['kind'] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let left = false;
    startWork(
      store
        .getState()
        .kept()
        .then((found) => {
          if (!left) setKept(found);
        }),
    );
    return () => {
      left = true;
    };
  }, [store]);
  async function remove({ kind, count }: Kept): Promise<void> {
    setAsking(null);
    const removable = removableKinds.find((one) => one === kind);
    if (removable === undefined) return;
    setProblem(await store.getState().removeKept(removable, count));
    setKept(await store.getState().kept());
  }
  if (kept === null) return null;
  const [list, unread] = 'problem' in kept ? [[], kept.problem] : [kept, null];
  const said = problem ?? unread;
  return (
    <section className={styles.kept} aria-label="Other stored data">
      <h3>Other stored data</h3>
      <ul className="column">
        {list.map((one) => (
          <li key={one.kind} className="split">
            <span>{keptTitle(one)}</span>
            <span className="numbers">{keptText(one)}</span>
            <span className="quiet">{keptRule(one)}</span>
            {one.count === 0 || !removableKinds.some((kind) => kind === one.kind) ? null : (
              <span className={styles.choices}>
                {/* The same button keeps the focus, and a second press of it removes nothing. */}
                {asking === one.kind ? (
                  <Button key="first" onClick={() => setAsking(null)}>
                    Cancel
                  </Button>
                ) : (
                  <Button key="first" aria-label={`Remove ${keptTitle(one).toLowerCase()}`} onClick={() => setAsking(one.kind)}>
                    Remove
                  </Button>
                )}
                {asking === one.kind ? (
                  <Button variant="danger" onClick={() => startWork(remove(one))}>
                    Remove {one.count.toLocaleString('en')} for good
                  </Button>
                ) : null}
              </span>
            )}
          </li>
        ))}
      </ul>
      {said === null ? null : (
        <p className="bad" role="alert">
          {said}
        </p>
      )}
    </section>
  );
}
