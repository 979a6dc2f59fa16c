import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { inside } from './addresses.ts';
import { browserCdp, newContext, newPage } from './browser.ts';
import type { CdpSession } from './cdp.ts';
import { ProtocolDouble } from './protocol.ts';
import { browserStarted, whenStarted } from './ready.ts';
import { record } from './record.ts';
import { preventable, strict, StrictEmitter } from './strict.ts';
import { WebRequestDouble } from './web-request.ts';

type SessionApi = Pick<
  Electron.Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setCertificateVerifyProc'
  | 'allowNTLMCredentialsForDomains'
  | 'clearStorageData'
  | 'clearCache'
  | 'clearAuthCache'
  | 'clearHostResolverCache'
  | 'clearCodeCaches'
  | 'clearSharedDictionaryCache'
  | 'closeAllConnections'
  | 'setProxy'
  | 'resolveProxy'
>;
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type VerifyProc = Parameters<Electron.Session['setCertificateVerifyProc']>[0];

/** Electron's names for kinds of storage, as the debugging protocol knows them. */
const storageTypes: Readonly<Record<string, string>> = { all: 'all', serviceworkers: 'service_workers' };

/** One browser context: cookies, storage, permissions and downloads of its own, as a partition has. */
export class SessionDouble extends StrictEmitter implements SessionApi {
  readonly protocol = new ProtocolDouble();
  readonly webRequest = new WebRequestDouble();
  readonly partition: string;
  verifyProc: VerifyProc = null;
  onPermission: RequestHandler = null;
  onCheck: CheckHandler = null;
  onDisplay: Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0] = null;
  #context: Promise<string> | null = null;
  #proxy: Electron.ProxyConfig | null = null;
  /** By host, as Chromium keeps them for a session. */
  readonly #zooms = new Map<string, number>();
  /** Origins that may have storage. */
  readonly #origins = new Set<string>();
  readonly #verdicts = new Map<string, Promise<boolean>>();
  /** Finds the page of a frame, for the events that name one. */
  contentsOfFrame: (frameId: string) => unknown = () => undefined;

  constructor(partition: string) {
    super();
    this.partition = partition;
  }
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.onPermission = handler;
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
    this.onCheck = handler;
    record('session.setPermissionCheckHandler', { partition: this.partition, set: handler !== null });
  }
  setDevicePermissionHandler(handler: Parameters<Electron.Session['setDevicePermissionHandler']>[0]): void {
    record('session.setDevicePermissionHandler', { partition: this.partition, set: handler !== null });
  }
  setDisplayMediaRequestHandler(handler: typeof this.onDisplay): void {
    this.onDisplay = handler;
    record('session.setDisplayMediaRequestHandler', { partition: this.partition, set: handler !== null });
  }
  setCertificateVerifyProc(proc: VerifyProc): void {
    this.verifyProc = proc;
  }
  allowNTLMCredentialsForDomains(domains: string): void {
    record('session.allowNTLMCredentialsForDomains', { partition: this.partition, domains });
  }
  /** As Electron: clears cookies and what origins store, and neither the cache nor passwords. */
  async clearStorageData({ storages }: Electron.ClearStorageDataOptions = {}): Promise<void> {
    record('session.clearStorageData', { partition: this.partition, storages });
    const types = (storages ?? ['all']).map((name) => storageTypes[name]);
    if (types.includes(undefined)) throw new Error(`The electron double does not empty ${String(storages)} by themselves.`);
    if (this.#context === null) return;
    if (storages === undefined) await browserCdp().send('Storage.clearCookies', { browserContextId: await this.#context });
    const wanted = types.join(',');
    await this.#onPage(async (cdp) => {
      for (const origin of this.#origins) await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: wanted });
    });
    if (storages === undefined) this.#origins.clear();
  }
  async clearCache(): Promise<void> {
    record('session.clearCache', { partition: this.partition });
    if (this.#context !== null) await this.#onPage(async (cdp) => void (await cdp.send('Network.clearBrowserCache')));
  }
  async clearAuthCache(): Promise<void> {
    record('session.clearAuthCache', { partition: this.partition });
  }
  async clearHostResolverCache(): Promise<void> {
    record('session.clearHostResolverCache', { partition: this.partition });
  }
  async clearSharedDictionaryCache(): Promise<void> {
    record('session.clearSharedDictionaryCache', { partition: this.partition });
  }
  async clearCodeCaches(): Promise<void> {
    record('session.clearCodeCaches', { partition: this.partition });
  }
  /** Works on a page of its own: these commands are not the browser's. */
  async #onPage(work: (cdp: CdpSession) => Promise<void>): Promise<void> {
    const page = await newPage(await this.context(), { onCrash: () => undefined, onGone: () => undefined });
    await page.resume();
    try {
      await work(page.cdp);
    } finally {
      await page.close();
    }
  }
  zoomOf(host: string): number {
    return this.#zooms.get(host) ?? 1;
  }
  setZoom(host: string, factor: number): void {
    this.#zooms.set(host, factor);
    this.emit('zoomed');
  }
  /** Called by the pages with every document. */
  noteOrigin(url: string): void {
    const origin = URL.parse(url)?.origin ?? 'null';
    if (origin !== 'null') this.#origins.add(origin);
  }
  /**
   * Sets a proxy. Chromium gives a context its proxy when it makes it, so the double takes one before the session is used, and no
   * other.
   */
  async setProxy(config: Electron.ProxyConfig): Promise<void> {
    if (this.#context !== null) throw new Error('The electron double takes a proxy only before the session is used.');
    if (config.mode !== 'fixed_servers')
      throw new Error(`The electron double does not have proxies of the mode ${String(config.mode)}.`);
    record('session.setProxy', { partition: this.partition, ...config });
    this.#proxy = config;
  }
  async resolveProxy(url: string): Promise<string> {
    const host = URL.parse(url)?.hostname ?? '';
    const loopback = host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
    const around = loopback && this.#proxy?.proxyBypassRules?.includes('<-loopback>') !== true;
    return this.#proxy === null || around ? 'DIRECT' : `PROXY ${this.#proxy.proxyRules ?? ''}`;
  }
  async closeAllConnections(): Promise<void> {
    record('session.closeAllConnections', { partition: this.partition });
  }

  /** Returns the ID of its browser context, made on first use. */
  context(): Promise<string> {
    this.#context ??= this.#open();
    return this.#context;
  }
  async #open(): Promise<string> {
    await whenStarted();
    const proxy = this.#proxy;
    const contextId = await newContext(
      proxy === null ? null : { proxyServer: proxy.proxyRules ?? '', proxyBypassList: proxy.proxyBypassRules ?? '' },
    );
    contexts.set(contextId, this);
    browserCdp().on('Browser.downloadWillBegin', ({ frameId, url, suggestedFilename }) => {
      const contents = this.contentsOfFrame(frameId);
      if (contents !== undefined) this.#download(inside(url), suggestedFilename, contents);
    });
    return contextId;
  }
  #download(url: string, name: string, contents: unknown): void {
    const event = preventable({});
    let cancelled = false;
    const item = strict('DownloadItem', {
      getURL: () => url,
      getFilename: () => name,
      cancel: () => void (cancelled = true),
      setSavePath: (path: string) => record('item.setSavePath', path),
    } satisfies Partial<Electron.DownloadItem>);
    this.emit('will-download', event, item, contents);
    // Electron asks its user where to put an allowed download. The double has nobody to ask and writes nothing.
    record('will-download', { url, refused: event.defaultPrevented || cancelled });
  }

  /**
   * Asks the app about a certificate: 0 accepts, -3 keeps the usual verdict, anything else refuses. Asked once for each host, as
   * Chromium caches it.
   */
  trusts(url: URL): Promise<boolean> {
    const verify = this.verifyProc ?? ((_request, done) => done(-3));
    const known = this.#verdicts.get(url.host) ?? verdictOf(url, verify);
    this.#verdicts.set(url.host, known);
    return known;
  }
}

