import { startDeadline, type Deadline } from './deadline.ts';

/** Waits for the work; null if it takes longer while this process runs. Passes its error on while the caller waits. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  let deadline: Deadline | undefined;
  const late = new Promise<null>((resolve) => (deadline = startDeadline(milliseconds, () => resolve(null))));
  try {
    return await Promise.race([work, late]);
  } finally {
    deadline?.clear();
  }
}
