import { useState } from 'react';
import type { GatewayStatus } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Field } from '#renderer/ui/field.tsx';
import { FormDialog } from '#renderer/ui/form-dialog.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import type { GatewayStore } from './gateway-store.ts';

/** Returns a fault with the number of requests that it still meets, as core reads it. */
const faultText = ({ fault, left }: GatewayStatus['faults'][number]): string => (left === null ? fault : `${fault},${left}`);

/** Changes the faults on demand. */
export function FaultsDialog({
  store,
  faults,
  onClose,
}: {
  readonly store: GatewayStore;
  readonly faults: GatewayStatus['faults'];
  readonly onClose: () => void;
}) {
  const [text, setText] = useState(() => faults.map(faultText).join('\n'));
  const [problem, setProblem] = useState<string | null>(null);
  async function submit(): Promise<void> {
    const failed = await store.getState().setFaults(text.split(/\s+/).filter((line) => line !== ''));
    setProblem(failed);
    if (failed === null) onClose();
  }
  return (
    <FormDialog title="Faults on demand" submit="Apply" onSubmit={() => startWork(submit())} onClose={onClose}>
      <Field layout="stack" label="Faults" hint="One per line. bet=500,2 answers two bets with HTTP 500." error={problem}>
        <TextArea code value={text} onText={setText} placeholder={'bet=500,2\nall=delay:800'} />
      </Field>
    </FormDialog>
  );
}

/** Returns the faults in a line: `bet=500 (2 left), all=delay:800`. */
export function faultsText(faults: GatewayStatus['faults']): string {
  return faults.map(({ fault, left }) => (left === null ? fault : `${fault} (${left.toLocaleString('en')} left)`)).join(', ');
}
