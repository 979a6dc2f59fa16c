import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Environment } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

const answer = (value: string) => ({ value, note: '', date: '2026-01-31' });
const minor = { 'amounts.unit': answer('minor') };

async function withBrands(answers: { a?: Environment['answers']; b?: Environment['answers'] } = {}) {
  const test: TestApp = await createTestApp();
  ended.push(test.close);
  const { client } = test;
  const make = (name: string, partnerId: number, own: Partial<Environment> = {}) =>
    client.call('environments.create', {
      environment: { name, baseUrl: 'https://api.example.com', platform: 1, partnerId, production: false, ...own },
    });
  const a = await make('Brand A', 1, { answers: answers.a ?? {} });
  const b = await make('Brand B', 2, { answers: answers.b ?? {} });
  return {
    ...test,
    a,
    b,
    make,
    find: async (id: string) => (await client.call('environments.list', {})).environments.find((one) => one.id === id),
    save: (environment: Environment) => client.call('environments.save', { environment }),
    written: async (id: string) =>
      JSON.parse(await readFile(join(test.home, 'environments', `${id}.json`), 'utf8')) as Partial<Environment>,
  };
}

describe('an environment of the same provider as another', () => {
  it('has its recorded answers, and what is recorded in either counts for both', async () => {
    const { a, b, find, save, written } = await withBrands({ a: minor, b: { 'time.zone': answer('Europe/Malta') } });
    const shared = await save({ ...b, sameProviderAs: a.id });
    // What only one had is not lost.
    const both = { ...minor, 'time.zone': answer('Europe/Malta') };
    expect(shared.answers).toEqual(both);
    expect((await find(a.id))?.answers).toEqual(both);
    expect((await written(b.id)).answers).toEqual({});

    await save({ ...shared, answers: { 'amounts.unit': answer('whole') } });
    expect((await find(a.id))?.answers).toEqual({ 'amounts.unit': answer('whole') });
    await save({ ...a, answers: minor });
    expect(await find(b.id)).toMatchObject({ partnerId: 2, sameProviderAs: a.id, answers: minor });
  });

  it('keeps a copy when it ends', async () => {
    const { a, b, find, save } = await withBrands({ a: minor });
    const { sameProviderAs: _ended, ...alone } = await save({ ...b, sameProviderAs: a.id });
    expect((await save(alone)).answers).toEqual(minor);
    await save({ ...a, answers: {} });
    expect((await find(b.id))?.answers).toEqual(minor);
  });

  it('takes nothing of a third one along when it changes over', async () => {
    const { a, b, make, find, save } = await withBrands({ a: minor });
    const c = await make('Brand C', 3);
    const shared = await save({ ...b, sameProviderAs: a.id });
    expect(shared.answers).toEqual(minor);
    expect((await save({ ...shared, sameProviderAs: c.id })).answers).toEqual({});
    expect((await find(a.id))?.answers).toEqual(minor);
  });

  it('is refused where the two disagree, and nothing changes', async () => {
    const { a, b, find, save } = await withBrands({ a: minor, b: { 'amounts.unit': answer('whole') } });
    await expect(save({ ...b, sameProviderAs: a.id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('amounts.unit') as string,
      details: { field: 'sameProviderAs' },
    });
    expect([(await find(a.id))?.answers, (await find(b.id))?.answers]).toEqual([minor, { 'amounts.unit': answer('whole') }]);
  });

  it('is refused with itself, over a third, and with one that is gone', async () => {
    const { a, b, client, home, make, find, save } = await withBrands();
    const c = await make('Brand C', 3, { sameProviderAs: b.id });
    const refused = { code: 'invalid_input', details: { field: 'sameProviderAs' } };
    await expect(save({ ...a, sameProviderAs: a.id })).rejects.toMatchObject(refused);
    await expect(save({ ...a, sameProviderAs: c.id })).rejects.toMatchObject({
      ...refused,
      message: 'Brand C shares the recorded answers of Brand B. Choose Brand B.',
    });
    await expect(save({ ...b, sameProviderAs: a.id })).rejects.toMatchObject(refused);
    await expect(client.call('environments.remove', { id: b.id })).rejects.toMatchObject({
      code: 'refused',
      message: 'Brand C shares the recorded answers of Brand B. Choose another environment for it first, or none.',
    });
    await unlink(join(home, 'environments', `${b.id}.json`));
    expect(await find(c.id)).toMatchObject({ sameProviderAs: b.id, answers: {} });
    await expect(save(c)).rejects.toMatchObject(refused);
  });
});
