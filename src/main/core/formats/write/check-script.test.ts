import { runInNewContext } from 'node:vm';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { CollectionRequest, type Expectation } from '#shared/collections/model.ts';
import type { Call } from '#shared/ipc/index.ts';
import { operationByName, validateResponse, type OperationName } from '#shared/provider/index.ts';
import { createChecks } from '../../collections/checks/checks.ts';
import { createTimeLimit } from '../../collections/checks/time-limit.ts';
import { stepsOf, testScript } from './check-script.ts';

/** Runs the test script of a request over a response, with the parts of Postman that the script uses. */
function runScript(
  request: CollectionRequest,
  answer: string,
  status = 200,
): { results: boolean[]; taken: Record<string, string>; lost: string[] } {
  const results: boolean[] = [];
  const taken: Record<string, string> = {};
  const lost: string[] = [];
  const operation = operationByName(request.operation);
  const script = testScript({ request, comments: [] }, { operation, lose: (what) => lost.push(what) });
  runInNewContext(script.join('\n'), {
    pm: {
      test: (_: string, work: () => void) => {
        try {
          work();
          results.push(true);
        } catch {
          results.push(false);
        }
      },
      response: { text: () => answer, code: status, responseTime: 50 },
      variables: { replaceIn: (text: string) => text, set: (name: string, value: string) => (taken[name] = value) },
      collectionVariables: { set: () => undefined },
    },
  });
  return { results, taken, lost };
}

const checks = createChecks();
await checks.load([{ expect: [], take: { all: '$' } }]);

/** Returns a call that was answered so. */
function callWith(operation: OperationName, answer: string, status: number): Call {
  return {
    operation,
    status,
    code: validateResponse(operationByName(operation), answer).code,
    durationMs: 50,
    failure: null,
    findings: [],
    response: { truncated: false },
  } as unknown as Call;
}

/** Returns the results of the workbench's own checks. */
function judge(operation: OperationName, expectations: readonly Expectation[], answer: string, status = 200): boolean[] {
  const call = callWith(operation, answer, status);
  const results = expectations.map((expectation) =>
    checks.evaluate([expectation], call, checks.responseOf(call, answer, createTimeLimit(1_000), null), {
      mask: null,
      substitute: (text) => ({ ok: true, text }),
    }),
  );
  return results.map((all) => all.every(({ passed }) => passed));
}

const number = fc.oneof(
  fc.constantFrom('0', '1', '1.0', '-0', '9007199254740993', '9007199254740992', '0.10', '0.1', '1e2', '100', '12.50'),
  fc.integer().map(String),
);
const word = fc.constantFrom('', 'a', 'ok', '5', 'true', 'null', 'ż😀', 'a"b', '[1]', '0.10');
const scalar = fc.oneof(
  number,
  word.map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'false', 'null'),
);
const value = fc.oneof(
  { weight: 3, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  fc.array(scalar, { maxLength: 3 }).map((items) => `{${items.map((item, index) => `"k${index}": ${item}`).join(',')}}`),
);
const path = fc.constantFrom(
  '/x',
  '$.x',
  '/list/0',
  '$.list[0]',
  '$.list[-1]',
  '$.list[*]',
  "$['x']",
  '/nothing',
  '',
  '/x/k0',
  '$.x.*',
  '/list/00',
  '/code',
);
const expected = fc.oneof(number, word, value);
const expectation: fc.Arbitrary<Expectation> = fc.oneof(
  number.map((code) => ({ code })),
  fc.constantFrom('200', '201').map((status) => ({ status })),
  fc.constantFrom('10', '50', '60').map((withinMs) => ({ withinMs })),
  fc.record({ before: number, change: number }).map((balance) => ({ balance })),
  fc.record({ path, present: fc.boolean() }),
  path.map((at) => ({ path: at })),
  fc.record({
    path,
    type: fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null'),
  }) as fc.Arbitrary<Expectation>,
  ...(['equals', 'not', 'contains', 'above', 'atLeast', 'below', 'atMost', 'count'] as const).map((kind) =>
    fc.tuple(path, expected).map(([at, text]) => ({ path: at, [kind]: text }) as Expectation),
  ),
  fc.tuple(path, fc.constantFrom('^a', '\\d+', '.', '^$')).map(([at, matches]) => ({ path: at, matches })),
);

describe('the test script of an export for Postman', () => {
  it('judges as the workbench does', () => {
    fc.assert(
      fc.property(
        fc.array(expectation, { minLength: 1, maxLength: 5 }),
        value,
        fc.array(value, { maxLength: 3 }),
        number,
        number,
        (expect_, x, list, code, balance) => {
          const answer = `{"code": ${code}, "balance": ${balance}, "x": ${x}, "list": [${list.join(',')}]}`;
          const request = CollectionRequest.parse({ operation: 'getGameRound', expect: expect_ });
          const { results, lost } = runScript(request, answer);
          expect(lost).toEqual([]);
          expect(results, `${JSON.stringify(expect_)} of ${answer}`).toEqual(judge('getGameRound', expect_, answer));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('expects code 0 where nothing is said, as the workbench does', () => {
    for (const [operation, answer, status] of [
      ['getGameRound', '{"code":0}', 200],
      ['getGameRound', '{"code":1}', 200],
      ['getGameRound', '{}', 200],
      ['bet', '{"balance":1}', 200],
      ['bet', '{"balance":1}', 500],
      ['bet', '{"code":0}', 500],
      ['bet', '{"code":3}', 200],
    ] as const) {
      const { results } = runScript(CollectionRequest.parse({ operation }), answer, status);
      const call = callWith(operation, answer, status);
      const own = checks.evaluate([], call, checks.responseOf(call, answer, createTimeLimit(1_000), null), {
        mask: null,
        substitute: (text) => ({ ok: true, text }),
      });
      expect(results, `${operation} ${answer}`).toEqual([own.every(({ passed }) => passed)]);
    }
  });

  it('takes values with every digit', () => {
    const take = { id: '/data/0/id', rate: '$.data[0].rate', name: "$.data[-1]['a b']", whole: '/data/0', none: '$..id' };
    const { taken, lost } = runScript(
      CollectionRequest.parse({ operation: 'getGameRound', take }),
      '{"code":0,"data":[{"id":9007199254740993,"rate":0.10,"a b":"x"}]}',
    );
    expect(taken).toEqual({
      id: '9007199254740993',
      rate: '0.10',
      name: 'x',
      whole: '{"id":9007199254740993,"rate":0.10,"a b":"x"}',
    });
    expect(lost).toEqual(['the variable none that its response sets']);
  });

  it('knows which paths it can follow', () => {
    expect(stepsOf('$.a[0]["b c"][*].*')).toEqual(['a', 0, 'b c', null, null]);
    expect(stepsOf('/a~1b/0')).toEqual(['a/b', '0']);
    for (const other of ['$..a', '$[?@.a]', '$.a[1:2]', '$[0,1]', "$['a\\'b']"]) expect(stepsOf(other)).toBeNull();
  });
});
