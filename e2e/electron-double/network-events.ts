import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';
import type { RequestOwner } from './requests.ts';
import { requestNumber, resourceTypeOf, type RequestDetails } from './web-request.ts';

/** Turns a target's network events into those of `webRequest`, and reports documents to the navigations. */
export async function observeNetwork(cdp: CdpSession, owner: RequestOwner): Promise<void> {
  const known = new Map<
    string,
    RequestDetails & { readonly frameId: string; readonly document: boolean; readonly redirected: boolean }
  >();
  // Some events come after the page is gone, when nothing can be read from it any more.
  const { webRequest } = owner.session;
  const webContentsId = owner.id;

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
      id: requestNumber(requestId),
      url: inside(request.url),
      method: request.method,
      resourceType: resourceTypeOf(type, frameId === owner.mainFrameId),
      webContentsId,
      timestamp: Date.now(),
      referrer: '',
      frameId,
      document: type === 'Document',
      redirected: redirectResponse !== undefined,
    });
  });

  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    const details = known.get(requestId);
    const { status, statusText, headers } = response;
    if (details === undefined) return;
    if (details.document) owner.navigations.responded(requestId, { code: status, text: statusText, method: details.method });
    const said = { statusCode: status, statusLine: `HTTP/1.1 ${status} ${statusText}`, responseHeaders: listed(headers) };
    const answered = { ...details, ...said, fromCache: response.fromDiskCache ?? false };
    known.set(requestId, answered);
    webRequest.tell('onHeadersReceived', answered);
  });

  cdp.on('Network.loadingFinished', ({ requestId }) => {
    const details = known.get(requestId);
    known.delete(requestId);
    if (details !== undefined) webRequest.tell('onCompleted', { ...details, timestamp: Date.now(), error: 'net::OK' });
  });

  cdp.on('Network.loadingFailed', ({ requestId, errorText: inspected, blockedReason }) => {
    // The debugging protocol marks its own refusals with a suffix; the app knows of no inspector.
    const details = known.get(requestId);
    known.delete(requestId);
    // The page itself refuses these before they are requests that `webRequest` could know.
    if (details === undefined || blockedReason === 'mixed-content' || blockedReason === 'csp') return;
    // A page drops scripts and styles that come with an error; below the page the request was answered.
    if (!details.document && 'statusCode' in details && Number(details.statusCode) >= 400)
      return webRequest.tell('onCompleted', { ...details, timestamp: Date.now(), error: 'net::OK' });
    const end = owner.ended.get(requestId);
    owner.ended.delete(requestId);
    const errorText = end === 'untrusted' ? 'net::ERR_CERT_AUTHORITY_INVALID' : inspected.replace(/\.Inspector$/, '');
    // `webRequest` never learns of a navigation that was prevented before its request; of a redirect it knows the beginning.
    if (end !== 'prevented' || details.redirected)
      webRequest.tell('onErrorOccurred', { ...details, timestamp: Date.now(), error: errorText, fromCache: false });
    if (!details.document || end === 'prevented') return;
    const main = details.frameId === owner.mainFrameId;
    owner.navigations.failed(requestId, { errorText, url: details.url, main, frameId: details.frameId });
  });

  await cdp.send('Network.enable');
}

function listed(headers: object): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value).split('\n')]));
}
