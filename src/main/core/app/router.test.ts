import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { inputs } from '#shared/ipc/index.ts';
import type { Handlers } from '#shared/ipc/index.ts';
import { createRouter, describeExcess, type Dispatch } from './router.ts';

/** Handlers that refuse, but for those given. */
function handlers(given: Partial<Handlers>): Handlers {
  const refuse = () => Promise.reject(new AppError('unsupported', 'Not in this test.'));
  return { ...Object.fromEntries(Object.keys(inputs).map((name) => [name, refuse])), ...given } as Handlers;
}

function routerOf(given: Partial<Handlers>, onFault?: (error: unknown) => void): Dispatch {
  const table = { inputs, handlers: handlers(given) };
  return createRouter(() => table, onFault);
}

describe('dispatch', () => {
  it('hands the handler its input parsed, with defaults filled in', async () => {
    let seen: unknown;
    const dispatch = routerOf({
      'calls.list': (input) => {
        seen = input;
        return { calls: [], total: 0, totalIsExact: true, searchedFrom: null, rest: null };
      },
    });
    expect(await dispatch('calls.list', {})).toEqual({
      ok: true,
      value: { calls: [], total: 0, totalIsExact: true, searchedFrom: null, rest: null },
    });
    expect(seen).toEqual({ limit: 50, match: 'anywhere', filter: {} });
  });

  it.each(['nothing', '', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'calls', 'x'.repeat(100_000)])(
    'knows no call %j',
    async (name) => {
      const reply = await routerOf({})(name, {});
      expect(reply).toMatchObject({ ok: false, error: { code: 'unsupported' } });
      expect(JSON.stringify(reply).length).toBeLessThan(500);
    },
  );

  it('names the first issue and its path', async () => {
    const reply = await routerOf({})('calls.list', { limit: 1_000 });
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_input', details: { path: 'limit' } } });
    expect(reply.ok ? '' : reply.error.message).toContain('calls.list: limit:');
  });

  it('passes an AppError on as it is', async () => {
    const dispatch = routerOf({
      'calls.get': () => {
        throw new AppError('not_found', 'Gone.', { id: 7 });
      },
    });
    expect(await dispatch('calls.get', { id: 7 })).toEqual({
      ok: false,
      error: { code: 'not_found', message: 'Gone.', details: { id: 7 } },
    });
  });

  it('tells any other error by an id alone, and the log by its text', async () => {
    const faults: unknown[] = [];
    const cause = new TypeError('secret-looking text 12345');
    const dispatch = routerOf({ 'app.info': () => Promise.reject(cause) }, (fault) => faults.push(fault));
    const reply = await dispatch('app.info', {});
    if (reply.ok) throw new Error('it was accepted');
    expect(reply.error.code).toBe('internal');
    expect(JSON.stringify(reply)).not.toContain('secret-looking');
    const { fault } = reply.error.details as { fault: string };
    expect(fault).toMatch(/^[0-9a-f]{6}$/);
    expect(faults).toEqual([expect.objectContaining({ details: { fault }, cause })]);
  });

  it('replies even where the log itself throws', async () => {
    const dispatch = routerOf({ 'app.info': () => Promise.reject(new Error('x')) }, () => {
      throw new Error('the log is full');
    });
    expect(await dispatch('app.info', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
  });
});

describe('hostile input', () => {
  const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const inputs: [string, unknown][] = [
    ['null', null],
    ['undefined', undefined],
    ['a number', 1],
    ['a text', 'x'],
    ['an array', []],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['a date', new Date()],
    ['a map', new Map()],
    ['a class instance', new (class Foo {})()],
    ['nested 40 deep', nested(40)],
    ['nested 5,000 deep', nested(5_000)],
    ['a cycle', cyclic],
    ['200,000 values', Array.from({ length: 200_000 }, () => 1)],
    ['a sparse array of a billion', Object.assign([], { length: 1_000_000_000 })],
    ['50 million characters', { value: 'x'.repeat(50_000_000) }],
    ['a property __proto__', JSON.parse('{"__proto__": {"polluted": true}}')],
    [
      'a getter that throws',
      Object.defineProperty({}, 'a', {
        enumerable: true,
        get() {
          throw new Error('read');
        },
      }),
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('looked at');
          },
        },
      ),
    ],
  ];

  it('is taken up to 32 levels, 100,000 values and 12,000,000 characters, and no further', () => {
    const [values, text] = [Array(99_999).fill(1), 'x'.repeat(12_000_000)];
    for (const most of [nested(31), values, ['', text], { [text]: 1 }]) expect(describeExcess(most)).toBeNull();
    const more = [nested(32), [...values, 1], ['x', text], { [text]: 'x' }];
    const said = ['is nested deeper than 32 levels', 'has more than 100,000 values', 'has more than 12,000,000 characters'];
    const words = said.map((what) => `The input ${what}. Send less at once.`);
    expect(more.map((input) => describeExcess(input))).toEqual([...words, words[2]]);
  });

  it.each(inputs)('%s is refused and reaches no handler', async (_, input) => {
    let reached = false;
    const reach = () => {
      reached = true;
      return {};
    };
    const dispatch = routerOf({ 'settings.write': reach as never, 'calls.get': reach as never });
    for (const name of ['settings.write', 'calls.get']) {
      expect(await dispatch(name, input)).toMatchObject({
        ok: false,
        error: { code: expect.stringMatching(/^(invalid_input|internal)$/) as string },
      });
    }
    expect(reached).toBe(false);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
