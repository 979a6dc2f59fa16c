import { useEffect, useRef } from 'react';
import { Eraser } from 'lucide-react';
import { useStore } from 'zustand';
import type { PastedRequest } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import type { DoctorStore, Reading } from './doctor-store.ts';
import { SubjectFields, type SubjectFieldsProps } from './subject-fields.tsx';
import styles from './paste-pane.module.css';

/** Longest text that the field shows whole: a browser lays out a longer one too slowly. */
const longestShown = 50_000;

/** The pasted text, what was recognised in it, and the fields that are examined. */
export function PastePane(props: SubjectFieldsProps) {
  const { store } = props;
  const { text, source, reading, focusAsked, type, clear } = useStore(store);
  const field = useRef<HTMLTextAreaElement>(null);
  const seen = useRef(0);
  useEffect(() => {
    if (focusAsked === seen.current) return;
    seen.current = focusAsked;
    // A paste now replaces everything.
    field.current?.select();
    field.current?.focus();
  }, [focusAsked]);
  const long = text.length > longestShown;
  return (
    <>
      <PageHead
        kind="pane"
        actions={
          <>
            <FileButton
              label="File with a request"
              variant="quiet"
              onFile={(file) => startWork(store.getState().addFile(file))}
            />
            <Button
              variant="quiet"
              icon={<Eraser />}
              disabled={text === '' && reading.state === 'empty' && store.getState().subject.fields.hash === ''}
              onClick={clear}
            >
              Clear
            </Button>
          </>
        }
      >
        <h2>{source === '' ? 'Pasted' : source}</h2>
      </PageHead>
      <div className={styles.paste}>
        <TextArea
          ref={field}
          code
          aria-label="Pasted text"
          aria-describedby="doctor-recognised"
          placeholder="Request, log line, cURL or HAR entry"
          rows={text === '' ? 4 : 6}
          readOnly={long}
          value={long ? text.slice(0, longestShown) : text}
          onText={type}
        />
        <output id="doctor-recognised" className={styles.recognised}>
          {long ? `The field shows the first ${longestShown.toLocaleString('en')} characters. All were read. ` : null}
          {recognisedWords(reading, store.getState().chosen)}
        </output>
      </div>
      <Choice store={store} />
      <SubjectFields {...props} />
    </>
  );
}

/** Chooses one of several requests in the text. */
function Choice({ store }: { readonly store: DoctorStore }) {
  const { reading, chosen, choose } = useStore(store);
  if (reading.state !== 'read' || reading.recognition.requests.length < 2) return null;
  const { requests, leftOff } = reading.recognition;
  const options = requests.map((request, at) => ({
    value: String(at),
    label: `${at + 1} of ${requests.length}: ${nameOf(request)}`,
  }));
  return (
    <div className={styles.choice}>
      <Field
        label="Request"
        hint={leftOff === 0 ? null : `The text has ${leftOff.toLocaleString('en')} more requests. Paste fewer to see those.`}
      >
        <Select options={options} value={String(chosen)} onChange={(value) => choose(Number(value))} />
      </Field>
    </div>
  );
}

function nameOf({ action, operations, time, code, hash, layers }: PastedRequest): string {
  const parts = [
    action ?? operations[0] ?? 'without an action',
    time ?? 'no time',
    ...(hash === null ? ['no hash'] : []),
    ...(code === null ? [] : [`code ${code}`]),
    ...(layers.length === 0 ? [] : [layers.join(', ')]),
  ];
  return parts.join(', ');
}

/** Says what was recognised, as the layers around the request from the outside in. */
function recognisedWords(reading: Reading, chosen: number): string {
  switch (reading.state) {
    case 'empty':
      return 'Nothing you paste is stored or sent.';
    case 'reading':
      return 'Reading…';
    case 'failed':
      return reading.message;
    case 'read': {
      const { requests, hashes, problem } = reading.recognition;
      const request = requests[chosen];
      if (problem !== null) return problem;
      if (request === undefined)
        return `${hashes.length === 1 ? 'A hash' : `${hashes.length} hashes`} without a request. Enter time and data below.`;
      const what =
        request.action ?? (request.operations[0] === undefined ? 'a request' : `a request that fits ${request.operations[0]}`);
      return `Recognised: ${[...request.layers, what].join(', ')}${request.code === null ? '' : `, response code ${request.code}`}.`;
    }
  }
}
