import { AppError } from '#shared/errors.ts';

/** Replaces what a fault stopped on a screen. The notice has the details. */
export const faultMessage =
  'An error in Croupier stopped this. Try again; if it fails again, copy the details from the notice and report them.';

type Listener = (error: unknown) => void;

/** Without a listener, the browser's console or the running test gets the error. */
const nobody: Listener = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/**
 * One listener for the page, as of the browser's own `error` event: work starts in a hundred places, and each would have to get it.
 */
let listener = nobody;

/** Hands every reported error to `next`. Returns the function that stops it. */
export function listenToFaults(next: Listener): () => void {
  listener = next;
  return () => {
    listener = nobody;
  };
}

/** Reports an error that no screen shows. */
export function reportFault(error: unknown): void {
  listener(error);
}

/** Starts asynchronous work that nobody waits for: the one way to do so. Reports what it throws. */
export function startWork(work: Promise<unknown> | null | undefined): void {
  work?.catch(reportFault);
}

/** Reports a fault and leaves a refusal alone, for work whose result may be missing from the screen silently. */
export function reportIfFault(error: unknown): void {
  // Core has reported its own faults.
  if (!(error instanceof AppError)) reportFault(error);
}

/** Turns whatever was thrown into an error to show beside the work. Reports a fault, too. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  reportFault(error);
  return new AppError('internal', faultMessage);
}

/** Returns null if the work is refused or fails, for work whose result may be missing from the screen silently. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    reportIfFault(error);
    return null;
  }
}

/** Reports errors that nobody caught in the page. Returns the function that stops it. */
export function watchFaults(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  const onError = ({ error, message }: ErrorEvent) => {
    // The browser's own remark on layout, which is nobody's error.
    if (!message.startsWith('ResizeObserver loop')) reportFault(error ?? new Error(message));
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => reportFault(reason);
  page.addEventListener('error', onError);
  page.addEventListener('unhandledrejection', onRejection);
  return () => {
    page.removeEventListener('error', onError);
    page.removeEventListener('unhandledrejection', onRejection);
  };
}

interface Failed {
  readonly state: 'failed';
  readonly message: string;
}

/** Something that was asked for, as far as it came. */
export type Loaded<T> = { readonly state: 'loading' } | Failed | ({ readonly state: 'ready' } & Readonly<T>);

/** Waits for what was asked for; if it does not come, the message says why. */
export async function loaded<T extends object>(work: Promise<T>): Promise<({ readonly state: 'ready' } & T) | Failed> {
  try {
    return { state: 'ready', ...(await work) };
  } catch (error) {
    return { state: 'failed', message: asAppError(error).message };
  }
}
