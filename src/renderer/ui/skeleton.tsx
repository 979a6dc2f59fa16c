import { useEffect, useState } from 'react';
import { announcer } from './announcer.ts';
import styles from './skeleton.module.css';

const widths = ['62%', '84%', '48%', '73%', '56%', '90%'];

/** Rows in place of those being fetched; invisible for the first 150 ms, so that a quick reply does not flash. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => (late ? announcer.sayWhile(label) : undefined), [late, label]);
  return (
    <div className={styles.rows} data-loading>
      {late
        ? Array.from({ length: rows }, (_, at) => (
            <div key={at} className={styles.row} aria-hidden="true">
              <i style={{ width: widths[at % widths.length] }} />
            </div>
          ))
        : null}
    </div>
  );
}
