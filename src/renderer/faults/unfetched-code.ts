import { AppError } from '#shared/errors.ts';

/** Code of the page that its host did not give. */
export class UnfetchedCode extends AppError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, undefined, options);
  }
}

/**
 * Returns whether an import failed because its code was not fetched, by the words of Chromium and Vite. An error of the code itself
 * is a fault.
 */
export function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Unable to preload/.test(error.message);
}
