import { shortened, uncheckedText } from '#shared/collections/run-words.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { operationByName, routeOf } from '#shared/provider/index.ts';
import type { Plan } from './plan.ts';
import { isUnchecked } from './request.ts';

/** Fails with `invalid_input` if a request has no check of its own; unreadable files are reported in another way. */
export function requireChecks({ requests }: Plan): void {
  const problems = requests.filter(({ request }) => isUnchecked(request)).map(({ path }) => `${path}.yaml`);
  if (problems.length === 0) return;
  const headline = `Nothing was run: ${uncheckedText(problems.length, requests.length)}. Write down below expect what each response has to be.`;
  throw new AppError('invalid_input', `${headline} ${shortened(problems).join(' ')}`, { headline, problems });
}

const lookAtCharacters = 1_000_000;

/** Yields everything that a user wrote into the files, some texts at a time. */
export function* textsOf(plan: Plan): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const text of eachText(plan)) {
    texts.push(text);
    characters += text.length;
    if (characters < lookAtCharacters) continue;
    yield texts.join('\n');
    [texts, characters] = [[], 0];
  }
  yield texts.join('\n');
}

function* eachText({ requests, collection }: Plan): Generator<string> {
  // Variables of a folder once, whatever lies in it.
  for (const variables of new Set([collection, ...requests.flatMap(({ folders }) => folders)])) yield JSON.stringify(variables);
  for (const { request } of requests) {
    if (request === null) continue;
    yield request.data;
    yield JSON.stringify({ ...request, data: '' });
  }
}

/** Returns whether sending the request needs the environment's key. */
export function needsKey({ request }: Plan['requests'][number], answers: Environment['answers']): boolean {
  if (request === null || routeOf(operationByName(request.operation), answers)?.signed === false) return false;
  const { hash, omit = [] } = request.overrides;
  return !omit.includes('hash') && (hash === undefined || hash === 'wrong');
}
