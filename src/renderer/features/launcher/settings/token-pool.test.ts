import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { PoolToken } from '#shared/ipc/index.ts';
import { unconfirmed } from '../../../../testing/production-question.ts';
import { createFakeClient, createOpenTabs } from '#testing/fake-launches.ts';
import { createLaunchQuestions } from '../tabs/launch-questions.ts';
import type { LaunchTab } from '../tabs/launch-tab.ts';
import { createTokenPool, type TokenPoolState } from './token-pool.ts';

const token = (id: number): PoolToken => ({
  id,
  from: `pool, pasted line ${id}`,
  start: '',
  playerId: '',
  lang: '',
  country: '',
  currency: '',
  state: 'unused',
  user: '',
});

async function setUp(answers: Parameters<typeof createFakeClient>[0] = {}, change: Partial<LaunchTab> = {}) {
  const list = { tokens: [token(1)], command: '', settable: true };
  const fake = createFakeClient({ 'tokens.list': () => list, ...answers });
  const tabs = createOpenTabs(change);
  const questions = createLaunchQuestions(fake.client, tabs.list);
  const store = createStore<TokenPoolState>()((_set, _get, part) =>
    createTokenPool(fake.client, () => 'ticket', part, tabs.list, questions.refuse),
  );
  await store.getState().loadPool('e');
  store.getState().openPool('id-1');
  return { ...fake, ...tabs, ...questions.actions, get: store.getState, list };
}

it('shows the pool of one environment, and again when it or a launch changes', async () => {
  const { get, names, emit } = await setUp();
  expect(get().pool).toMatchObject({ environmentId: 'e', tokens: [{ id: 1 }] });
  const asked = () => names().filter((name) => name === 'tokens.list').length;
  emit('tokens.changed', { environmentId: 'other' });
  expect(asked()).toBe(1);
  emit('tokens.changed', { environmentId: 'e' });
  emit('launches.changed', { id: 'a' });
  expect(asked()).toBe(3);
});

it('says what was added, and has a tab without a token take from the pool', async () => {
  const { get, tab, inputs } = await setUp(
    { 'tokens.add': () => ({ added: 2, left: ['Line 3 is empty.'] }) },
    { problems: { token: 'Type one.', gameId: 'Say which.' } },
  );
  expect(await get().addTokens('a\nb\n\n', '')).toBe(true);
  expect(inputs('tokens.add')).toEqual([{ environmentId: 'e', text: 'a\nb\n\n', file: '' }]);
  expect(get().poolNews).toEqual({ tone: 'good', lines: ['Added 2 tokens.', 'Line 3 is empty.'] });
  expect(tab()).toMatchObject({ tokenFrom: 'pool', problems: { gameId: 'Say which.' } });
  expect(tab().problems).not.toHaveProperty('token');
});

it('leaves a typed token, and a text of which nothing was added', async () => {
  const { get, tab } = await setUp({ 'tokens.add': () => ({ added: 0, left: ['Line 1 has no token.'] }) });
  expect(await get().addTokens(',p', 'a.csv')).toBe(false);
  expect(get().poolNews).toEqual({ tone: 'bad', lines: ['No tokens added.', 'Line 1 has no token.'] });
  expect(tab().tokenFrom).toBe('typed');
  const typed = await setUp({ 'tokens.add': () => ({ added: 1, left: [] }) }, { token: 'tok' });
  await typed.get().addTokens('a', '');
  expect(typed.tab().tokenFrom).toBe('typed');
});

it('says why something failed', async () => {
  const { get } = await setUp({
    'tokens.add': () => {
      throw new AppError('invalid_input', 'Line 2 is not JSON.');
    },
  });
  expect(await get().addTokens('{', '')).toBe(false);
  expect(get().poolNews).toEqual({ tone: 'bad', lines: ['Line 2 is not JSON.'] });
});

it('renews a token, also after a question about production, which takes the place of the dialog', async () => {
  const errors = [unconfirmed];
  const { get, tab, confirm, inputs } = await setUp({
    'tokens.renew': () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return { message: null, fields: [] };
    },
  });
  await get().renewPoolToken(1, '1001');
  expect(get().poolTab).toBeNull();
  expect(tab().preparing.state).toBe('unconfirmed');
  confirm('id-1', true);
  await vi.waitFor(() => expect(get().poolNews?.tone).toBe('good'));
  expect(get().poolTab).toBe('id-1');
  expect(inputs('tokens.renew')).toMatchObject([
    { id: 1, newGameId: '1001', confirmed: false },
    { id: 1, newGameId: '1001', confirmed: true },
  ]);
});

it('says why no token came, and names the texts of the response', async () => {
  const { get } = await setUp({ 'tokens.renew': () => ({ message: 'The spec does not show it.', fields: ['session'] }) });
  await get().renewPoolToken(1, '1001');
  expect(get().poolNews).toEqual({
    tone: 'bad',
    lines: ['The spec does not show it.', 'Text fields in the response: session.'],
  });
});
