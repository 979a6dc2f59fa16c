import type { Client } from '#shared/ipc/index.ts';
import type { EnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { Notify } from '#renderer/ui/notice.tsx';

interface LostKeysDeps {
  readonly environments: EnvironmentsStore;
  readonly notify: Notify;
  /** Brings the screen of environments to the front. */
  readonly show: () => void;
}

/**
 * Says that keys which were entered for this session are gone and have to be entered again, once for each loss, and takes the user
 * there.
 */
export function tellLostKeys(client: Pick<Client, 'on'>, { environments, notify, show }: LostKeysDeps): () => void {
  return client.on('keys.lost', ({ environmentIds }) => {
    const [first] = environmentIds;
    if (first === undefined) return;
    const { list } = environments.getState();
    const known = list.state === 'ready' ? list.environments : [];
    const names = environmentIds.map((id) => known.find((environment) => environment.id === id)?.name ?? id).join(', ');
    const one = environmentIds.length === 1;
    notify({
      tone: 'warn',
      lasting: true,
      text: one
        ? `The key of ${names} was lost when Croupier's key process exited. Enter it again.`
        : `The keys of ${names} were lost when Croupier's key process exited. Enter them again.`,
      action: {
        label: one ? 'Enter the key' : 'Enter the keys',
        run() {
          environments.getState().openKey(first);
          show();
        },
      },
    });
  });
}
