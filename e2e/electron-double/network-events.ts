import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';
import { preventable } from './strict.ts';
import type { RequestOwner } from './requests.ts';
import { resourceTypeOf, type RequestDetails } from './web-request.ts';

/** The status of the documents that were answered last, by frame, for the events of a navigation. */
export type DocumentStatus = Map<string, { readonly code: number; readonly text: string; readonly method: string }>;

const errorCodes: Readonly<Record<string, number>> = {
  'net::ERR_FAILED': -2,
  'net::ERR_ABORTED': -3,
  'net::ERR_BLOCKED_BY_CLIENT': -20,
  'net::ERR_BLOCKED_BY_RESPONSE': -27,
  'net::ERR_CONNECTION_CLOSED': -100,
  'net::ERR_CONNECTION_RESET': -101,
  'net::ERR_CONNECTION_REFUSED': -102,
  'net::ERR_NAME_NOT_RESOLVED': -105,
  'net::ERR_INTERNET_DISCONNECTED': -106,
  'net::ERR_TUNNEL_CONNECTION_FAILED': -111,
  'net::ERR_PROXY_CONNECTION_FAILED': -130,
  'net::ERR_CERT_COMMON_NAME_INVALID': -200,
  'net::ERR_CERT_DATE_INVALID': -201,
  'net::ERR_CERT_AUTHORITY_INVALID': -202,
  'net::ERR_EMPTY_RESPONSE': -324,
};

/** Turns what a target tells of its network into the events of `webRequest` and `did-fail-load`. */
export async function observeNetwork(cdp: CdpSession, owner: RequestOwner, documents: DocumentStatus): Promise<void> {
  const known = new Map<
    string,
    RequestDetails & { readonly frameId: string; readonly document: boolean; readonly redirected: boolean }
  >();
  // Events come late, too, and of a page that is gone nothing can be asked.
  const { webRequest } = owner.session;
  const webContentsId = owner.id;
  let ids = 0;

  cdp.on('Network.requestWillBeSent', (sent) => {
    const { requestId, request, frameId = '', type = 'Other', redirectResponse } = sent;
    const before = known.get(requestId);
    if (before !== undefined && redirectResponse !== undefined) {
      const { status, statusText, headers } = redirectResponse;
      const said = { statusCode: status, statusLine: `HTTP/1.1 ${status} ${statusText}`, responseHeaders: listed(headers) };
      webRequest.tell('onHeadersReceived', { ...before, ...said });
      webRequest.tell('onBeforeRedirect', { ...before, ...said, redirectURL: inside(request.url), fromCache: false });
    }
    known.set(requestId, {
      id: ++ids,
      url: inside(request.url),
      method: request.method,
      resourceType: resourceTypeOf(type, frameId === owner.mainFrame),
      webContentsId,
      timestamp: Date.now(),
      referrer: '',
      frameId,
      document: type === 'Document',
      redirected: redirectResponse !== undefined,
    });
  });

  cdp.on('Network.responseReceived', ({ requestId, response, frameId = '', type }) => {
    const details = known.get(requestId);
    const { status, statusText, headers } = response;
    if (type === 'Document') documents.set(frameId, { code: status, text: statusText, method: details?.method ?? 'GET' });
    if (details === undefined) return;
    const said = { statusCode: status, statusLine: `HTTP/1.1 ${status} ${statusText}`, responseHeaders: listed(headers) };
    const answered = { ...details, ...said, fromCache: response.fromDiskCache ?? false };
    known.set(requestId, answered);
    webRequest.tell('onHeadersReceived', answered);
    webRequest.tell('onResponseStarted', answered);
  });

  cdp.on('Network.loadingFinished', ({ requestId }) => {
    const details = known.get(requestId);
    known.delete(requestId);
    if (details !== undefined) webRequest.tell('onCompleted', { ...details, timestamp: Date.now(), error: 'net::OK' });
  });

  cdp.on('Network.loadingFailed', ({ requestId, errorText: inspected }) => {
    // What the debugging protocol refused has a name of its own there; the app knows of no inspector.
    const errorText = inspected.replace(/\.Inspector$/, '');
    const details = known.get(requestId);
    known.delete(requestId);
    if (details === undefined) return;
    const prevented = owner.prevented.delete(requestId);
    // Of a navigation that was prevented before its request, `webRequest` never hears; of a redirect it knows the beginning.
    if (!prevented || details.redirected)
      webRequest.tell('onErrorOccurred', { ...details, timestamp: Date.now(), error: errorText, fromCache: false });
    if (!details.document || prevented) return;
    const code = errorCodes[errorText] ?? -2;
    const main = details.frameId === owner.mainFrame;
    const told = [preventable({}), code, errorText.replace('net::', ''), details.url, main, 1, 1] as const;
    owner.emit('did-fail-provisional-load', ...told);
    if (code !== -3) owner.emit('did-fail-load', ...told);
  });

  await cdp.send('Network.enable');
}

function listed(headers: object): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value).split('\n')]));
}
