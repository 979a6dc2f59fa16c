import type { Call, Environment } from '#shared/ipc/index.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { answerOf } from '#shared/provider/index.ts';
import { textAt } from '#shared/provider/launch-url.ts';
import { refusalOf } from '../calls/answer.ts';

/** The token of an answer to generateNewToken; null with a message that says why, and the names of the texts that the answer has. */
export interface NewToken {
  readonly token: string | null;
  readonly message: string | null;
  readonly fields: string[];
}

/** The built-in provider's own assumption (docs/sandbox.md): the new session token stands in `token`. */
const sandboxField = 'token';

/**
 * Takes the new token from where it is known to stand: the built-in provider's assumption, or the field whose name was recorded for the open
 * point generateNewToken.response. The spec does not show the answer, so nothing is guessed from names.
 */
export function readNewToken(call: Call, answer: JsonNode | null, environment: Pick<Environment, 'kind' | 'answers'>): NewToken {
  const fields = textFields(answer);
  const refused = call.code === null && call.failure === null ? null : refusalOf(call);
  if (refused !== null) return { token: null, message: refused, fields: [] };
  if (answer?.kind !== 'object') return { token: null, message: 'The answer is not a JSON object.', fields: [] };
  const recorded = answerOf('generateNewToken.response', environment.answers);
  const path = recorded !== null && isPath(recorded) ? recorded : environment.kind === 'sandbox' ? sandboxField : null;
  if (path === null) {
    const message =
      recorded === null
        ? 'The spec does not show which field holds the new token. Record the field’s name under open points; the old token may no longer work.'
        : 'What is recorded about this answer is not the name of a field. Record the name alone, as token or data.token.';
    return { token: null, message, fields };
  }
  const token = textAt(answer, path.split('.'));
  if (token === null || token === '') return { token: null, message: `The answer has no text in ${path}.`, fields };
  return { token, message: null, fields };
}

function isPath(text: string): boolean {
  return /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*){0,5}$/.test(text);
}

function textFields(node: JsonNode | null, prefix = '', depth = 0): string[] {
  if (node?.kind !== 'object' || depth > 3) return [];
  return node.members
    .flatMap(({ key, value }) =>
      value.kind === 'string' ? [`${prefix}${key}`] : textFields(value, `${prefix}${key}.`, depth + 1),
    )
    .slice(0, 50);
}
