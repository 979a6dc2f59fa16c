import { parentPort, threadId } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { JobTable } from '#core/untrusted/messages.ts';

/** Jobs of the reading threads in tests. */
export const testJobs = {
  thread: async () => (input: { readonly bytes: Uint8Array }) => ({ thread: threadId, length: input.bytes.length }),
  forever: async () => () => {
    for (;;);
  },
  expression:
    async () =>
    ({ pattern, text }: { readonly pattern: string; readonly text: string }) =>
      new RegExp(pattern).test(text),
  /** Takes memory until there is none. */
  hungry: async () => () => {
    const kept: unknown[] = [];
    for (;;) kept.push({ at: kept.length, others: [kept.length] });
  },
  faulty: async () => () => {
    throw new TypeError('a mistake of ours');
  },
  refusing: async () => () => {
    throw new AppError('invalid_input', 'Line 3 is wrong.', { line: 3 });
  },
  /** Makes a text that is longer than any. */
  exceeding: async () => () => 'x'.repeat(2 ** 30).length,
  /** Ends its thread silently. */
  ends: async () => () => parentPort?.close(),
} satisfies JobTable;
