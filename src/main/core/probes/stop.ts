import type { Call } from '#shared/ipc/index.ts';
import { refusalOf } from '../calls/call-response.ts';

/** Returns why no further call of a plan is sent after this one; null if the provider answered it as the API does. */
export function stopOf(call: Call): string | null {
  if (call.failure !== null) return refusalOf(call);
  // A guard before the provider has no codes; a provider that answers with one at 403 has judged the call.
  if (call.status === 429 || (call.status === 403 && call.code === null)) {
    return `The response has HTTP status ${call.status}: the provider, or a guard before it, wants no more calls. Ask the provider before you start the plan again.`;
  }
  if (call.code !== null) return null;
  const type = call.response?.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const what = /html/i.test(type) ? 'an HTML page' : 'a response without a code';
  return `${what[0]?.toUpperCase()}${what.slice(1)} came, which the service does not send. Check the base URL, and look at the call in the history.`;
}
