import { describe, expect, it } from 'vitest';
import { CollectionRequest, FolderSettings } from '#shared/collections/model.ts';
import type { CollectionNode } from '#shared/ipc/index.ts';
import type { Remark } from '../collections/tree.ts';
import { AppError } from '#shared/errors.ts';
import { readPlan, unused, type PlanSource } from './plan.ts';
import { withDependencies } from './tags.ts';

/** Creates so many requests of one folder, each with a text of so many characters. */
function sourceOf(requests: number, characters: number, variable = ''): PlanSource {
  const node = { name: '', operation: null, problem: null, warnings: [], unchecked: false, takes: [], variables: 0 };
  const nodes: CollectionNode[] = [
    { ...node, kind: 'folder', path: 'f' },
    ...Array.from({ length: requests }, (_, at) => ({ ...node, kind: 'request' as const, path: `f/${at}.yaml` })),
  ];
  const common = { revision: '', unknown: [], warnings: [] };
  return {
    scan: async () => ({ nodes, remarks: [] }),
    files: {
      checkFormat: async () => undefined,
      readRequest: async (path) => {
        const request = CollectionRequest.parse({ operation: 'bet', data: 'x'.repeat(characters) });
        return { ...common, path, name: path, request };
      },
      readSettings: async (path) => ({ ...common, path, settings: FolderSettings.parse({ variables: { a: variable } }) }),
    },
  };
}

it('a run whose files have too much text together is refused before all of them are read', async () => {
  await expect(readPlan(sourceOf(1_000, 4_000_000), '', 'refuse')).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Nothing was run: the files of this run have more than 30 MB of text. Run one folder.',
  });
});

it('the variables of a folder count once, whatever lies in it', async () => {
  const { requests } = await readPlan(sourceOf(200, 100, 'v'.repeat(1_000_000)), '', 'refuse');
  expect(requests).toHaveLength(200);
});

/** A collection of these files: settings by their folder, requests by their path; a text is why it cannot be read. */
function collectionOf(
  settings: Record<string, object | string>,
  requests: Record<string, object | string>,
  more: { remarks?: Remark[]; warnings?: Record<string, string[]>; format?: () => Promise<void> } = {},
): PlanSource {
  const node = { name: '', operation: null, problem: null, warnings: [], unchecked: false, takes: [], variables: 0 };
  const nodes: CollectionNode[] = [
    ...Object.keys(settings)
      .filter((path) => path !== '')
      .map((path) => ({ ...node, kind: 'folder' as const, path })),
    ...Object.entries(requests).map(([path, request]) => {
      const take = typeof request === 'object' && 'take' in request ? (request.take as object) : {};
      return { ...node, kind: 'request' as const, path, takes: Object.keys(take) };
    }),
  ];
  const common = { revision: '', unknown: [] };
  const warningsOf = (path: string) =>
    (more.warnings?.[path] ?? []).map((message) => ({ message, line: null, column: null, excerpt: '' }));
  const found = (from: Record<string, object | string>, path: string) => {
    const one = from[path] ?? {};
    if (one === 'fault') throw new Error(one);
    if (typeof one === 'string') throw new AppError(one === 'fault of core' ? 'internal' : 'invalid_input', one);
    return one;
  };
  return {
    scan: async () => ({ nodes, remarks: more.remarks ?? [] }),
    files: {
      checkFormat: more.format ?? (async () => undefined),
      readRequest: async (path) => ({
        ...common,
        path,
        name: path,
        warnings: warningsOf(path),
        request: CollectionRequest.parse({ operation: 'bet', ...found(requests, path) }),
      }),
      readSettings: async (path) => ({
        ...common,
        path,
        warnings: warningsOf(path),
        settings: FolderSettings.parse(found(settings, path)),
      }),
    },
  };
}

