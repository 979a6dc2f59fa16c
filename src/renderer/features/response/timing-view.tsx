import type { Timings } from '#shared/ipc/calls.ts';
import { clockDifference, clockRange } from '#shared/calls/server-clock.ts';
import { gatewayWords, voucherWords } from '#shared/calls/sent-words.ts';
import { duration, phases } from './response-facts.ts';
import styles from './timing-view.module.css';

const tones = { name: styles.name, connect: 'note', tls: 'good', wait: 'warn', download: 'quiet' };

interface TimingProps {
  readonly timings: Timings;
  readonly clockOffsetMs: number | null;
}

/** The phases as rows, each with a bar at its position in the whole. */
export function TimingList({ timings, clockOffsetMs }: TimingProps) {
  const parts = phases(timings);
  const range = clockRange({ timings, clockOffsetMs });
  const difference = range === null ? null : clockDifference(range);
  const total = Math.max(timings.total, 0.001);
  const rows = parts.map((phase, at) => ({
    phase,
    start: parts.slice(0, at).reduce((sum, earlier) => sum + earlier.milliseconds, 0),
  }));
  return (
    <div className={styles.list}>
      <table className="plain-table">
        <caption className="visually-hidden">Call timings</caption>
        <tbody>
          {rows.map(({ phase, start }) => (
            <tr key={phase.name}>
              <th scope="row">{phase.name}</th>
              <td className={styles.number}>{duration(phase.milliseconds)}</td>
              <td aria-hidden="true">
                <i
                  data-own-colors
                  className={tones[phase.color]}
                  style={{ marginLeft: `${(start / total) * 100}%`, width: `${(phase.milliseconds / total) * 100}%` }}
                />
              </td>
            </tr>
          ))}
          <tr className={styles.total}>
            <th scope="row">Total</th>
            <td className={styles.number}>{duration(timings.total)}</td>
            <td aria-hidden="true" />
          </tr>
        </tbody>
      </table>
      <p>
        {timings.reused ? 'Reused connection: no DNS, connect or TLS.' : timings.connect === null ? '' : 'New connection.'}
        {timings.proxy === undefined ? '' : ` Through the proxy ${timings.proxy.address}, which looked up the name.`}
        {timings.trust === undefined ? '' : ` Certificate trusted by ${voucherWords[timings.trust]}.`}
        {timings.gateway === undefined ? '' : ` ${gatewayWords(timings.gateway)}`}
        {difference === null ? '' : ` Server clock ${difference}.`}
      </p>
    </div>
  );
}
