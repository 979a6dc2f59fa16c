import type { DebuggerDouble } from './debugger.ts';
import type { SessionDouble } from './session.ts';

/** The page that is inspected. */
interface Inspected {
  readonly id: number;
  readonly session: SessionDouble;
  readonly debugger: DebuggerDouble;
  getURL(): string;
  emit(name: 'devtools-opened' | 'devtools-closed'): boolean;
}

/**
 * Creates the developer tools of a page. As in Electron they are loaded through its session, whose listeners may refuse them, and
 * they take the line of its debugger. They are not drawn.
 */
export function createDevTools(contents: Inspected) {
  let open = false;
  return {
    isOpen: () => open,
    async open(): Promise<void> {
      if (open) return;
      const url = 'devtools://devtools/bundled/devtools_app.html';
      const { webRequest } = contents.session;
      const details = {
        id: 0,
        url,
        method: 'GET',
        resourceType: 'mainFrame',
        webContentsId: contents.id,
        timestamp: Date.now(),
        referrer: '',
      };
      const { cancel } = await webRequest.decide(details);
      if (cancel === true) return;
      const answered = { ...details, statusCode: 200, statusLine: 'HTTP/1.1 200 OK', responseHeaders: {}, fromCache: false };
      webRequest.tell('onHeadersReceived', answered);
      webRequest.tell('onCompleted', answered);
      // They ask the cache for the source of what the page has loaded, which no game has to keep there.
      const asked = { ...details, url: contents.getURL(), resourceType: 'other' };
      if (/^https?:/.test(asked.url) && (await webRequest.decide(asked)).cancel !== true)
        webRequest.tell('onErrorOccurred', { ...asked, error: 'net::ERR_CACHE_MISS', fromCache: false });
      open = true;
      contents.debugger.detach();
      contents.emit('devtools-opened');
    },
    close(): void {
      if (!open) return;
      open = false;
      contents.emit('devtools-closed');
    },
  };
}
