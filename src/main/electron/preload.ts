import { contextBridge, ipcRenderer } from 'electron';

const listeners = new Set<(name: string, payload: unknown) => void>();
// One for all of the page: Node warns of more than ten.
ipcRenderer.on('event', (_event, name: string, payload: unknown) => {
  for (const listener of listeners) listener(name, payload);
});

/** All that the page gets: one way to call and one way to listen, with plain data only. */
contextBridge.exposeInMainWorld('croupier', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('call', name, input),
  subscribe(listener: (name: string, payload: unknown) => void) {
    // A function crosses the bridge again with each call, so the same one is never here twice.
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
});
