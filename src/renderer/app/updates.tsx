import { useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import type { UpdateStatus } from '#shared/ipc/index.ts';
import { openOutside } from './manual-area.tsx';
import type { Workbench } from './workbench.ts';

/**
 * Checks for a newer version once core has replied and each day, and says it until its notice is closed; without a URL, nothing is asked. Returns
 * the function that ends this.
 */
export function followUpdates(workbench: Workbench): () => void {
  const check = () => startWork(orNull(checkUpdate(workbench, false)));
  const stops = [
    workbench.day.watch(check),
    workbench.shell.subscribe(({ info }, before) => {
      if (info !== null && before.info === null) check();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

async function checkUpdate(workbench: Workbench, now: boolean): Promise<void> {
  const { client, notify, shell } = workbench;
  const update = await client.call('app.checkUpdate', { now });
  shell.setState({ update });
  const { newer } = update;
  if (newer === null || newer.dismissed) return;
  const { version } = newer;
  notify({
    id: 'update',
    tone: 'note',
    lasting: true,
    text: (
      <>
        Croupier {version} is available. <Notes workbench={workbench} newer={newer} />
      </>
    ),
    onClose: () => startWork(client.call('settings.write', { name: 'updateDismissed', value: version })),
  });
}

/** Says what the last check found. */
export function UpdateLine({ workbench }: { workbench: Workbench }) {
  const update = useStore(workbench.shell, (state) => state.update);
  if (update === null || update.checkedAt === null) return 'Off. To be told, enter the https URL of a version file.';
  const { newer, problem, checkedAt } = update;
  if (problem !== null) return `Could not read the URL: ${problem}`;
  if (newer === null) return `No newer version. Checked ${new Date(checkedAt).toLocaleString('en-GB')}.`;
  return (
    <>
      {newer.version} is available. <Notes workbench={workbench} newer={newer} />
    </>
  );
}

/** The URL that is asked; each change of it is checked at once. */
export function UpdateUrl({ workbench }: { workbench: Workbench }) {
  const { client, shell } = workbench;
  const saved = useStore(shell, (state) => state.update?.url ?? '');
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const text = (typed ?? saved).trim();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      if (text !== saved) await client.call('settings.write', { name: 'updateUrl', value: text });
      await checkUpdate(workbench, true);
      setTyped(null);
    } finally {
      setBusy(false);
    }
  }
  return (
    <form className="line" onSubmit={(event) => startWork(submit(event))}>
      <TextField
        code
        aria-label="URL of the version file"
        size={36}
        placeholder="https://…"
        value={typed ?? saved}
        onText={setTyped}
      />
      <Button type="submit" busy={busy} waits={text === '' && saved === '' ? 'No URL' : null}>
        {text === '' && saved !== '' ? 'Switch off' : 'Check now'}
      </Button>
    </form>
  );
}

/** A link to a version's notes, if it has one. The host asks before it opens it; a browser opens a tab. */
function Notes({ workbench, newer: { notes } }: { workbench: Workbench; newer: NonNullable<UpdateStatus['newer']> }) {
  const asks = useStore(workbench.shell, (state) => state.info?.capabilities.openOutside === true);
  if (notes === null) return null;
  return (
    <a
      href={notes}
      target="_blank"
      rel="noreferrer noopener"
      onClick={(event) => {
        if (!asks) return;
        event.preventDefault();
        startWork(openOutside(workbench, notes));
      }}
    >
      Release notes
    </a>
  );
}
