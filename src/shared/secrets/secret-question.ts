import type { AppError } from '../errors.ts';

/** A value that a save would write and that looks like a secret. It holds a name, never the value. */
export interface SecretToSave {
  readonly name: string;
  readonly by: 'name' | 'value';
}

/** What core asks about before it saves a file, from its refusal; null for any other error. */
export function secretsToSaveIn({ details }: AppError): readonly SecretToSave[] | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('secrets' in details)) return null;
  // Core's own, as an output is: tests hold it against its schema.
  return details.reason === 'secrets_unconfirmed' ? (details.secrets as readonly SecretToSave[]) : null;
}
