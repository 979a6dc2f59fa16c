import { callNumber } from '../calls/pack-words.ts';
import type { CallComparison } from '../calls/compare-calls.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import type { KeyStatus } from '../ipc/outputs/keys.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import type { OpenPointId } from '../provider/model.ts';
import type { Words } from './sentence.ts';

/** An action that an explanation offers. */
export type ExplanationAction =
  /** Shows the call in the built-in provider's log. */
  | { readonly kind: 'openLog' }
  | { readonly kind: 'openPoint'; readonly id: OpenPointId }
  /** `number` names the call. */
  | { readonly kind: 'compare'; readonly callId: number; readonly number: string }
  /** Searches the mistake in the hash of the call. */
  | { readonly kind: 'openDoctor' }
  | { readonly kind: 'setSerialization'; readonly value: Serialization }
  | { readonly kind: 'setKey' }
  /** Has the other one of two keys sign. */
  | { readonly kind: 'chooseKey'; readonly key: 'new' | 'older' }
  | { readonly kind: 'openEnvironment' }
  | { readonly kind: 'openFindings' }
  | { readonly kind: 'openLauncher' }
  | { readonly kind: 'copyUrl'; readonly url: string };

export interface ExplanationStep {
  readonly text: Words;
  readonly action: ExplanationAction | null;
}

/** The meaning of a response: evidence from this call first, then general advice, if any. */
export interface Explanation {
  /** `good`: accepted. `bad`: rejected for a known reason. `warn`: something is wrong. `note`: the reason is not known. */
  readonly tone: 'good' | 'bad' | 'warn' | 'note';
  /** The fact that comes first. */
  readonly title: Words;
  readonly facts: readonly Words[];
  /** At most three, the likeliest first. */
  readonly steps: readonly ExplanationStep[];
  /** Further actions. */
  readonly links: readonly ExplanationAction[];
}

/** The last accepted call before a rejected one, of the same operation and environment. */
export interface Accepted {
  readonly call: Pick<Call, 'id' | 'operation' | 'request' | 'pack'>;
  /** From the accepted call to the rejected one. */
  readonly comparison: Pick<CallComparison, 'hashInput' | 'envelope'>;
}

/** Input of an explanation. A null means unknown, and the explanation does not mention it. */
export interface Evidence {
  readonly call: Call;
  /** The environment as it is now; null if it was removed. */
  readonly environment: Pick<Environment, 'name' | 'platform' | 'partnerId' | 'serialization' | 'answers'> | null;
  readonly accepted: Accepted | null;
  /** The environment's keys as they are now. */
  readonly keys: Pick<KeyStatus, 'fingerprint' | 'pair'> | null;
  /** The doctor's finding about a hash that was set by hand; null without one, and until it is found. */
  readonly finding: string | null;
  /** The body of the response; null if it was not read. */
  readonly responseText: string | null;
}

/** Returns the action that compares a call with the last accepted one. */
export function compareWith({ call }: Accepted): ExplanationAction {
  return { kind: 'compare', callId: call.id, number: callNumber(call) };
}
