import { StrictEmitter } from './strict.ts';

type Handler = Parameters<Electron.IpcMain['handle']>[1];
type IpcMainApi = Pick<Electron.IpcMain, 'handle' | 'removeHandler'>;

/** Main's end of the channels. */
class IpcMainDouble extends StrictEmitter implements IpcMainApi {
  /** As Electron calls its own: tests wrap a handler in it to see its replies. */
  readonly _invokeHandlers = new Map<string, Handler>();
  handle(channel: string, handler: Handler): void {
    if (this._invokeHandlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this._invokeHandlers.set(channel, handler);
  }
  removeHandler(channel: string): void {
    this._invokeHandlers.delete(channel);
  }
  /** Returns the reply to `ipcRenderer.invoke`. */
  async answer(channel: string, event: unknown, values: readonly unknown[]): Promise<object> {
    const handler = this._invokeHandlers.get(channel);
    try {
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return { ok: true, value: (await handler(event as never, ...values)) as unknown };
    } catch (error) {
      return { ok: false, error: `Error invoking remote method '${channel}': ${String(error)}` };
    }
  }
}

/** Electron's `ipcMain` module. */
export const ipcMain = new IpcMainDouble();
