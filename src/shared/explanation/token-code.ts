import { answerOf } from '../provider/wire-form.ts';
import type { Operation } from '../provider/model.ts';
import { formOf } from '../provider/operations.ts';
import type { Evidence, Explanation, ExplanationStep } from './explanation.ts';
import { reasonOf } from './provider-reason.ts';
import { sentText } from './sent-body.ts';
import { code, say, type Words } from './sentence.ts';

/** Explains code 404: the session token is not valid (spec, Errors). */
export function explainToken(evidence: Evidence, operation: Operation): Explanation {
  const { call, environment } = evidence;
  const meaning = say`According to the spec, code 404 means that the session token isn't valid.`;
  const reason = reasonOf(call);
  const field = tokenField(operation, call.draft.form);
  if (field === null) {
    // If the spec does not show the request, nobody knows whether it has a token.
    const shown = formOf(operation, call.draft.form).open !== true;
    const none = say`The spec shows no session token in ${code(operation.name)} requests.`;
    return { tone: 'note', title: shown ? none : meaning, facts: shown ? [meaning] : [], steps: [], links: [] };
  }
  const sent = sentText(call, operation.endpoint === 'wallet' ? [field] : ['data', field]);
  const known = sentFact(evidence, operation, field, sent);
  const steps: ExplanationStep[] = [
    { text: say`Use the token of a running player session.`, action: null },
    ...(answerOf('token.lifetime', environment?.answers ?? {}) === null
      ? [
          {
            text: say`The spec doesn't show how long a token lives: ask the provider, and record it.`,
            action: { kind: 'openPoint', id: 'token.lifetime' } as const,
          },
        ]
      : []),
  ];
  if (reason !== null) {
    return { tone: 'bad', title: [reason.why], facts: known === null ? [] : [known], steps: steps.slice(0, 1), links: [] };
  }
  return { tone: 'bad', title: known ?? meaning, facts: [], steps, links: [] };
}

/** Returns the field of a request that carries the session token; null where the form has none or its fields are not shown. */
function tokenField(operation: Operation, form: string): string | null {
  const { fields } = formOf(operation, form);
  const found = fields.find(
    ({ name }) => name === 'externalToken' || (name === 'token' && operation.name === 'generateNewToken'),
  );
  return found?.name ?? null;
}

function sentFact({ call }: Evidence, operation: Operation, field: string, sent: string | null): Words | null {
  if (sent === null) return say`This call sent no ${code(field)}.`;
  if (sent === '""') {
    const mode = operation.name === 'getLauncherURL' ? sentText(call, ['data', 'gameMode']) : null;
    return mode === '"fun"'
      ? say`This call sent an empty ${code(field)}, in fun mode, where the spec allows it.`
      : say`This call sent an empty ${code(field)}.`;
  }
  return sent.startsWith('"') ? null : say`${code(field)} of this call isn't a string.`;
}
