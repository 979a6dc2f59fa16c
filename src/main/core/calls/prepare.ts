import { AppError } from '#shared/errors.ts';
import type { Environment, RequestDraft } from '#shared/ipc/index.ts';
import { prepareRequest } from '#shared/request/envelope.ts';
import type { PreparedRequest } from '#shared/request/envelope.ts';

/**
 * Turns a typed draft into a request whose every part but the hash is fixed. `now` is in milliseconds since the epoch. Fails with
 * `invalid_input` (a position in the text is in `details`).
 */
export function prepareCall(draft: RequestDraft, environment: Environment, now: number): PreparedRequest {
  const prepared = prepareRequest(draft, environment, now);
  if (!prepared.ok) {
    const { message, ...place } = prepared.error;
    throw new AppError('invalid_input', message, place);
  }
  return prepared.request;
}
