import { inside } from './addresses.ts';
import { app } from './app.ts';
import type { CdpSession } from './cdp.ts';
import { frameObject } from './frames.ts';
import { record } from './record.ts';
import type { Navigations } from './navigations.ts';
import type { SessionDouble } from './session.ts';
import { preventable } from './strict.ts';
import { requestNumber, resourceTypeOf } from './web-request.ts';

/** The page that a request belongs to. */
export interface RequestOwner {
  /** Undefined if it belongs to none, as that of a service worker. */
  readonly id: number | undefined;
  readonly session: SessionDouble;
  readonly mainFrameId: string;
  emit(name: string, ...values: unknown[]): boolean;
  /** Returns whether the app itself asked for this URL; true once for each time it did. */
  takeExpected(url: string): boolean;
  readonly navigations: Navigations;
  /** Requests that the double ended, by Chromium's number: a navigation that a listener prevented has no failure in Electron. */
  readonly ended: Map<string, 'prevented' | 'untrusted'>;
}

interface Paused {
  readonly requestId: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly networkId?: string;
}

/** Holds every request of a target until the app's listeners, its session and its schemes have decided. */
export async function interceptRequests(cdp: CdpSession, owner: RequestOwner): Promise<void> {
  cdp.on('Fetch.requestPaused', (paused) => {
    judge(cdp, owner, paused as unknown as Paused).catch((error: unknown) => {
      // A page that goes away takes its requests with it.
      record('request-failed', { url: paused.request.url, error: String(error) });
      void cdp.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' }).catch(() => undefined);
    });
  });
  const asked = new Set<string>();
  cdp.on('Fetch.authRequired', ({ requestId, request, authChallenge }) => {
    const first = !asked.has(requestId);
    asked.add(requestId);
    void askForPassword(owner, inside(request.url), first, authChallenge).then((answer) =>
      cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: answer }).catch(() => undefined),
    );
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
}

/** Emits `login`, of the page and then of the app: without an answer, the request goes on without a password. */
function askForPassword(
  owner: RequestOwner,
  url: string,
  firstAuthAttempt: boolean,
  { source, origin, scheme, realm }: { source?: string; origin: string; scheme: string; realm: string },
): Promise<{ response: 'Default' | 'CancelAuth' | 'ProvideCredentials'; username?: string; password?: string }> {
  return new Promise((resolve) => {
    const isProxy = source === 'Proxy';
    const { hostname, port } = new URL(origin);
    const event = preventable({});
    const details = {
      url,
      pid: 0,
      isMainFrame: false,
      isRequestForNavigation: false,
      firstAuthAttempt,
      responseHeaders: {},
    };
    const info = { isProxy, scheme, host: hostname, port: Number(port || (isProxy ? 80 : 443)), realm };
    record('login', { url, ...info });
    const answer = (username?: string, password?: string) =>
      resolve(
        username === undefined
          ? { response: 'CancelAuth' }
          : { response: 'ProvideCredentials', username, password: password ?? '' },
      );
    app.emit('login', event, owner, details, info, answer);
    if (!event.defaultPrevented) resolve({ response: 'CancelAuth' });
  });
}

async function judge(cdp: CdpSession, owner: RequestOwner, paused: Paused): Promise<void> {
  const { requestId, request, frameId, resourceType, networkId } = paused;
  const url = inside(request.url);
  const main = frameId === owner.mainFrameId;
  const redirected = paused.redirectedRequestId !== undefined;
  const end = (why: 'prevented' | 'untrusted', errorReason: 'Aborted' | 'ConnectionClosed') => {
    if (networkId !== undefined) owner.ended.set(networkId, why);
    return cdp.send('Fetch.failRequest', { requestId, errorReason });
  };
  if (resourceType === 'Document' && !mayNavigate(owner, url, frameId, redirected, networkId))
    return void (await end('prevented', 'Aborted'));

  const details = {
    id: requestNumber(networkId),
    url,
    method: request.method,
    resourceType: resourceTypeOf(resourceType, main),
    webContentsId: owner.id,
    timestamp: Date.now(),
    referrer: request.headers['Referer'] ?? '',
  };
  const answer = await owner.session.webRequest.decide(details);
  if (answer.cancel === true) {
    record('request-cancelled', { url });
    return void (await cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }));
  }
  owner.session.webRequest.tell('onSendHeaders', { ...details, requestHeaders: request.headers });
  const scheme = url.slice(0, url.indexOf(':'));
  const handler = owner.session.protocol.handlers.get(scheme);
  if (handler !== undefined) return serve(cdp, requestId, handler, url, request);
  if (url !== request.url) return void (await cdp.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }));
  if (scheme === 'https' && !(await owner.session.trusts(new URL(url)))) return void (await end('untrusted', 'ConnectionClosed'));
  await cdp.send('Fetch.continueRequest', { requestId });
}

/** Asks the listeners of navigations, in the order that Electron documents. */
function mayNavigate(owner: RequestOwner, url: string, frameId: string, redirected: boolean, loaderId?: string): boolean {
  const main = frameId === owner.mainFrameId;
  const expected = main && !redirected && (owner.takeExpected(url) || owner.navigations.isHistory(loaderId));
  const fields = { url, isMainFrame: main, isSameDocument: false, isInPlace: false, frame: frameObject(frameId) };
  // Those of the main frame are reported even if they need no request.
  if (!redirected && !main) owner.emit('did-start-navigation', preventable(fields), url, false, main);
  if (expected) return true;
  const asked = redirected ? ['will-redirect'] : ['will-frame-navigate', ...(main ? ['will-navigate'] : [])];
  for (const name of asked) {
    const event = preventable(fields);
    owner.emit(name, event, url, false, main);
    record(name, { url, main, prevented: event.defaultPrevented });
    if (event.defaultPrevented) return false;
  }
  // After a redirect that was refused, `will-redirect` is the only event.
  if (redirected) owner.emit('did-redirect-navigation', preventable(fields), url, false, main);
  return true;
}

async function serve(
  cdp: CdpSession,
  requestId: string,
  handler: (request: Request) => Response | Promise<Response>,
  url: string,
  request: Paused['request'],
): Promise<void> {
  const { method, headers, postData } = request;
  const init = { method, headers, ...(postData === undefined ? {} : { body: postData }) };
  const response = await handler(new Request(url, init));
  await cdp.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: response.status,
    responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  });
}
