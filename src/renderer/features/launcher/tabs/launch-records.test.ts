import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { roomScreen, usualScreens } from '../device.ts';
import { createFakeClient, createOpenTabs, someSlot } from '#testing/fake-launches.ts';
import { someEntry, someLaunch } from '#testing/some-launch.ts';
import { createLaunchRecords } from './launch-records.ts';
import { closed } from './launch-tab.ts';

const view = { state: 'view', muted: false } as const;
const { verdict } = someLaunch('a');
const gone = () => {
  throw new AppError('not_found', 'The launch is gone.');
};

function setUp(answers: Parameters<typeof createFakeClient>[0] = {}) {
  const fake = createFakeClient(answers);
  const tabs = createOpenTabs({ slots: [someSlot('a', view)] });
  const ended: string[] = [];
  const records = createLaunchRecords(fake.client, tabs.list, (id) => ended.push(id));
  return { ...fake, ...tabs, records, ended };
}

describe('the records of launches', () => {
  it('come with a launch, which is not open; without one where it cannot be read', async () => {
    const { records } = setUp();
    expect(await records.slotFor(someLaunch('b'))).toMatchObject({ launch: { id: 'b' }, entries: [{ seq: 1 }], shown: closed });
    const other = setUp({ 'launches.get': gone });
    expect(await other.records.slotFor(someLaunch('b'))).toMatchObject({ launch: { id: 'b' }, entries: [], shown: closed });
  });

  it('keep their entries in order and each once, whatever came first', () => {
    const { emit, slot } = setUp();
    emit('launches.recorded', { id: 'a', entries: [someEntry(3)], dropped: 0, verdict });
    emit('launches.recorded', { id: 'a', entries: [someEntry(1), someEntry(3)], dropped: 4, verdict });
    emit('launches.recorded', { id: 'a', entries: [someEntry(4)], dropped: 4, verdict });
    emit('launches.recorded', { id: 'another', entries: [someEntry(9)], dropped: 0, verdict });
    expect(slot().entries.map(({ seq }) => seq)).toEqual([1, 3, 4]);
    expect(slot().launch.dropped).toBe(4);
  });

  it('take the higher count of a line that came again, and the verdict that comes with it', () => {
    const { emit, slot } = setUp();
    const failed = { state: 'failed', results: [] };
    emit('launches.recorded', { id: 'a', entries: [{ ...someEntry(1), count: 1 }], dropped: 0, verdict });
    emit('launches.recorded', { id: 'a', entries: [{ ...someEntry(1), count: 7 }], dropped: 0, verdict: failed });
    emit('launches.recorded', { id: 'a', entries: [{ ...someEntry(1), count: 2 }], dropped: 0, verdict: failed });
    expect(slot().entries).toMatchObject([{ seq: 1, count: 7 }]);
    expect(slot().launch.verdict).toEqual(failed);
  });

  it('are fetched again when a launch changes, and keep what came meanwhile', async () => {
    const { emit, slot, ended, inputs } = setUp({
      'launches.get': ({ id }) => ({ launch: someLaunch(String(id), { state: 'open' }), entries: [someEntry(1)] }),
    });
    emit('launches.recorded', { id: 'a', entries: [someEntry(2)], dropped: 0, verdict });
    emit('launches.changed', { id: 'another' });
    emit('launches.changed', { id: 'a' });
    await vi.waitFor(() => expect(slot().entries.map(({ seq }) => seq)).toEqual([1, 2]));
    expect(slot()).toMatchObject({ shown: view, launch: { state: 'open' } });
    expect(ended).toEqual([]);
    expect(inputs('launches.get')).toEqual([{ id: 'a' }]);
  });

  it('take a game off the stage that closed its own page', async () => {
    const { records, slot, ended } = setUp({
      'launches.get': ({ id }) => ({ launch: someLaunch(String(id), { state: 'closed' }), entries: [] }),
    });
    await records.refresh('a');
    expect(slot().shown).toBe(closed);
    expect(ended).toEqual(['a']);
  });

  it('stay as they are where they cannot be fetched', async () => {
    const { records, slot } = setUp({ 'launches.get': gone });
    await records.refresh('a');
    expect(slot().shown).toBe(view);
  });

  it('end a game, and one that is gone', async () => {
    const { records, ended, inputs } = setUp({ 'launches.close': gone });
    await records.endGame('a');
    expect(inputs('launches.close')).toEqual([{ id: 'a' }]);
    expect(ended).toEqual(['a']);
  });

  it('are put back closed: one that is open is ended first, one that is gone is left out', async () => {
    const states = new Map([
      ['old', 'open' as const],
      ['other', 'ready' as const],
    ] as [string, 'open' | 'ready' | 'closed'][]);
    const { records, tab, inputs } = setUp({
      'launches.get': ({ id }) => {
        const state = states.get(String(id));
        if (state === undefined) return gone();
        return { launch: someLaunch(String(id), { state }), entries: [someEntry(1)] };
      },
      'launches.close': ({ id }) => states.set(String(id), 'closed'),
    });
    await records.restore('id-1', ['old', 'gone', 'other']);
    expect(tab().slots.map(({ launch, shown }) => [launch.id, launch.state, shown.state])).toEqual([
      ['old', 'closed', 'closed'],
      ['other', 'ready', 'closed'],
    ]);
    expect(tab().slotId).toBe('old');
    expect(inputs('launches.close')).toEqual([{ id: 'old' }]);
    await records.restore('id-1', ['gone']);
    expect(tab()).toMatchObject({ slots: [], slotId: null });
  });

  it('come back to their screens, the modes of a screen after each other', async () => {
    const { records, tab, list } = setUp({
      'launches.get': ({ id }) => {
        if (id === 'gone') return gone();
        return { launch: someLaunch(String(id), { state: 'ready' }), entries: [] };
      },
    });
    list.update('id-1', () => ({ mode: 'both', screens: [roomScreen, usualScreens.phone] }));
    await records.restore('id-1', ['real', 'gone', 'real on the phone', 'fun on the phone']);
    expect(tab().slots.map(({ launch, screenAt }) => [launch.id, screenAt])).toEqual([
      ['real', 0],
      ['real on the phone', 1],
      ['fun on the phone', 1],
    ]);
  });
});
