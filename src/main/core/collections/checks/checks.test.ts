import { describe, expect, it } from 'vitest';
import { Expectation } from '#shared/collections/model.ts';
import { z } from '#shared/model/schema.ts';
import type { Call } from '#shared/ipc/index.ts';
import { operationByName, validateResponse } from '#shared/provider/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { someCall } from '#testing/some-call.ts';
import { createTokenMask } from '../../masking/token-mask.ts';
import { createChecks, type CheckOptions } from './checks.ts';
import { createTimeLimit } from './time-limit.ts';

const checks = createChecks();
await checks.load([{ expect: [], take: { all: '$' } }]);
const asItIs: CheckOptions = { substitute: (text) => ({ ok: true, text }), mask: null };

function callOf(body: string, more: Partial<Call> = {}): Call {
  const { code, message } = validateResponse(operationByName('gameList'), body);
  const response = { status: 200, headers: [], bodyBytes: body.length, truncated: false };
  return someCall({ code, message, durationMs: 120.5, response, ...more });
}

const answerOf = (call: Call, body: string) => checks.responseOf(call, body, createTimeLimit(1_000), null);

function evaluate(body: string, expectations: readonly unknown[], more: Partial<Call> = {}, options = asItIs) {
  const call = callOf(body, more);
  return checks.evaluate(z.array(Expectation).parse(expectations), call, answerOf(call, body), options);
}

/** Returns `+` or `-` and the check's words, with the message if it did not pass. */
function lines(body: string, expectations: readonly unknown[], more: Partial<Call> = {}): string[] {
  return evaluate(body, expectations, more).map(
    ({ check, passed, message }) => `${passed ? '+' : '-'} ${check}${passed ? '' : `: ${message}`}`,
  );
}

const body =
  '{"code":0,"message":"Success","data":{"id":9007199254740993,"rate":0.10,"huge":1e400,"zero":-0,"name":"Book","tags":["a","b"],"on":true,"none":null,"amount":"12.50","slots":[{"n":1},{"n":2},{"n":3}]}}';

