import type { OnBeforeRequestListenerDetails, Session } from 'electron';
import type { GameViewOptions } from '#core/host.ts';

type Watched = Pick<GameViewOptions, 'admits' | 'trusts' | 'onEvent'>;

/**
 * Locks a game's own session: nothing is granted, nothing is downloaded, and every request is judged before it leaves. What is
 * refused is told. The session lives in memory, for one view.
 */
export function lockDownGameSession(session: Session, { admits, trusts, onEvent }: Watched): void {
  session.setPermissionRequestHandler((_contents, permission, done) => {
    onEvent({ type: 'permission', permission });
    done(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, done) => {
    onEvent({ type: 'permission', permission: 'display-capture' });
    done({});
  });
  session.allowNTLMCredentialsForDomains('');
  session.on('will-download', (event, item) => {
    event.preventDefault();
    onEvent({ type: 'download', url: item.getURL(), name: item.getFilename() });
  });
  session.setCertificateVerifyProc((request, done) => {
    // -3 keeps Chromium's own verdict, which is enough where a public authority vouches for the server.
    if (request.errorCode === 0) return done(-3);
    done(trusts(request.certificate.data, request.hostname) ? 0 : -3);
  });
  followRequests(session, admits, onEvent);
}

/** More requests at once than this are not timed. */
const timedLimit = 10_000;

function followRequests(session: Session, admits: Watched['admits'], onEvent: Watched['onEvent']): void {
  const { webRequest } = session;
  // By method and address: a request that is redirected keeps its number and is another request all the same.
  const started = new Map<string, number[]>();

  function begin(key: string): void {
    if (started.size >= timedLimit) started.clear();
    started.set(key, [...(started.get(key) ?? []), performance.now()]);
  }
  function end(key: string): number {
    const [first, ...others] = started.get(key) ?? [];
    if (others.length === 0) started.delete(key);
    else started.set(key, others);
    return first === undefined ? 0 : performance.now() - first;
  }
  async function judge(url: string): Promise<boolean> {
    try {
      const verdict = await admits(url);
      if (!verdict.ok) onEvent({ type: 'refused', url, message: verdict.message, local: verdict.local });
      return verdict.ok;
    } catch {
      // What cannot be judged does not leave.
      return false;
    }
  }
  const keyOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`;

  async function decide(details: OnBeforeRequestListenerDetails, answer: (response: { cancel: boolean }) => void): Promise<void> {
    const ok = await judge(details.url);
    if (ok) begin(keyOf(details));
    answer({ cancel: !ok });
  }

  webRequest.onBeforeRequest((details, answer) => void decide(details, answer));
  webRequest.onHeadersReceived((details, done) => {
    if (details.resourceType === 'mainFrame') {
      const headers = Object.entries(details.responseHeaders ?? {}).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      );
      onEvent({ type: 'headers', url: details.url, headers });
    }
    done({});
  });
  webRequest.onBeforeRedirect((details) => void end(keyOf(details)));
  webRequest.onCompleted((details) => {
    const { url, method, statusCode } = details;
    onEvent({ type: 'request', url, method, status: statusCode, error: null, ms: end(keyOf(details)) });
  });
  webRequest.onErrorOccurred((details) => {
    const { url, method, error } = details;
    const ms = end(keyOf(details));
    // A page that goes elsewhere takes its open requests with it.
    if (error !== 'net::ERR_ABORTED') onEvent({ type: 'request', url, method, status: null, error, ms });
  });
}
