import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Client } from '#shared/ipc/index.ts';
import { createSettingsWriter, readLayout } from './remembered.ts';

describe('what was remembered', () => {
  it('is read member by member; what is not understood has its usual value', () => {
    const usual = { area: 'requests', sidebar: true, environmentId: null, grouping: 'session' };
    for (const text of [undefined, '', '[]', 'null', '{"area":"casino","sidebar":3}']) expect(readLayout(text)).toEqual(usual);
    expect(readLayout('{"area":"history","sidebar":false,"environmentId":"a","grouping":"none"}')).toEqual({
      area: 'history',
      sidebar: false,
      environmentId: 'a',
      grouping: 'none',
    });
  });
});

describe('settings writer', () => {
  function setUp(refuse = false) {
    const faults = { refuse };
    const written: unknown[] = [];
    const planned: (() => void)[] = [];
    const failed: string[] = [];
    let masked = 0;
    let unknown = 0;
    const client = {
      async call(_name: string, input: unknown) {
        written.push(input);
        if (faults.refuse) throw new AppError('storage', 'The disk is full.');
        return { masked: JSON.stringify(input).includes('a key') };
      },
    } as unknown as Client;
    const writer = createSettingsWriter(client, {
      page: 'p',
      later(run) {
        planned.push(run);
        return () => planned.splice(planned.indexOf(run), 1);
      },
      onFailed: (message) => failed.push(message),
      onMasked: () => (masked += 1),
      onUnknown: () => (unknown += 1),
    });
    return { writer, written, planned, failed, faults, masked: () => masked, unknown: () => unknown };
  }

  it('says where a private key was left out of what is remembered', async () => {
    const { writer, masked } = setUp();
    writer.write('layout', 'a');
    writer.write('environmentForms', 'a key');
    writer.flush();
    await expect.poll(masked).toBe(1);
  });

  it('writes the last value of many, and not the same twice', () => {
    const { writer, written, planned } = setUp();
    writer.write('layout', 'a');
    writer.write('layout', () => 'b');
    expect(written).toEqual([]);
    expect(planned).toHaveLength(1);
    planned[0]?.();
    expect(written).toEqual([{ name: 'layout', value: 'b', order: { page: 'p', number: 0 } }]);
    writer.write('layout', 'b');
    writer.flush();
    expect(written).toHaveLength(1);
  });

  it('sends again what nobody has confirmed when the page goes away, and nothing that is kept', async () => {
    const { writer, written } = setUp();
    writer.write('layout', 'kept');
    writer.flush();
    await Promise.resolve();
    await Promise.resolve();
    writer.write('appearance', 'on its way');
    writer.flush();
    writer.write('collections', 'waits');
    writer.leave();
    const writes = written as { value: string; order: { number: number } }[];
    expect(writes.map(({ value, order }) => [value, order.number])).toEqual([
      ['kept', 0],
      ['on its way', 1],
      ['on its way', 1],
      ['waits', 2],
    ]);
  });

  it('keeps beside what it writes what it did not understand, and leaves alone what a newer version wrote', () => {
    const { writer, written, unknown } = setUp();
    writer.restored('appearance', '{"theme":"dark"}', '{"theme":"dark"}');
    writer.restored('collections', '{"part":"later"}', '{"part":"operations","open":[]}');
    writer.restored('providerLog', undefined, '{}');
    expect(unknown()).toBe(0);
    writer.restored('layout', '{"area":"board","sidebar":true,"zoom":2}', '{"area":"requests","sidebar":true}');
    expect(unknown()).toBe(1);
    writer.restored('launcher', '{"version":2,"tabs":[]}', '{"version":1,"tabs":[]}');
    expect(unknown()).toBe(2);
    expect([writer.keeps('layout'), writer.keeps('launcher')]).toEqual([true, false]);
    writer.write('layout', '{"area":"requests","sidebar":false}');
    writer.write('launcher', '{"version":1,"tabs":[1]}');
    writer.flush();
    expect(written).toEqual([
      { name: 'layout', value: '{"area":"board","sidebar":false,"zoom":2}', order: { page: 'p', number: 0 } },
    ]);
  });

  it('says that it cannot, and keeps what it could not write for the next time', async () => {
    const { writer, written, failed, faults } = setUp(true);
    writer.write('layout', 'a');
    writer.flush();
    await expect.poll(() => failed).toEqual(['The disk is full.']);
    expect(writer.keeps('layout')).toBe(false);
    writer.write('layout', 'b');
    writer.flush();
    await expect.poll(() => failed).toHaveLength(2);
    faults.refuse = false;
    writer.flush();
    expect(written).toEqual(['a', 'b', 'b'].map((value, number) => ({ name: 'layout', value, order: { page: 'p', number } })));
    await expect.poll(() => writer.keeps('layout')).toBe(true);
    writer.flush();
    expect(written).toHaveLength(3);
  });

  it('does not bring an older value back because its writing failed after the newer one had been sent', async () => {
    const { writer, written, failed, faults } = setUp(true);
    writer.write('layout', 'older');
    writer.flush();
    faults.refuse = false;
    writer.write('layout', 'newer');
    writer.flush();
    await expect.poll(() => failed).toHaveLength(1);
    writer.flush();
    expect(written).toMatchObject([{ value: 'older' }, { value: 'newer' }]);
  });
});
