import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { answerProblem, recordedAnswer, type SpecGap } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { AnswerEditor } from './answer-editor.tsx';
import { draftKey, type OpenPointsStore } from './open-points-store.ts';
import styles from './answer-form.module.css';

/** Records, changes or clears the answer to one point in one environment. */
export function AnswerForm({ gap, environment, store }: { gap: SpecGap; environment: Environment; store: OpenPointsStore }) {
  const draft = useStore(store, (state) => state.drafts[draftKey(environment.id, gap.id)]);
  const { saving, failed, edit, discard, save, clear } = useStore(store);
  const recorded = environment.answers[gap.id];
  const shown = draft ?? { value: recorded?.value ?? '', note: recorded?.note ?? '' };
  const change = (part: Partial<typeof shown>) => edit(environment.id, gap.id, { ...shown, ...part });
  const found = recordedAnswer(gap.id, environment.answers);
  const problem = draft === undefined || shown.value.trim() === '' ? null : answerProblem(gap.id, shown.value);

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        startWork(save(environment, gap.id));
      }}
    >
      <AnswerEditor gap={gap} text={shown.value} problem={problem} onText={(value) => change({ value })} />
      {found.state === 'invalid' ? (
        <p className={styles.warn}>
          The recorded answer “{found.text}” is not valid and not used. {found.message}
        </p>
      ) : null}
      <Field layout="stack" label="Note" hint="Who said it, when, where it is written down.">
        <TextArea rows={2} value={shown.note} maxLength={10_000} onText={(note) => change({ note })} />
      </Field>
      {failed === null ? null : (
        <p role="alert" className={styles.failed}>
          The answer was not kept. {failed}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          disabled={draft === undefined || shown.value.trim() === '' || problem !== null || saving}
          busy={saving}
        >
          {recorded === undefined ? 'Record answer' : 'Record change'}
        </Button>
        {draft === undefined ? null : (
          <Button variant="quiet" onClick={() => discard(environment.id, gap.id)}>
            Discard changes
          </Button>
        )}
        {recorded === undefined ? null : (
          <Button variant="quiet" disabled={saving} onClick={() => startWork(clear(environment, gap.id))}>
            Clear answer
          </Button>
        )}
      </div>
    </form>
  );
}
