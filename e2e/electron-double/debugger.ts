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
  /** Takes the command's parameters for its screen; null ends that. */
  emulate(metrics: object | null): Promise<unknown>;
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
    this.#pass(cdp, '', isCurrent);
    return cdp;
  }
  /** Passes on what one target tells, and what those tell that are attached below it. */
  #pass(cdp: CdpSession, sessionId: string, isCurrent: () => boolean): void {
    cdp.onAny((method, values) => {
      if (method === 'Target.attachedToTarget') {
        const child = (values as { sessionId: string }).sessionId;
        this.#pass(cdp.child(child), child, isCurrent);
      }
      if (isCurrent()) this.emit('message', {}, method, values, sessionId);
    });
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
  /** Runs a command that touches what the double does by the protocol itself: pictures, and the size of a page. Null for others. */
  #own(method: string, values: object): Promise<unknown> | null {
    const { navigated, capture, emulate } = this.#debugged;
    if (method === 'Page.captureScreenshot') return navigated.then(() => capture(values));
    if (method === 'Emulation.setDeviceMetricsOverride') return emulate(values);
    return method === 'Emulation.clearDeviceMetricsOverride' ? emulate(null) : null;
  }
  async sendCommand(method: string, values: object = {}, sessionId = ''): Promise<unknown> {
    const line = this.#line;
    if (line === null) throw new Error('No target available');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.add(reject);
    const work = async () => {
      const cdp = await line;
      const target = sessionId === '' ? cdp : cdp.child(sessionId);
      const own = sessionId === '' ? this.#own(method, values) : null;
      const asked = own ?? target.send(method as 'Page.enable', values as never);
      const [told] = await Promise.all([asked, this.#debugged.navigated]);
      return told;
    };
    work()
      .then(resolve, reject)
      .finally(() => this.#open.delete(reject));
    return promise;
  }
}
