import { startChromium, type Chromium } from './chromium.ts';
import type { CdpSession } from './cdp.ts';
import { record } from './record.ts';
import { appendedSwitches } from './switches.ts';

/** A page of Chromium, held before its first request until `resume`. */
export interface PageTarget {
  readonly cdp: CdpSession;
  readonly targetId: string;
  readonly contextId: string;
  /** The page that opened it; null if none did. */
  readonly openerId: string | null;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** A shared or a service worker, held before its script runs. */
export interface WorkerTarget {
  readonly cdp: CdpSession;
  readonly contextId: string;
}

let chromium: Chromium | null = null;
const attached = new Map<string, PromiseWithResolvers<PageTarget>>();
const ours = new Set<string>();
const creating = new Set<Promise<unknown>>();
const crashed = new Map<string, () => void>();
const detached = new Map<string, () => void>();
let workerStarted: (worker: WorkerTarget) => Promise<void> = () => Promise.resolve();
let popupOpened: (popup: PageTarget) => void = () => undefined;

function attachment(targetId: string): PromiseWithResolvers<PageTarget> {
  const known = attached.get(targetId) ?? Promise.withResolvers<PageTarget>();
  attached.set(targetId, known);
  return known;
}

/** Starts Chromium and prints its endpoint for a second client on standard error, as Electron does. */
export async function startBrowser(): Promise<void> {
  chromium = await startChromium(appendedSwitches);
  const { cdp, endpoint } = chromium;
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'service_worker' || targetInfo.type === 'shared_worker') {
      const worker = cdp.child(sessionId);
      void workerStarted({ cdp: worker, contextId: targetInfo.browserContextId ?? '' })
        .catch((error: unknown) => record('not-guarded', { type: targetInfo.type, error: String(error) }))
        .finally(() => void worker.send('Runtime.runIfWaitingForDebugger').catch(() => undefined));
      return;
    }
    if (targetInfo.type !== 'page') return;
    const { targetId, browserContextId = '', openerId = null } = targetInfo;
    const page: PageTarget = {
      cdp: cdp.child(sessionId),
      targetId,
      contextId: browserContextId,
      openerId,
      resume: async () => void (await page.cdp.send('Runtime.runIfWaitingForDebugger')),
      close: async () => void (await cdp.send('Target.closeTarget', { targetId }).catch(() => undefined)),
    };
    attachment(targetId).resolve(page);
    void Promise.allSettled(creating).then(() => {
      if (!ours.has(targetId)) popupOpened(page);
    });
  });
  cdp.on('Target.targetCrashed', ({ targetId }) => crashed.get(targetId)?.());
  cdp.on('Target.targetDestroyed', ({ targetId }) => detached.get(targetId)?.());
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  process.stderr.write(`DevTools listening on ${endpoint}\n`);
}

/** Returns the line to the browser itself. */
export function browserCdp(): CdpSession {
  if (chromium === null) throw new Error('The app is not ready: Chromium is not running yet.');
  return chromium.cdp;
}

/**
 * Creates a context with cookies, storage and permissions of its own; returns its ID. Downloads in it are refused and reported as
 * events.
 */
export async function newContext(proxy: { proxyServer: string; proxyBypassList: string } | null): Promise<string> {
  const options = { disposeOnDetach: true, ...proxy };
  const { browserContextId } = await browserCdp().send('Target.createBrowserContext', options);
  await browserCdp().send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId, eventsEnabled: true });
  return browserContextId;
}

/** Creates an empty page that does not run yet. */
export async function newPage(contextId: string, events: { onCrash(): void; onGone(): void }): Promise<PageTarget> {
  const created = browserCdp()
    .send('Target.createTarget', { url: 'about:blank', browserContextId: contextId })
    .then(({ targetId }) => {
      ours.add(targetId);
      crashed.set(targetId, () => events.onCrash());
      detached.set(targetId, () => events.onGone());
      return attachment(targetId).promise;
    });
  creating.add(created);
  try {
    return await created;
  } finally {
    creating.delete(created);
  }
}

/** Opens another line to a page. */
export async function attachTo(targetId: string): Promise<CdpSession> {
  const { sessionId } = await browserCdp().send('Target.attachToTarget', { targetId, flatten: true });
  return browserCdp().child(sessionId);
}

/** Sets the listener for every worker that belongs to no page; the worker runs when the listener is done. */
export function onWorker(listener: (worker: WorkerTarget) => Promise<void>): void {
  workerStarted = listener;
}

/** Sets the listener for every page that a page opened, before anything in it has run. */
export function onPopup(listener: (popup: PageTarget) => void): void {
  popupOpened = (popup) => {
    record('popup', { openerId: popup.openerId });
    listener(popup);
  };
}

/** Ends Chromium. */
export async function closeBrowser(): Promise<void> {
  await chromium?.close();
}
