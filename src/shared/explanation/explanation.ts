import type { Call } from '../ipc/outputs/calls.ts';
import type { Environment, Serialization } from '../model/environment.ts';
import { codesOf } from '../provider/answers.ts';
import { codeNotes } from '../provider/code-notes.ts';
import { documentedMessage } from '../provider/codes.ts';
import type { GapId } from '../provider/model.ts';
import { operationByName } from '../provider/operations.ts';
import type { CallComparison } from '../calls/compare-calls.ts';
import { explainSuccess, explainWithoutCode } from './accepted.ts';
import { explainHash } from './hash-code.ts';
import { explainIdentity } from './identity-code.ts';
import { isBuiltIn, reasonOf, standInText } from './provider-reason.ts';
import { explainToken } from './token-code.ts';
import { code, say, type Words } from './words.ts';

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

/** Explains the response of a call; null where there is nothing to explain, and where there is no response. */
export function explainCall(evidence: Evidence): Explanation | null {
  const { call } = evidence;
  if (call.response === null || call.state !== 'answered') return null;
  if (call.code === null) return explainWithoutCode(evidence);
  if (call.code === 0) return explainSuccess(evidence);
  const explained = explainStandIn(call, call.code) ?? withRecorded(evidence, explainRejection(evidence, call.code));
  const links = isBuiltIn(call) ? [...explained.links, { kind: 'openLog' } as const] : explained.links;
  return { ...explained, steps: explained.steps.slice(0, 3), links };
}

/** The built-in provider has only the codes that the spec shows: what it means is its reason, not the code. */
function explainStandIn(call: Call, value: number): Explanation | null {
  if (!isBuiltIn(call)) return null;
  const reason = reasonOf(call);
  const standIn = [standInText(value)];
  if (reason?.standsIn === true) {
    return { tone: 'bad', title: [reason.why], facts: [standIn], steps: [], links: [] };
  }
  // Recorded before the provider gave its reason: it says HTTP 200 only where the code is the one that the spec shows.
  if (reason === null && call.status !== null && call.status >= 400) {
    const title = say`The built-in provider rejected this for a reason that the spec shows no code for.`;
    return { tone: 'bad', title, facts: [standIn], steps: [], links: [] };
  }
  return null;
}

function explainRejection(evidence: Evidence, value: number): Explanation {
  const operation = operationByName(evidence.call.operation);
  switch (value) {
    case 8:
      return explainHash(evidence, operation);
    case 9:
      return explainIdentity(evidence, operation);
    case 404:
      return explainToken(evidence, operation);
    default:
      return explainUnlisted(evidence, value);
  }
}

/** Adds what the recorded answers say of a code that the spec lists, where neither the provider's own reason nor an override explains the call. */
function withRecorded({ call, environment }: Evidence, explained: Explanation): Explanation {
  if (reasonOf(call) !== null || explained.tone === 'good' || call.code === null || documentedMessage(call.code) === '') {
    return explained;
  }
  const notes = codeNotes(call.code, operationByName(call.operation), environment?.answers ?? {});
  return { ...explained, facts: [...explained.facts, ...notes.map((note) => [note])] };
}

function explainUnlisted({ call, environment }: Evidence, value: number): Explanation {
  const message = call.message === null || call.message === '' ? [] : [say`The provider's message is ${code(call.message)}.`];
  const recorded = codesOf(environment?.answers ?? {})?.get(value) ?? '';
  if (recorded !== '') {
    const title = say`Recorded meaning of code ${String(value)}: ${recorded.replace(/\.$/, '')}.`;
    return { tone: 'bad', title, facts: message, steps: [], links: [] };
  }
  return {
    tone: 'note',
    title: say`The spec does not list code ${String(value)}.`,
    facts: [...message, say`Its list of codes is not complete.`],
    steps: [
      {
        text: say`Ask the provider what the code means, and record it.`,
        action: { kind: 'openPoint', id: 'codes.complete' },
      },
    ],
    links: [],
  };
}