function verdictOf(url: URL, verify: NonNullable<VerifyProc>): Promise<boolean> {
  return new Promise((resolve) => {
    const named = isIP(url.hostname) === 0 ? { servername: url.hostname } : {};
    const options = { host: url.hostname, port: Number(url.port || 443), rejectUnauthorized: false, ...named };
    const socket = connect(options, () => {
      const peer = socket.getPeerX509Certificate();
      const usual = socket.authorized;
      socket.end();
      if (peer === undefined) return resolve(false);
      const certificate = {
        data: peer.toString(),
        fingerprint: `sha256/${createHash('sha256').update(peer.raw).digest('base64')}`,
        subjectName: peer.subject,
        issuerName: peer.issuer,
      };
      const request = {
        hostname: url.hostname,
        certificate,
        validatedCertificate: certificate,
        isIssuedByKnownRoot: usual,
        verificationResult: usual ? 'net::OK' : 'net::ERR_CERT_AUTHORITY_INVALID',
        errorCode: usual ? 0 : -202,
      };
      verify(request as never, (result) => resolve(result === 0 || (result === -3 && usual)));
    });
    // A missing server is for Chromium to report.
    socket.once('error', () => resolve(true));
  });
}

const contexts = new Map<string, SessionDouble>();

/** Returns the session of a browser context. */
export function sessionOfContext(contextId: string): SessionDouble | undefined {
  return contexts.get(contextId);
}

const sessions = new Map<string, SessionDouble>();

function fromPartition(partition: string): SessionDouble {
  const known = sessions.get(partition) ?? new SessionDouble(partition);
  sessions.set(partition, known);
  return known;
}

/** The schemes of the default session, which are registered before the session may be had. */
export const defaultProtocol = fromPartition('').protocol;

/** Electron's `session` module. */
export const session = strict('session', {
  get defaultSession() {
    return afterReady('');
  },
  fromPartition: afterReady,
});

function afterReady(partition: string): SessionDouble {
  if (!browserStarted()) throw new TypeError('Session can only be received when app is ready');
  return fromPartition(partition);
}
