import { randomBytes } from 'node:crypto';
import { inside } from './addresses.ts';
import { browserCdp } from './browser.ts';
import type { CdpSession } from './cdp.ts';
import { record } from './record.ts';

type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type DisplayHandler = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0];

/** The page whose permissions are requested, with the handlers of its session. */
export interface PermissionOwner {
  readonly session: {
    readonly onPermission: RequestHandler;
    readonly onCheck: CheckHandler;
    readonly onDisplay: DisplayHandler;
    context(): Promise<string>;
  };
}

interface Asked {
  readonly id: number;
  readonly kind: 'request' | 'check' | 'display';
  readonly permission: string;
  readonly url: string;
  readonly main: boolean;
}

/** Electron's permission → those of the debugging protocol. The others need nothing of Chromium but consent. */
const named: Readonly<Record<string, readonly object[]>> = {
  geolocation: [{ name: 'geolocation' }],
  notifications: [{ name: 'notifications' }],
  media: [{ name: 'microphone' }, { name: 'camera' }],
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write', allowWithoutSanitization: false }],
  midi: [{ name: 'midi' }],
  'window-management': [{ name: 'window-management' }],
  'idle-detection': [{ name: 'idle-detection' }],
};

/**
 * Asks the app's handlers when the page asks, in that order, and never else. Chromium's protocol announces no prompt, so the
 * functions that lead to one are wrapped in each frame before its scripts run; those of workers are not.
 */
export async function followPermissions(cdp: CdpSession, owner: PermissionOwner): Promise<void> {
  const token = `double${randomBytes(12).toString('hex')}`;
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId: contextId }) => {
    if (name !== `${token}Ask`) return;
    const asked = JSON.parse(payload) as Asked;
    void answer(owner, asked).then((granted) =>
      cdp
        .send('Runtime.evaluate', { expression: `${token}Answer(${asked.id}, ${granted})`, contextId })
        // A page that went away asks no more.
        .catch(() => undefined),
    );
  });
  await cdp.send('Runtime.addBinding', { name: `${token}Ask` });
  const source = `(${String(wrapPermissions)})('${token}Ask', '${token}Answer')`;
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
}

async function answer({ session }: PermissionOwner, { kind, permission, url, main }: Asked): Promise<boolean> {
  const requestingUrl = inside(url);
  const granted = await new Promise<boolean>((resolve) => {
    const details = { requestingUrl, isMainFrame: main } as never;
    const origin = `${URL.parse(requestingUrl)?.protocol}//${URL.parse(requestingUrl)?.host}/`;
    if (kind === 'display') chooseScreen(session.onDisplay, requestingUrl, resolve);
    else if (kind === 'check') resolve(session.onCheck?.(null, permission as never, origin, details) ?? true);
    else if (session.onPermission === null) resolve(true);
    else session.onPermission(null as never, permission as never, once(resolve), details);
  });
  record('permission', { kind, permission, requestingUrl, granted });
  const browserContextId = await session.context();
  const origin = URL.parse(url)?.origin;
  for (const one of named[permission] ?? []) {
    const setting = granted ? 'granted' : 'denied';
    const wanted = { permission: one as never, setting, ...(origin === undefined ? {} : { origin }), browserContextId } as const;
    await browserCdp().send('Browser.setPermission', wanted);
  }
  return granted;
}

/** Returns a function that throws at its second call, as those that Electron gives for one answer. */
function once(answer: (granted: boolean) => void): (granted: boolean) => void {
  let isAnswered = false;
  return (granted) => {
    if (isAnswered) throw new TypeError('One-time callback was called more than once');
    isAnswered = true;
    answer(granted);
  };
}

/**
 * Chooses the screen that a page may see: only refusing is doubled. A choice without a picture is a mistake to Electron and not a
 * refusal.
 */
