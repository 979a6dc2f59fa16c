import { describe, expect, it } from 'vitest';
import { parseJson } from '../json/parse.ts';
import { lookUp, pointerSteps } from '../json/pointer.ts';
import { Expectation } from './model.ts';
import { checkOfValue, checksOfCall, isSecretPath, nameOfValue } from './value-rules.ts';

const text =
  '{"code":0,"data":{"balance":99.90,"roundId":9007199254740993,"big":1e400,"name":"a {{b}} \\u00e9","ok":true,"no":null,"code":"5","list":[1,2],"externalToken":"secret-1","token":5}}';

function checkOf(path: string): Expectation | null {
  const parsed = parseJson(text);
  const steps = pointerSteps(path);
  const found = parsed.ok && steps.ok ? lookUp(parsed.root, steps.steps) : null;
  if (found?.ok !== true) throw new Error(path);
  return checkOfValue(found.node, path, {});
}

describe('the check of a value', () => {
  it.each<[string, object]>([
    ['/code', { code: '0' }],
    ['/data/balance', { path: '/data/balance', equals: '99.90' }],
    ['/data/roundId', { path: '/data/roundId', equals: '9007199254740993' }],
    ['/data/big', { path: '/data/big', equals: '1e400' }],
    ['/data/name', { path: '/data/name', equals: 'a {{$braces}}b}} é' }],
    ['/data/ok', { path: '/data/ok', equals: 'true' }],
    ['/data/no', { path: '/data/no', equals: 'null' }],
    ['/data/code', { path: '/data/code', equals: '5' }],
    ['/data/list', { path: '/data/list', type: 'array', count: '2' }],
    ['', { path: '', type: 'object' }],
    ['/data/externalToken', { path: '/data/externalToken', type: 'string' }],
    ['/data/token', { path: '/data/token', type: 'number' }],
  ])('is exact: %s', (path, check) => {
    expect(checkOf(path)).toEqual(check);
    expect(Expectation.parse(check)).toEqual(check);
  });

  it('is none for a path that no file may have, and demands the type alone of a value that is too long', () => {
    const node = { kind: 'string', start: 0, end: 0, value: 'x'.repeat(1_000_001) } as const;
    expect(checkOfValue(node, `/${'a'.repeat(2_000)}`, {})).toBeNull();
    expect(checkOfValue(node, '/a', {})).toEqual({ path: '/a', type: 'string' });
  });
});

it('a variable is called as its field, and differs from the others', () => {
  expect(nameOfValue('/data/slots/0/id', [])).toBe('id');
  expect(nameOfValue('/data/slots/0/id', ['id', 'id2'])).toBe('id3');
  expect(nameOfValue('/data/slots/3', [])).toBe('slots');
  expect(nameOfValue('/a b', [])).toBe('a_b');
  expect(nameOfValue('/9x', [])).toBe('value_9x');
  expect(nameOfValue('', [])).toBe('value');
  expect(isSecretPath('/data/externalToken', {})).toBe(true);
});

const finding = (rule: string, severity: 'warning' | 'note') => ({ rule, severity, path: '', message: '' });
it.each([
  [
    { code: 0, status: 200, findings: [finding('gateway.host', 'note')] },
    '{"code":0}',
    [{ code: '0' }, { shape: 'documented' }],
    {},
  ],
  [{ code: 8, status: 200, findings: [finding('gateway.hash', 'warning')] }, '{"code":8}', [{ code: '8' }], {}],
  [{ code: 0, status: 200, findings: [finding('shape-not-shown', 'note')] }, '[]', [{ code: '0' }], {}],
  [{ code: 0, status: 200, findings: [finding('missing-field', 'warning')] }, '', [{ code: '0' }], {}],
  [
    { code: null, status: 200, findings: [] },
    '{"transactionId":"t","balance":99.90}',
    [{ status: '200' }, { shape: 'documented' }, { path: '/balance', type: 'number' }],
    { balance: '/balance' },
  ],
])('the checks of a call demand of the next response what this one has: %#', (call, body, checks, take) => {
  expect(checksOfCall(call, body)).toEqual({ expect: checks, take });
});
