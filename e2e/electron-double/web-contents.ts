import { inside, outside } from './addresses.ts';
import { app } from './app.ts';
import { followAutoplay } from './autoplay.ts';
import { newPage, type PageTarget } from './browser.ts';
import { capturePage, captureScreenshot } from './capture.ts';
import type { CdpSession } from './cdp.ts';
import { listContents } from './contents-list.ts';
import { followConsole } from './console-events.ts';
import { DebuggerDouble } from './debugger.ts';
import { giveFocus, hasFocus } from './focus.ts';
import { followFullscreen, type FullscreenWindow } from './fullscreen.ts';
import { mayLoad } from './hold.ts';
import { ipcMain } from './ipc-main.ts';
import { leaves, wantsToStay } from './leaving.ts';
import { observeNetwork, type DocumentStatus } from './network-events.ts';
import { followPermissions } from './permissions.ts';
import { linkPreload, type PreloadLink, type PreloadMessage } from './preload-link.ts';
import { record } from './record.ts';
import { interceptRequests } from './requests.ts';
import { session, type SessionDouble } from './session.ts';
import { markDestroyed, onlyDoubled, preventable, strict, StrictEmitter, throwDestroyed } from './strict.ts';
import { createVisibility } from './visibility.ts';

type WebContentsApi = Pick<
  Electron.WebContents,
  | 'id'
  | 'getURL'
  | 'getTitle'
  | 'isDestroyed'
  | 'isCrashed'
  | 'isLoading'
  | 'send'
  | 'loadURL'
  | 'reload'
  | 'stop'
  | 'close'
  | 'focus'
  | 'isFocused'
  | 'openDevTools'
  | 'executeJavaScript'
  | 'setWindowOpenHandler'
  | 'forcefullyCrashRenderer'
  | 'setZoomFactor'
  | 'getZoomFactor'
  | 'setAudioMuted'
  | 'isAudioMuted'
  | 'setWebRTCIPHandlingPolicy'
>;
type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

/** What the double insists on, whatever the preferences of a page say: nobody may start one with less. */
const wanted = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  plugins: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const;
/** The other preferences that a page may have. */
const doubled = [
  'autoplayPolicy',
  'devTools',
  'disableDialogs',
  'disableHtmlFullscreenWindowResize',
  'focusOnNavigation',
  'partition',
  'preload',
  'zoomMode',
] as const;
let nextId = 0;

/** One page of Chromium with the app's preload, session and guards around it. */
export class WebContentsDouble extends StrictEmitter implements WebContentsApi {
  readonly id = ++nextId;
  readonly session: SessionDouble;
  readonly #navigated = Promise.withResolvers<void>();
  readonly debugger = new DebuggerDouble(
    () => this.cdp(),
    this.#navigated.promise,
    (values) => captureScreenshot(this, values),
  );
  readonly prevented = new Set<string>();
  readonly visibility = createVisibility();
  readonly ready: Promise<void>;
  readonly preferences: Electron.WebPreferences;
  /** The window that shows it; null for a view of its own. */
  owner: { close(): void } | null = null;
  /** The window that it was put into, as its page or as a view. */
  shownIn: (FullscreenWindow & { isFocused(): boolean }) | null = null;
  /** What it takes on the screen; null while nobody has said. */
  place: { readonly width: number; readonly height: number } | null = null;
  target: PageTarget | null = null;
  mainFrame = '';
  readonly #expected: string[] = [];
  readonly #documents: DocumentStatus = new Map();
  readonly #opening: string[] = [];
  #link: PreloadLink | null = null;
  #openHandler: OpenHandler | null = null;
  #url = '';
  #title = '';
  #loading = false;
  #crashed = false;
  #destroyed = false;
  /** Its process is ended to close it, which is no crash to tell of. */
  #ending = false;
  #muted = false;
  #zoom = 1;
  #history = { currentIndex: 0, ids: [] as number[] };

