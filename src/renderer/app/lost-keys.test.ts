import { expect, it } from 'vitest';
import { createEnvironmentsStore } from '#renderer/features/environments/environments-store.ts';
import type { NoticeItem } from '#renderer/ui/notice.tsx';
import { Environment, type Client } from '#shared/ipc/index.ts';
import { tellLostKeys } from './lost-keys.ts';

it('says once which keys are gone, and brings the person to the first', async () => {
  const listed = ['one', 'two'].map((id) =>
    Environment.parse({ id, name: `Name of ${id}`, baseUrl: 'https://localhost:1', platform: 1, partnerId: 42 }),
  );
  let tell: (payload: { environmentIds: string[] }) => void = () => undefined;
  const client = {
    async call(name: string) {
      if (name === 'environments.list') return { environments: listed, broken: [] };
      return new Promise(() => undefined);
    },
    on(name: string, listener: typeof tell) {
      if (name === 'keys.lost') tell = listener;
      return () => undefined;
    },
  } as unknown as Client;
  const notices: Omit<NoticeItem, 'id'>[] = [];
  let shown = 0;
  const environments = createEnvironmentsStore(client, { notify: () => undefined, initialId: 'one' });
  void environments.getState().load();
  await expect.poll(() => environments.getState().list.state).toBe('ready');
  tellLostKeys(client, { environments, notify: (notice) => notices.push(notice), show: () => (shown += 1) });

  tell({ environmentIds: [] });
  expect(notices).toEqual([]);
  tell({ environmentIds: ['two'] });
  tell({ environmentIds: ['two', 'one', 'gone'] });
  expect(notices.map(({ text, lasting, action }) => [text, lasting, action?.label])).toEqual([
    ["The key of Name of two was lost when Croupier's key process exited. Enter it again.", true, 'Enter the key'],
    [
      "The keys of Name of two, Name of one, gone were lost when Croupier's key process exited. Enter them again.",
      true,
      'Enter the keys',
    ],
  ]);
  notices[0]?.action?.run();
  expect([environments.getState().openId, environments.getState().keyWanted, shown]).toEqual(['two', 'two', 1]);
});
