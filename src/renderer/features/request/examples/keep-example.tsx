import { useEffect, useRef, useState } from 'react';
import type { Output } from '#shared/ipc/index.ts';
import { tokensText } from '#renderer/calls/copy-call.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { Skeleton } from '#renderer/ui/skeleton.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { nameProblem } from './examples-view.tsx';
import type { RequestStore } from '../tabs/request-store.ts';
import type { RequestTab } from '../tabs/request-tab.ts';
import { fileTitle } from '../tabs/tab-file.ts';
import styles from './keep-example.module.css';

type Preview = Output<'collections.previewExample'> | string;

/** Shows the example that a tab's response would give, asks for its name, and puts it into the tab's file. */
export function KeepExample({ store, tab }: { readonly store: RequestStore; readonly tab: RequestTab }) {
  const { callId, file, extras, call } = tab;
  const { previewExample, keepExample, stopKeeping } = store.getState();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [name, setName] = useState(() =>
    usualName(
      call,
      extras.examples.map((one) => one.name),
    ),
  );
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let wanted = true;
    startWork(
      (async () => {
        const found = callId === null ? 'This request has no response yet. Send it first.' : await previewExample(callId);
        if (wanted) setPreview(found);
      })(),
    );
    return () => {
      wanted = false;
    };
  }, [previewExample, callId]);
  const nameField = useRef<HTMLInputElement>(null);
  const isReady = preview !== null && typeof preview !== 'string';
  useEffect(() => {
    // The dialog began with its focus on Close, while the response was read.
    if (isReady) nameField.current?.select();
  }, [isReady]);
  if (file === null) return null;
  const title = 'Save as example';
  if (preview === null || typeof preview === 'string') {
    return (
      <Dialog onClose={stopKeeping} title={title} actions={<Button onClick={stopKeeping}>Close</Button>}>
        {preview === null ? <Skeleton rows={6} label="Reading the response" /> : <p role="alert">{preview}</p>}
      </Dialog>
    );
  }
  async function save(): Promise<void> {
    const refused = nameProblem(
      name,
      extras.examples.map((one) => one.name),
    );
    if (refused !== null) return setProblem(refused);
    setBusy(true);
    setProblem(await keepExample(tab.id, name.trim()));
    setBusy(false);
  }
  return (
    <FormDialog
      title={title}
      description={
        <>
          Saved in {fileTitle(file.path)}.yaml, which is meant for git. {tokensText(false, preview.masked)} Everything else is
          saved as shown, player names included.
        </>
      }
      width="large"
      submit="Save"
      busy={busy}
      onSubmit={() => startWork(save())}
      onClose={stopKeeping}
    >
      <Field label="Name" layout="stack" error={problem}>
        <TextField ref={nameField} value={name} onText={setName} />
      </Field>
      <Field label={`Body, HTTP ${preview.status}`} layout="stack">
        <TextArea code readOnly className={styles.body} rows={12} value={preview.body} onText={ignoreText} />
      </Field>
    </FormDialog>
  );
}

/** Returns `code 0`, with a number if the name is taken. */
function usualName(call: RequestTab['call'], taken: readonly string[]): string {
  const code = call?.code ?? null;
  const base = code === null ? `HTTP ${call?.status ?? ''}`.trim() : `code ${code}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}, ${number}`;
    if (!taken.includes(name)) return name;
  }
}

function ignoreText(): void {}
