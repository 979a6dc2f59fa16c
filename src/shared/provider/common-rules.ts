import { routeOf } from './wire-form.ts';
import type { Answers, Operation } from './model.ts';

/** Rules of every call, by endpoint (spec, General rules and Authentication). */
const commonRules: Readonly<Record<Operation['endpoint'], readonly string[]>> = {
  service: [
    'HTTPS only: a POST of application/json to /serviceApi.php, where the field action selects the operation.',
    'platform, partnerId, time and hash are in every body.',
    'hash is the lowercase hexadecimal SHA-256 of private key, time and the JSON string of data, joined without separators; slashes in data are not escaped. The key is never sent.',
    'time is written dd-mm-yyyy hh:mm:ss.',
    'Staging and production share one endpoint.',
    'A wrong hash gets code 8, a wrong platform or partnerId code 9; data is then null.',
  ],
  wallet: [
    'HTTPS only: a POST of application/json to its own path.',
    'The body is plain JSON without the hash envelope.',
    "A token identifies the player's session. An invalid one gets code 404, Invalid Token.",
  ],
};

/** Returns the rules that an operation shares with others of its endpoint; a recorded path has its own. */
export function commonRulesOf(operation: Operation, answers: Answers = {}): readonly string[] {
  const rules = commonRules[operation.endpoint];
  const route = routeOf(operation, answers);
  if (operation.endpoint === 'wallet' || route === null || route.action !== null) return rules;
  const first = `HTTPS only: according to the recorded answer, a POST of application/json to ${route.path}`;
  if (route.signed) return [`${first}, without the field action.`, ...rules.slice(1)];
  return [`${first}, as plain JSON without the hash envelope.`];
}
