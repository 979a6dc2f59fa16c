import type { CollectionRequest, Expectation, PathExpectation } from '#shared/collections/model.ts';
import type { CheckResult } from '#shared/collections/reported-request.ts';
import type { Call } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import { createParsedResponse, type ParsedResponse, type TextResult } from './parsed-response.ts';
import { noValue, refused, shortened, type Assertion } from './assertion.ts';
import type { ReadJsonPath } from './json-path.ts';
import { callAssertion } from './call-checks.ts';
import { pathAssertions } from './path-checks.ts';
import type { TimeLimit } from './time-limit.ts';

/** Masks tokens in results. */
export interface ResultMask {
  text(text: string): string;
  isToken(name: string): boolean;
}

export interface CheckOptions {
  /** Puts the variables into a text. */
  readonly substitute: (text: string) => TextResult;
  /** Null where results keep their tokens. */
  readonly mask: ResultMask | null;
}

/** Checks responses for a run: takes values from them, and compares them with the expected ones. */
export type Checks = ReturnType<typeof createChecks>;

export function createChecks() {
  let readJsonPath: ReadJsonPath = () => {
    throw new Error('A JSONPath was asked for before it was loaded');
  };

  function assertionsOf(expectation: Expectation, call: Call, response: ParsedResponse, options: CheckOptions): Assertion[] {
    const isToken = (name: string) => options.mask?.isToken(name) ?? false;
    const assertions = (filled: Expectation) =>
      isAboutPath(filled) ? pathAssertions(filled, response, isToken) : [callAssertion(filled, call, response)];
    const filled = fill(expectation, options.substitute);
    if (filled.ok) return assertions(filled.expectation);
    return assertions(expectation).map((assertion) => ({ ...assertion, judge: () => refused(filled.message) }));
  }

  return {
    /** Loads the JSONPath reader if one of these requests needs it. Await before checking their responses. */
    async load(requests: readonly Pick<CollectionRequest, 'expect' | 'take'>[]): Promise<void> {
      // Its first character decides, also while variables are not inserted yet.
      const paths = requests.flatMap(({ expect, take }) => [
        ...expect.filter(isAboutPath).map(({ path }) => path),
        ...Object.values(take),
      ]);
      if (paths.some((path) => path.startsWith('$'))) ({ readJsonPath } = await import('./json-path.ts'));
    },
    /**
     * Returns the body of a call's response, empty without one; one object for all questions about the call, which share the time.
     * `unread`: why nobody reads it.
     */
    responseOf: (call: Call, body: string, timeLimit: TimeLimit, unread: string | null): ParsedResponse =>
      createParsedResponse(body, { truncated: call.response?.truncated ?? false, unread }, timeLimit, (path) =>
        readJsonPath(path),
      ),
    /**
     * Returns one result for each check, in the order of the file. Without any check the code has to be 0; of a response that need
     * not have one, the HTTP status has to be 200, and the response JSON, of a wallet method an object.
     */
    evaluate(expectations: readonly Expectation[], call: Call, response: ParsedResponse, options: CheckOptions): CheckResult[] {
      const all = expectations.length === 0 ? impliedBy(call, response) : expectations;
      return all
        .flatMap((expectation) => assertionsOf(expectation, call, response, options))
        .map((assertion) => resultOf(assertion, call, options.mask));
    },
  };
}

function isAboutPath(expectation: Expectation): expectation is PathExpectation {
  return 'path' in expectation;
}

function impliedBy(call: Call, response: ParsedResponse): Expectation[] {
  // The spec says nothing of a request that fits no operation.
  if (call.operation === null) return [{ status: '200' }];
  const operation = operationByName(call.operation);
  // A recorded path can take plain JSON, and its response then has a shape of its own.
  const enveloped = operation.endpoint === 'service' && (operation.action !== null || call.request.hashInput !== null);
  if (enveloped || call.code !== null) return [{ code: '0' }];
  const found = response.find('/code');
  if (found.ok && found.nodes.length > 0) return [{ code: '0' }];
  // An empty page with HTTP 200 is not a wallet's response.
  return [{ status: '200' }, operation.endpoint === 'wallet' ? { path: '', type: 'object' } : { path: '' }];
}

/** Returns every text of a check with its variables inserted, or the first that cannot be. */
function fill(
  expectation: Expectation,
  substitute: CheckOptions['substitute'],
): { readonly ok: true; readonly expectation: Expectation } | { readonly ok: false; readonly message: string } {
  let problem: string | null = null;
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const result = substitute(value);
      if (result.ok) return result.text;
      problem ??= result.message;
      return value;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
  };
  const result = filled(expectation) as Expectation;
  return problem === null ? { ok: true, expectation: result } : { ok: false, message: problem };
}

function resultOf(
  { words, quotes, expected, expectedWords, mark, judge }: Assertion,
  call: Call,
  mask: ResultMask | null,
): CheckResult {
  // Masked before it is cut: a part of a token is found by no mask.
  const clean = (text: string) => (mask === null ? text : mask.text(text));
  const shown = (text: string) => shortened(mark !== null && mask !== null && text !== noValue ? mark : clean(text));
  const shownExpected = shown(expected);
  const ofUnit = expectedWords?.(shownExpected) ?? shownExpected;
  const check = quotes ? clean(words(shownExpected)) : words(shownExpected);
  if (call.failure !== null || call.response === null) {
    const message = call.failure === null ? 'The call has no response.' : `${call.failure.message} ${call.failure.hint}`.trim();
    return { check, passed: false, expected: ofUnit, actual: '(no response)', message: clean(message) };
  }
  const { passed, actual, why } = judge();
  const shownActual = shown(actual);
  return { check, passed, expected: ofUnit, actual: shownActual, message: passed ? '' : clean(why(shownActual)) };
}