describe('checks of a value', () => {
  it.each([
    [{ path: '/data/id', equals: '9007199254740993' }, '+ /data/id is 9007199254740993'],
    [{ path: '/data/id', equals: '9007199254740992' }, '- /data/id is 9007199254740992: /data/id is 9007199254740993.'],
    [{ path: '/data/id', above: '9007199254740992' }, '+ /data/id is above 9007199254740992'],
    [{ path: '/data/id', below: '9007199254740993' }, '- /data/id is below 9007199254740993: /data/id is 9007199254740993.'],
    [{ path: '/data/rate', equals: '0.1' }, '+ /data/rate is 0.1'],
    [{ path: '/data/huge', atLeast: '1e400' }, '+ /data/huge is at least 1e400'],
    [{ path: '/data/zero', atMost: '0' }, '+ /data/zero is at most 0'],
    [{ path: '/data/amount', above: '12.49' }, '+ /data/amount is above 12.49'],
    [{ path: '/data/name', above: '1' }, '- /data/name is above 1: /data/name is the string "Book", which is not a number.'],
    [{ path: '/data/id', above: 'ten' }, '- /data/id is above ten: Invalid check: "ten" is not a number.'],
    [{ path: '/data/name', equals: 'Book' }, '+ /data/name is Book'],
    [{ path: '/data/name', not: 'Book' }, '- /data/name is not Book: /data/name is the string "Book".'],
    [{ path: '/data/on', equals: 'true' }, '+ /data/on is true'],
    [{ path: '/data/none', equals: 'null' }, '+ /data/none is null'],
    [{ path: '/data/tags', equals: '[ "a", "b" ]' }, '+ /data/tags is [ "a", "b" ]'],
    [{ path: '/data/slots/0', equals: '{"n":1.0}' }, '+ /data/slots/0 is {"n":1.0}'],
    [{ path: '/data/tags', contains: 'b' }, '+ /data/tags contains b'],
    [{ path: '/data', contains: 'name' }, '+ /data contains name'],
    [{ path: '/data/name', contains: 'oo' }, '+ /data/name contains oo'],
    [{ path: '/data/name', contains: 'x' }, '- /data/name contains x: /data/name is the string "Book".'],
    [{ path: '/data/name', matches: '^B\\p{L}+$' }, '+ /data/name matches /^B\\p{L}+$/'],
    [{ path: '/data/id', matches: '^\\d{16}$' }, '+ /data/id matches /^\\d{16}$/'],
    [{ path: '/data/id', type: 'integer' }, '+ /data/id is an integer'],
    [{ path: '/data/rate', type: 'integer' }, '- /data/rate is an integer: /data/rate is a number.'],
    [{ path: '/data/id', type: 'number' }, '+ /data/id is a number'],
    [{ path: '/data/none', type: 'object' }, '- /data/none is an object: /data/none is null.'],
    [{ path: '/data/tags', count: '2' }, '+ /data/tags has 2 members'],
    [{ path: '$.data.slots', count: '3' }, '+ $.data.slots has 3 members'],
    [{ path: '$.data.slots[*]', count: '3' }, '+ $.data.slots[*] has 3 members'],
    [{ path: '$.data.slots[?@.n>7]', count: '0' }, '+ $.data.slots[?@.n>7] has 0 members'],
    [{ path: '$.data.slots[*].n', count: '1' }, '- $.data.slots[*].n has 1 member: Found 3.'],
    [{ path: '/data/name', count: '4' }, '- /data/name has 4 members: /data/name is a string, which has no members.'],
    [
      { path: '/data/x' },
      '- /data/x exists: /data/x is missing: /data is an object with "id", "rate", "huge", "zero", "name", "tags", "on", "none", "amount" and "slots".',
    ],
    [{ path: '/data/x', present: false }, "+ /data/x doesn't exist"],
    [{ path: '/data/none', present: false }, "- /data/none doesn't exist: /data/none is null."],
    [{ path: '/data/none' }, '+ /data/none exists'],
    [{ path: '' }, '+ the response exists'],
    [{ path: '$.data.slots[*].n', atLeast: '1' }, '+ $.data.slots[*].n is at least 1'],
    [{ path: '$.data.slots[*].n', below: '3' }, '- $.data.slots[*].n is below 3: /data/slots/2/n is 3. 1 of 3 values fail.'],
    [
      { path: '$.data.nope', equals: '1' },
      '- $.data.nope is 1: /data/nope is missing: /data is an object with "id", "rate", "huge", "zero", "name", "tags", "on", "none", "amount" and "slots".',
    ],
    [{ path: '$..nope', not: '1' }, '- $..nope is not 1: Nothing in the response matches.'],
    [{ path: '$[', equals: '1' }, expect.stringContaining('- $[ is 1: Not a valid JSONPath: ')],
  ])('%j', (expectation, line) => expect(lines(body, [expectation])).toEqual([line]));

  it('gives one result for each member', () => {
    expect(lines(body, [{ path: '/data/id', present: true, type: 'integer', above: '10' }])).toEqual([
      '+ /data/id exists',
      '+ /data/id is an integer',
      '+ /data/id is above 10',
    ]);
  });

  it('shortens a long value and says how long it is', () => {
    const long = JSON.stringify({ a: `${'x'.repeat(199)}😀${'y'.repeat(1_000_000)}` });
    const [result] = evaluate(long, [{ path: '/a', equals: 'b' }]);
    expect(result?.actual).toBe(`${'x'.repeat(199)}… (1,000,201 characters)`);
    expect(result?.message.length).toBeLessThan(400);
  });
});

