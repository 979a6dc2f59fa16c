import type { Connection } from '#renderer/api/connection.ts';
import { createUnknownFiles } from '#renderer/features/request/unknown-files.ts';
import { createWorkspaceKeeper } from '#renderer/features/request/workspace-keeper.ts';
import type { Client } from '#shared/ipc/index.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import { createPageMemory } from './page-memory.ts';
import { createSettingsWriter } from './remembered.ts';
import { createShortcutsStore } from './shortcuts-store.ts';
import type { Stores, StoresDeps } from './stores.ts';

/** Keeps open requests, layout and settings on the disk, and says once if it cannot. */
export function createRemembering(client: Client, connection: Connection, stores: Stores, deps: StoresDeps) {
  const { notify, requests } = stores;
  let saidNotRemembered = false;
  let saidMasked = false;
  const page = deps.newId();
  const onMasked = () => {
    if (saidMasked) return;
    saidMasked = true;
    notify({
      tone: 'warn',
      text: `What is open here holds a private key. Croupier remembers it with ${keyMark} in place of the key, and shows that after a restart.`,
    });
  };
  const { hasLine, lastWords } = connection;
  const isReachable = () => connection.get().state === 'open';
  const keeper = createWorkspaceKeeper(client, { ...deps, page, requests, hasLine, lastWords, isReachable, onMasked });
  const unknownFiles = createUnknownFiles();
  const settings = createSettingsWriter(client, {
    page,
    later: deps.later,
    onFailed(message) {
      // Shown once, and not while the line is down: the banner says that already, and it is written when the line is back.
      if (saidNotRemembered || connection.get().state !== 'open') return;
      saidNotRemembered = true;
      notify({ tone: 'warn', text: `What is open here is not being remembered. ${message}` });
    },
    onMasked,
    onUnknown: () => unknownFiles.getState().add(['settings.json']),
  });

  const shortcuts = createShortcutsStore(client, page);
  const memory = createPageMemory(client, settings, { ...stores, shortcuts, unknownFiles });

  return { keeper, settings, memory, shortcuts, unknownFiles };
}
