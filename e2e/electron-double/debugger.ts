import type { CdpSession } from './cdp.ts';
import { StrictEmitter } from './strict.ts';

type DebuggerApi = Pick<Electron.Debugger, 'attach' | 'detach' | 'isAttached' | 'sendCommand'>;

/**
 * `webContents.debugger`: Chromium's own protocol, since that is what the double speaks. Only the events in `relayed` are told. A command is
 * answered after the first navigation and not before, and one that is open when the page goes away fails.
 */
export class DebuggerDouble extends StrictEmitter implements DebuggerApi {
  readonly #session: () => Promise<CdpSession>;
  readonly #navigated: Promise<void>;
  readonly #open = new Set<(error: Error) => void>();
  readonly #relayed = new Set<string>();
  #attached = false;
  /** `navigated` is settled by the page's first navigation. */
  constructor(session: () => Promise<CdpSession>, navigated: Promise<void>) {
    super();
    this.#session = session;
    this.#navigated = navigated;
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
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.add(reject);
    const work = async () => {
      await this.#navigated;
      const cdp = await this.#session();
      return cdp.send(method as 'Page.enable', values as never);
    };
    work()
      .then(resolve, reject)
      .finally(() => this.#open.delete(reject));
    return promise;
  }
  /** The page is gone: as `Debugger::AgentHostClosed`. */
  closed(): void {
    for (const reject of this.#open) reject(new Error('target closed while handling command'));
    this.#open.clear();
    if (this.#attached) this.detach();
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
