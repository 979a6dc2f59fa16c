import type { Session } from 'electron';
import { startGameProxy, type GameProxy } from '#core/network/game-proxy.ts';
import { replyWithin } from '#core/host/within.ts';
import { AppError } from '#shared/errors.ts';
import { createAttempts, type Attempts } from './game-attempts.ts';
import { type Watch, followRequests } from './game-requests.ts';
import { mayGameUse } from './permissions.ts';
import type { ProxyLogins } from './proxy-logins.ts';

/** A session for one game at a time. It lives in memory. */
interface GameSession {
  readonly session: Session;
  readonly partition: string;
  /** Empties it for another game, which gets it only then. Fails if that is not certain yet, or never will be because its page still exists. */
  release(gone: boolean): Promise<void>;
}

export type GameSessions = ReturnType<typeof createGameSessions>;

export interface GameSessionsOptions {
  /** Electron's function that returns the session of a name and creates it if missing. */
  readonly fromPartition: (partition: string) => Session;
  readonly logins: ProxyLogins;
  /** Most milliseconds for Chromium's network process to set a session up, or to empty it. */
  readonly replyMs?: number;
  /** Most sessions that games have, or can have again. */
  readonly most?: number;
}

interface Kept {
  readonly session: Session;
  readonly partition: string;
  readonly proxy: GameProxy;
  readonly attempts: Attempts;
  /** Null while games of any trust may use it. */
  trust: string | null;
  /** Trust of the last game. */
  lastTrust: string;
  watch: Watch | null;
}

export function createGameSessions({ fromPartition, logins, replyMs = 5_000, most = 64 }: GameSessionsOptions) {
  const free: Kept[] = [];
  const used = new Set<Kept>();
  let made = 0;

  async function make(): Promise<Kept> {
    if (used.size >= most) {
      const message = `${most} games are open or their stored data is still being deleted. Close some, then open the game again.`;
      throw new AppError('conflict', message);
    }
    const unfit = used.size + free.length < most ? undefined : free.shift();
    if (unfit !== undefined) await retire(unfit);
    const partition = `game-${++made}`;
    const attempts = createAttempts((event) => kept.watch?.onEvent(event));
    const proxy = await startGameProxy({
      judge: async (url) => (await kept.watch?.admits(url)) ?? { ok: false, local: false, message: 'No game is open.' },
      onEvent: attempts.proxied,
    });
    const kept: Kept = { session: fromPartition(partition), partition, proxy, attempts, trust: null, lastTrust: '', watch: null };
    try {
      lockDown(kept);
      logins.add(proxy);
      // A network process that dies never replies.
      if ((await replyWithin(replyMs, goThrough(kept.session, proxy))) === null)
        throw new AppError('internal', "The game's proxy could not be set in time. Open the game again.");
      return kept;
    } catch (error) {
      await retire(kept);
      throw error;
    }
  }

  /** Closes the proxy of a session that is not used again. */
  async function retire({ proxy }: Kept): Promise<void> {
    logins.remove(proxy);
    await proxy.close();
  }

  async function release(kept: Kept, gone: boolean): Promise<void> {
    kept.watch = null;
    kept.attempts.reset();
    const emptied = forget(kept.session)
      .then(
        () => gone,
        () => false,
      )
      .then(async (isEmpty) => {
        used.delete(kept);
        if (isEmpty) free.push(kept);
        else await retire(kept);
        return isEmpty;
      });
    const isEmpty = await replyWithin(replyMs, emptied);
    if (isEmpty === true) return;
    throw new AppError(
      'internal',
      isEmpty === null
        ? "The game's stored data is not deleted yet. Croupier uses its browser session again after that."
        : "The game's stored data could not be deleted, so Croupier doesn't use its browser session again.",
    );
  }

  return {
    /**
     * Returns a session without data of another game. Electron keeps every session until the program ends (electron/electron#28566), so they are
     * reused. A session that has judged a certificate serves only games of the same `trust`, because Chromium keeps its verdicts, and they cannot
     * be cleared (electron/electron#41448). Fails with `conflict` if there can be no more sessions.
     */
    async take(trust: string, watch: Watch): Promise<GameSession> {
      const fits = (wanted: string | null) => free.findIndex((kept) => kept.trust === wanted);
      const at = fits(trust) < 0 ? fits(null) : fits(trust);
      const kept = at < 0 ? undefined : free.splice(at, 1)[0];
      const taken = kept ?? (await make());
      taken.watch = watch;
      taken.lastTrust = trust;
      used.add(taken);
      let released: Promise<void> | null = null;
      return { session: taken.session, partition: taken.partition, release: (gone) => (released ??= release(taken, gone)) };
    },
    /** Closes the proxies of all sessions. */
    async close(): Promise<void> {
      await Promise.all([...free.splice(0), ...used].map(retire));
    },
  };
}

