import { AppError } from '#shared/errors.ts';

export { excessOf, responseSubject, unreadAdvice } from '#shared/json/measure.ts';

/** Number of bytes up to which a text is read in the calling thread, if reading it costs no more than looking at it a few times. */
export const smallBytes = 65_536;

/** Returns the error of a text that is not read; `unread` distinguishes it from every other one. */
export function unread(message: string): AppError {
  return new AppError('refused', message, { unread: true });
}

/** The words of an error that says that a text was not read; null for any other. */
export function unreadWords(error: unknown): string | null {
  if (!(error instanceof AppError) || typeof error.details !== 'object' || error.details === null) return null;
  return 'unread' in error.details ? error.message : null;
}
