import type { AppError } from '../errors.ts';
import { z } from '../model/schema.ts';

/** A value that a save would write and that looks like a secret. It holds a name, never the value. */
const SecretToSave = z.strictObject({ name: z.string(), by: z.enum(['name', 'value']) });
export type SecretToSave = z.infer<typeof SecretToSave>;

/** What core asks about before it saves a file, from its refusal; null for any other error. */
export function secretsToSaveIn({ details }: AppError): SecretToSave[] | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('secrets' in details)) return null;
  if (details.reason !== 'secrets_unconfirmed') return null;
  return z.array(SecretToSave).safeParse(details.secrets).data ?? null;
}
