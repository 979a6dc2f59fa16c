import type { CdpSession } from './cdp.ts';
import { StrictEmitter } from './strict.ts';

type DebuggerApi = Pick<Electron.Debugger, 'attach' | 'detach' | 'isAttached' | 'sendCommand'>;

/**
 * `webContents.debugger`: Chromium's own protocol, since that is what the double speaks. Only the events in `relayed` are told, and only of
 * what was enabled. A command is answered after the first navigation and not before, and one that is open when the line ends fails.
 */
export class DebuggerDouble extends StrictEmitter implements DebuggerApi {
  readonly #session: () => Promise<CdpSession>;
  readonly #navigated: Promise<void>;
  readonly #open = new Set<(error: Error) => void>();
  /** The double has domains of its own enabled: these are the app's. */
  readonly #domains = new Set<string>();
  #relays = false;
  #attached = false;
  readonly #capture: (values: object) => Promise<unknown>;
  /** `navigated` is settled by the page's first navigation; `capture` takes a picture with what the command was given. */
  constructor(session: () => Promise<CdpSession>, navigated: Promise<void>, capture: (values: object) => Promise<unknown>) {
    super();
    this.#session = session;
    this.#navigated = navigated;
    this.#capture = capture;
  }
  attach(): void {
    if (this.#attached) throw new TypeError('Debugger is already attached to the target');
    this.#attached = true;
    // A page that is gone before it was there tells nothing.
    if (!this.#relays) this.#relay().catch(() => undefined);
    this.#relays = true;
  }
  async #relay(): Promise<void> {
    const cdp = await this.#session();
    for (const name of relayed) {
      cdp.on(name, (values: unknown) => {
        if (this.#attached && this.#domains.has(domainOf(name))) this.emit('message', {}, name, values, '');
      });
    }
  }
  detach(): void {
    if (!this.#attached) return;
    this.#attached = false;
    this.#domains.clear();
    for (const reject of this.#open) reject(new Error('target closed while handling command'));
    this.#open.clear();
    this.emit('detach', {}, 'target closed');
  }
  isAttached(): boolean {
    return this.#attached;
  }
  async sendCommand(method: string, values: object = {}): Promise<unknown> {
    if (!this.#attached) throw new Error('No target available');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.add(reject);
    // Chromium's browser process notes it at once; what waits is the page's own part.
    if (method.endsWith('.enable')) this.#domains.add(domainOf(method));
    if (method.endsWith('.disable')) this.#domains.delete(domainOf(method));
    const work = async () => {
      await this.#navigated;
      if (method === 'Page.captureScreenshot') return this.#capture(values);
      const cdp = await this.#session();
      return cdp.send(method as 'Page.enable', values as never);
    };
    work()
      .then(resolve, reject)
      .finally(() => this.#open.delete(reject));
    return promise;
  }
}

function domainOf(method: string): string {
  return method.slice(0, method.indexOf('.'));
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
