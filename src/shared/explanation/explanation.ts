import type { CallComparison } from '../calls/compare-calls.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import type { GapId } from '../provider/model.ts';
import type { Words } from './words.ts';

/** What an explanation offers to do. */
export type ExplanationAction =
  /** Shows what the built-in provider's log has of the call. */
  | { readonly kind: 'openLog' }
  | { readonly kind: 'openPoint'; readonly id: GapId }
  | { readonly kind: 'compare'; readonly callId: number }
  | { readonly kind: 'setSerialization'; readonly value: Serialization }
  | { readonly kind: 'setKey' }
  | { readonly kind: 'openEnvironment' }
  | { readonly kind: 'openFindings' }
  | { readonly kind: 'openLauncher' }
  | { readonly kind: 'copyUrl'; readonly url: string };

export interface ExplanationStep {
  readonly text: Words;
  readonly action: ExplanationAction | null;
}

/** What a response means, from what is known of this call; general advice comes after that or not at all. */
export interface Explanation {
  /** `good`: as it should be. `bad`: rejected, and why is known. `warn`: something is off. `note`: not known. */
  readonly tone: 'good' | 'bad' | 'warn' | 'note';
  /** The fact that comes first. */
  readonly title: Words;
  readonly facts: readonly Words[];
  /** At most three, the likeliest first. */
  readonly steps: readonly ExplanationStep[];
  /** What else leads on. */
  readonly links: readonly ExplanationAction[];
}

/** The last accepted call before a rejected one, of the same operation and environment. */
export interface Accepted {
  readonly call: Pick<Call, 'id' | 'operation' | 'request'>;
  /** From the accepted call to the rejected one. */
  readonly comparison: Pick<CallComparison, 'hashInput' | 'envelope'>;
}

/** What an explanation is computed from. What is null is not known, and nothing is said of it. */
export interface Evidence {
  readonly call: Call;
  /** The environment as it is now; null where it was removed. */
  readonly environment: Pick<Environment, 'name' | 'platform' | 'partnerId' | 'serialization' | 'answers'> | null;
  readonly accepted: Accepted | null;
  /** The body of the response; null where it was not read. */
  readonly responseText: string | null;
}
