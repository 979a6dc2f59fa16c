import { randomBytes } from 'node:crypto';
import type { CdpSession } from './cdp.ts';

/** Visibility of a page: Chromium draws each page of the double in a window of its own, so the page is given that of Electron's. */
export interface Visibility {
  /** Follows a target of the page, from before its first script. */
  follow(cdp: CdpSession): Promise<void>;
  set(hidden: boolean): void;
  isHidden(): boolean;
  /** Settled as soon as it is shown. */
  whenShown(): Promise<void>;
}

/** Makes `visibilityState`, its event and `requestAnimationFrame` those of a page that is hidden or not. Timers are not slowed. */
export function createVisibility(): Visibility {
  const token = `double${randomBytes(12).toString('hex')}`;
  const contexts = new Map<CdpSession, Set<number>>();
  let hidden = false;
  let shown = Promise.withResolvers<void>();
  shown.resolve();
  const expression = () => `globalThis.${token}?.(${hidden})`;
  return {
    async follow(cdp) {
      const known = new Set<number>();
      contexts.set(cdp, known);
      cdp.on('Runtime.executionContextCreated', ({ context }) => {
        if ((context.auxData as { isDefault?: boolean }).isDefault !== true) return;
        known.add(context.id);
        if (hidden) void cdp.send('Runtime.evaluate', { expression: expression(), contextId: context.id }).catch(() => undefined);
      });
      cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => void known.delete(executionContextId));
      cdp.on('Runtime.executionContextsCleared', () => known.clear());
      const source = `(${String(followVisibility)})('${token}')`;
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
    },
    set(value) {
      if (value === hidden) return;
      hidden = value;
      if (hidden) shown = Promise.withResolvers();
      else shown.resolve();
      for (const [cdp, known] of contexts) {
        for (const contextId of known) {
          // A frame that went away is not seen any more either.
          void cdp.send('Runtime.evaluate', { expression: expression(), contextId }).catch(() => undefined);
        }
      }
    },
    isHidden: () => hidden,
    whenShown: () => shown.promise,
  };
}

/** Runs in the page; sent there as source text. */
function followVisibility(token: string): void {
  let hidden = false;
  let waiting: FrameRequestCallback[] = [];
  const draw = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (work) => {
    if (!hidden) return draw(work);
    waiting.push(work);
    return -waiting.length;
  };
  Object.defineProperties(Document.prototype, {
    visibilityState: { configurable: true, get: () => (hidden ? 'hidden' : 'visible') },
    hidden: { configurable: true, get: () => hidden },
  });
  Object.defineProperty(window, token, {
    value(value: boolean) {
      if (value === hidden) return;
      hidden = value;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      if (hidden) return;
      for (const work of waiting) draw(work);
      waiting = [];
    },
  });
}
