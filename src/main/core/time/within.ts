import { startDeadline, type Deadline } from './deadline.ts';

/** What the work gives, or null where it takes longer while this process runs. Its error is the caller's as long as somebody waits. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  let deadline: Deadline | undefined;
  const late = new Promise<null>((resolve) => (deadline = startDeadline(milliseconds, () => resolve(null))));
  try {
    return await Promise.race([work, late]);
  } finally {
    deadline?.clear();
  }
}
