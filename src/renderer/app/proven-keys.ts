import { provenText } from '#shared/calls/key-words.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

/** Says once that core removed the older of two keys, and which call showed that the new one is right. */
export function tellProvenKeys(
  client: Pick<Client, 'on'>,
  { environments, notify }: { readonly environments: EnvironmentsStore; readonly notify: Notify },
): () => void {
  return client.on('keys.proven', ({ environmentId, removed, callId }) => {
    const { list } = environments.getState();
    const known = list.state === 'ready' ? list.environments : [];
    const name = known.find(({ id }) => id === environmentId)?.name ?? environmentId;
    notify({ tone: 'good', text: provenText(removed, callId, name) });
  });
}
