import { unzipSync, strFromU8 } from 'fflate';
import { expect, it } from 'vitest';
import { collectionExportFormats } from '#shared/model/formats.ts';
import type { Client } from '#shared/ipc/index.ts';
import { exportRequests } from './export-requests.ts';

it('a format of a directory is saved as an archive with each file in its folder, the same bytes each time', async () => {
  const files = [
    { name: 'team/bruno.json', text: '{}', mediaType: 'application/json' },
    { name: 'team/rounds/é 😀.bru', text: 'post {\n}\n'.repeat(1_000), mediaType: 'text/plain' },
    { name: 'team/empty', text: '', mediaType: 'text/plain' },
  ];
  const client = { call: () => Promise.resolve({ files, notCarried: [] }) } as unknown as Client;
  const saved: { name: string; bytes: Uint8Array }[] = [];
  const told: unknown[] = [];
  const format = collectionExportFormats.find(({ directory }) => directory);
  if (format === undefined) throw new Error('No format is a directory.');
  for (let times = 0; times < 2; times += 1) {
    await exportRequests(
      {
        client,
        notify: ({ text }) => void told.push(text),
        saveText: () => undefined,
        saveBytes: (name, bytes) => void saved.push({ name, bytes }),
      },
      { collectionId: 'c', path: '' },
      format,
      null,
    );
  }
  const [first, second] = saved;
  expect(first?.name).toBe('team.zip');
  const inside = Object.entries(unzipSync(first?.bytes ?? new Uint8Array()));
  expect(inside.map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual(files.map(({ name, text }) => [name, text]));
  expect(second).toEqual(first);
  expect(told[0]).toContain('Unpack the archive');
});
