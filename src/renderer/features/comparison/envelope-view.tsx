import { bodyWord } from '#shared/calls/comparison-words.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { ReadOnlyDiff } from '#renderer/editor/read-only-diff.tsx';
import type { Call } from '#shared/ipc/outputs/calls.ts';
import { ComparedLines } from './compared-lines.tsx';
import type { ReadyCalls } from './comparison-store.ts';
import styles from './comparison-parts.module.css';

/** The bodies as sent: field by field, and laid out against each other. */
export function EnvelopeView({ calls }: { calls: ReadyCalls }) {
  const { left, right, comparison, envelopes } = calls;
  const { envelope } = comparison;
  const body = bodyWord(comparison.hashInput);
  const textOf = (call: Call) => `${body === 'body' ? 'Body' : 'Envelope'} of call ${callNumber(call)}`;
  const onlyText = !envelope.equal && envelope.byMembers && envelope.lines.every(({ equal }) => equal) && !envelope.reordered;
  return (
    <>
      <div className={styles.list}>
        {envelope.byMembers ? (
          <ComparedLines label={`Fields of the ${body}`} calls={calls} compared={envelope}>
            {onlyText ? <p className="band on-warn">All fields are the same. Only whitespace differs.</p> : null}
          </ComparedLines>
        ) : (
          <p className="band on-warn">
            {envelope.equal ? 'Both bodies are the same. ' : ''}
            One body is not a JSON object, so they are compared as text.
          </p>
        )}
      </div>
      <div className={styles.texts}>
        <ReadOnlyDiff
          left={{ label: textOf(left), text: envelopes.left }}
          right={{ label: textOf(right), text: envelopes.right }}
          language="json"
          wrap={envelopes.left.length + envelopes.right.length <= 1_000_000}
        />
      </div>
    </>
  );
}
