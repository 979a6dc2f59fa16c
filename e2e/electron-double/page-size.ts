import type { CdpSession } from './cdp.ts';
import type { SessionDouble } from './session.ts';

/** A page with a size. */
export interface SizedPage {
  readonly preferences: Electron.WebPreferences;
  readonly session: SessionDouble;
  do(work: (cdp: CdpSession) => Promise<unknown>): Promise<void>;
}

/**
 * The area that a page takes and its zoom. As in Electron, a zoom is the page's own with `zoomMode: 'isolated'`, else of its host
 * in the session; it has no effect before the first page is there, and none if its process is gone.
 */
export class PageSize {
  /** In DIPs; null until it is set. */
  place: { readonly width: number; readonly height: number } | null = null;
  factor = 1;
  /** Metrics that the app gave by the protocol: they come before the area. */
  #metrics: object | null = null;
  readonly #page: SizedPage;
  /** Empty before the first page. */
  #url = '';

  constructor(page: SizedPage) {
    this.#page = page;
  }
  get #isIsolated(): boolean {
    return this.#page.preferences.zoomMode === 'isolated';
  }
  /** Lays the page into an area. */
  lay(width: number, height: number): void {
    this.place = { width, height };
    void this.#page.do((cdp) => this.draw(cdp));
  }
  /** Sets a zoom for the user, or the app. */
  zoom(factor: number, hasProcess: boolean): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    if (this.#url === '' || !hasProcess) return;
    const wanted = Math.min(5, Math.max(0.25, factor));
    if (this.#isIsolated) this.#set(wanted);
    else this.#page.session.setZoom(hostOf(this.#url), wanted);
  }
  /** Called when a page was committed. */
  committed(url: string): void {
    this.#url = url;
    this.follow();
  }
  /** Takes the session's zoom of the host. */
  follow(): void {
    if (!this.#isIsolated && this.#url !== '') this.#set(this.#page.session.zoomOf(hostOf(this.#url)));
  }
  #set(factor: number): void {
    if (this.factor === factor) return;
    this.factor = factor;
    void this.#page.do((cdp) => this.draw(cdp));
  }
  /** Lets the page see a screen of the app's; null for its area again. Fails as the protocol does. */
  async emulate(cdp: CdpSession, metrics: object | null): Promise<void> {
    this.#metrics = metrics;
    if (metrics === null) return this.draw(cdp);
    await cdp.send('Emulation.setDeviceMetricsOverride', metrics as never);
  }
  async draw(cdp: CdpSession): Promise<void> {
    if (this.#metrics !== null) return;
    if (this.place === null || this.place.width === 0 || this.place.height === 0) return;
    // A zoomed page has more or fewer CSS pixels in the same area; the rest of the last one does not count.
    const width = Math.floor(this.place.width / this.factor);
    const height = Math.floor(this.place.height / this.factor);
    const metrics = { width, height, deviceScaleFactor: 0, mobile: false };
    await cdp.send('Emulation.setDeviceMetricsOverride', metrics).catch(() => undefined);
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
