import { Check, X } from 'lucide-react';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import styles from './check-list.module.css';

/** Shows the result of each check of a response: the expected value and the one that came. */
export function CheckList({ checks }: { checks: readonly CheckResult[] }) {
  return (
    <ul className="stack" aria-label="Checks">
      {checks.map((check, at) => (
        <CheckEntry key={at} check={check} />
      ))}
    </ul>
  );
}

function CheckEntry({ check: { check, passed, expected, actual, message } }: { check: CheckResult }) {
  return (
    <li className={classNames(styles.check, !passed && styles.failed)} data-failed-result={!passed || undefined}>
      {passed ? <Check className="good" /> : <X className="bad" />}
      <div className={styles.said}>
        <p className="code">
          <span className="visually-hidden">{passed ? 'Passed: ' : 'Failed: '}</span>
          {check}
        </p>
        {message === '' ? null : <p className="bad">{message}</p>}
        {passed && expected === actual ? null : (
          <dl className="pairs">
            <dt className="tiny">expected</dt>
            <dd className="code">{expected}</dd>
            <dt className="tiny">actual</dt>
            <dd className="code">{actual}</dd>
          </dl>
        )}
      </div>
    </li>
  );
}
