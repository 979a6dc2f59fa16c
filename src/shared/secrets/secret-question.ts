import type { AppError } from '../errors.ts';
import { listed } from '../listed.ts';

/** The name of a value that a save would write and that looks like a secret. It never holds the value. */
export interface SecretToSave {
  readonly name: string;
  readonly by: 'name' | 'value';
}

/** Says which fields of a saved request hold variables in place of their values; empty for none. */
export function standInText(standIns: readonly { readonly name: string; readonly variable: string }[]): string {
  const said = standIns.map(({ name, variable }, at) => `${name} ${at === 0 ? 'is saved as' : 'as'} ${variable}`);
  return said.length === 0 ? '' : `${listed(said)}.`;
}

/** Returns the values that core asks about before it saves a file, from its refusal; null for any other error. */
export function secretsToSaveIn({ details }: AppError): readonly SecretToSave[] | null {
  if (typeof details !== 'object' || details === null || !('reason' in details) || !('secrets' in details)) return null;
  // Core makes this value itself, as every output, and tests check it against its schema.
  return details.reason === 'secrets_unconfirmed' ? (details.secrets as readonly SecretToSave[]) : null;
}
