/** A page that is about to be closed. */
export interface LeavingPage {
  readonly debugger: { isAttached(): boolean };
  isCrashed(): boolean;
  executeJavaScript(code: string): Promise<unknown>;
}

/** Chromium's `kUnloadTimeout`. */
const leavingMs = 500;

/**
 * Returns what a page gives within the time that Chromium allows for leaving; null if it gives nothing. Checked at once: a page
 * that somebody debugs is waited for, however long it takes (`ShouldIgnoreUnresponsiveRenderer`).
 */
async function answered<T>(page: LeavingPage, work: Promise<T>): Promise<T | null> {
  // Read now: of a page that is gone by then, nothing can be read.
  const line = page.debugger;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      if (!line.isAttached()) resolve(null);
    }, leavingMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns whether the page, asked through `beforeunload`, wants to stay. */
export async function wantsToStay(page: LeavingPage): Promise<boolean> {
  if (page.isCrashed()) return false;
  const ask = `(() => { const event = new Event('beforeunload', { cancelable: true }); window.dispatchEvent(event); return event.defaultPrevented; })()`;
  return (
    (await answered(
      page,
      page.executeJavaScript(ask).catch(() => false),
    )) === true
  );
}

/** Returns whether the page closes by itself when it is asked to. Chrome would end one without handlers of `unload` unasked. */
export async function leaves(page: LeavingPage): Promise<boolean> {
  if (page.isCrashed()) return false;
  return (
    (await answered(
      page,
      page.executeJavaScript('0').then(
        () => true,
        () => true,
      ),
    )) === true
  );
}