  constructor(preferences: Electron.WebPreferences) {
    super();
    this.preferences = preferences;
    onlyDoubled('WebPreferences', preferences, [...Object.keys(wanted), ...doubled]);
    for (const [name, value] of Object.entries(wanted)) {
      if ((preferences[name as keyof typeof wanted] ?? value) !== value)
        throw new Error(`The electron double refuses webPreferences.${name} other than ${String(value)}.`);
    }
    const { partition } = preferences;
    this.session = partition === undefined ? session.defaultSession : session.fromPartition(partition);
    const inner = this.session.contentsOfFrame;
    this.session.contentsOfFrame = (frameId) => (frameId === this.mainFrame ? this : inner(frameId));
    this.ready = this.#create();
    const own = this.session;
    const followZoom = () => {
      if (this.preferences.zoomMode !== 'isolated' && this.#url !== '') this.#zoomTo(own.zoomOf(hostOf(this.#url)));
    };
    own.on('zoomed', followZoom);
    const unlist = listContents(this);
    this.on('destroyed', () => {
      unlist();
      own.off('zoomed', followZoom);
    });
    // Nobody has it yet: the window or the view that is being made comes later.
    app.emit('web-contents-created', {}, this);
  }

  async cdp(): Promise<CdpSession> {
    await this.ready;
    if (this.target === null) throw new Error('Object has been destroyed');
    return this.target.cdp;
  }

  async #create(): Promise<void> {
    const target = await newPage(await this.session.context(), { onCrash: () => this.#crash(), onGone: () => this.#gone() });
    this.target = target;
    const { cdp } = target;
    this.#follow(cdp);
    await Promise.all([cdp.send('Page.enable'), cdp.send('Runtime.enable')]);
    this.mainFrame = (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
    await Promise.all([this.#attach(cdp, true), followFullscreen(cdp, this)]);
    if (this.preferences.preload !== undefined) {
      const onMessage = (message: PreloadMessage, world: number) => void this.#onMessage(message, world);
      this.#link = await linkPreload({ cdp, file: this.preferences.preload, mainFrame: this.mainFrame, onMessage });
    }
    if (this.place !== null) this.#resize(cdp);
    await target.resume();
  }

  /** The guards, on the page and on every frame and worker that has a process of its own. */
  async #attach(cdp: CdpSession, hasFrames: boolean): Promise<void> {
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      const child = cdp.child(sessionId);
      this.#attach(child, targetInfo.type === 'iframe')
        .catch((error: unknown) => record('not-guarded', { type: targetInfo.type, error: String(error) }))
        .finally(() => void child.send('Runtime.runIfWaitingForDebugger').catch(() => undefined));
    });
    followConsole(cdp, this);
    await Promise.all([
      observeNetwork(cdp, this, this.#documents),
      interceptRequests(cdp, this),
      ...(hasFrames ? [followPermissions(cdp, this), this.visibility.follow(cdp), followAutoplay(cdp, this.preferences)] : []),
      cdp.send('Runtime.enable'),
      cdp.send('Log.enable'),
      // Every https request is put to the proc before it leaves; what it took, Chromium would still refuse by its own rules.
      ...(this.session.verifyProc === null ? [] : [cdp.send('Security.setIgnoreCertificateErrors', { ignore: true })]),
      cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
    ]);
  }

  #follow(cdp: CdpSession): void {
    cdp.on('Page.windowOpen', ({ url }) => void this.#opening.push(inside(url)));
    cdp.on('Page.frameStartedLoading', ({ frameId }) => {
      if (frameId !== this.mainFrame) return;
      this.#loading = true;
      this.emit('did-start-loading');
    });
    cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId !== this.mainFrame) return;
      this.#loading = false;
      this.emit('did-stop-loading');
    });
    cdp.on('Page.frameNavigated', ({ frame }) => {
      // Chromium's own page about an error is no navigation to Electron.
      if (frame.unreachableUrl !== undefined && frame.unreachableUrl !== '') return this.#navigated.resolve();
      const url = inside(frame.url);
      const main = frame.parentId === undefined;
      this.session.noteOrigin(frame.url);
      const { code, text } = this.#documents.get(frame.id) ?? { code: 200, text: 'OK' };
      this.emit('did-frame-navigate', {}, url, code, text, main, 1, 1);
      if (!main) return;
      this.#url = url;
      this.#crashed = false;
      this.#navigated.resolve();
      if (this.preferences.zoomMode !== 'isolated') this.#zoomTo(this.session.zoomOf(hostOf(url)));
      void this.#readHistory(cdp);
      if (this.preferences.focusOnNavigation !== false && this.shownIn?.isFocused() === true) this.focus();
      this.emit('did-navigate', {}, url, code, text);
    });
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const main = frameId === this.mainFrame;
      if (main) this.#url = inside(url);
      this.emit('did-navigate-in-page', {}, inside(url), main, 1, 1);
    });
    cdp.on('Page.domContentEventFired', () => this.emit('dom-ready', {}));
    cdp.on('Page.loadEventFired', () => {
      void this.executeJavaScript('document.title')
        .then((title) => {
          this.#title = String(title);
          this.emit('page-title-updated', preventable({}), this.#title, true);
        })
        .catch(() => undefined);
      this.emit('did-finish-load', {});
    });
  }

  async #readHistory(cdp: CdpSession): Promise<void> {
    const found = await cdp.send('Page.getNavigationHistory').catch(() => null);
    if (found !== null) this.#history = { currentIndex: found.currentIndex, ids: found.entries.map(({ id }) => id) };
  }

  #crash(): void {
    this.#crashed = true;
    if (this.#ending) return;
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
  }
  #gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.target = null;
    if (hasFocus(this)) giveFocus(null);
    this.debugger.detach();
    markDestroyed(this, 'WebContents', ['ipc', 'navigationHistory', 'setWindowOpenHandler']);
    this.emit('destroyed');
  }

  async #onMessage({ kind, id, channel, values }: PreloadMessage, world: number): Promise<void> {
    const origin = /^[a-z0-9+.-]+:\/\/[^/]+/i.exec(this.#url)?.[0] ?? 'null';
    const fields = { url: this.#url, origin, parent: null, name: '', frameToken: this.mainFrame, detached: false };
    const senderFrame = strict('WebFrameMain', { ...fields, isDestroyed: () => false });
    const event = { type: 'frame', sender: this, senderFrame, ...preventable({}) };
    if (kind === 'send') return void ipcMain.emit(channel, event, ...values);
    const outcome = await ipcMain.answer(channel, event, values);
    this.#link?.deliver({ id, ...outcome }, world);
  }

  askToOpen(): { action: string; url: string } {
    const url = this.#opening.shift() ?? '';
    const referrer = { url: '', policy: 'default' };
    const details = { url, frameName: '', features: '', disposition: 'foreground-tab', referrer };
    return { url, action: this.#openHandler?.(details as never).action ?? 'allow' };
  }
  takeExpected(url: string): boolean {
    const at = this.#expected.indexOf(url);
    if (at >= 0) this.#expected.splice(at, 1);
    return at >= 0;
  }

  send(channel: string, ...values: unknown[]): void {
    this.#link?.deliver({ channel, values });
  }
  getURL(): string {
    return this.#url;
  }
  getTitle(): string {
    return this.#title;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  isCrashed(): boolean {
    return this.#crashed;
  }
  isLoading(): boolean {
    return this.#loading;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }
  openDevTools(): void {
    record('webContents.openDevTools', this.id);
  }
  focus(): void {
    giveFocus(this);
    void this.#do((cdp) => cdp.send('Page.bringToFront'));
  }
  isFocused(): boolean {
    return hasFocus(this);
  }
  /** Chromium's pages here have no sound in any case. */
  setAudioMuted(muted: boolean): void {
    this.#muted = muted;
    record('webContents.setAudioMuted', muted);
  }
  isAudioMuted(): boolean {
    return this.#muted;
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    record('webContents.setWebRTCIPHandlingPolicy', policy);
  }
  forcefullyCrashRenderer(): void {
    // The answer never comes: the process that would give it is gone.
    void this.#do((cdp) => cdp.send('Page.crash'));
  }
  /** As in Electron: of no effect before the first page is there, of its own with `zoomMode: 'isolated'`, else of its host in the session. */
  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    if (this.#url === '') return;
    const wanted = Math.min(5, Math.max(0.25, factor));
    if (this.preferences.zoomMode === 'isolated') this.#zoomTo(wanted);
    else this.session.setZoom(hostOf(this.#url), wanted);
  }
  #zoomTo(factor: number): void {
    if (this.#zoom === factor) return;
    this.#zoom = factor;
    if (this.target !== null) void this.#do(async (cdp) => this.#resize(cdp));
  }
  getZoomFactor(): number {
    return this.#zoom;
  }
  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const cdp = await this.cdp();
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  }
  capturePage(): ReturnType<typeof capturePage> {
    return capturePage(this);
  }
  async loadURL(url: string): Promise<void> {
    await mayLoad;
    const cdp = await this.cdp();
    const real = outside(url);
    this.#expected.push(URL.parse(url)?.href ?? url);
    const loaded = new Promise((resolve) => this.once('did-stop-loading', resolve));
    const { errorText } = await cdp.send('Page.navigate', { url: real });
    if (errorText !== undefined && errorText !== '') throw new Error(`${errorText.replace('net::', '')} loading '${url}'`);
    await loaded;
  }
  /** As Electron: nothing happens where there is no page yet, and on one that came by POST. */
  reload(): void {
    if (this.#url === '' || this.#documents.get(this.mainFrame)?.method === 'POST') return;
    this.#expected.push(this.#url);
    const real = outside(this.#url);
    // A page whose process is gone has nobody to reload it.
    void this.#do((cdp) => (this.#crashed ? cdp.send('Page.navigate', { url: real }) : cdp.send('Page.reload')));
  }
  stop(): void {
    void this.#do((cdp) => cdp.send('Page.stopLoading'));
  }
  readonly navigationHistory = strict('navigationHistory', {
    canGoBack: () => (this.#destroyed ? throwDestroyed() : this.#history.currentIndex > 0),
    canGoForward: () => (this.#destroyed ? throwDestroyed() : this.#history.currentIndex < this.#history.ids.length - 1),
    goBack: () => this.#goTo(this.#history.currentIndex - 1),
    goForward: () => this.#goTo(this.#history.currentIndex + 1),
    clear: () => void this.#do((cdp) => cdp.send('Page.resetNavigationHistory')),
  } satisfies Partial<Electron.NavigationHistory>);
  #goTo(index: number): void {
    if (this.#destroyed) throwDestroyed();
    const entryId = this.#history.ids[index];
    if (entryId === undefined) return;
    void this.#do(async (cdp) => {
      const { entries } = await cdp.send('Page.getNavigationHistory');
      this.#expected.push(inside(entries[index]?.url ?? ''));
      return cdp.send('Page.navigateToHistoryEntry', { entryId });
    });
  }

  /** Closes as a user would: through the window where there is one. Playwright's `page.close()` comes here. */
  close(): void {
    if (this.owner !== null) this.owner.close();
    else void this.closePage();
  }
  /** False where the page, asked through `beforeunload`, wants to stay and the app lets it. */
  async mayUnload(): Promise<boolean> {
    if (!(await wantsToStay(this))) return true;
    const event = preventable({});
    this.emit('will-prevent-unload', event);
    record('will-prevent-unload', { left: event.defaultPrevented });
    return event.defaultPrevented;
  }
  async closePage(): Promise<void> {
    await this.ready;
    if (this.target !== null) await this.#end(!(await leaves(this)));
  }
  /** Ends the page without asking it anything. */
  async destroyPage(): Promise<void> {
    await this.ready;
    await this.#end(true);
  }
  async #end(byForce: boolean): Promise<void> {
    const { target } = this;
    if (target === null) return;
    const gone = new Promise((resolve) => this.once('destroyed', resolve));
    this.#ending = byForce;
    if (byForce) void target.cdp.send('Page.crash').catch(() => undefined);
    await target.close();
    if (!this.#destroyed) await gone;
  }
  setSize(width: number, height: number): void {
    this.place = { width, height };
    if (this.target !== null) void this.#do(async (cdp) => this.#resize(cdp));
  }
  #resize(cdp: CdpSession): void {
    if (this.place === null || this.place.width === 0 || this.place.height === 0) return;
    // A page that is zoomed has more or fewer CSS pixels in the same place; what is left of the last one does not count.
    const width = Math.floor(this.place.width / this.#zoom);
    const height = Math.floor(this.place.height / this.#zoom);
    void cdp
      .send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false })
      .catch(() => undefined);
  }
  async #do(work: (cdp: CdpSession) => Promise<unknown>): Promise<void> {
    try {
      await work(await this.cdp());
    } catch (error) {
      record('webContents', String(error));
    }
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
