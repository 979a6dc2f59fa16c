import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareIterations } from './iterations.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'croupier-iterations-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const prepare = (file: string) =>
  prepareIterations({ repeat: 2, variables: {}, data: { format: 'csv', file } }, () => Promise.resolve());

describe('the data of a run', () => {
  it('is read from a file, again for each repetition', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'a;b\n1;\n2;\n');
    const iterations = await prepare(path);
    expect(iterations.notes).toEqual(['The columns of the data are separated by semicolons.']);
    const rows: unknown[] = [];
    for await (const { row, variables } of iterations.open([1, 2, 3, 4])) rows.push([row, variables['a']]);
    expect(rows).toEqual([1, 2, 1, 2].map((row) => [row, String(row)]));
    for await (const { row } of iterations.open([1, 2])) {
      expect(row).toBe(1);
      break;
    }
  });

  it('is read once for a row that is repeated: the file may be gone by then', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'a\n1\n');
    const iterations = await prepare(path);
    expect(iterations.count).toBe(2);
    const open = iterations.open([1, 2]);
    const one = { row: 1, variables: { a: '1' } };
    expect((await open.next()).value).toEqual({ number: 1, ...one });
    await rm(path);
    expect((await open.next()).value).toEqual({ number: 2, ...one });
    expect(await open.next()).toEqual({ done: true, value: undefined });
  });

  it('is refused where it is not a file, without waiting for one', async () => {
    await expect(prepare(join(folder, 'missing'))).rejects.toThrow('there is no such file');
    await expect(prepare(folder)).rejects.toThrow('It is not a file');
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(prepare(join(folder, 'pipe'))).rejects.toThrow('It is not a file');
  });

  it('is inspected a million characters at a time, with the names of its columns', async () => {
    const inspected: number[] = [];
    const inspect = (values: string) => {
      inspected.push(values.length);
      return Promise.resolve();
    };
    const text = `a,b\n${Array.from({ length: 5 }, () => `${'x'.repeat(400_000)},y`).join('\n')}\n`;
    await prepareIterations({ repeat: 1, variables: {}, data: { format: 'csv', text } }, inspect);
    const names = 'a\nb\n'.length;
    expect(inspected).toEqual([names + 3 * 400_002 + 2, 2 * 400_002 + 1]);
  });

  it('is refused where it is both or neither, has no rows, or is named from nowhere', async () => {
    const of = (data: { text?: string; file?: string }) =>
      prepareIterations({ repeat: 1, variables: {}, data: { format: 'csv', ...data } }, () => Promise.resolve());
    for (const data of [{}, { text: 'a\n1\n', file: join(folder, 'a') }])
      await expect(of(data)).rejects.toThrow('as text or as a file');
    await expect(of({ text: 'a\n' })).rejects.toThrow('no rows');
    await expect(of({ file: 'rows.csv' })).rejects.toThrow(/path/);
    await expect(of({ file: join(folder, 'missing') })).rejects.toMatchObject({
      code: 'invalid_input',
      cause: { code: 'ENOENT' },
    });
  });

  it('that lost rows meanwhile ends the run', async () => {
    const path = join(folder, 'rows.csv');
    await writeFile(path, 'a\n1\n2\n3\n');
    const iterations = await prepare(path);
    await writeFile(path, 'a\n1\n');
    const seen: unknown[] = [];
    const all = async () => {
      for await (const { row } of iterations.open([1, 3])) seen.push(row);
    };
    await expect(all()).rejects.toThrow('fewer rows');
    expect(seen).toEqual([1]);
  });
});
