import { useEffect } from 'react';
import { useStore } from 'zustand';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import type { KeyView } from '#renderer/features/environments/environment-keys.ts';
import { keyLine } from '#renderer/features/environments/key-words.ts';
import { unexaminable } from '#shared/calls/pack-words.ts';
import { formOf, operationByName } from '#shared/provider/index.ts';
import { lazyPage } from '#renderer/ui/lazy-page.ts';
import { openCall } from './open-call.ts';
import type { Workbench } from './workbench.ts';

const DoctorPage = lazyPage(async () => (await import('#renderer/features/doctor/doctor-page.tsx')).DoctorPage);

/** The doctor, with the environments whose keys it may use. */
export function DoctorArea({ workbench }: { workbench: Workbench }) {
  const { doctor, environments, requests, shell } = workbench;
  const list = useStore(environments, (state) => state.list);
  const selected = useStore(environments, currentEnvironment);
  const keys = useStore(environments, (state) => state.keys);
  const used = useStore(doctor, (state) => state.environmentId) ?? selected?.id ?? null;
  useEffect(() => {
    if (used !== null) environments.getState().seeKey(used);
  }, [environments, used]);
  return (
    <DoctorPage
      store={doctor}
      probes={workbench.probes}
      clock={workbench.clock}
      environments={list.state === 'ready' ? list.environments : []}
      selected={selected}
      keyLineOf={(id) => keySentence(keys[id])}
      onSetKey={(id) => {
        environments.getState().openKey(id);
        shell.getState().show('environments');
      }}
      onOpenCall={(id) => openCall(workbench, id)}
      onOpenRequest={(environmentId, operation, text) => {
        environments.getState().select(environmentId);
        shell.getState().show('requests');
        const form = formOf(operationByName(operation), '').id;
        requests.getState().openDraft({ environmentId, operation, form, text, overrides: {} });
      }}
    />
  );
}

function keySentence(view: KeyView | undefined): string {
  return `${keyLine(view)}.`;
}

/** Examines a text that was pasted outside of text fields, if the doctor is shown. Returns whether it did. */
export function pasteIntoDoctor({ doctor, shell }: Workbench, text: string): boolean {
  if (shell.getState().area !== 'doctor') return false;
  doctor.getState().paste(text);
  return true;
}

/** Shows the doctor with the request of a call. A notice says why one of a support pack cannot be examined. */
export async function openInDoctor({ client, doctor, shell }: Workbench, id: number): Promise<void> {
  const call = await client.call('calls.get', { id });
  const refusal = call.pack === undefined ? null : unexaminable(call);
  if (refusal !== null) return shell.getState().notify({ tone: 'warn', text: refusal });
  doctor.getState().openCall(call);
  shell.getState().show('doctor');
}
