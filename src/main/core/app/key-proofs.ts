import type { Call } from '#shared/ipc/index.ts';
import type { Keys } from '../keys/keys.ts';

/** Looks at each outcome for the proof that a new key is right. */
export interface KeyProofs {
  /** Lets the older of two keys go if this call proves the new one. Never throws. */
  look(call: Call): void;
  /** Settles when what the calls proved is done. */
  close(): Promise<void>;
}

export function createKeyProofs(keys: Pick<Keys, 'prove'>, onFault: (error: unknown) => void): KeyProofs {
  const underWay = new Set<Promise<void>>();
  return {
    look(call) {
      const fingerprint = proves(call);
      if (fingerprint === null) return;
      const proof = keys.prove(call.environmentId, fingerprint, call.id).catch(onFault);
      underWay.add(proof);
      void proof.finally(() => underWay.delete(proof));
    },
    async close() {
      await Promise.all(underWay);
    },
  };
}

/**
 * Returns the fingerprint of the key that this call proves to be right; null if it proves none. Only code 0 does: the spec does not show
 * before which of its codes a provider has checked the hash. A hash that was made wrong on purpose and still got code 0 shows a provider
 * that checks none.
 */
function proves({ code, request: { keyFingerprint }, draft }: Call): string | null {
  return code === 0 && draft.overrides.hash === undefined ? keyFingerprint : null;
}
