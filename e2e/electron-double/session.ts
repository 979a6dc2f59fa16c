import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { inside } from './addresses.ts';
import { browserCdp, newContext } from './browser.ts';
import { ProtocolDouble } from './protocol.ts';
import { whenStarted } from './ready.ts';
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
  | 'closeAllConnections'
  | 'isPersistent'
>;
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type VerifyProc = Parameters<Electron.Session['setCertificateVerifyProc']>[0];

/** Electron's permission → the one of the debugging protocol. The others never reach a handler in the double. */
const permissions: Readonly<Record<string, object>> = {
  geolocation: { name: 'geolocation' },
  notifications: { name: 'notifications' },
  media: { name: 'microphone' },
  'clipboard-read': { name: 'clipboard-read' },
  'clipboard-sanitized-write': { name: 'clipboard-write', allowWithoutSanitization: false },
  midi: { name: 'midi' },
  'window-management': { name: 'window-management' },
  'idle-detection': { name: 'idle-detection' },
};

/** One browser context: cookies, storage, permissions and downloads of its own, as a partition has. */
export class SessionDouble extends StrictEmitter implements SessionApi {
  readonly protocol = new ProtocolDouble();
  readonly webRequest = new WebRequestDouble();
  readonly partition: string;
  verifyProc: VerifyProc = null;
  #onRequest: RequestHandler = null;
  #context: Promise<string> | null = null;
  readonly #verdicts = new Map<string, Promise<boolean>>();
  /** Finds the page of a frame, for the events that name one. */
  contentsOfFrame: (frameId: string) => unknown = () => undefined;

  constructor(partition: string) {
    super();
    this.partition = partition;
  }
  isPersistent(): boolean {
    return this.partition === '' || this.partition.startsWith('persist:');
  }
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#onRequest = handler;
  }
  setPermissionCheckHandler(handler: Parameters<Electron.Session['setPermissionCheckHandler']>[0]): void {
    record('session.setPermissionCheckHandler', { partition: this.partition, set: handler !== null });
  }
  setDevicePermissionHandler(handler: Parameters<Electron.Session['setDevicePermissionHandler']>[0]): void {
    record('session.setDevicePermissionHandler', { partition: this.partition, set: handler !== null });
  }
  setDisplayMediaRequestHandler(handler: Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0]): void {
    record('session.setDisplayMediaRequestHandler', { partition: this.partition, set: handler !== null });
  }
  setCertificateVerifyProc(proc: VerifyProc): void {
    this.verifyProc = proc;
  }
  allowNTLMCredentialsForDomains(domains: string): void {
    record('session.allowNTLMCredentialsForDomains', { partition: this.partition, domains });
  }
  async clearStorageData(): Promise<void> {
    record('session.clearStorageData', { partition: this.partition });
    if (this.#context !== null) await browserCdp().send('Storage.clearCookies', { browserContextId: await this.#context });
  }
  async clearCache(): Promise<void> {
    record('session.clearCache', { partition: this.partition });
  }
  async closeAllConnections(): Promise<void> {
    record('session.closeAllConnections', { partition: this.partition });
  }

  /** The id of its browser context, made on first use. */
  context(): Promise<string> {
    this.#context ??= this.#open();
    return this.#context;
  }
  async #open(): Promise<string> {
    await whenStarted();
    const contextId = await newContext();
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
      getMimeType: () => '',
      getTotalBytes: () => 0,
      cancel: () => void (cancelled = true),
      setSavePath: (path: string) => record('item.setSavePath', path),
    } satisfies Partial<Electron.DownloadItem>);
    this.emit('will-download', event, item, contents);
    // Where to put what is allowed, Electron asks its user. The double has nobody to ask and writes nothing.
    record('will-download', { url, refused: event.defaultPrevented || cancelled });
  }

  /** 0 accepts, -3 keeps the usual verdict, anything else refuses. Asked once for each host, as Chromium caches it. */
  trusts(url: URL): Promise<boolean> {
    const verify = this.verifyProc;
    if (verify === null) return Promise.resolve(true);
    const known = this.#verdicts.get(url.host) ?? verdictOf(url, verify);
    this.#verdicts.set(url.host, known);
    return known;
  }

  /** No event announces a permission prompt, so the handler is asked before a page is shown and its answer set in the browser. */
  async applyPermissions(contents: unknown, address: string): Promise<void> {
    const handler = this.#onRequest;
    if (handler === null || !/^https?:/.test(address)) return;
    const { origin } = new URL(address);
    const requestingUrl = inside(address);
    for (const [permission, named] of Object.entries(permissions)) {
      const granted = await new Promise<boolean>((resolve) =>
        handler(contents as never, permission as never, resolve, { requestingUrl, isMainFrame: true } as never),
      );
      record('permission', { permission, requestingUrl, granted });
      await browserCdp().send('Browser.setPermission', {
        permission: named as never,
        setting: granted ? 'granted' : 'denied',
        origin,
        browserContextId: await this.context(),
      });
    }
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
    // A server that is not there is for Chromium to report.
    socket.once('error', () => resolve(true));
  });
}

const sessions = new Map<string, SessionDouble>();

function fromPartition(partition: string): SessionDouble {
  const known = sessions.get(partition) ?? new SessionDouble(partition);
  sessions.set(partition, known);
  return known;
}

/** Electron's `session` module. */
export const session = strict('session', { defaultSession: fromPartition(''), fromPartition });
