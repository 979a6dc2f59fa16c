import type { Call, Environment } from '#shared/ipc/index.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { recordedAnswer } from '#shared/provider/index.ts';
import { textAt } from '#shared/provider/launcher-url.ts';
import { newTokenPath } from '#shared/provider/tokens.ts';
import { isAmbiguous, unreadFinding } from '#shared/provider/findings.ts';
import { longestAddress, readJsonBody, refusalOf } from '../calls/call-response.ts';

declare module '../untrusted/jobs.ts' {
  interface ReadingJobs {
    'launch.token': typeof newTokenJob;
  }
}

/**
 * The token of a response to generateNewToken; null with a message about the reason, and the names of the string fields in the
 * response.
 */
export interface NewToken {
  readonly token: string | null;
  readonly message: string | null;
  readonly fields: string[];
}

/** The built-in provider's own assumption (docs/sandbox.md): the new session token is in `token`. */
const sandboxField: readonly string[] = ['token'];

/**
 * Takes the new token from its known position: the built-in provider's assumption, or the field recorded for the open point
 * generateNewToken.response. The spec does not show the response, so nothing is guessed from names.
 */
export function readNewToken(call: Call, parsed: JsonNode | null, environment: Pick<Environment, 'kind' | 'answers'>): NewToken {
  const fields = textFields(parsed);
  const isSound = call.failure === null && !isAmbiguous(call.findings);
  const refused = call.code === null && isSound ? null : (refusalOf(call) ?? unreadFinding(call.findings)?.message ?? null);
  if (refused !== null) return { token: null, message: refused, fields: [] };
  if (parsed?.kind !== 'object') return { token: null, message: 'The response is not a JSON object.', fields: [] };
  const recorded = recordedAnswer('generateNewToken.response', environment.answers);
  const path = newTokenPath(environment.answers) ?? (environment.kind === 'sandbox' ? sandboxField : null);
  if (path === null) {
    const message =
      recorded.state === 'invalid'
        ? `The recorded answer about this response is invalid and isn't used. ${recorded.message}`
        : 'The spec doesn\'t show which field holds the new token. Record the field\'s name, or all fields, under "Open points". The old token may no longer work.';
    return { token: null, message, fields };
  }
  const token = textAt(parsed, path);
  if (token === null || token === '') return { token: null, message: `The response has no text in ${path.join('.')}.`, fields };
  if (token.length > longestAddress) {
    return { token: null, message: `The text in ${path.join('.')} is too long for a token.`, fields };
  }
  return { token, message: null, fields };
}

function textFields(node: JsonNode | null, prefix = '', depth = 0): string[] {
  if (node?.kind !== 'object' || depth > 3) return [];
  return node.members
    .flatMap(({ key, value }) =>
      value.kind === 'string' ? [`${prefix}${key}`] : textFields(value, `${prefix}${key}.`, depth + 1),
    )
    .slice(0, 50);
}

/** Input for reading a new token in a thread. */
export interface TokenSource {
  readonly call: Call;
  readonly body: Uint8Array | null;
  readonly environment: Pick<Environment, 'kind' | 'answers'>;
}

export function newTokenJob({ call, body, environment }: TokenSource): NewToken {
  // A response that the first reading left is not read now.
  const parsed = body === null || unreadFinding(call.findings) !== null ? null : readJsonBody(body);
  return readNewToken(call, parsed, environment);
}
