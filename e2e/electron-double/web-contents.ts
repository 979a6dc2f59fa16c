import { outside } from './addresses.ts';
import { app } from './app.ts';
import { newPage, type PageTarget } from './browser.ts';
import { createClone } from './clone.ts';
import { captureScreenshot } from './capture.ts';
import type { CdpSession } from './cdp.ts';
import { listContents } from './contents-list.ts';
import { createHistory } from './history.ts';
import { DebuggerDouble } from './debugger.ts';
import { createDevTools } from './dev-tools.ts';
import { frameNumber, frameProcess } from './frames.ts';
import { giveFocus, hasFocus } from './focus.ts';
import { followFullscreen, type FullscreenWindow } from './fullscreen.ts';
import { mayLoad } from './hold.ts';
import { ipcMain } from './ipc-main.ts';
import { pressKey } from './keys.ts';
import { leaves, wantsToStay } from './leaving.ts';
import { Navigations } from './navigations.ts';
import { loadError, nextLoad } from './next-load.ts';
import { Openings } from './openings.ts';
import { guardPage } from './page-guards.ts';
import { PageSize } from './page-size.ts';
import { linkPreload, type PreloadLink, type PreloadMessage } from './preload-link.ts';
import { record } from './record.ts';
import { session, type SessionDouble } from './session.ts';
import { markDestroyed, preventable, strict, StrictEmitter } from './strict.ts';
import { createVisibility } from './visibility.ts';
import { checkPreferences } from './web-preferences.ts';

type WebContentsApi = Pick<
  Electron.WebContents,
  | 'id'
  | 'getURL'
  | 'isDestroyed'
  | 'isCrashed'
  | 'isLoading'
  | 'send'
  | 'loadURL'
  | 'reload'
  | 'close'
  | 'focus'
  | 'isFocused'
  | 'openDevTools'
  | 'closeDevTools'
  | 'isDevToolsOpened'
  | 'sendInputEvent'
  | 'setIgnoreMenuShortcuts'
  | 'executeJavaScript'
  | 'setWindowOpenHandler'
  | 'forcefullyCrashRenderer'
  | 'setZoomFactor'
  | 'getZoomFactor'
  | 'setZoomLevel'
  | 'getZoomLevel'
  | 'setAudioMuted'
  | 'isAudioMuted'
  | 'setWebRTCIPHandlingPolicy'
>;
type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

/** The window of a page. */
interface HoldingWindow extends FullscreenWindow {
  isDestroyed(): boolean;
  isFocused(): boolean;
  focus(): void;
}

let nextId = 0;

