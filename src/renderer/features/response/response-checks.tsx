import { CheckList } from '#renderer/calls/check-list.tsx';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { ShownChecks } from '#renderer/calls/shown-checks.ts';
import { Button } from '#renderer/ui/button.tsx';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { FailedState } from '#renderer/ui/failed-state.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';

/** The checks of the request that was sent, each with the expected and the actual value, and the values taken for the next one. */
export function ResponseChecks({
  checks,
  onShowTaken,
}: {
  readonly checks: ShownChecks;
  /** Opens the values that earlier responses gave the collection. */
  readonly onShowTaken: (() => void) | undefined;
}) {
  if (checks.state === 'evaluating') return <Skeleton rows={3} label="Checking the response" />;
  if (checks.state === 'failed') return <FailedState title="The response could not be checked" message={checks.message} />;
  const { taken } = checks;
  return (
    <div className="scroll-pane stack small">
      {checks.checks.length === 0 ? (
        <EmptyState title="No checks" small>
          Add checks in the request&apos;s Checks tab.
        </EmptyState>
      ) : (
        <CheckList checks={checks.checks} />
      )}
      {taken.length === 0 ? null : (
        <p className="quiet">
          Variables for later requests, until Croupier exits:{' '}
          {taken.map((name, at) => (
            <span key={name}>
              {at === 0 ? '' : ', '}
              <code>{name}</code>
            </span>
          ))}
          .
        </p>
      )}
      <div className="wrap">
        {taken.length === 0 || onShowTaken === undefined ? null : <Button onClick={onShowTaken}>Show the values</Button>}
        {checks.checks.length === 0 ? null : <CopyButton words="Copy the results" text={() => resultsText(checks.checks)} />}
      </div>
    </div>
  );
}

/** Returns a line for each check, for a message to somebody. */
function resultsText(checks: readonly CheckResult[]): string {
  return checks
    .map(({ check, passed, expected, actual }) =>
      passed ? `passed: ${check}` : `FAILED: ${check} (expected ${expected}, actual ${actual})`,
    )
    .join('\n');
}
