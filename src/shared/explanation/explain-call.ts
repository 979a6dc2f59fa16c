import type { Evidence, Explanation } from './explanation.ts';
import type { Call } from '../ipc/outputs/calls.ts';
import { codesOf } from '../provider/wire-form.ts';
import { codeNotes } from '../provider/code-notes.ts';
import { documentedMessage } from '../provider/codes.ts';
import { doubtsOf, unreadRule } from '../provider/findings.ts';
import type { Operation } from '../provider/model.ts';
import { operationByName } from '../provider/operations.ts';
import { explainSuccess, explainWithoutCode } from './success-code.ts';
import { explainHash } from './hash-code.ts';
import { explainIdentity } from './identity-code.ts';
import { isBuiltIn, reasonOf, standInText } from './provider-reason.ts';
import { explainToken } from './token-code.ts';
import { code, say } from './sentence.ts';

/** Explains the response of a call; null if there is no response or nothing to explain. */
export function explainCall(evidence: Evidence): Explanation | null {
  const { call } = evidence;
  if (call.response === null || call.state !== 'answered') return null;
  const doubts = doubtsOf(call.findings).filter(({ rule }) => rule !== unreadRule);
  // Of two codes or two balances nobody knows which counts: that comes before what either means.
  const twice = doubts.find(({ rule }) => rule === 'duplicate-key');
  const explained = explainCode(evidence);
  const doubt = twice ?? (explained === null ? doubts[0] : undefined);
  if (doubt === undefined) return explained;
  if (explained === null || call.code === null) {
    return { tone: 'warn', title: [doubt.message], facts: [], steps: [], links: [{ kind: 'openFindings' }] };
  }
  const tone = explained.tone === 'bad' ? 'bad' : 'warn';
  return { ...explained, tone, title: [doubt.message], facts: [explained.title, ...explained.facts] };
}

function explainCode(evidence: Evidence): Explanation | null {
  const { call } = evidence;
  // The spec says nothing about a request that fits no operation.
  if (call.operation === null) return null;
  const operation = operationByName(call.operation);
  if (call.code === null) return explainWithoutCode(evidence, operation);
  if (call.code === 0) return explainSuccess(evidence);
  const explained =
    explainStandIn(call, call.code) ?? withRecorded(evidence, operation, explainRejection(evidence, operation, call.code));
  const links = isBuiltIn(call) ? [...explained.links, { kind: 'openLog' } as const] : explained.links;
  return { ...explained, steps: explained.steps.slice(0, 3), links };
}

/** Explains a code by the built-in provider's reason: it uses only the spec's codes, so a code may stand in for another reason. */
function explainStandIn(call: Call, value: number): Explanation | null {
  if (!isBuiltIn(call)) return null;
  const reason = reasonOf(call);
  const standIn = [standInText(value)];
  if (reason?.standsIn === true) {
    return { tone: 'bad', title: [reason.why], facts: [standIn], steps: [], links: [] };
  }
  // Recorded by a version that had no reasons. Its status is HTTP 200 only for a code that the spec shows for that fault.
  if (reason === null && call.status !== null && call.status >= 400) {
    const title = say`The built-in provider rejected this for a reason that has no code in the spec.`;
    return { tone: 'bad', title, facts: [standIn], steps: [], links: [] };
  }
  return null;
}

function explainRejection(evidence: Evidence, operation: Operation, value: number): Explanation {
  switch (value) {
    case 8:
      return explainHash(evidence, operation);
    case 9:
      return explainIdentity(evidence, operation);
    case 404:
      return explainToken(evidence, operation);
    default:
      return explainUnlisted(evidence, operation, value);
  }
}

/** Adds the recorded answer's meaning of a code, unless the provider's own reason or an override explains the call. */
function withRecorded({ call, environment }: Evidence, operation: Operation, explained: Explanation): Explanation {
  if (reasonOf(call) !== null || explained.tone === 'good' || call.code === null || documentedMessage(call.code) === '') {
    return explained;
  }
  const notes = codeNotes(call.code, operation, environment?.answers ?? {});
  return { ...explained, facts: [...explained.facts, ...notes.map((note) => [note])] };
}

function explainUnlisted({ call, environment }: Evidence, { endpoint }: Operation, value: number): Explanation {
  const message =
    call.message === null || call.message === ''
      ? []
      : [say`The ${endpoint === 'wallet' ? 'wallet' : 'provider'}'s message is ${code(call.message)}.`];
  const recorded = codesOf(environment?.answers ?? {})?.get(value) ?? '';
  if (recorded !== '') {
    const title = say`Recorded meaning of code ${String(value)}: ${recorded.replace(/\.$/, '')}.`;
    return { tone: 'bad', title, facts: message, steps: [], links: [] };
  }
  return {
    tone: 'note',
    title: say`The spec doesn't list code ${String(value)}.`,
    facts: [...message, say`Its list of codes isn't complete.`],
    steps: [
      {
        text:
          endpoint === 'wallet'
            ? say`Ask the provider what they make of this code from a wallet, and record it.`
            : say`Ask the provider what the code means, and record it.`,
        action: { kind: 'openPoint', id: 'codes.complete' },
      },
    ],
    links: [],
  };
}
