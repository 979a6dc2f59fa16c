import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inPlaceReader } from '#testing/in-place-reader.ts';
import { createLive } from './live-collections.ts';

it('a collection that is closed while it is read is read no further', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'croupier-live-'));
  for (const name of ['a', 'b', 'c']) await writeFile(join(directory, `${name}.yaml`), 'operation: bet\n');
  let read = 0;
  const live = createLive({
    directory,
    reader: {
      ...inPlaceReader,
      // As a thread does that is in the middle of a long file.
      read: (_kind, _source, signal) =>
        new Promise((_resolve, reject) => {
          read += 1;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          live.close();
        }),
    },
    onChange: () => undefined,
    onFault(error) {
      throw error;
    },
    platform: process.platform,
  });
  await expect(live.read()).rejects.toMatchObject({ code: 'cancelled' });
  expect(read).toBe(1);
  await rm(directory, { recursive: true });
});
