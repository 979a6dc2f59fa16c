import { useEffect } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import type { StartersStore } from './starters-store.ts';
import styles from './starter-list.module.css';

/** Offers the collections that ship with Croupier, by name and purpose. */
export function StarterList({ store }: { readonly store: StartersStore }) {
  const list = useStore(store, (state) => state.list);
  const { ask, load } = store.getState();
  useEffect(() => startWork(load()), [load]);
  if (list.state === 'loading') return <Skeleton rows={5} label="Loading the starter collections" />;
  if (list.state === 'failed') {
    return (
      <div className={styles.list} role="alert">
        <h3>The starter collections could not be read</h3>
        <p className="quiet">{list.message}</p>
        <Button onClick={() => startWork(load())}>Try again</Button>
      </div>
    );
  }
  if (list.starters.length === 0) return null;
  return (
    <section className={styles.list} aria-labelledby="starter-collections">
      <h3 id="starter-collections">Starter collections</h3>
      <ul>
        {list.starters.map(({ id, title, summary }) => (
          <li key={id}>
            <button type="button" onClick={() => ask(id)}>
              <strong className="good">{title}</strong> <span className="quiet">{summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
