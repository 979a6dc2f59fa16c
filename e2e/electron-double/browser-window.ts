import { app } from './app.ts';
import { giveFocus } from './focus.ts';
import { record } from './record.ts';
import { browserStarted } from './ready.ts';
import { screen } from './screen.ts';
import { markDestroyed, onlyDoubled, preventable, StrictEmitter, throwDestroyed } from './strict.ts';
import { createContentView } from './web-contents-view.ts';
import { WebContentsDouble } from './web-contents.ts';
import { listWindow } from './window-list.ts';

type BrowserWindowApi = Pick<
  Electron.BrowserWindow,
  | 'id'
  | 'show'
  | 'hide'
  | 'isVisible'
  | 'focus'
  | 'blur'
  | 'isFocused'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'maximize'
  | 'isMaximized'
  | 'setFullScreen'
  | 'isFullScreen'
  | 'getBounds'
  | 'getSize'
  | 'getNormalBounds'
  | 'setBounds'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'loadURL'
>;

/** Options with which a window may be made. */
const doubled = ['x', 'y', 'width', 'height', 'minWidth', 'minHeight', 'show', 'title', 'icon', 'webPreferences'] as const;
/** Milliseconds after a close that did not end, as in Electron's `browser-window.ts`. */
const unresponsiveMs = 5_000;
let nextId = 0;
const windows = new Set<BrowserWindow>();
/** The windows that were focused, the last one at the end. */
const focused: BrowserWindow[] = [];

function takeFocusFrom(window: BrowserWindow): void {
  const at = focused.indexOf(window);
  if (at >= 0) focused.splice(at, 1);
}

