import { AppError } from '#shared/errors.ts';

/** What fails here leaves things as they are. */
export async function quietly<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
