import { Check, CircleExclamationPoint, Info, TriangleExclamationPoint } from 'lucide-react';
import type { Finding } from '#shared/ipc/calls.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import styles from './findings-list.module.css';

const icons = { error: CircleExclamationPoint, warning: TriangleExclamationPoint, note: Info };
const words = { error: 'Error', warning: 'Warning', note: 'Note' };

/** What is noticed in a response: where it differs from the spec, a recorded answer, a custom or its request. */
export function FindingsList({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <EmptyState icon={<Check />} title="No findings" small>
        Nothing in this response differs from what the spec shows or what is recorded.
      </EmptyState>
    );
  }
  return (
    <ul className={styles.list} aria-label="Findings">
      {findings.map((finding) => {
        const Icon = icons[finding.severity];
        return (
          <li
            key={`${finding.rule} ${finding.path} ${finding.message}`}
            className={styles.finding}
            data-severity={finding.severity}
          >
            <Icon aria-label={words[finding.severity]} />
            <div>
              <p>{finding.message}</p>
              {finding.path !== '' && <code>{finding.path}</code>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
