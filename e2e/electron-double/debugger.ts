import { attachTo } from './browser.ts';
import type { CdpSession } from './cdp.ts';
import { StrictEmitter } from './strict.ts';

type DebuggerApi = Pick<Electron.Debugger, 'attach' | 'detach' | 'isAttached' | 'sendCommand'>;

/** The page as its debugger needs it. */
export interface Debugged {
  /** Chromium's number of the page, once there is one. */
  targetId(): Promise<string>;
  /** Settled by the page's first navigation. */
  readonly navigated: Promise<void>;
  /** Takes a picture with what the command was given. */
  capture(values: object): Promise<unknown>;
}

/**
 * `webContents.debugger`: Chromium's own protocol, on a line of its own, so that it tells of what was enabled on it and of nothing else. A
 * command takes effect at once and is answered after the first navigation and not before; one that is open when the line ends fails.
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
    // A page that is gone has nobody to attach to; its commands say so.
    line.catch(() => undefined);
  }
  async #attach(isCurrent: () => boolean): Promise<CdpSession> {
    const cdp = await attachTo(await this.#debugged.targetId());
    cdp.onAny((method, values) => {
      if (isCurrent()) this.emit('message', {}, method, values, '');
    });
    return cdp;
  }
  /** Settled when every command so far is on its way: in Electron that takes no time. */
  async sent(): Promise<void> {
    await this.#line?.catch(() => undefined);
  }
  /** Electron tells of the end whoever brought it about, and only where there was a beginning. */
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
