import type { CdpSession } from './cdp.ts';
import type { SessionDouble } from './session.ts';

/** What a page is drawn in. */
export interface SizedPage {
  readonly preferences: Electron.WebPreferences;
  readonly session: SessionDouble;
  do(work: (cdp: CdpSession) => Promise<unknown>): Promise<void>;
}

/**
 * The place that a page takes and its zoom. As in Electron, a zoom is the page's own with `zoomMode: 'isolated'`, else of its host in the session;
 * it has no effect before the first page is there, and none where its process is gone.
 */
export class PageSize {
  /** In DIPs; null while nobody has said. */
  place: { readonly width: number; readonly height: number } | null = null;
  factor = 1;
  readonly #page: SizedPage;
  /** Empty before the first page. */
  #url = '';

  constructor(page: SizedPage) {
    this.#page = page;
  }
  get #isIsolated(): boolean {
    return this.#page.preferences.zoomMode === 'isolated';
  }
  /** Puts the page into a place. */
  lay(width: number, height: number): void {
    this.place = { width, height };
    void this.#page.do((cdp) => this.draw(cdp));
  }
  /** The user, or the app, asks for a zoom. */
  zoom(factor: number, hasProcess: boolean): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0");
    if (this.#url === '' || !hasProcess) return;
    const wanted = Math.min(5, Math.max(0.25, factor));
    if (this.#isIsolated) this.#set(wanted);
    else this.#page.session.setZoom(hostOf(this.#url), wanted);
  }
  /** A page was committed. */
  committed(url: string): void {
    this.#url = url;
    this.follow();
  }
  /** Takes on what the session says of the host. */
  follow(): void {
    if (!this.#isIsolated && this.#url !== '') this.#set(this.#page.session.zoomOf(hostOf(this.#url)));
  }
  #set(factor: number): void {
    if (this.factor === factor) return;
    this.factor = factor;
    void this.#page.do((cdp) => this.draw(cdp));
  }
  async draw(cdp: CdpSession): Promise<void> {
    if (this.place === null || this.place.width === 0 || this.place.height === 0) return;
    // A page that is zoomed has more or fewer CSS pixels in the same place; what is left of the last one does not count.
    const width = Math.floor(this.place.width / this.factor);
    const height = Math.floor(this.place.height / this.factor);
    const metrics = { width, height, deviceScaleFactor: 0, mobile: false };
    await cdp.send('Emulation.setDeviceMetricsOverride', metrics).catch(() => undefined);
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
