import type { OnBeforeRequestListenerDetails, Session } from 'electron';
import type { GameViewOptions, AddressVerdict, NetworkStep } from '#core/host/host.ts';
import { roundTripUrl } from '#core/network/game-proxy.ts';
import type { Asked, Attempts } from './game-attempts.ts';

/** Judges every request of a session before it leaves, and reports its outcome. */
export function followRequests(session: Session, watch: () => Watch | null, attempts: Attempts): void {
  // Electron loads a game's developer tools in its session, and Croupier measures its network there; they are not part of the game.
  const isTool = (url: string) => url.startsWith('devtools://') || url === roundTripUrl;
  const tell: Watch['onEvent'] = (event) => {
    if (!('url' in event) || !isTool(event.url)) watch()?.onEvent(event);
  };

  /** Reports a step of a request. A redirected request keeps its number, so the URL belongs to its identity. */
  function step(name: 'asked' | 'responded' | 'ended', details: Asked & { readonly id: number }): void {
    const { id, method, url, resourceType } = details;
    tell({ type: 'traffic', step: name, id: `${id} ${url}`, method, url, resourceType });
  }

  /** Reports a step of a request for the network log, under the number that traffic has. */
  function log(details: { readonly id: number; readonly url: string; readonly timestamp: number }, more: NetworkStep): void {
    if (!isTool(details.url))
      watch()?.onEvent({ type: 'network', id: `${details.id} ${details.url}`, at: details.timestamp, ...more });
  }

  async function judge(url: string): Promise<AddressVerdict['ok']> {
    if (isTool(url)) return true;
    try {
      const verdict = await watch()?.admits(url);
      if (verdict?.ok === false) tell({ type: 'refused', url, message: verdict.message, local: verdict.local });
      return verdict?.ok ?? false;
    } catch {
      tell({ type: 'refused', url, message: 'Croupier could not check the URL.', local: false });
      return false;
    }
  }

  async function decide(details: OnBeforeRequestListenerDetails, answer: (response: { cancel: boolean }) => void): Promise<void> {
    const { method, url, resourceType } = details;
    log(details, { step: 'asked', method, url, resourceType });
    const ok = await judge(url);
    if (ok) {
      attempts.begin(askedOf(details));
      step('asked', details);
    }
    answer({ cancel: !ok });
  }

  // Electron opens no connection ahead of a request, so only the page's wish is reported.
  session.on('preconnect', (_event, url) => void judge(url));
  const { webRequest } = session;
  webRequest.onBeforeRequest((details, answer) => void decide(details, answer));
  webRequest.onSendHeaders((details) => log(details, { step: 'sent', headers: Object.entries(details.requestHeaders) }));
  webRequest.onHeadersReceived((details, done) => {
    attempts.responded(askedOf(details));
    step('responded', details);
    const headers = Object.entries(details.responseHeaders ?? {}).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    );
    log(details, { step: 'responded', status: details.statusCode, statusLine: details.statusLine, headers });
    if (details.resourceType === 'mainFrame')
      tell({ type: 'headers', url: details.url, status: details.statusCode, method: details.method, headers });
    done({});
  });
  webRequest.onBeforeRedirect((details) => {
    // No request for another program's URL follows.
    if (!/^https?:/i.test(details.redirectURL))
      tell({ type: 'refused', url: details.redirectURL, message: 'It is not a web URL.', local: false });
    attempts.end(askedOf(details));
    step('ended', details);
    log(details, { step: 'ended', error: null, fromCache: details.fromCache, redirectURL: details.redirectURL });
  });
  webRequest.onCompleted((details) => {
    step('ended', details);
    log(details, { step: 'ended', error: null, fromCache: details.fromCache, redirectURL: null });
    const asked = askedOf(details);
    tell({ type: 'request', ...asked, status: details.statusCode, error: null, ms: attempts.end(asked) });
  });
  webRequest.onErrorOccurred((details) => {
    step('ended', details);
    log(details, { step: 'ended', error: details.error, fromCache: details.fromCache, redirectURL: null });
    if (isTool(details.url)) return;
    // Developer tools ask the cache for what the game has loaded, and for nothing else. Nothing left, so nothing failed.
    if (details.error === 'net::ERR_CACHE_MISS') attempts.end(askedOf(details));
    else attempts.fail(askedOf(details), details.error);
  });
}

function askedOf({ method, url, resourceType }: Asked): Asked {
  return { method, url, resourceType };
}

/** The observer that judges a game's requests and receives its events. */
export type Watch = Pick<GameViewOptions, 'admits' | 'trusts' | 'onEvent'>;
