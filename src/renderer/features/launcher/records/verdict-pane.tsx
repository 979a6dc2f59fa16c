import type { ReactNode } from 'react';
import { Check, CircleDashed, EyeOff, TriangleExclamationPoint, X } from 'lucide-react';
import type { Launch, RuleResult } from '#shared/ipc/index.ts';
import { ruleTitle } from '#shared/launches/rules.ts';
import { Button } from '#renderer/ui/button.tsx';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { VerdictPill } from './verdict-pill.tsx';
import styles from './verdict-pane.module.css';

/** A launch's verdict with the rules that decided; those that passed or could not look are behind a line each. */
export function VerdictPane({
  launch,
  onOverrule,
  onShowEntry,
}: {
  launch: Launch;
  onOverrule: () => void;
  /** Called with the number of the entry that decided a rule. */
  onShowEntry: (seq: number) => void;
}) {
  const { results } = launch.verdict;
  const { overruled } = launch;
  const open = results.filter(({ state }) => state !== 'passed' && state !== 'not observed');
  const passed = results.filter(({ state }) => state === 'passed');
  const unobserved = results.filter(({ state }) => state === 'not observed');
  const list = (some: readonly RuleResult[]) => (
    <ul className={styles.rules}>
      {some.map((result) => (
        <Rule key={result.rule} result={result} onShowEntry={onShowEntry} />
      ))}
    </ul>
  );
  return (
    <section className={styles.verdict} aria-label="Verdict">
      <PageHead kind="pane">
        <h2>Verdict</h2>
        <VerdictPill launch={launch} />
        <Button variant="quiet" className="at-end" onClick={onOverrule}>
          {overruled === null ? 'Overrule…' : 'Change…'}
        </Button>
      </PageHead>
      {overruled === null ? null : (
        <p className="band quiet">
          Overruled; the rules say {launch.verdict.state}. {overruled.note}
        </p>
      )}
      <div className={styles.all}>
        {open.length === 0 ? null : list(open)}
        {passed.length === 0 ? null : (
          <details>
            <summary>{countText(passed.length)} passed</summary>
            {list(passed)}
          </details>
        )}
        {unobserved.length === 0 ? null : (
          <details>
            <summary>{countText(unobserved.length)} not observed</summary>
            <Unobserved results={unobserved} />
          </details>
        )}
      </div>
    </section>
  );
}

/** Each reason once, with the subjects of its rules. */
function Unobserved({ results }: { results: readonly RuleResult[] }) {
  const reasons = [...new Set(results.map(({ message }) => message))];
  return (
    <ul className={styles.rules}>
      {reasons.map((reason) => (
        <li key={reason} className={styles.rule}>
          {icons['not observed']}
          <span>
            {reason}
            <small className={styles.subjects}>
              {results
                .filter(({ message }) => message === reason)
                .map(({ rule }) => ruleTitle(rule))
                .join(' · ')}
            </small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Rule({ result, onShowEntry }: { result: RuleResult; onShowEntry: (seq: number) => void }) {
  const { state, message, entry } = result;
  const text = (
    <>
      <span className="visually-hidden">{stateWords[state]}: </span>
      {message}
    </>
  );
  return (
    <li className={styles.rule}>
      {icons[state]}
      {entry === null ? (
        <span>{text}</span>
      ) : (
        <button type="button" title="Show in the record" onClick={() => onShowEntry(entry)}>
          {text}
        </button>
      )}
    </li>
  );
}

const icons: Readonly<Record<RuleResult['state'], ReactNode>> = {
  failed: <X className="bad" />,
  'to check': <TriangleExclamationPoint className="warn" />,
  waiting: <CircleDashed className="faint" />,
  passed: <Check className="good" />,
  'not observed': <EyeOff className="faint" />,
};

const stateWords: Readonly<Record<RuleResult['state'], string>> = {
  failed: 'Failed',
  'to check': 'To check',
  waiting: 'Waiting',
  passed: 'Passed',
  'not observed': 'Not observed',
};

function countText(count: number): string {
  return `${count} ${count === 1 ? 'rule' : 'rules'}`;
}
