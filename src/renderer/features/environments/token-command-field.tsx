import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Trash } from 'lucide-react';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { EnvironmentsStore } from './environments-store.ts';

/** The program of this machine that yields session tokens. It is set at once, apart from the form, and never in the environment's file. */
export function TokenCommandField({
  store,
  environmentId,
  environmentName,
}: {
  store: EnvironmentsStore;
  environmentId: string;
  environmentName: string;
}) {
  const known = useStore(store, (state) => state.tokenCommands[environmentId]);
  const { loadTokenCommand, setTokenCommand } = store.getState();
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    startWork(loadTokenCommand(environmentId));
  }, [loadTokenCommand, environmentId]);
  if (known === undefined) return null;
  const { command, settable } = known;
  const text = typed ?? command;

  async function save(next: string): Promise<void> {
    setBusy(true);
    const reason = await setTokenCommand(environmentId, next);
    setBusy(false);
    setProblem(reason);
    if (reason === null) setTyped(null);
  }
  const ready = text.trim() !== '' && text !== command && !busy;
  const remove =
    command === '' ? null : (
      <Button data-danger variant="quiet" icon={<Trash />} disabled={busy} onClick={() => startWork(save(''))}>
        Remove
      </Button>
    );
  if (!settable) {
    return (
      <Field
        label="Token command"
        note="this machine only"
        group
        error={problem ?? undefined}
        hint={
          <>
            A browser page can&apos;t choose a program. Use a terminal:{' '}
            <code>
              croupier env set {/\s/.test(environmentName) ? `"${environmentName}"` : environmentName} --token-command COMMAND
            </code>
          </>
        }
      >
        <div className="line">
          {command === '' ? <span className="grow quiet">None</span> : <code className="grow">{command}</code>}
          {remove}
        </div>
      </Field>
    );
  }
  return (
    <Field
      label="Token command"
      note="this machine only"
      error={problem ?? undefined}
      hint="A program with arguments, run without a shell. It must print one token per line, CSV, or JSON with token and playerId."
    >
      <div className="line">
        <TextField
          code
          className="grow"
          placeholder="/opt/tools/session-token --brand 7"
          value={text}
          onText={(next) => {
            setTyped(next);
            setProblem(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && ready) startWork(save(text));
          }}
        />
        <Button
          waits={ready || busy ? null : text.trim() === '' ? 'Enter a command first.' : 'Nothing to save'}
          busy={busy}
          onClick={() => startWork(save(text))}
        >
          Set command
        </Button>
        {remove}
      </div>
    </Field>
  );
}
