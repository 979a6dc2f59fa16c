import { expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { textsOf } from './prepare-run.ts';
import type { Plan } from './plan.ts';

it('everything that a user wrote is given once, about a million characters at a time', () => {
  const folder = { key: 'of the folder' };
  const request = CollectionRequest.parse({ operation: 'bet', data: 'x'.repeat(400_000), notes: 'a note' });
  const requests = ['a', 'b', 'c', 'd'].map((path) => ({ path, request, problem: '', folders: [folder] }));
  const broken = { path: 'e', request: null, problem: 'No.', folders: [folder] };
  const plan: Plan = {
    requests: [...requests, broken],
    needs: [],
    collection: { key: 'of all' },
    warnings: [],
    used: new Set(),
    takersFor: async () => undefined,
  };
  const parts = [...textsOf(plan)];
  const rest = JSON.stringify({ ...request, data: '' });
  const texts = ['{"key":"of all"}', '{"key":"of the folder"}', ...requests.flatMap(() => [request.data, rest])];
  expect(parts).toEqual([texts.slice(0, 7).join('\n'), texts.slice(7).join('\n')]);
  expect([...textsOf({ ...plan, requests: [] })]).toEqual(['{"key":"of all"}']);
});
