import { AppError } from '#shared/errors.ts';

/** Stands for code of the page that its host did not give. */
export class UnfetchedCode extends AppError {
  constructor(message: string, options?: ErrorOptions) {
    super('internal', message, undefined, options);
  }
}

/** Whether an import failed because its code was not fetched: Chromium's and Vite's words. An error of the code itself is a fault. */
export function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|Unable to preload/.test(error.message);
}
