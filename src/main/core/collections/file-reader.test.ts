import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { unread } from '../untrusted/measure.ts';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { readFileJob, writeFileJob } from './file-jobs.ts';
import { createFileReader } from './file-reader.ts';

const variables = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, '1'] as const));
const settings = (count: number) => ({ variables: variables(count), order: [], notes: '' });

/** Creates a reader whose thread is this one, and records its requests. */
function counted(fail: AppError | null = null) {
  const asked: string[] = [];
  const run = (async (name: string, input: never) => {
    asked.push(name);
    if (fail !== null) throw fail;
    return name === 'collections.readFile' ? readFileJob(input) : writeFileJob(input);
  }) as Reading['run'];
  return { asked, reader: createFileReader({ run }, new AbortController().signal) };
}

describe('A file of a collection', () => {
  it('is read and written in place where it is short and has few parts', async () => {
    const { asked, reader } = counted();
    const text = await reader.write('settings', null, settings(50));
    expect((await reader.read('settings', text)).value).toEqual(settings(50));
    expect(await reader.write('settings', text, settings(49))).toBe(text.replace('  a49: 1\n', ''));
    expect(asked).toEqual([]);
  });

  it('is read and written in a thread where it is long or has many parts', async () => {
    const { asked, reader } = counted();
    const text = await reader.write('settings', null, settings(1_000));
    expect((await reader.read('settings', text)).value).toEqual(settings(1_000));
    await reader.write('settings', text, settings(2));
    await reader.read('request', `operation: bet\ndata: |\n  ${'x'.repeat(70_000)}\n`);
    expect(asked).toEqual(['writeFile', 'readFile', 'writeFile', 'readFile'].map((name) => `collections.${name}`));
  });

  it('that takes too much is one that cannot be read; every other error is passed on', async () => {
    const long = `operation: bet\n${'# c\n'.repeat(2_000)}`;
    const { reader } = counted(unread('The file was not read: it takes more than 160 MB of memory.'));
    await expect(reader.read('request', long)).rejects.toMatchObject({ code: 'invalid_input', message: /more than 160 MB/ });
    await expect(counted(new AppError('cancelled', 'Stopped.')).reader.read('request', long)).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('is listed, read, saved and its faults told with their place by way of the thread too', async () => {
    const directory = await temporaryFolder();
    const test = await createTestApp();
    try {
      writeFileSync(join(directory, 'bad.yaml'), `operation: bet\n${'# c\n'.repeat(3_000)}form: !!str a\n`);
      writeFileSync(join(directory, 'lines.yaml'), `operation: bet\ndata: |\n${'\n'.repeat(4_500_000)}  a\n`);
      const { id } = await test.client.call('collections.open', { directory });
      const saved = { id, path: '', settings: settings(10_000), revision: null };
      const { revision } = await test.client.call('collections.saveFolder', saved);
      expect((await test.client.call('collections.readFolder', { id, path: '' })).settings).toEqual(settings(10_000));
      await test.client.call('collections.saveFolder', { ...saved, settings: settings(9_999), revision });
      const { nodes } = await test.client.call('collections.tree', { id });
      expect(nodes.map(({ path, problem }) => [path, problem?.message.slice(0, 60), problem?.line])).toEqual([
        ['bad.yaml', "Tags (!) aren't supported. Remove it, or put the value in qu", 3_002],
        ['lines.yaml', 'The file has more than 100,000 lines. Split it into several ', 100_001],
      ]);
    } finally {
      await test.close();
    }
  });
});
