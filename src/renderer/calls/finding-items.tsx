import { CircleExclamationPoint, Info, TriangleExclamationPoint } from 'lucide-react';
import type { Finding } from '#shared/model/finding.ts';
import styles from './finding-items.module.css';

const icons = { error: CircleExclamationPoint, warning: TriangleExclamationPoint, note: Info };
const tones = { error: 'bad', warning: 'warn', note: 'note' };
const words = { error: 'Error', warning: 'Warning', note: 'Note' };

/** Lists findings with their severity and the place that each is about. */
export function FindingItems({
  findings,
  label,
}: {
  readonly findings: readonly Pick<Finding, 'rule' | 'severity' | 'path' | 'message'>[];
  readonly label: string;
}) {
  return (
    <ul aria-label={label}>
      {findings.map((finding) => {
        const Icon = icons[finding.severity];
        return (
          <li key={`${finding.rule} ${finding.path} ${finding.message}`} className={styles.finding}>
            <Icon className={tones[finding.severity]} aria-label={words[finding.severity]} />
            <div>
              <p>{finding.message}</p>
              {finding.path !== '' && <code className="faint">{finding.path}</code>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
