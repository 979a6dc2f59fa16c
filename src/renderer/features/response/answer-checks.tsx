import { CheckList } from '#renderer/calls/check-list.tsx';
import type { ShownChecks } from '#renderer/calls/shown-checks.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import styles from './answer-checks.module.css';

/** The checks of the request that was sent, each with what was expected and what came, and what was taken for the next one. */
export function AnswerChecks({ checks }: { readonly checks: ShownChecks }) {
  if (checks.state === 'looking') return <Skeleton rows={3} label="Looking at the answer" />;
  if (checks.state === 'failed') return <FailedState title="The answer could not be checked" message={checks.message} />;
  const { taken } = checks;
  return (
    // It holds nothing to focus, and is to be scrolled by keys.
    <div className={styles.view} role="group" aria-label="What the checks gave" tabIndex={0}>
      {checks.checks.length === 0 ? (
        <EmptyState title="Nothing was checked" small>
          Write what the answer has to be under Checks, beside the form.
        </EmptyState>
      ) : (
        <CheckList checks={checks.checks} />
      )}
      {taken.length === 0 ? null : (
        <p className={styles.words}>
          Taken for the next requests of the collection, until the program ends:{' '}
          {taken.map((name, at) => (
            <span key={name}>
              {at === 0 ? '' : ', '}
              <code>{name}</code>
            </span>
          ))}
          . <em>Variables and notes</em> in the menu of the collection shows the values and forgets them.
        </p>
      )}
    </div>
  );
}