describe('checks of a call', () => {
  it.each([
    [{ code: '0' }, '+ code is 0'],
    [{ code: '5' }, '- code is 5: It is 0.'],
    [{ code: 'OK' }, '- code is OK: Invalid check: "OK" is not a number.'],
    [{ status: '200' }, '+ HTTP status is 200'],
    [{ status: '404' }, '- HTTP status is 404: It is 200.'],
    [{ withinMs: '120.5' }, '+ responded within 120.5 ms'],
    [{ withinMs: '120' }, '- responded within 120 ms: Expected at most 120 ms, took 121 ms.'],
    [{ shape: 'documented' }, '+ the response has the documented shape'],
  ])('%j', (expectation, line) => expect(lines(body, [expectation])).toEqual([line]));

  it('say what stands in place of a code', () => {
    expect(lines('{"code":"0"}', [{ code: '0' }])).toEqual(['- code is 0: It is the string "0".']);
    expect(lines('{}', [{ code: '0' }])).toEqual(['- code is 0: The response has none.']);
  });

  it('hold the response against the documented shape, and nothing else', () => {
    const finding = { rule: 'missing', severity: 'warning' as const, path: '/data', message: 'data is missing.' };
    expect(lines(body, [{ shape: 'documented' }], { findings: [finding] })).toEqual([
      '- the response has the documented shape: /data: data is missing.',
    ]);
    const beside = [
      { ...finding, severity: 'note' as const },
      { ...finding, rule: 'answer.clock' },
    ];
    expect(lines(body, [{ shape: 'documented' }], { findings: beside })).toEqual(['+ the response has the documented shape']);
    const unknown = { rule: 'shape-not-shown', severity: 'note' as const, path: '', message: 'It is not checked.' };
    expect(lines(body, [{ shape: 'documented' }], { findings: [unknown] })).toEqual([
      expect.stringMatching(/^- the response has the documented shape: The spec doesn't show the shape of this response/),
    ]);
  });

  it.each([
    ['{"balance":90.50}', '100.50', '-10', '+ /balance is 100.50 plus -10'],
    ['{"balance":0.3}', '0.1', '0.2', '+ /balance is 0.1 plus 0.2'],
    [
      '{"balance":9007199254740994}',
      '9007199254740992',
      '1',
      '- /balance is 9007199254740992 plus 1: It is 9007199254740994, not 9007199254740993.',
    ],
    ['{"balance":"5"}', '2', '3', '+ /balance is 2 plus 3'],
    ['{"balance":null}', '2', '3', '- /balance is 2 plus 3: /balance is null, which is not a number.'],
    ['{"code":1}', '2', '3', '- /balance is 2 plus 3: /balance is missing: the response is an object with "code".'],
    ['{"balance":1}', 'x', '3', '- /balance is x plus 3: Invalid check: "x" is not a number.'],
    [
      '{"balance":1}',
      '1e999999999',
      '3',
      '- /balance is 1e999999999 plus 3: Invalid check: these two numbers are too far apart to add.',
    ],
  ])('balance in %s: %s plus %s', (text, before, change, line) =>
    expect(lines(text, [{ balance: { before, change } }])).toEqual([line]),
  );

  it('fail with the words of a call that has no response', () => {
    const failure = { kind: 'timeout' as const, phase: 'headers' as const, message: 'No answer came.', hint: 'Raise the limit.' };
    const results = evaluate('', [{ code: '0' }, { path: '/data', present: false }], {
      state: 'failed',
      failure,
      response: null,
      status: null,
    });
    expect(results.map(({ passed, message }) => [passed, message])).toEqual([
      [false, 'No answer came. Raise the limit.'],
      [false, 'No answer came. Raise the limit.'],
    ]);
  });

  it.each([
    ['', false, 'The response is empty.'],
    ['<html>', false, "The response is not JSON. A value can't begin with < (line 1, column 1)."],
    [
      '{"a":1}',
      true,
      "Only the beginning of the response was recorded, so nothing in it can be read. If the environment's limit cut it, raise the limit.",
    ],
  ])('say why nothing in %j can be read', (text, truncated, message) => {
    const response = { status: 200, headers: [], bodyBytes: 1, truncated };
    expect(lines(text, [{ path: '/a' }], { response })).toEqual([`- /a exists: ${message}`]);
  });
});

describe('what is expected of a request without checks', () => {
  it('is code 0', () => {
    expect(lines(body, [])).toEqual(['+ code is 0']);
    expect(lines('{"code":7}', [])).toEqual(['- code is 0: It is 7.']);
    expect(lines('{}', [])).toEqual(['- code is 0: The response has none.']);
  });

  it('is HTTP 200 and an object for a wallet method whose response has no code', () => {
    const wallet = (text: string, call: Parameters<typeof lines>[2] = {}) =>
      lines(text, [], { operation: 'playerInfo', ...call });
    expect(wallet('{"balance":1}')).toEqual(['+ HTTP status is 200', '+ the response is an object']);
    expect(wallet('{"balance":1}', { status: 500 })[0]).toBe('- HTTP status is 200: It is 500.');
    expect(wallet('')[1]).toBe('- the response is an object: The response is empty.');
    expect(wallet('<html>')[1]).toMatch(/^- the response is an object: The response is not JSON/);
    expect(wallet('[]')[1]).toBe('- the response is an object: The response is an array.');
    expect(lines('{"code":3}', [], { operation: 'playerInfo' })).toEqual(['- code is 0: It is 3.']);
    expect(lines('{"code":"0"}', [], { operation: 'playerInfo' })).toEqual(['- code is 0: It is the string "0".']);
  });
});

describe('variables in checks', () => {
  const substitute: CheckOptions['substitute'] = (text) =>
    text.includes('{{lost}}')
      ? { ok: false, message: 'There is no variable lost.' }
      : { ok: true, text: text.replaceAll('{{n}}', '2') };

  it('are put into every text', () => {
    const results = evaluate(
      body,
      [
        { path: '/data/slots/{{n}}/n', equals: '3' },
        { path: '/data/slots/1/n', equals: '{{n}}' },
      ],
      {},
      { substitute, mask: null },
    );
    expect(results.map(({ check, passed }) => [check, passed])).toEqual([
      ['/data/slots/2/n is 3', true],
      ['/data/slots/1/n is 2', true],
    ]);
  });

  it('fail the check where they cannot be', () => {
    const [result] = evaluate(body, [{ path: '/data/id', equals: '{{lost}}' }], {}, { substitute, mask: null });
    expect(result).toMatchObject({ passed: false, check: '/data/id is {{lost}}', message: 'There is no variable lost.' });
  });
});

describe('what is made to hurt', () => {
  const evil = JSON.stringify({ a: `${'a'.repeat(40)}!` });

  it('a regular expression that would take forever is stopped', () => {
    expect(lines(evil, [{ path: '/a', matches: '^(a+)+$' }])).toEqual([
      '- /a matches /^(a+)+$/: The response was not compared: the regular expressions took more than 1 second in all, or too much memory. Simplify them.',
    ]);
    // Later checks are not disturbed.
    expect(lines(evil, [{ path: '/a', matches: '^a+!$' }])).toEqual(['+ /a matches /^a+!$/']);
  });

  it('so is one that needs more of the stack than there is', () => {
    const long = JSON.stringify({ a: 'a'.repeat(20_000_000) });
    expect(lines(long, [{ path: '/a', matches: '^(a|b)*$' }])[0]).toContain('or too much memory');
  });

  it('so is one inside a JSONPath', () => {
    expect(lines(evil, [{ path: "$[?match(@,'(a+)+')]", count: '0' }])[0]).toContain('took more than 1 second in all');
  });

  it.each(['(', '[', '\\', 'a{2,1}', '(?<n>a)\\k<m>', `${'(a{1000}){1000}'.repeat(3)}`])(
    'the expression %s gives a sentence',
    (matches) => {
      expect(evaluate(evil, [{ path: '/a', matches }])[0]).toMatchObject({ passed: false });
    },
  );
});

describe('tokens in results', () => {
  const secret = 'tok-4711-secret-0815';
  const response = JSON.stringify({
    code: 0,
    data: { token: secret, url: `https://x/?t=1&token=${secret}`, echo: `seen ${secret}`, long: `${'x'.repeat(195)}${secret}` },
  });
  const tokens = createTokenMask([response], isTokenName);
  const options: CheckOptions = { ...asItIs, mask: { text: (text) => tokens.text(text), isToken: isTokenName } };

  it.each([
    { path: '/data/token', equals: secret },
    { path: '/data/token', equals: 'another-secret' },
    { path: '/data/token', not: secret },
    { path: '$.data.token', matches: '^tok-4711-(.*)-0815x' },
    { path: '/data/token/x' },
    { path: '/data/echo', equals: 'x' },
    { path: '/data/url', equals: 'x' },
    { path: '/data/long', equals: 'x' },
    { path: '/data', equals: '{}' },
    { path: '', type: 'array' },
    { path: '/data/echo', contains: secret },
  ])('are masked: %j', (expectation) => {
    const text = JSON.stringify(evaluate(response, [expectation], {}, options));
    expect(text).not.toContain('4711');
    expect(text).not.toContain('another-secret');
  });

  it('stay where they are asked for', () => {
    expect(evaluate(response, [{ path: '/data/token', equals: secret }])[0]).toMatchObject({ passed: true, actual: secret });
  });
});

describe('a value for a variable', () => {
  const response = answerOf(callOf(body), body);

  it.each([
    ['/data/id', '9007199254740993'],
    ['/data/rate', '0.10'],
    ['$.data.huge', '1e400'],
    ['/data/zero', '-0'],
    ['/data/name', 'Book'],
    ['/data/none', 'null'],
    ['/data/tags', '["a","b"]'],
    ['$.data.slots[?@.n==2].n', '2'],
    ['$.data.slots[-1].n', '3'],
  ])('%s is %s', (path, text) => expect(response.take(path)).toEqual({ ok: true, text }));

  it.each([
    ['/data/x/y', '/data/x/y finds no value. /data/x/y is missing: /data is an object with'],
    ['$..n', '$..n finds 3 values (/data/slots/0/n, /data/slots/1/n, /data/slots/2/n), but a variable holds one. Narrow it.'],
    ['$..x', '$..x finds no value. Nothing in the response matches.'],
    ['$.', 'Not a valid JSONPath'],
    ['/~', 'In a JSON Pointer, write ~ as ~0'],
  ])('%s is none', (path, message) => {
    const result = response.take(path);
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? '' : result.message).toContain(message);
  });
});
