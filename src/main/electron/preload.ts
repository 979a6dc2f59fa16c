import { contextBridge, ipcRenderer } from 'electron';

/** All that the page gets: one way to call and one way to listen, with plain data only. */
contextBridge.exposeInMainWorld('croupier', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('call', name, input),
  subscribe(listener: (name: string, payload: unknown) => void) {
    const heard = (_event: unknown, name: string, payload: unknown) => listener(name, payload);
    ipcRenderer.on('event', heard);
    return () => void ipcRenderer.off('event', heard);
  },
});
