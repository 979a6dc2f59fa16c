import { session as electronSession, type Session } from 'electron';
import type { GameViewOptions } from '#core/host.ts';
import { startGameProxy, type GameProxy } from '#core/network/game-proxy.ts';
import { AppError } from '#shared/errors.ts';
import { followRequests } from './game-requests.ts';
import type { ProxyLogins } from './proxy-logins.ts';
import { within } from './within.ts';

/** Who judges what a game does, and is told of it. */
export type Watch = Pick<GameViewOptions, 'admits' | 'trusts' | 'onEvent'>;

/** A session for one game at a time. It lives in memory. */
export interface GameSession {
  readonly session: Session;
  readonly partition: string;
  /** Empties it for another game. Fails where that cannot be said; then it is used no more. */
  release(): Promise<void>;
}

export interface GameSessions {
  /**
   * A session that holds nothing of another game. Electron keeps every session until the program ends (electron/electron#28566), so they are
   * used again: for games of the same `trust` only, since Chromium keeps its verdicts on certificates (electron/electron#41448).
   */
  take(trust: string, watch: Watch): Promise<GameSession>;
}

const forgettingMs = 5_000;

interface Kept {
  readonly session: Session;
  readonly partition: string;
  readonly proxy: GameProxy;
  readonly trust: string;
  watch: Watch | null;
}

export function createGameSessions(logins: ProxyLogins): GameSessions {
  const free: Kept[] = [];
  let made = 0;

  async function make(trust: string): Promise<Kept> {
    const partition = `game-${++made}`;
    const session = electronSession.fromPartition(partition);
    const proxy = await startGameProxy({
      judge: async (url) => (await kept.watch?.admits(url)) ?? { ok: false, local: false, message: 'No game is open.' },
      onEvent: (event) => {
        if (event.type === 'refused') kept.watch?.onEvent(event);
      },
    });
    const kept: Kept = { session, partition, proxy, trust, watch: null };
    lockDown(session, () => kept.watch);
    logins.add(proxy);
    await goThrough(session, proxy);
    return kept;
  }

  return {
    async take(trust, watch) {
      const at = free.findIndex((kept) => kept.trust === trust);
      const kept = at < 0 ? await make(trust) : free.splice(at, 1)[0];
      if (kept === undefined) throw new AppError('internal', 'No session for the game.');
      kept.watch = watch;
      return {
        session: kept.session,
        partition: kept.partition,
        async release() {
          kept.watch = null;
          await forget(kept.session);
          free.push(kept);
        },
      };
    },
  };
}

/** Every request of the session goes through the proxy, those to this machine too, whoever in the page makes it. */
async function goThrough(session: Session, { port }: GameProxy): Promise<void> {
  const server = `127.0.0.1:${port}`;
  await session.setProxy({ mode: 'fixed_servers', proxyRules: server, proxyBypassRules: '<-loopback>' });
  // Electron says that it is done before Chromium's network service has it.
  for (const url of ['https://proxy.invalid/', 'https://localhost/']) {
    if ((await session.resolveProxy(url)) !== `PROXY ${server}`)
      throw new AppError('internal', 'The way out of the game could not be set.');
  }
  await session.closeAllConnections();
}

async function forget(session: Session): Promise<void> {
  const emptied = Promise.all([
    session.closeAllConnections(),
    session.clearStorageData(),
    session.clearCache(),
    session.clearAuthCache(),
    session.clearHostResolverCache(),
    session.clearCodeCaches({}),
  ]);
  // A network process that dies takes its replies with it.
  if ((await within(forgettingMs, emptied)) === null) throw new AppError('internal', 'The session could not be emptied.');
}

/** Nothing is granted, nothing is downloaded, and every request is judged before it leaves. What is refused is told. */
function lockDown(session: Session, watch: () => Watch | null): void {
  const tell: Watch['onEvent'] = (event) => watch()?.onEvent(event);
  session.setPermissionRequestHandler((_contents, permission, done) => {
    tell({ type: 'permission', permission });
    done(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, done) => {
    tell({ type: 'permission', permission: 'display-capture' });
    done(null);
  });
  session.allowNTLMCredentialsForDomains('');
  session.on('will-download', (event, item) => {
    event.preventDefault();
    tell({ type: 'download', url: item.getURL(), name: item.getFilename() });
  });
  session.setCertificateVerifyProc((request, done) => {
    // -3 keeps Chromium's own verdict, which is enough where a public authority vouches for the server.
    if (request.errorCode === 0) return done(-3);
    done(isTrusted(request.certificate.data, request.hostname) ? 0 : -3);
  });
  followRequests(session, watch);

  /** What throws here would leave the connection waiting for ever. */
  function isTrusted(certificate: string, hostname: string): boolean {
    try {
      return watch()?.trusts(certificate, hostname) ?? false;
    } catch {
      return false;
    }
  }
}
