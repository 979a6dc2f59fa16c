import { inside } from './addresses.ts';
import { frameNumber, frameObject, frameProcess, noteFrame } from './frames.ts';
import type { CdpSession } from './cdp.ts';
import { netError } from './net-errors.ts';
import { preventable } from './strict.ts';

/** The page that navigates. */
export interface Navigator {
  readonly mainFrameId: string;
  emit(name: string, ...values: unknown[]): boolean;
  /** Called with each place in its document that the main frame comes to. */
  moved(url: string): void;
  /** Called when a frame that has a target of its own has loaded. */
  loaded(frameId: string): void;
  /** Called with each document that the main frame comes to, before its events; `posted`: a form was sent to get it. */
  committed(document: { readonly url: string; readonly isError: boolean; readonly posted: boolean }): void;
}

interface Response {
  readonly code: number;
  readonly text: string;
  readonly method: string;
}
interface Failure {
  readonly errorText: string;
  readonly url: string;
  readonly main: boolean;
  readonly frameId: string;
}

/** The navigations of one page and its frames, by Chromium's number of each, with Electron's events in Electron's order. */
export class Navigations {
  readonly #page: Navigator;
  readonly #types = new Map<string, string>();
  readonly #responses = new Map<string, Response>();
  readonly #failures = new Map<string, Failure>();
  /** By frame, the navigation that brought what it shows. */
  readonly #shown = new Map<string, string>();
  /** Frames with a document whose load has not ended. */
  readonly #loading = new Set<string>();
  /** Frames with a target of their own that loaded a page of which nothing has been told. */
  readonly #untold = new Set<string>();

  constructor(page: Navigator) {
    this.#page = page;
  }

  /** Follows the frames of one target; `outermost` is the one whose load the protocol reports. */
  follow(cdp: CdpSession, outermost: string): void {
    cdp.on('Page.loadEventFired', () => {
      // Chromium's own page in a frame may be there before the protocol could tell of it, or of the failure.
      if (!this.#loading.delete(outermost)) this.#untold.add(outermost);
      for (const [loaderId, failure] of this.#failures) {
        if (failure.frameId !== outermost || failure.main) continue;
        this.#failures.delete(loaderId);
        this.#untold.delete(outermost);
        this.#fail(failure.url, outermost, failure);
      }
      this.#page.loaded(outermost);
    });
    cdp.on('Page.frameAttached', ({ frameId, parentFrameId }) => noteFrame(frameId, parentFrameId));
    cdp.on('Page.frameStartedNavigating', ({ frameId, url, loaderId, navigationType }) => {
      if (frameId !== this.#page.mainFrameId || /sameDocument/i.test(navigationType)) return;
      this.#types.set(loaderId, navigationType);
      this.#started(inside(url), false);
    });
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const main = frameId === this.#page.mainFrameId;
      if (main) {
        this.#started(inside(url), true);
        this.#page.moved(inside(url));
      }
      this.#page.emit('did-navigate-in-page', {}, inside(url), main, frameProcess, frameNumber(frameId));
    });
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if ((frame.unreachableUrl ?? '') !== '' && this.#shown.get(frame.id) === frame.loaderId) return;
      this.#shown.set(frame.id, frame.loaderId);
      this.#loading.add(frame.id);
      this.#untold.delete(frame.id);
      const main = frame.id === this.#page.mainFrameId;
      const failure = this.#failures.get(frame.loaderId);
      this.#failures.delete(frame.loaderId);
      if ((frame.unreachableUrl ?? '') !== '') return this.#fail(inside(frame.unreachableUrl ?? ''), frame.id, failure);
      const url = inside(frame.url);
      const { code, text, method } = this.#responses.get(frame.loaderId) ?? { code: -1, text: '', method: 'GET' };
      if (main) this.#page.committed({ url, isError: false, posted: method === 'POST' });
      this.#page.emit('did-frame-navigate', {}, url, code, text, main, frameProcess, frameNumber(frame.id));
      if (main) this.#page.emit('did-navigate', {}, url, code, text);
    });
  }

  /** Called with what a frame shows when its target is followed: Chromium's own page may have come before. */
  present({
    id,
    loaderId,
    unreachableUrl = '',
  }: {
    readonly id: string;
    readonly loaderId: string;
    readonly unreachableUrl?: string;
  }): void {
    if (id === this.#page.mainFrameId || unreachableUrl === '' || this.#shown.get(id) === loaderId) return;
    this.#shown.set(id, loaderId);
    const failure = this.#failures.get(loaderId);
    this.#failures.delete(loaderId);
    if (failure === undefined) this.#untold.add(id);
    else this.#fail(failure.url, id, failure);
  }

  /** Returns whether the page went back or forward: the browser does that for it, and asks nobody whether it may. */
  isHistory(loaderId: string | undefined): boolean {
    return /history|restore/i.test(this.#types.get(loaderId ?? '') ?? '');
  }
  responded(loaderId: string, response: Response): void {
    this.#responses.set(loaderId, response);
  }
  /**
   * Called when the request of a document failed. Electron reports it when Chromium shows its own page about it, and never else, or
   * in the midst of a document.
   */
  failed(loaderId: string, failure: Failure): void {
    const { frameId } = failure;
    if (!failure.main && this.#untold.delete(frameId)) return this.#fail(failure.url, frameId, failure);
    if (this.#shown.get(frameId) !== loaderId) return void this.#failures.set(loaderId, failure);
    const { code } = netError(failure.errorText);
    this.#page.emit('did-fail-load', preventable({}), code, '', failure.url, failure.main, frameProcess, frameNumber(frameId));
  }

  #started(url: string, isSameDocument: boolean): void {
    const frame = frameObject(this.#page.mainFrameId);
    const fields = { url, isMainFrame: true, isSameDocument, isInPlace: isSameDocument, frame };
    this.#page.emit('did-start-navigation', preventable(fields), url, isSameDocument, true);
  }
  #fail(url: string, frameId: string, failure: Failure | undefined): void {
    const main = frameId === this.#page.mainFrameId;
    const { code, name } = netError(failure?.errorText ?? 'net::ERR_FAILED');
    if (main) this.#page.committed({ url, isError: true, posted: false });
    const told = [preventable({}), code, name, url, main, frameProcess, frameNumber(frameId)] as const;
    this.#page.emit('did-fail-provisional-load', ...told);
    if (code === -3) return;
    process.emitWarning(`Failed to load URL: ${url} with error: ${name}`, 'electron');
    this.#page.emit('did-fail-load', ...told);
  }
}
