import { z } from './schema.ts';

/** One remark about a request or an answer. Warnings never block sending. */
export const Finding = z.strictObject({
  /** Stable name of the rule, for tests and for programs. */
  rule: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  /** JSON Pointer into the text it is about; empty for the whole. */
  path: z.string(),
  message: z.string(),
  /** UTF-16 offsets into the text, where they are known. */
  start: z.optional(z.int()),
  end: z.optional(z.int()),
});
export type Finding = z.infer<typeof Finding>;