/** A window: one page, no frame around it, on the one display that `screen` has. */
export class BrowserWindow extends StrictEmitter implements BrowserWindowApi {
  readonly id = ++nextId;
  readonly webContents: WebContentsDouble;
  readonly contentView: ReturnType<typeof createContentView>;
  readonly #unlist: () => boolean;
  #bounds: Electron.Rectangle;
  #visible: boolean;
  #state: 'normal' | 'minimized' | 'maximized' | 'full screen' = 'normal';
  #before: 'normal' | 'maximized' | 'full screen' = 'normal';
  #active = false;
  #waiting: NodeJS.Timeout | undefined;

  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }
  static getFocusedWindow(): BrowserWindow | null {
    const last = focused.at(-1);
    return last?.isFocused() === true ? last : null;
  }
  static fromWebContents(contents: WebContentsDouble): BrowserWindow | null {
    if (contents.isDestroyed()) throwDestroyed();
    // Of a view, too.
    return [...windows].find((window) => window === contents.shownIn) ?? null;
  }

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    if (!browserStarted()) throw new Error('Cannot create BrowserWindow before app is ready');
    onlyDoubled('BrowserWindowConstructorOptions', options, doubled);
    const { x, y } = options;
    const width = Math.max(options.width ?? 800, options.minWidth ?? 0);
    const height = Math.max(options.height ?? 600, options.minHeight ?? 0);
    const area = screen.getPrimaryDisplay().workArea;
    // A window without a position stands in the middle.
    this.#bounds = {
      x: x ?? Math.round((area.width - width) / 2),
      y: y ?? Math.round((area.height - height) / 2),
      width,
      height,
    };
    this.#visible = options.show ?? true;
    this.webContents = new WebContentsDouble(options.webPreferences ?? {});
    this.webContents.owner = this;
    this.webContents.shownIn = this;
    this.contentView = createContentView(
      () => this.getBounds(),
      () => this.#visible && this.#state !== 'minimized',
      this,
    );
    this.webContents.setSize(width, height);
    windows.add(this);
    this.#unlist = listWindow(this);
    app.emit('browser-window-created', {}, this);
    record('BrowserWindow', { ...this.#bounds, show: this.#visible });
    this.webContents.on('destroyed', () => this.#gone());
    if (this.#visible) this.focus();
  }

  /** Hides the page and the views of a window that is minimised or hidden. */
  #look(): void {
    this.webContents.visibility.set(!this.#visible || this.#state === 'minimized');
    for (const view of this.contentView.children) view.look();
  }
  #gone(): void {
    windows.delete(this);
    // Its views outlive it, seen by nobody.
    this.#visible = false;
    takeFocusFrom(this);
    const last = this.#unlist();
    clearTimeout(this.#waiting);
    markDestroyed(this, 'BrowserWindow', ['id']);
    this.emit('closed');
    if (last) app.lastWindowClosed();
  }
  #place(): void {
    const { width, height } = this.getBounds();
    this.webContents.setSize(width, height);
    this.emit('resize');
  }

  show(): void {
    this.#visible = true;
    this.#look();
    this.emit('show');
    this.focus();
  }
  hide(): void {
    this.#visible = false;
    this.#look();
    this.emit('hide');
  }
  isVisible(): boolean {
    return this.#visible;
  }
  /** Gives the keyboard to the window's own page, whatever had it when the window was left. */
  focus(): void {
    if (this.#active || !this.#visible) return;
    BrowserWindow.getFocusedWindow()?.blur();
    takeFocusFrom(this);
    focused.push(this);
    this.#active = true;
    this.webContents.focus();
    this.#emitSoon('focus');
  }
  blur(): void {
    if (!this.#active) return;
    this.#active = false;
    giveFocus(null);
    this.#emitSoon('blur');
  }
  #emitSoon(name: 'focus' | 'blur'): void {
    setImmediate(() => {
      if (!this.isDestroyed()) this.emit(name);
    });
  }
  isFocused(): boolean {
    return this.#active;
  }
  minimize(): void {
    if (this.#state !== 'minimized') this.#before = this.#state;
    this.#state = 'minimized';
    this.#look();
    this.emit('minimize');
  }
  /** As Electron: a window that was maximised before it was minimised is so again. */
  restore(): void {
    this.#state = this.#state === 'minimized' ? this.#before : 'normal';
    this.#look();
    this.emit('restore');
  }
  isMinimized(): boolean {
    return this.#state === 'minimized';
  }
  /** As Electron's: it shows a hidden window, painted or not. */
  maximize(): void {
    this.#state = 'maximized';
    if (!this.#visible) this.show();
    this.emit('maximize');
    this.#place();
  }
  isMaximized(): boolean {
    return this.#state === 'maximized';
  }
  setFullScreen(full: boolean): void {
    this.#state = full ? 'full screen' : 'normal';
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen');
    this.#place();
  }
  isFullScreen(): boolean {
    return this.#state === 'full screen';
  }
  getNormalBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  getBounds(): Electron.Rectangle {
    const { workArea, bounds } = screen.getPrimaryDisplay();
    if (this.#state === 'maximized') return workArea;
    return this.#state === 'full screen' ? bounds : { ...this.#bounds };
  }
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    const before = this.#bounds;
    this.#bounds = { ...before, ...bounds };
    const { x, y, width, height } = this.#bounds;
    if (x !== before.x || y !== before.y) this.emit('move');
    if (width !== before.width || height !== before.height) this.#place();
  }
  getSize(): number[] {
    const { width, height } = this.getBounds();
    return [width, height];
  }
  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  isDestroyed(): boolean {
    return !windows.has(this);
  }
  close(): void {
    void this.tryToClose();
  }
  async tryToClose(): Promise<boolean> {
    // The window's listeners are asked first, then the page.
    const { webContents } = this;
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    // As Electron: not ended by a page that stays.
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.emit('unresponsive');
    }, unresponsiveMs).unref();
    if (!(await webContents.mayUnload())) return false;
    // Something else may have closed it while its page was asked.
    if (!this.isDestroyed()) await webContents.closePage();
    return true;
  }
  destroy(): void {
    void this.webContents.destroyPage();
  }
}
