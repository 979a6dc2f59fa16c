import { useEffect, useRef } from 'react';
import { Eraser } from 'lucide-react';
import { useStore } from 'zustand';
import type { Environment, PastedRequest } from '#shared/ipc/index.ts';
import { seenIn, type Seen } from '#shared/doctor/seen.ts';
import { utf8Length } from '#shared/json/utf8.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { PageHead } from '#renderer/ui/page-frame.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { DoctorStore, Reading } from './doctor-store.ts';
import { trustWords } from './doctor-words.ts';
import styles from './paste-pane.module.css';

/** Longest text that the field shows whole: a browser lays out a longer one too slowly. */
const longestShown = 50_000;

/** Longest data that can be edited here, in UTF-16 units. */
const longestEdited = 20_000;

export interface PastePaneProps {
  readonly store: DoctorStore;
  readonly environments: readonly Environment[];
  /** The environment whose key is used. */
  readonly environment: Environment;
  /** The state of the key in a sentence or two. */
  readonly keyLine: string;
}

/** The pasted text, what was recognised in it, and the fields that are examined. */
export function PastePane(props: PastePaneProps) {
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

/** The parts of the request that are examined. Each can be corrected, or typed if the text lacks it. */
function SubjectFields({ store, environments, environment, keyLine }: PastePaneProps) {
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
