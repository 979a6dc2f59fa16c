import type { OnBeforeRequestListenerDetails, Session } from 'electron';
import type { GameViewOptions, AddressVerdict } from '#core/host/host.ts';
import type { Asked, Attempts } from './game-attempts.ts';

/** Judges every request of a session that Electron tells of before it leaves, and tells what became of it. */
export function followRequests(session: Session, watch: () => Watch | null, attempts: Attempts): void {
  // The developer tools of a game are loaded in its session, and are nothing of the game's.
  const isTool = (url: string) => url.startsWith('devtools://');
  const tell: Watch['onEvent'] = (event) => {
    if (!('url' in event) || !isTool(event.url)) watch()?.onEvent(event);
  };

  async function judge(url: string): Promise<AddressVerdict['ok']> {
    if (isTool(url)) return true;
    try {
      const verdict = await watch()?.admits(url);
      if (verdict?.ok === false) tell({ type: 'refused', url, message: verdict.message, local: verdict.local });
      return verdict?.ok ?? false;
    } catch {
      tell({ type: 'refused', url, message: 'Croupier could not judge the address.', local: false });
      return false;
    }
  }

  async function decide(details: OnBeforeRequestListenerDetails, answer: (response: { cancel: boolean }) => void): Promise<void> {
    const ok = await judge(details.url);
    if (ok) attempts.begin(askedOf(details));
    answer({ cancel: !ok });
  }

  // Electron opens no connection ahead of a request: that a page asks for one is all there is to tell.
  session.on('preconnect', (_event, url) => void judge(url));
  const { webRequest } = session;
  webRequest.onBeforeRequest((details, answer) => void decide(details, answer));
  webRequest.onHeadersReceived((details, done) => {
    attempts.responded(askedOf(details));
    if (details.resourceType === 'mainFrame') {
      const headers = Object.entries(details.responseHeaders ?? {}).flatMap(([name, values]) =>
        values.map((value): [string, string] => [name, value]),
      );
      tell({ type: 'headers', url: details.url, method: details.method, headers });
    }
    done({});
  });
  webRequest.onBeforeRedirect((details) => void attempts.end(askedOf(details)));
  webRequest.onCompleted((details) => {
    const asked = askedOf(details);
    tell({ type: 'request', ...asked, status: details.statusCode, error: null, ms: attempts.end(asked) });
  });
  webRequest.onErrorOccurred((details) => {
    if (!isTool(details.url)) attempts.fail(askedOf(details), details.error);
  });
}

function askedOf({ method, url }: Asked): Asked {
  return { method, url };
}

/** Who judges what a game does, and is told of it. */
export type Watch = Pick<GameViewOptions, 'admits' | 'trusts' | 'onEvent'>;
