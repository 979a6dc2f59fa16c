import type { OnBeforeRequestListenerDetails, Session } from 'electron';
import type { AddressVerdict } from '#core/host.ts';
import type { Watch } from './game-session.ts';

/** More requests at once than this are not timed. */
const timedLimit = 10_000;

/** Judges every request of a session that Electron tells of before it leaves, and tells what became of it. */
export function followRequests({ webRequest }: Session, watch: () => Watch | null): void {
  // By method and address: a request that is redirected keeps its number and is another request all the same.
  const started = new Map<string, number[]>();
  const tell: Watch['onEvent'] = (event) => watch()?.onEvent(event);

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
  async function judge(url: string): Promise<AddressVerdict['ok']> {
    // The developer tools of a game are loaded in its session.
    if (url.startsWith('devtools://')) return true;
    try {
      const verdict = await watch()?.admits(url);
      if (verdict?.ok === false) tell({ type: 'refused', url, message: verdict.message, local: verdict.local });
      return verdict?.ok ?? false;
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
      tell({ type: 'headers', url: details.url, headers });
    }
    done({});
  });
  webRequest.onBeforeRedirect((details) => void end(keyOf(details)));
  webRequest.onCompleted((details) => {
    const { url, method, statusCode } = details;
    tell({ type: 'request', url, method, status: statusCode, error: null, ms: end(keyOf(details)) });
  });
  webRequest.onErrorOccurred((details) => {
    const { url, method, error } = details;
    const ms = end(keyOf(details));
    // A page that goes elsewhere takes its open requests with it.
    if (error !== 'net::ERR_ABORTED') tell({ type: 'request', url, method, status: null, error, ms });
  });
}
