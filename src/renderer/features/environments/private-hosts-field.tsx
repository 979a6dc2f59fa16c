import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import type { EnvironmentsStore } from './environments-store.ts';

/** The hosts that a VPN leads to. They are set at once, apart from the form, and never in the environment's file. */
export function PrivateHostsField({ store, environmentId }: { store: EnvironmentsStore; environmentId: string }) {
  const known = useStore(store, (state) => state.privateHosts[environmentId]);
  const { loadPrivateHosts, setPrivateHosts } = store.getState();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    startWork(loadPrivateHosts(environmentId));
  }, [loadPrivateHosts, environmentId]);
  if (known === undefined) return null;
  const saved = known.join('\n');
  const text = typed ?? saved;

  async function save(): Promise<void> {
    setBusy(true);
    const hosts = text.split('\n').filter((line) => line.trim() !== '');
    const reason = await setPrivateHosts(environmentId, hosts);
    setBusy(false);
    setProblem(reason);
    if (reason === null) setTyped(null);
  }
  return (
    <Field
      label="Private hosts"
      note="one per line, this machine only"
      error={problem ?? undefined}
      hint="Pictures and games may come from these hosts although they have private addresses."
    >
      <div className="line">
        <TextArea
          code
          className="grow"
          rows={2}
          placeholder="games.corp.example"
          value={text}
          onText={(next) => {
            setTyped(next);
            setProblem(null);
          }}
        />
        <Button waits={text !== saved || busy ? null : 'Nothing to save'} busy={busy} onClick={() => startWork(save())}>
          Set hosts
        </Button>
      </div>
    </Field>
  );
}
