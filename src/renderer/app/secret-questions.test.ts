import { expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { createSecretQuestions } from './secret-questions.ts';

it('a question about secrets is answered with no by the next one', async () => {
  const fake = createFakeClient();
  const refusal = new AppError('refused', 'x', { reason: 'secrets_unconfirmed', secrets: [{ name: 'token', by: 'name' }] });
  fake.answer('collections.saveFolder', ({ secrets }) => (secrets === undefined ? Promise.reject(refusal) : 'saved'));
  const { store, client } = createSecretQuestions(fake.client);
  const save = () => client.call('collections.saveFolder', {} as never);
  const [first, second] = [save(), save()];
  await expect(first).rejects.toBe(refusal);
  store.getState().choose(true);
  await expect(second).resolves.toBe('saved');
  expect(store.getState().secrets).toBeNull();
});
