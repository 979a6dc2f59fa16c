import { outside } from './addresses.ts';
import type { StrictEmitter } from './strict.ts';

interface Failure {
  readonly code: number;
  readonly name: string;
  readonly url: string;
}

/**
 * Returns the promise of `loadURL`, by the rules of Electron's own `_awaitNextLoad`. `begin` begins the load, and rejects if it
 * cannot.
 */
export function nextLoad(contents: StrictEmitter, url: string, begin: () => Promise<unknown>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const wanted = placeOf(url);
  let failure: Failure | null = null;
  let started: 'document' | 'place' | null = null;
  const end = () => {
    for (const [name, listener] of Object.entries(listeners)) contents.off(name, listener as never);
    if (failure === null) resolve();
    else reject(loadError(failure));
  };
  const giveUp = () => {
    failure ??= { code: -2, name: 'ERR_FAILED', url };
    end();
  };
  const listeners = {
    'did-fail-load': (_event: unknown, code: number, name: string, where: string, main: boolean) => {
      if (main) failure ??= { code, name, url: where };
      if (main && started === null) end();
    },
    'did-finish-load': () => {
      if (started === 'document') end();
    },
    'did-start-navigation': (_event: unknown, where: string, same: boolean, main: boolean) => {
      if (!main) return;
      // Electron begins a load at once. Here Chromium may only now report one that was begun before.
      if (started === null && wanted !== null && placeOf(where) !== wanted) return;
      if (started !== null && !same) {
        failure = { code: -3, name: 'ERR_ABORTED', url: where };
        return end();
      }
      started ??= same ? 'place' : 'document';
    },
    // Here Chromium may still report the end of an earlier load. A page that stops silently has failed.
    'did-stop-loading': () => {
      if (started === 'place') end();
      else if (started === 'document') giveUp();
    },
    destroyed: giveUp,
  };
  for (const [name, listener] of Object.entries(listeners)) contents.on(name, listener as never);
  // Electron reports no rejection that nobody waits for.
  promise.catch(() => undefined);
  begin().catch(giveUp);
  return promise;
}

/** Returns host and path of a web page; null for a URL that Chromium may write in another way, such as `data:`. */
function placeOf(address: string): string | null {
  const url = URL.parse(outside(address));
  return url !== null && /^https?:$/.test(url.protocol) ? `${url.host}${url.pathname}` : null;
}

/** Returns Electron's error about a page that did not load. */
export function loadError({ code, name, url }: Failure): Error {
  return Object.assign(new Error(`${name} (${code}) loading '${url}'`), { errno: code, code: name, url });
}
