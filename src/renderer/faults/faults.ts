import { AppError } from '#shared/errors.ts';

/** Stands on a screen in the place of what a fault stopped. The notice has the details. */
export const faultMessage =
  'A fault of Croupier stopped this. Try again; if it fails again, copy the details from the notice and report them.';

type Listener = (error: unknown) => void;

/** While nobody listens, the browser's console or the running test gets it. */
const nobody: Listener = (error) => {
  queueMicrotask(() => {
    throw error;
  });
};

/** One for the page, as the browser's own `error` event is: work starts in a hundred places, and each would have to be handed it. */
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

/** Starts asynchronous work that nobody waits for: the one way to do so. What it throws is reported. */
export function startWork(work: Promise<unknown> | null | undefined): void {
  work?.catch(reportFault);
}

/** Reports a fault and leaves a refusal alone, for what may be missing from the screen without a word. */
export function reportIfFault(error: unknown): void {
  // Core has told of its own by itself.
  if (!(error instanceof AppError)) reportFault(error);
}

/** Turns whatever was thrown into an error to show where the work was asked for. A fault is reported, too. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  reportFault(error);
  return new AppError('internal', faultMessage);
}

/** Gives null where the work is refused or fails, for what may be missing from the screen without a word. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    reportIfFault(error);
    return null;
  }
}

/** Reports what nobody caught in the page. Returns the function that stops it. */
export function watchFaults(page: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  const onError = ({ error, message }: ErrorEvent) => {
    // The browser's own remark on layout, which is not an error of anybody.
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
