import { createRedaction } from '#core/masking/redaction.ts';
import type { Secret } from './secret.ts';

/** The keys that a process has at the moment, for texts that may hold one of them. */
export type KnownKeys = ReturnType<typeof createKnownKeys>;

/** Creates them without a key. */
export function createKnownKeys() {
  const known = new Set<Secret>();
  return {
    add: (key: Secret): void => void known.add(key),
    /** Overwrites the key. */
    forget(key: Secret): void {
      known.delete(key);
      key.clear();
    },
    /** Replaces every form of a key in a text. The forms are not kept: they are made when there is a text to redact. */
    redact(text: string): string {
      const redaction = createRedaction();
      for (const key of known) key.use((bytes) => redaction.protect(bytes));
      return redaction.redact(text);
    },
  };
}
