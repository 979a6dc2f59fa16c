import { app } from './app.ts';
import { record } from './record.ts';
import { strict, StrictEmitter } from './strict.ts';
import { WebContentsDouble } from './web-contents.ts';

type ViewApi = Pick<
  Electron.WebContentsView,
  'setBounds' | 'getBounds' | 'setVisible' | 'getVisible' | 'setBackgroundColor' | 'setBorderRadius'
>;

/** A page beside the window's own: a page of Chromium of its own, with the size of its bounds. Where it lies is only recorded. */
export class WebContentsView extends StrictEmitter implements ViewApi {
  readonly webContents: WebContentsDouble;
  #bounds: Electron.Rectangle = { x: 0, y: 0, width: 0, height: 0 };
  #visible = true;
  constructor(options: Electron.WebContentsViewConstructorOptions = {}) {
    super();
    this.webContents = new WebContentsDouble(options.webPreferences ?? {});
    app.emit('web-contents-created', {}, this.webContents);
  }
  setBounds(bounds: Electron.Rectangle): void {
    this.#bounds = { ...bounds };
    record('view.setBounds', bounds);
    if (bounds.width > 0 && bounds.height > 0) this.webContents.setSize(bounds.width, bounds.height);
  }
  getBounds(): Electron.Rectangle {
    return { ...this.#bounds };
  }
  setVisible(visible: boolean): void {
    this.#visible = visible;
    record('view.setVisible', visible);
  }
  getVisible(): boolean {
    return this.#visible;
  }
  setBackgroundColor(color: string): void {
    record('view.setBackgroundColor', color);
  }
  setBorderRadius(radius: number): void {
    record('view.setBorderRadius', radius);
  }
}

/** The `contentView` of a window: what lies over its page, in order. */
export function createContentView(bounds: () => Electron.Rectangle) {
  const children: WebContentsView[] = [];
  return strict('contentView', {
    children,
    getBounds: bounds,
    addChildView(view: WebContentsView, index?: number) {
      const at = children.indexOf(view);
      if (at >= 0) children.splice(at, 1);
      children.splice(index ?? children.length, 0, view);
    },
    removeChildView(view: WebContentsView) {
      const at = children.indexOf(view);
      if (at >= 0) children.splice(at, 1);
    },
  });
}
