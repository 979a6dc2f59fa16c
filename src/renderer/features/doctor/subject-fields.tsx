import { useStore } from 'zustand';
import type { Environment } from '#shared/ipc/index.ts';
import { seenIn, type Seen } from '#shared/doctor/seen.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import { Field } from '#renderer/ui/field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { DoctorStore } from './doctor-store.ts';
import { trustWords } from './doctor-words.ts';
import styles from './subject-fields.module.css';

/** Longest data that can be edited here, in UTF-16 units. */
const longestEdited = 20_000;

export interface SubjectFieldsProps {
  readonly store: DoctorStore;
  readonly environments: readonly Environment[];
  /** The environment whose key is used. */
  readonly environment: Environment;
  /** The state of the key in a sentence or two. */
  readonly keyLine: string;
}

/** The parts of the request that are examined. Each can be corrected, or typed if the text lacks it. */
export function SubjectFields({ store, environments, environment, keyLine }: SubjectFieldsProps) {
  const { subject, setField, setEnvironment } = useStore(store);
  const { fields, fidelity, missing } = subject;
  const { action, time, dataText, hash } = fields;
  const seen = seenIn({ time, dataText: dataText === '' ? null : dataText, hash, missing });
  const wrongIn = (part: Seen['part']) =>
    seen
      .filter((one) => one.part === part)
      .map(({ says }) => says)
      .join(' ') || null;
  const bytes = utf8Length(dataText);
  return (
    <div className={styles.fields} role="group" aria-label="Request to examine">
      <Field label="action" code>
        <TextField code value={action} onText={(text) => setField('action', text)} />
      </Field>
      <Field label="time" code warning={wrongIn('time')}>
        <TextField code placeholder="dd-mm-yyyy hh:mm:ss" value={time} onText={(text) => setField('time', text)} />
      </Field>
      <Field
        label="data"
        code
        hint={bytes === 0 ? 'No data, as in gameList.' : `${bytes.toLocaleString('en')} bytes, ${trustWords(fidelity)}.`}
        warning={wrongIn('data')}
      >
        <TextArea
          code
          className={styles.data}
          rows={2}
          readOnly={dataText.length > longestEdited}
          value={dataText.slice(0, longestEdited)}
          onText={(text) => setField('dataText', text)}
        />
      </Field>
      <Field label="hash" code warning={wrongIn('hash')}>
        <TextField code placeholder="64 digits, or at least 10" value={hash} onText={(text) => setField('hash', text)} />
      </Field>
      <Field label="Key of" hint={keyLine}>
        <Select
          options={environments.map(({ id, name }) => ({ value: id, label: name }))}
          value={environment.id}
          onChange={setEnvironment}
        />
      </Field>
    </div>
  );
}
