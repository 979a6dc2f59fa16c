import { expect, it } from 'vitest';
import { createFakeClient } from '#testing/fake-client.ts';
import { createOpenTabs } from '#testing/open-tabs.ts';
import { createTabWriter } from './tab-writer.ts';

it('a tab counts as kept where a key was masked in its file, whose next write is of the whole text', async () => {
  const { client, answer, asked } = createFakeClient();
  const { list, tab } = createOpenTabs('{"a":1}');
  const state = { number: 0, masked: 0 };
  const writer = createTabWriter({
    client,
    tabId: 't',
    tab,
    at: () => ({ page: 'p', id: 'w' }),
    next: () => (state.number += 1),
    read: null,
    onMasked: () => (state.masked += 1),
  });
  answer('workspaces.write', ({ number }) => {
    if (number > 2) throw new Error('It is written again and again.');
    return { again: false, masked: true };
  });
  await writer.write();
  expect(writer.isBehind()).toBe(false);
  list.update(tab().id, (now) => ({ ...now, text: '{"a":2}' }));
  await writer.write();
  expect(asked.map(({ input }) => input)).toMatchObject([1, 2].map((number) => ({ number, base: null, from: 0, to: 0 })));
  expect(state.masked).toBe(2);
});