function chooseScreen(handler: DisplayHandler, securityOrigin: string, resolve: (granted: boolean) => void): void {
  if (handler === null) return resolve(false);
  const request = { frame: null, securityOrigin, videoRequested: true, audioRequested: false, userGesture: true };
  handler(request as never, (streams: Electron.Streams | null) => {
    resolve(false);
    if (streams !== null && streams.video === undefined)
      throw new TypeError('Video was requested, but no video stream was provided');
    if (streams !== null) throw new Error('The electron double does not have screens that a page may see.');
  });
}

/** Runs in the page; sent there as source text. */
function wrapPermissions(ask: string, receive: string): void {
  const send = Reflect.get(window, ask) as (text: string) => void;
  Reflect.deleteProperty(window, ask);
  const waiting = new Map<number, (granted: boolean) => void>();
  let last = 0;
  Object.defineProperty(window, receive, {
    value(id: number, granted: boolean) {
      waiting.get(id)?.(granted);
      waiting.delete(id);
    },
  });
  const asked = (kind: string, permission: string) =>
    new Promise<boolean>((resolve) => {
      waiting.set(++last, resolve);
      send(JSON.stringify({ id: last, kind, permission, url: location.href, main: window.top === window }));
    });
  const refused = () => new DOMException('Permission denied', 'NotAllowedError');

  function wrap(target: object | undefined, name: string, permission: string, refuse = false): void {
    const original: unknown = target === undefined ? undefined : Reflect.get(target, name);
    if (target === undefined || typeof original !== 'function') return;
    Object.defineProperty(target, name, {
      configurable: true,
      writable: true,
      async value(this: unknown, ...values: unknown[]) {
        // Without a gesture Chromium refuses this one itself.
        const barred = permission === 'fullscreen' && !navigator.userActivation.isActive;
        const granted = barred || (await asked('request', permission));
        // Chromium itself asks nobody for these.
        if (!granted && refuse) throw refused();
        if (name === 'getDisplayMedia' && !(await asked('display', permission))) throw refused();
        return (original as (...given: unknown[]) => unknown).apply(this, values);
      },
    });
  }
  const of = (name: string): object | undefined => (Reflect.get(window, name) as { prototype?: object } | undefined)?.prototype;
  wrap(of('Geolocation'), 'getCurrentPosition', 'geolocation');
  wrap(of('Geolocation'), 'watchPosition', 'geolocation');
  wrap(Reflect.get(window, 'Notification') as object | undefined, 'requestPermission', 'notifications');
  wrap(of('MediaDevices'), 'getUserMedia', 'media');
  wrap(of('MediaDevices'), 'getDisplayMedia', 'media', true);
  wrap(of('Clipboard'), 'read', 'clipboard-read');
  wrap(of('Clipboard'), 'readText', 'clipboard-read');
  wrap(of('Clipboard'), 'write', 'clipboard-sanitized-write');
  wrap(of('Clipboard'), 'writeText', 'clipboard-sanitized-write');
  wrap(of('Navigator'), 'requestMIDIAccess', 'midi');
  wrap(Reflect.get(window, 'IdleDetector') as object | undefined, 'requestPermission', 'idle-detection');
  wrap(window, 'getScreenDetails', 'window-management');
  wrap(of('Element'), 'requestFullscreen', 'fullscreen', true);
  wrap(of('Element'), 'webkitRequestFullscreen', 'fullscreen', true);
  wrap(of('Element'), 'requestPointerLock', 'pointerLock', true);
  wrap(of('Keyboard'), 'lock', 'keyboardLock', true);
  wrap(of('WakeLock'), 'request', 'screen-wake-lock', true);
  wrap(of('Document'), 'requestStorageAccess', 'storage-access', true);

  // Not if the page is not a secure context.
  if (of('Permissions') === undefined) return;
  const query = Permissions.prototype.query;
  const names: Readonly<Record<string, string>> = {
    'clipboard-write': 'clipboard-sanitized-write',
    microphone: 'media',
    camera: 'media',
  };
  Permissions.prototype.query = async function (descriptor) {
    await asked('check', names[descriptor.name] ?? descriptor.name);
    return query.call(this, descriptor);
  };
}
