import type { DoctorStage } from '#shared/ipc/index.ts';
import { stagesAfter, stageWords } from '#shared/doctor/words.ts';
import { stageFacts } from './doctor-words.ts';
import styles from './tried-stages.module.css';

/** The stages of a search: each with its counts and its time; while it goes on, with a bar and the rate. */
export function TriedStages({
  stages,
  perSecond = 0,
  keys = 1,
  ended,
}: {
  readonly stages: readonly DoctorStage[];
  /** Hash inputs in a second. */
  readonly perSecond?: number;
  readonly keys?: number;
  /** The end of the search; null while it goes on. */
  readonly ended: 'match' | 'none' | 'stopped' | null;
}) {
  const last = stages.at(-1);
  return (
    <section className={styles.tried} aria-label="Search stages">
      <h3 className="quiet tiny">Searched{keys > 1 ? ` with ${keys} keys` : ''}</h3>
      <ul>
        {stages.map((stage) => (
          <li key={stage.stage}>
            <span className={styles.dot} data-state={stage.state} aria-hidden="true" data-own-colors />
            <span>{stageWords[stage.stage]}</span>
            <span className="faint numbers at-end">
              {stageFacts(stage)}
              {ended === 'match' && stage === last ? ', a match' : ''}
            </span>
          </li>
        ))}
        {(ended === 'match' ? [] : stagesAfter(stages)).map((stage) => (
          <li key={stage}>
            <span className={styles.dot} aria-hidden="true" />
            <span>{stageWords[stage]}</span>
            <span className="faint numbers at-end">{ended === null ? 'to come' : 'not tried'}</span>
          </li>
        ))}
      </ul>
      {last === undefined || ended !== null ? null : (
        <div className="line-wrap numbers">
          <progress aria-label={stageWords[last.stage]} max={Math.max(1, last.total)} value={last.tried} />
          <span>{perSecond.toLocaleString('en')} hash inputs a second</span>
        </div>
      )}
    </section>
  );
}
