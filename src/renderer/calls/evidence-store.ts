import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Accepted } from '#shared/explanation/explanation.ts';
import { canExamine, findingOf } from '#shared/explanation/hand-hash.ts';
import { canCompare, findAccepted } from '#shared/explanation/last-accepted.ts';
import { isBuiltIn } from '#shared/explanation/provider-reason.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { orNull } from '#renderer/faults/faults.ts';
import type { BodyReader } from './body-reader.ts';

/** Facts about a call beside its own bytes. */
interface CallEvidence {
  readonly call: Call;
  /** The last accepted call before it; null without one, and until it is found. */
  readonly accepted: Accepted | null;
  /** The doctor's finding; null without one, and until it is found. */
  readonly finding: string | null;
}

interface EvidenceState {
  readonly found: ReadonlyMap<number, CallEvidence>;
  /**
   * Looks once for each call whose hash, `platform` or `partnerId` was rejected: for the last accepted call if no override explains it, and for the
   * mistake in a hash that was set by hand.
   */
  readonly find: (call: Call) => Promise<void>;
  /** Reads a call by its ID, then looks in the same way. */
  readonly open: (id: number) => Promise<void>;
}

export type EvidenceStore = StoreApi<EvidenceState>;

/** Number of calls whose evidence is kept; the oldest go first. */
const kept = 100;

/** Gathers what explains a call: the call as it was recorded, and the last accepted one before it. */
export function createEvidenceStore(client: Client, { reader }: { readonly reader: BodyReader }): EvidenceStore {
  return createStore<EvidenceState>()((set, get) => {
    function put(evidence: CallEvidence): void {
      const found = new Map(get().found).set(evidence.call.id, evidence);
      for (const oldest of found.keys()) {
        if (found.size <= kept) break;
        found.delete(oldest);
      }
      set({ found });
    }

    return {
      found: new Map(),
      async find(call) {
        if (call.state === 'pending' || get().found.has(call.id)) return;
        put({ call, accepted: null, finding: null });
        // Of the built-in provider's responses the reason has it.
        const finding = canExamine(call) && !isBuiltIn(call) ? await orNull(findingOf(client, call)) : null;
        if (finding !== null) put({ call, accepted: null, finding });
        if (!canCompare(call)) return;
        // This comparison is automatic, so its failures stay silent.
        const compare = async () => {
          const good = await findAccepted(client, call);
          if (good !== null) put({ call, accepted: { call: good, comparison: await reader.compareCalls(good, call) }, finding });
        };
        await orNull(compare());
      },
      async open(id) {
        if (get().found.has(id)) return;
        await orNull(client.call('calls.get', { id }).then((call) => get().find(call)));
      },
    };
  });
}
