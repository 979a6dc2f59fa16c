import { useState } from 'react';
import { Camera } from 'lucide-react';
import { useStore } from 'zustand';
import type { Launch } from '#shared/ipc/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { launchOf, type LaunchTab } from '../tabs/launch-tab.ts';
import { launchTitle, modeText, slotText } from '../launch-words.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';

/** Asks who tested and what to note, and exports the evidence of a launch, or of both of its tab. */
export function EvidenceDialog({ store }: { store: LauncherStore }) {
  const launchId = useStore(store, (state) => state.evidence?.launchId ?? null);
  const tab = useStore(store, (state) => state.tabs.find(({ slots }) => slots.some(({ launch }) => launch.id === launchId)));
  const launch = tab === undefined || launchId === null ? null : launchOf([tab], launchId);
  if (tab === undefined || launch === null) return null;
  return <EvidenceForm key={launch.id} store={store} tab={tab} launch={launch} />;
}

function EvidenceForm({ store, tab, launch }: { store: LauncherStore; tab: LaunchTab; launch: Launch }) {
  const actions = store.getState();
  const [tester, setTester] = useState(() => actions.evidence?.tester ?? '');
  const [note, setNote] = useState(launch.note);
  const [all, setAll] = useState(tab.slots.length > 1);
  const others = tab.slots.filter((slot) => slot.launch.id !== launch.id).map((slot) => slot.launch);
  const keep = () => actions.keepEvidence(launch.id, { tester: tester.trim(), note: note.trim() });
  const close = () => {
    startWork(keep());
    actions.closeEvidence();
  };
  const send = async (as: 'folder' | 'html') => {
    await keep();
    actions.closeEvidence();
    const ids = all ? tab.slots.map((slot) => slot.launch.id) : [launch.id];
    await actions.exportEvidence(ids, as);
  };
  const shown = tab.slots.find((slot) => slot.launch.id === launch.id);
  const kind = shown === undefined ? modeText(launch) : slotText(tab, shown);
  const name = `${launchTitle(launch)}, ${kind}`;
  return (
    <Dialog
      onClose={close}
      title="Export evidence"
      description={`${name}: request, response, verdict, times, wallet calls, record and pictures, signed by this computer.`}
      actions={
        <>
          <Button onClick={close}>Close</Button>
          <Button onClick={() => startWork(send('html'))}>As one HTML file</Button>
          <Button variant="primary" onClick={() => startWork(send('folder'))}>
            As a folder
          </Button>
        </>
      }
    >
      <div className="form">
        <Field label="Tester" layout="stack" hint="Your name, for all evidence from this computer.">
          <TextField value={tester} onText={setTester} maxLength={200} />
        </Field>
        <Field label={others.length === 0 ? 'Note' : `Note on the launch ${kind}`} layout="stack">
          <TextArea value={note} onText={setNote} rows={3} maxLength={2_000} />
        </Field>
        {others.length === 0 ? null : (
          <Checkbox checked={all} onChange={setAll}>
            {others.length === 1 ? 'Both' : `All ${tab.slots.length}`} launches of this tab:{' '}
            {tab.slots.map((slot) => slotText(tab, slot)).join('; ')}
          </Checkbox>
        )}
        <Button
          variant="quiet"
          icon={<Camera />}
          onClick={() => {
            close();
            startWork(actions.showPictures(launch.id));
          }}
        >
          {pictureText(launch.pictures.length)}
        </Button>
      </div>
    </Dialog>
  );
}

function pictureText(count: number): string {
  if (count === 0) return 'No pictures yet';
  return count === 1 ? 'View picture' : `View ${count} pictures`;
}
