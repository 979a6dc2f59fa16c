import { z } from './schema.ts';

/** One finding about a request or a response. Warnings never block sending. */
export const Finding = z.strictObject({
  /** Stable name of the rule, for tests and for programs. */
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  /** JSON Pointer into the payload or response; empty for the whole. */
  path: z.string(),
  message: z.string(),
  /** UTF-16 offsets into the text, if known. */
  start: z.optional(z.int()),
  end: z.optional(z.int()),
});
export type Finding = z.infer<typeof Finding>;
