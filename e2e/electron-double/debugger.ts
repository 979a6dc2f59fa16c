import { attachTo } from './browser.ts';
import type { CdpSession } from './cdp.ts';
import { StrictEmitter } from './strict.ts';

type DebuggerApi = Pick<Electron.Debugger, 'attach' | 'detach' | 'isAttached' | 'sendCommand'>;

/** The page as its debugger needs it. */
export interface Debugged {
  /** Resolves to Chromium's ID of the page once there is one. */
  targetId(): Promise<string>;
  /** Settles with the page's first navigation. */
  readonly navigated: Promise<void>;
  /** Takes a picture with the command's parameters. */
  capture(values: object): Promise<unknown>;
}

/**
 * Doubles `webContents.debugger` with Chromium's own protocol, on a separate line, so that it reports only what was enabled on it.
 * A command takes effect at once, but its reply waits for the first navigation; one that is open when the line ends fails.
 */
export class DebuggerDouble extends StrictEmitter implements DebuggerApi {
  readonly #debugged: Debugged;
  readonly #open = new Set<(error: Error) => void>();
  #line: Promise<CdpSession> | null = null;

  constructor(debugged: Debugged) {
    super();
    this.#debugged = debugged;
  }
  attach(): void {
    if (this.#line !== null) throw new TypeError('Debugger is already attached to the target');
    const line = this.#attach(() => this.#line === line);
    this.#line = line;
    // A closed page has nothing to attach to; its commands fail instead.
    line.catch(() => undefined);
  }
  async #attach(isCurrent: () => boolean): Promise<CdpSession> {
    const cdp = await attachTo(await this.#debugged.targetId());
    cdp.onAny((method, values) => {
      if (isCurrent()) this.emit('message', {}, method, values, '');
    });
    return cdp;
  }
  /** Settles when every command so far is on its way: in Electron that takes no time. */
  async sent(): Promise<void> {
    await this.#line?.catch(() => undefined);
  }
  /** Emits `detach`, as Electron does whoever ends the line, and only if there was a line. */
  detach(): void {
    const line = this.#line;
    if (line === null) return;
    this.#line = null;
    void line.then((cdp) => cdp.detach()).catch(() => undefined);
    for (const reject of this.#open) reject(new Error('target closed while handling command'));
    this.#open.clear();
    this.emit('detach', {}, 'target closed');
  }
  isAttached(): boolean {
    return this.#line !== null;
  }
  async sendCommand(method: string, values: object = {}): Promise<unknown> {
    const line = this.#line;
    if (line === null) throw new Error('No target available');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.add(reject);
    const work = async () => {
      const cdp = await line;
      const asked =
        method === 'Page.captureScreenshot'
          ? this.#debugged.navigated.then(() => this.#debugged.capture(values))
          : cdp.send(method as 'Page.enable', values as never);
      const [told] = await Promise.all([asked, this.#debugged.navigated]);
      return told;
    };
    work()
      .then(resolve, reject)
      .finally(() => this.#open.delete(reject));
    return promise;
  }
}
