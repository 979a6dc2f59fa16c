import { expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { ImportPlan } from '#shared/ipc/outputs/imports.ts';
import { removeKeys } from './remove-keys.ts';

it('a key is taken out of a list of more values than one call takes', async () => {
  const key = 'the-private-key';
  const numbers = '1,'.repeat(200_000);
  const request = CollectionRequest.parse({ operation: 'bet', data: `{"a":[${numbers}"${key}"],"b":{"c":"kept"}}` });
  const plan = ImportPlan.parse({
    formats: ['curl'],
    requests: [{ path: 'bet.yaml', name: 'bet', request, comment: '' }],
    folders: [],
    variables: {},
    notes: '',
    notCarried: [],
    secrets: [],
    signing: [],
  });
  const { requests } = await removeKeys(plan, async (text) => text.includes(key));
  expect(requests[0]?.request.data).toBe(`{"a":[${numbers}"[removed key]"],"b":{"c":"kept"}}`);
});
