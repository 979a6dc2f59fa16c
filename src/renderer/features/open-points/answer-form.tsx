import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { answerProblem, recordedAnswer, type OpenPoint } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { AnswerEditor } from './answer-editor.tsx';
import { draftKey, type OpenPointsStore } from './open-points-store.ts';

/** Records, changes or clears the answer to one point in one environment. */
export function AnswerForm({
  point,
  environment,
  store,
}: {
  point: OpenPoint;
  environment: Environment;
  store: OpenPointsStore;
}) {
  const draft = useStore(store, (state) => state.drafts[draftKey(environment.id, point.id)]);
  const { saving, failed, edit, discard, save, clear } = useStore(store);
  const recorded = environment.answers[point.id];
  const shown = draft ?? { value: recorded?.value ?? '', note: recorded?.note ?? '' };
  const change = (part: Partial<typeof shown>) => edit(environment.id, point.id, { ...shown, ...part });
  const found = recordedAnswer(point.id, environment.answers);
  const problem = draft === undefined || shown.value.trim() === '' ? null : answerProblem(point.id, shown.value);

  return (
    <form
      className="stack-wide"
      onSubmit={(event) => {
        event.preventDefault();
        startWork(save(environment, point.id));
      }}
    >
      <AnswerEditor point={point} text={shown.value} problem={problem} onText={(value) => change({ value })} />
      {found.state === 'invalid' ? (
        <p className="warn small">
          The recorded answer "{found.text}" is not valid, so it is not used. {found.message}
        </p>
      ) : null}
      <Field layout="stack" label="Note" hint="Who said it, and when.">
        <TextArea rows={2} value={shown.note} maxLength={10_000} onText={(note) => change({ note })} />
      </Field>
      {failed === null ? null : (
        <p role="alert" className="box on-bad">
          The answer was not saved. {failed}
        </p>
      )}
      <div className="wrap">
        <Button
          type="submit"
          variant="primary"
          waits={draft === undefined ? 'Nothing to save' : shown.value.trim() === '' ? 'Enter an answer first.' : problem}
          busy={saving}
        >
          {recorded === undefined ? 'Record answer' : 'Record change'}
        </Button>
        {draft === undefined ? null : (
          <Button variant="quiet" onClick={() => discard(environment.id, point.id)}>
            Discard changes
          </Button>
        )}
        {recorded === undefined ? null : (
          <Button data-danger variant="quiet" disabled={saving} onClick={() => startWork(clear(environment, point.id))}>
            Clear answer
          </Button>
        )}
      </div>
      {/* Of no use before there is an answer, and below everything: what is being clicked must not move. */}
      {draft === undefined && recorded === undefined ? null : <p className="quiet small">{point.changes}</p>}
    </form>
  );
}