/** One page of Chromium with the app's preload, session and guards around it. */
export class WebContentsDouble extends StrictEmitter implements WebContentsApi {
  readonly id = ++nextId;
  readonly session: SessionDouble;
  readonly #navigated = Promise.withResolvers<void>();
  readonly debugger = new DebuggerDouble({
    targetId: () => this.#targetId(),
    navigated: this.#navigated.promise,
    capture: (values) => captureScreenshot(this, values),
    emulate: (metrics) => this.#do((cdp) => this.#size.emulate(cdp, metrics)),
  });
  readonly navigations = new Navigations(this);
  readonly ended = new Map<string, 'prevented' | 'untrusted'>();
  readonly visibility = createVisibility();
  readonly ready: Promise<void>;
  readonly preferences: Electron.WebPreferences;
  /** The window that shows it; null for a view of its own. */
  owner: { close(): void } | null = null;
  #window: HoldingWindow | null = null;
  /** True during its event `destroyed`. */
  isEnding = false;
  target: PageTarget | null = null;
  /** Not `mainFrame`: that is a member of Electron's, which throws once the page is gone. */
  mainFrameId = '';
  readonly #expected: string[] = [];
  readonly #openings = new Openings();
  readonly #history = createHistory(
    () => this.cdp(),
    (url) => void this.#expected.push(url),
    () => this.#destroyed,
  );
  readonly navigationHistory = this.#history.api;
  #link: PreloadLink | null = null;
  #openHandler: OpenHandler | null = null;
  #url = '';
  #loading = false;
  #crashed = false;
  /** True if a form was sent to get the page. */
  #posted = false;
  #destroyed = false;
  /** True if its process is ended to close it, which is not reported as a crash. */
  #ending = false;
  #muted = false;
  readonly #size: PageSize;
  readonly #devTools = createDevTools(this);
  #ignoresMenu = false;

  constructor(preferences: Electron.WebPreferences) {
    super();
    this.preferences = preferences;
    checkPreferences(preferences);
    const { partition } = preferences;
    this.session = partition === undefined ? session.defaultSession : session.fromPartition(partition);
    const inner = this.session.contentsOfFrame;
    this.session.contentsOfFrame = (frameId) => (frameId === this.mainFrameId ? this : inner(frameId));
    this.#size = new PageSize({
      preferences,
      session: this.session,
      do: (work) => (this.target === null ? Promise.resolve() : this.#do(work)),
    });
    this.ready = this.#create();
    const own = this.session;
    const followZoom = () => this.#size.follow();
    own.on('zoomed', followZoom);
    const unlist = listContents(this);
    this.on('destroyed', () => {
      unlist();
      own.off('zoomed', followZoom);
    });
    // Nobody has it yet: the window or the view that is being made comes later.
    app.emit('web-contents-created', {}, this);
  }

  /** The window that holds it, as its page or as a view; none once that is gone. */
  get shownIn(): HoldingWindow | null {
    return this.#window?.isDestroyed() === true ? null : this.#window;
  }
  set shownIn(window: HoldingWindow | null) {
    this.#window = window;
  }

  async cdp(): Promise<CdpSession> {
    await this.ready;
    if (this.target === null) throw new Error('Object has been destroyed');
    return this.target.cdp;
  }

  async #targetId(): Promise<string> {
    await this.ready;
    if (this.target === null) throw new Error('No target available');
    return this.target.targetId;
  }

  async #create(): Promise<void> {
    const target = await newPage(await this.session.context(), { onCrash: () => this.#crash(), onGone: () => this.#gone() });
    this.target = target;
    const { cdp } = target;
    this.#follow(cdp);
    await Promise.all([cdp.send('Page.enable'), cdp.send('Runtime.enable')]);
    this.mainFrameId = (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
    await Promise.all([guardPage(cdp, this, this.mainFrameId), followFullscreen(cdp, this)]);
    if (this.preferences.preload !== undefined) {
      const onMessage = (message: PreloadMessage, world: number) => void this.#onMessage(message, world);
      this.#link = await linkPreload({ cdp, file: this.preferences.preload, mainFrameId: this.mainFrameId, onMessage });
    }
    await this.#size.draw(cdp);
    await target.resume();
  }

  #follow(cdp: CdpSession): void {
    this.#openings.follow(cdp);
    cdp.on('Page.javascriptDialogOpening', ({ type }) => {
      if (type !== 'beforeunload' && this.preferences.disableDialogs !== true) return;
      const event = preventable({});
      if (type === 'beforeunload') this.emit('will-prevent-unload', event);
      void this.#do((line) => line.send('Page.handleJavaScriptDialog', { accept: event.defaultPrevented }));
    });
    cdp.on('Page.frameStartedLoading', ({ frameId }) => {
      // A load that a page begins and another of Chromium's frames continues is reported twice.
      if (frameId !== this.mainFrameId || this.#loading) return;
      this.#loading = true;
      this.emit('did-start-loading');
    });
    cdp.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId !== this.mainFrameId) return;
      this.#loading = false;
      this.emit('did-stop-loading');
    });
  }

  loaded(frameId: string): void {
    const main = frameId === this.mainFrameId;
    this.emit('did-frame-finish-load', {}, main, frameProcess, frameNumber(frameId));
    if (!main) return;
    this.emit('did-finish-load', {});
    void this.#advise();
    // For every page in it that has painted, and not for its own or the first alone.
    this.shownIn?.emit('ready-to-show');
  }
  /** As an Electron that is not packaged, which advises the developers of every page that may evaluate texts. */
  async #advise(): Promise<void> {
    if (process.env['ELECTRON_DISABLE_SECURITY_WARNINGS'] !== undefined) return;
    const evaluates = await this.executeJavaScript(
      "(() => { try { new Function(''); return true; } catch { return false; } })()",
    ).catch(() => false);
    const message = '%cElectron Security Warning (Insecure Content-Security-Policy)';
    if (evaluates === true) this.emit('console-message', { level: 'warning', message, sourceId: '', lineNumber: 0 });
  }
  moved(url: string): void {
    this.#url = url;
  }
  /** Emits an event. Chromium's events of a page can come after its end; Electron has none of a page that is gone. */
  override emit(name: string | symbol, ...values: unknown[]): boolean {
    return (!this.#destroyed || name === 'destroyed') && super.emit(name, ...values);
  }
  /** Called by its navigations. */
  committed({ url, isError, posted }: { url: string; isError: boolean; posted: boolean }): void {
    if (this.#destroyed) return;
    this.#url = url;
    this.#crashed = false;
    this.#posted = posted;
    this.#navigated.resolve();
    if (!isError) this.session.noteOrigin(outside(url));
    if (this.preferences.focusOnNavigation !== false && this.shownIn?.isFocused() === true) this.focus();
    this.#size.committed(url);
    void this.#do((cdp) => this.#history.read(cdp, url, () => this.#url === url));
  }

  #crash(): void {
    this.#crashed = true;
    this.#loading = false;
    if (this.#ending) return;
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 139 });
  }
  #gone(): void {
    if (this.#destroyed) return;
    if (hasFocus(this)) giveFocus(null);
    this.#destroyed = true;
    this.target = null;
    this.debugger.detach();
    markDestroyed(this, 'WebContents', ['id', 'ipc', 'navigationHistory', 'setWindowOpenHandler']);
    this.isEnding = true;
    this.emit('destroyed');
    this.isEnding = false;
  }

  async #onMessage({ kind, id, channel, values }: PreloadMessage, world: number): Promise<void> {
    const origin = /^[a-z0-9+.-]+:\/\/[^/]+/i.exec(this.#url)?.[0] ?? 'null';
    const fields = { url: this.#url, origin, parent: null, name: '', frameToken: this.mainFrameId, detached: false };
    const senderFrame = strict('WebFrameMain', { ...fields, isDestroyed: () => false });
    const event = { type: 'frame', sender: this, senderFrame, ...preventable({}) };
    if (kind === 'send') return void ipcMain.emit(channel, event, ...values);
    const outcome = await ipcMain.answer(channel, event, values);
    this.#link?.deliver({ id, ...outcome }, world);
  }

  get isOpening(): boolean {
    return this.#openings.any;
  }
  askToOpen(): { action: string; url: string } {
    const asked = this.#openings.next(this.#url);
    return { url: asked.url, action: this.#openHandler?.(asked).action ?? 'allow' };
  }
  takeExpected(url: string): boolean {
    const at = this.#expected.indexOf(url);
    if (at >= 0) this.#expected.splice(at, 1);
    return at >= 0;
  }

  /** As Electron: a page whose process is gone hears nothing, which only standard error reports. */
  send(channel: string, ...values: unknown[]): void {
    if (this.#crashed) return void process.stderr.write('Error sending from webFrameMain:  Render frame was disposed\n');
    this.#link?.deliver({ channel, values });
  }
  getURL(): string {
    return this.#url;
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
  openDevTools(options?: Electron.OpenDevToolsOptions): void {
    record('webContents.openDevTools', { id: this.id, ...options });
    if (this.preferences.devTools !== false) void this.#devTools.open();
  }
  closeDevTools(): void {
    this.#devTools.close();
  }
  isDevToolsOpened(): boolean {
    return this.#devTools.isOpen();
  }
  sendInputEvent(event: Parameters<Electron.WebContents['sendInputEvent']>[0]): void {
    void this.#do(() => pressKey(this, event, () => !this.#ignoresMenu));
  }
  setIgnoreMenuShortcuts(ignore: boolean): void {
    this.#ignoresMenu = ignore;
  }
  focus(): void {
    // As on Linux and macOS; a window that has the focus, or is hidden, does nothing.
    this.shownIn?.focus();
    giveFocus(this);
    // By the time that it is there, another one may have it.
    void this.#do(async (cdp) => (hasFocus(this) ? cdp.send('Page.bringToFront') : undefined));
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
    // The reply never comes: the process that would give it is gone.
    void this.#do((cdp) => cdp.send('Page.crash'));
  }
  setZoomFactor(factor: number): void {
    this.#size.zoom(factor, !this.#crashed);
  }
  getZoomFactor(): number {
    return this.#size.factor;
  }
  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level);
  }
  getZoomLevel(): number {
    return Math.round((Math.log(this.#size.factor) / Math.log(1.2)) * 1e6) / 1e6;
  }
  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const cdp = await this.cdp();
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      userGesture,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    const { objectId } = result;
    if (result.type === 'symbol') throw new Error('An object could not be cloned.');
    if (objectId === undefined) return result.value as unknown;
    const told = await cdp.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () { return (${String(createClone)})().write(this); }`,
      returnByValue: true,
    });
    if (told.exceptionDetails !== undefined) throw new Error('An object could not be cloned.');
    return createClone().read(String(told.result.value));
  }
  async loadURL(url: string): Promise<void> {
    await mayLoad;
    await this.debugger.sent();
    const cdp = await this.cdp().catch(() => null);
    if (cdp === null) throw loadError({ code: -2, name: 'ERR_FAILED', url });
    const real = outside(url);
    const expected = URL.parse(url)?.href ?? url;
    this.#expected.push(expected);
    const loaded = nextLoad(this, url, () => cdp.send('Page.navigate', { url: real }));
    await loaded.finally(() => this.takeExpected(expected));
  }
  /** As Electron: does nothing if no page came yet, or if a form would be sent again. */
  reload(): void {
    if (this.#url === '' || this.#posted) return;
    this.#expected.push(this.#url);
    const real = outside(this.#url);
    // A page whose process is gone has nobody to reload it.
    void this.#do((cdp) => (this.#crashed ? cdp.send('Page.navigate', { url: real }) : cdp.send('Page.reload')));
  }
  /** Closes as a user would: through the window if there is one. Playwright's `page.close()` comes here. */
  close(): void {
    if (this.owner !== null) this.owner.close();
    else void this.closePage();
  }
  /** Returns false if the page, asked through `beforeunload`, wants to stay and the app allows it. */
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
  /** The area that it takes on the screen; null until it is set. */
  get place(): PageSize['place'] {
    return this.#size.place;
  }
  setSize(width: number, height: number): void {
    this.#size.lay(width, height);
  }
  async #do(work: (cdp: CdpSession) => Promise<unknown>): Promise<void> {
    try {
      await work(await this.cdp());
    } catch (error) {
      record('webContents', String(error));
    }
  }
}
