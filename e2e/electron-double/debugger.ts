import type { CdpSession } from './cdp.ts';
import { StrictEmitter } from './strict.ts';

type DebuggerApi = Pick<Electron.Debugger, 'attach' | 'detach' | 'isAttached' | 'sendCommand'>;

/** `webContents.debugger`: Chromium's own protocol, since that is what the double speaks. Only the events in `relayed` are told. */
export class DebuggerDouble extends StrictEmitter implements DebuggerApi {
  readonly #session: () => Promise<CdpSession>;
  readonly #relayed = new Set<string>();
  #attached = false;
  constructor(session: () => Promise<CdpSession>) {
    super();
    this.#session = session;
  }
  attach(): void {
    if (this.#attached) throw new Error('Debugger is already attached to the target');
    this.#attached = true;
    void this.#relay();
  }
  async #relay(): Promise<void> {
    const cdp = await this.#session();
    for (const name of relayed) {
      if (this.#relayed.has(name)) continue;
      this.#relayed.add(name);
      cdp.on(name, (values: unknown) => {
        if (this.#attached) this.emit('message', {}, name, values, '');
      });
    }
  }
  detach(): void {
    this.#attached = false;
    this.emit('detach', {}, 'target closed');
  }
  isAttached(): boolean {
    return this.#attached;
  }
  async sendCommand(method: string, values: object = {}): Promise<unknown> {
    if (!this.#attached) throw new Error('No target available');
    const cdp = await this.#session();
    return cdp.send(method as 'Page.enable', values as never);
  }
}

const relayed = [
  'Network.requestWillBeSent',
  'Network.responseReceived',
  'Network.loadingFinished',
  'Network.loadingFailed',
  'Network.webSocketCreated',
  'Network.webSocketClosed',
  'Page.javascriptDialogOpening',
  'Page.javascriptDialogClosed',
  'Page.frameNavigated',
  'Page.loadEventFired',
  'Page.domContentEventFired',
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Audits.issueAdded',
] as const;
