import { describe, expect, it } from 'vitest';
import { CollectionRequest } from '../collections/model.ts';
import { dependenciesOf } from './dependencies.ts';
import { namesUsed } from './substitute-request.ts';
import { createScopes } from './scopes.ts';

function names(input: object): string[] {
  return [...namesUsed(CollectionRequest.parse({ operation: 'bet', ...input }))].sort();
}

describe('the names that a request uses', () => {
  it('come from data, overrides, paths and expectations', () => {
    const used = names({
      data: '{"a": "{{a}}", "b": {{b}}, "t": "{{$time}}", "a2": "{{a}}"}',
      overrides: { time: '{{time}}', platform: '{{platform}}', omit: ['hash'] },
      take: { own: '/data/{{index}}/id' },
      expect: [
        { code: '{{code}}' },
        { balance: { before: '{{before}}', change: '-{{amount}}' } },
        { path: '/x', equals: '{{x}}', present: true },
        { shape: 'documented' },
      ],
      notes: '{{notes}}',
    });
    expect(used).toEqual(['a', 'amount', 'b', 'before', 'code', 'index', 'platform', 'time', 'x']);
  });

  it('leave out what nobody can read', () => {
    expect(names({ data: '{{ {{a b}} {{{{c}}}} {{d}}' })).toEqual(['d']);
    expect(names({})).toEqual([]);
  });

  it('include what variables of files are made of', () => {
    const request = CollectionRequest.parse({ operation: 'bet', data: '"{{a}} {{row}}"' });
    const collection = { a: '{{b}}-{{c}}', b: '{{d}}', c: '{{a}}' };
    const scopes = createScopes({ run: { row: '{{e}}' }, collection });
    expect([...namesUsed(request, scopes)].sort()).toEqual(['a', 'b', 'c', 'd', 'row']);
  });
});

describe('dependencies', () => {
  function waits(...requests: [uses: string, sets: string][]) {
    return dependenciesOf(
      requests.map(([uses, sets]) => ({ uses: uses.split(' ').filter(Boolean), sets: sets.split(' ').filter(Boolean) })),
    ).map((needs) => Object.fromEntries(needs));
  }

  it('are the latest earlier request that sets the name', () => {
    expect(waits(['', 'token'], ['token', 'balance'], ['', 'token'], ['token balance', ''])).toEqual([
      {},
      { token: 0 },
      {},
      { token: 2, balance: 1 },
    ]);
  });

  it('are none for a name that nobody sets, or that is set later or by the request itself', () => {
    expect(waits(['currency x', 'x'], ['y', ''], ['x', 'y'])).toEqual([{}, {}, { x: 0 }]);
  });

  it('take long lists', () => {
    const requests = Array.from({ length: 10_000 }, () => ({ uses: ['a'], sets: ['a'] }));
    expect(dependenciesOf(requests).at(-1)).toEqual(new Map([['a', 9_998]]));
  });
});
