import { createRedaction } from '#core/masking/redaction.ts';
import type { Secret } from './secret.ts';

/** The keys that a process has at the moment, for texts that may hold one of them. */
export interface KnownKeys {
  readonly add: (key: Secret) => void;
  /** Overwrites the key. */
  readonly forget: (key: Secret) => void;
  /** Replaces every form of a key in a text. The forms are not kept: they are made when there is a text to redact. */
  readonly redact: (text: string) => string;
}

/** Creates them without a key. */
export function createKnownKeys(): KnownKeys {
  const known = new Set<Secret>();
  return {
    add: (key) => void known.add(key),
    forget(key) {
      known.delete(key);
      key.clear();
    },
    redact(text) {
      const redaction = createRedaction();
      for (const key of known) key.use((bytes) => redaction.protect(bytes));
      return redaction.redact(text);
    },
  };
}
