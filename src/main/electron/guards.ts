import { app, type Session, type WebContents } from 'electron';
import { isPageAddress, isPageBlob } from './page-origin.ts';
import { mayRequest } from './page-requests.ts';
import { mayUse } from './permissions.ts';

/** Rules for navigations of every page. */
export type Guards = ReturnType<typeof guardContents>;

/** Guards every future page from before its first request: no new windows, no embedded guests, no navigation away. */
export function guardContents() {
  const admitted = new WeakMap<WebContents, (address: string, isMainFrame: boolean) => boolean>();
  app.on('web-contents-created', (_event, contents) => {
    const mayGo = (address: string, isMainFrame: boolean) =>
      admitted.get(contents)?.(address, isMainFrame) ?? (isMainFrame && isPageAddress(address));
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (!mayGo(event.url, true)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!mayGo(event.url, event.isMainFrame)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!mayGo(event.url, event.isMainFrame)) event.preventDefault();
    });
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    event.preventDefault();
    choose();
  });
  return {
    /** Lets a game's page navigate where `mayGo` allows it; without this it cannot navigate. */
    admit: (contents: WebContents, mayGo: (address: string, isMainFrame: boolean) => boolean): void =>
      void admitted.set(contents, mayGo),
  };
}

/**
 * Denies a session every permission but the page's clipboard, every device, the network's own credentials, and every download but
 * the page's own blobs, for which Electron asks the user for a file.
 */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, done, { requestingUrl, isMainFrame }) =>
    done(mayUse(permission, requestingUrl, isMainFrame)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) => mayUse(permission, origin, isMainFrame));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, done) => done(null));
  session.allowNTLMCredentialsForDomains('');
  session.on('will-download', (event, item) => {
    if (!isPageBlob(item.getURL())) event.preventDefault();
  });
}

/**
 * Keeps the page's session off the network, because only core sends. `inspected`: its developer tools may be loaded, which
 * Electron does in this session.
 */
export function keepOffNetwork(session: Session, inspected: boolean): void {
  session.webRequest.onBeforeRequest(({ url }, done) =>
    done({ cancel: !mayRequest(url) && !(inspected && url.startsWith('devtools://')) }),
  );
}
