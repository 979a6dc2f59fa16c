import { record } from './record.ts';
import { onlyDoubled, strict, StrictEmitter } from './strict.ts';
import { WebContentsDouble } from './web-contents.ts';

type ViewApi = Pick<Electron.WebContentsView, 'setBounds' | 'getBounds' | 'setVisible' | 'getVisible'>;

/** A page beside the window's own: a page of Chromium, with the size of its bounds. Its position is only recorded. */
export class WebContentsView extends StrictEmitter implements ViewApi {
  readonly #contents: WebContentsDouble;
  #bounds: Electron.Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  #visible = true;
  /** Returns the bounds of the window that shows it; null while it is in none. */
  #window: (() => Electron.Rectangle | null) | null = null;
  constructor(options: Electron.WebContentsViewConstructorOptions = {}) {
    super();
    onlyDoubled('WebContentsViewConstructorOptions', options, ['webPreferences']);
    this.#contents = new WebContentsDouble(options.webPreferences ?? {});
    this.look();
  }
  /** Undefined once they are destroyed, though the typings promise them. */
  get webContents(): WebContentsDouble {
    return this.#contents.isDestroyed() ? (undefined as never) : this.#contents;
  }
  /** True during the event `destroyed` of its page. */
  get isEnding(): boolean {
    return this.#contents.isEnding;
  }
  /**
   * Puts the view into a window, or takes it out. `bounds` returns those of the window while it is seen, else null. A view that is
   * taken out still belongs to its window.
   */
  attach(bounds: (() => Electron.Rectangle | null) | null, window: WebContentsDouble['shownIn']): void {
    this.#window = bounds;
    this.#contents.shownIn = window ?? this.#contents.shownIn;
    this.look();
  }
  /**
   * Applies Electron's rule of hidden pages: out of every window, made invisible, without size, or outside of its window or in a
   * hidden one.
   */
  look(): void {
    const window = this.#window?.() ?? null;
    const { x, y, width, height } = this.#bounds;
    const inside =
      window !== null && width > 0 && height > 0 && x < window.width && y < window.height && x + width > 0 && y + height > 0;
    this.#contents.visibility.set(!(this.#visible && inside));
  }
  setBounds(bounds: Electron.Rectangle): void {
    this.#bounds = { ...bounds };
    record('view.setBounds', bounds);
    this.#contents.setSize(bounds.width, bounds.height);
    this.look();
  }
  getBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  setVisible(visible: boolean): void {
    this.#visible = visible;
    record('view.setVisible', visible);
    this.look();
  }
  getVisible(): boolean {
    return this.#visible;
  }
}

/** Creates the `contentView` of a window: the views over its page, in order. */
export function createContentView(bounds: () => Electron.Rectangle, isSeen: () => boolean, window: WebContentsDouble['shownIn']) {
  const children: WebContentsView[] = [];
  return strict('contentView', {
    children,
    getBounds: bounds,
    addChildView(view: WebContentsView, index?: number) {
      const at = children.indexOf(view);
      if (at >= 0) children.splice(at, 1);
      children.splice(index ?? children.length, 0, view);
      view.attach(() => (isSeen() ? bounds() : null), window);
    },
    removeChildView(view: WebContentsView) {
      // Electron's process crashes (electron/electron#38842).
      if (view.isEnding) process.kill(process.pid, 'SIGSEGV');
      const at = children.indexOf(view);
      if (at >= 0) children.splice(at, 1);
      view.attach(null, null);
    },
  });
}
