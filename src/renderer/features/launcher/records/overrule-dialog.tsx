import { useState } from 'react';
import type { Input, Launch } from '#shared/ipc/index.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { optionsOf } from '#renderer/ui/options.ts';

type Overruling = NonNullable<Input<'launches.overrule'>['overruling']>;

const states = optionsOf({ passed: 'passed', 'to check': 'to check', failed: 'failed' });

/** Asks for a person's own verdict of a launch, and why. */
export function OverruleDialog({
  launch,
  onOverrule,
  onClose,
}: {
  launch: Launch;
  /** Null takes an earlier one back. */
  onOverrule: (overruling: Overruling | null) => void;
  onClose: () => void;
}) {
  const { overruled, verdict } = launch;
  const [state, setState] = useState<Overruling['state']>(overruled?.state ?? (verdict.state === 'failed' ? 'passed' : 'failed'));
  const [note, setNote] = useState(overruled?.note ?? '');
  return (
    <FormDialog
      title="Overrule the verdict"
      description={`Croupier's verdict is "${verdict.state}". Lists and evidence will show yours, with your note.`}
      submit="Overrule"
      waits={note.trim() === '' ? 'Explain why in a note first.' : null}
      onSubmit={() => onOverrule({ state, note: note.trim() })}
      onClose={onClose}
      below={
        overruled === null ? null : (
          <Button variant="quiet" onClick={() => onOverrule(null)}>
            Remove your verdict
          </Button>
        )
      }
    >
      <Field label="Your verdict" layout="stack" group>
        <SegmentedChoice label="Your verdict" options={states} value={state} onChange={setState} />
      </Field>
      <Field label="Note" layout="stack" hint="Why the rules are wrong here.">
        <TextArea value={note} onText={setNote} rows={3} maxLength={2_000} />
      </Field>
    </FormDialog>
  );
}