/** Sends every request of the session through the proxy, also those to this machine, and waits until it applies. */
async function goThrough(session: Session, { port }: GameProxy): Promise<true> {
  const server = `127.0.0.1:${port}`;
  await session.setProxy({ mode: 'fixed_servers', proxyRules: server, proxyBypassRules: '<-loopback>' });
  // Electron reports success before Chromium's network service has the setting.
  for (const url of ['https://proxy.invalid/', 'https://localhost/']) {
    if ((await session.resolveProxy(url)) !== `PROXY ${server}`)
      throw new AppError('internal', "The game's proxy could not be set.");
  }
  await session.closeAllConnections();
  return true;
}

async function forget(session: Session): Promise<true> {
  await session.closeAllConnections();
  // Ended first, because a worker that outlived its page could write again.
  await session.clearStorageData({ storages: ['serviceworkers'] });
  await Promise.all([
    session.clearStorageData(),
    session.clearCache(),
    session.clearSharedDictionaryCache(),
    session.clearAuthCache(),
    session.clearHostResolverCache(),
    session.clearCodeCaches({}),
  ]);
  return true;
}

/** Locks a session down: grants almost nothing, downloads nothing, judges every request before it leaves, and reports refusals. */
function lockDown(kept: Kept): void {
  const { session } = kept;
  const tell: Watch['onEvent'] = (event) => kept.watch?.onEvent(event);
  session.setPermissionRequestHandler((_contents, permission, done, details) => {
    const granted = mayGameUse(permission);
    // The URL says what it asks for.
    if ('externalURL' in details && details.externalURL !== undefined)
      tell({ type: 'refused', url: details.externalURL, message: 'Croupier opens no other programs for a game.', local: false });
    else tell({ type: 'permission', permission, granted });
    done(granted);
  });
  session.setPermissionCheckHandler((_contents, permission) => mayGameUse(permission));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, done) => {
    tell({ type: 'permission', permission: 'display-capture', granted: false });
    done(null);
  });
  session.allowNTLMCredentialsForDomains('');
  session.on('will-download', (event, item) => {
    event.preventDefault();
    tell({ type: 'download', url: item.getURL(), name: item.getFilename() });
  });
  session.setCertificateVerifyProc((request, done) => {
    // -3 keeps Chromium's verdict, which suffices if a public authority signed the certificate.
    if (request.errorCode === 0) return done(-3);
    // Chromium keeps this verdict in any case.
    kept.trust = kept.lastTrust;
    done(isTrusted(request.certificate.data, request.hostname) ? 0 : -3);
  });

  followRequests(session, () => kept.watch, kept.attempts);

  /** Returns whether the game trusts a certificate. Never throws, because that would leave the connection waiting forever. */
  function isTrusted(certificate: string, hostname: string): boolean {
    try {
      return kept.watch?.trusts(certificate, hostname) ?? false;
    } catch {
      return false;
    }
  }
}