describe('a plan', () => {
  const whole = collectionOf(
    { '': { variables: { c: '0' } }, a: { variables: { x: '1' } }, 'a/b': { variables: { x: '2' } }, ab: {} },
    {
      'Login.yaml': { take: { token: '/token' } },
      'a/One.yaml': { data: '{{token}} {{x}}' },
      'a/b/Two.yaml': { data: '{{y}} {{c}}', take: { y: '/y' } },
      'ab/Three.yaml': { data: '{{token}}', take: { z: '/z' } },
    },
  );

  it('has each request with the variables of the folders around it, and what it waits for', async () => {
    const plan = await readPlan(whole, '', 'refuse');
    expect(plan.requests.map(({ path, problem, folders }) => [path, problem, folders])).toEqual([
      ['Login', '', []],
      ['a/One', '', [{ x: '1' }]],
      ['a/b/Two', '', [{ x: '1' }, { x: '2' }]],
      ['ab/Three', '', [{}]],
    ]);
    expect(plan.needs.map((needs) => [...needs])).toEqual([[], [['token', 0]], [], [['token', 0]]]);
    expect(plan.collection).toEqual({ c: '0' });
    expect([...plan.used].sort()).toEqual(['c', 'token', 'x', 'y']);
    expect(plan.warnings).toEqual([expect.stringMatching(/^Never used: z \(set by `take` in ab\/Three\.yaml\)\./)]);
    expect(withDependencies(plan, [3])).toEqual([0, 3]);
    expect(withDependencies(plan, [2, 1])).toEqual([0, 1, 2]);
    expect(unused('a variable', ['x', 'tokn', 'token'], plan)).toEqual([expect.stringMatching(/tokn \(a variable\)\..*token/)]);
    expect(unused('a variable', ['x', 'c'], plan)).toEqual([]);
  });

  it('finds the requests of the whole collection that take a variable, also for a part of it', async () => {
    const one = await readPlan(whole, 'a/One.yaml', 'refuse');
    expect((await one.takersFor('a/One.yaml'))?.('token')).toEqual(['Login.yaml']);
    expect((await one.takersFor('Login.yaml'))?.('token')).toEqual([]);
    const closed = await readPlan({ ...whole, scan: () => Promise.reject(new Error('closing')) }, 'a/One.yaml', 'refuse');
    expect(await closed.takersFor('a/One.yaml')).toBeUndefined();
  });

  it('waits for a value that a variable of its files is made of', async () => {
    const plan = await readPlan(
      collectionOf(
        { '': { variables: { all: '{{token}}' } }, a: { variables: { x: 'of {{token}}' } } },
        { 'Login.yaml': { take: { token: '/token' } }, 'a/One.yaml': { data: '{{x}}' }, 'Two.yaml': { data: '{{all}}' } },
      ),
      '',
      'refuse',
    );
    expect(plan.needs.map((needs) => [...needs])).toEqual([[], [['token', 0]], [['token', 0]]]);
    expect([...plan.used].sort()).toEqual(['all', 'token', 'x']);
    expect(plan.warnings).toEqual([]);
  });

  it('is of a folder with what lies in it, or of one request', async () => {
    const paths = async (path: string) => (await readPlan(whole, path, 'refuse')).requests.map((request) => request.path);
    expect(await paths('a')).toEqual(['a/One', 'a/b/Two']);
    expect(await paths('a/b')).toEqual(['a/b/Two']);
    expect(await paths('a/b/Two.yaml')).toEqual(['a/b/Two']);
    await expect(paths('b')).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('folder b') as string });
    await expect(readPlan(collectionOf({ a: {} }, {}), 'a', 'refuse')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('no request') as string,
    });
    // A value that it takes may be for another part.
    expect((await readPlan(whole, 'ab', 'refuse')).warnings).toEqual([]);
  });

  it('says what stands in its files and nobody reads, of the part that is run', async () => {
    const source = collectionOf(
      { '': { order: ['a', 'b'] }, a: { order: ['One.yaml', 'Two.yaml'] } },
      { 'a/One.yaml': {}, 'Four.yaml': {} },
      {
        remarks: ['a/x.yml', 'b/y.yml'].map((path) => ({ path, words: `${path} is not read.`, prevents: false })),
        warnings: { '': ['of all'], a: ['of a'], 'a/One.yaml': ['of one'] },
      },
    );
    const all = (await readPlan(source, '', 'refuse')).warnings;
    for (const words of [
      /a\/x\.yml/,
      /b\/y\.yml/,
      /of all/,
      /of a$/,
      /of one/,
      /^collection.*`order` lists b/,
      /^a\/.*`order` lists Two/,
    ])
      expect(all.filter((one) => words.test(one))).toHaveLength(1);
    expect(all).toHaveLength(7);
    const part = (await readPlan(source, 'a', 'refuse')).warnings;
    expect(part.some((one) => one.includes('b/y.yml'))).toBe(false);
    expect(part.some((one) => one.includes('a/x.yml'))).toBe(true);
    const one = (await readPlan(source, 'a/One.yaml', 'refuse')).warnings;
    expect(one.some((words) => /x\.yml|order/.test(words))).toBe(false);
  });

  it('with files that cannot be read is refused with all of them, or says so of each', async () => {
    const broken = collectionOf(
      { '': {}, a: 'A is broken.' },
      { 'a/One.yaml': {}, 'a/Two.yaml': {}, 'B.yaml': 'B is broken.', 'C.yaml': {} },
    );
    await expect(readPlan(broken, '', 'refuse')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/2 files.*A is broken\. B is broken\.$/) as string,
      details: { headline: expect.stringContaining('2 files') as string, problems: ['A is broken.', 'B is broken.'] },
    });
    const plan = await readPlan(broken, '', 'report');
    expect(plan.requests.map(({ path, request, problem, folders }) => [path, request === null, problem, folders])).toEqual([
      ['a/One', true, 'A is broken.', []],
      ['a/Two', true, 'A is broken.', []],
      ['B', true, 'B is broken.', []],
      ['C', false, '', []],
    ]);
    await expect(readPlan(broken, 'B.yaml', 'refuse')).rejects.toThrow(/A file.*B is broken\.$/);
    expect((await readPlan(collectionOf({ '': 'No.' }, { 'C.yaml': {} }), '', 'report')).collection).toEqual({});
    // A fault of Croupier is not a problem of the file.
    for (const fault of ['fault', 'fault of core'])
      await expect(readPlan(collectionOf({}, { 'C.yaml': fault }), '', 'report')).rejects.toThrow(fault);
  });

  it.each([
    [20, /Broken 20\.$/],
    [21, /Broken 20\. And 1 more\.$/],
    [30, /Broken 20\. And 10 more\.$/],
  ])('says the first twenty of %i', async (count, words) => {
    const files = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.yaml`, `Broken ${at + 1}.`]));
    const refused = await readPlan(collectionOf({}, files), '', 'refuse').catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringMatching(words) as string });
    expect(((refused as AppError).details as { problems: string[] }).problems).toHaveLength(count);
  });

  it('is not read where a newer version wrote the collection', async () => {
    const format = () => Promise.reject(new AppError('refused', 'Newer.'));
    await expect(readPlan(collectionOf({}, { 'C.yaml': {} }, { format }), '', 'report')).rejects.toThrow('Newer.');
  });
});
