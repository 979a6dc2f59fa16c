import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { CallSummary, Client } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createCallActions } from './call-actions.ts';

function setUp(answers: Record<string, unknown>) {
  const asked: unknown[] = [];
  const notices: Parameters<Notify>[0][] = [];
  const client = {
    async call(name: string, input: unknown) {
      asked.push([name, input]);
      const answer = answers[name];
      if (answer instanceof AppError) throw answer;
      return answer ?? {};
    },
  } as unknown as Client;
  return { actions: createCallActions(client, { notify: (notice) => void notices.push(notice) }), asked, notices };
}

const call = (id: number, pinned = false) => ({ id, pinned }) as CallSummary;

describe('what is done with calls', () => {
  it('pins those that are not, and says nothing where it worked', async () => {
    const { actions, asked, notices } = setUp({});
    await actions.pin([call(1), call(2, true), call(3)], true);
    expect(asked).toEqual([
      ['calls.pin', { id: 1, pinned: true }],
      ['calls.pin', { id: 3, pinned: true }],
    ]);
    expect(notices).toEqual([]);
  });

  it('says why a note was not kept', async () => {
    const { actions, notices } = setUp({ 'calls.note': new AppError('storage', 'The disk is full.') });
    expect(await actions.note(1, 'a')).toBe(false);
    expect(notices).toEqual([{ tone: 'bad', text: 'The note was not saved. The disk is full.' }]);
    expect(await setUp({}).actions.note(1, 'a')).toBe(true);
  });

  it('deletes with a way back', async () => {
    const { actions, asked, notices } = setUp({ 'calls.delete': { deleted: [1, 2] }, 'calls.restore': { restored: [1, 2] } });
    await actions.remove([call(1), call(2)]);
    expect(notices[0]?.text).toBe('Deleted 2 calls.');
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(asked.at(-1)).toEqual(['calls.restore', { ids: [1, 2] }]);
    expect(notices).toHaveLength(1);
  });

  it('says what stayed and what did not come back', async () => {
    const { actions, notices } = setUp({ 'calls.delete': { deleted: [1] }, 'calls.restore': { restored: [] } });
    await actions.remove([call(1), call(2)]);
    expect(notices[0]?.text).toContain('1 call not deleted');
    expect(await notices[0]?.undo?.run()).toBe(false);
    await vi.waitFor(() => expect(notices[1]?.text).toContain("1 call couldn't be restored"));
    const none = setUp({ 'calls.delete': { deleted: [] } });
    await none.actions.remove([call(1)]);
    expect(none.notices).toMatchObject([{ tone: 'warn' }]);
    expect(none.notices[0]?.undo).toBeUndefined();
  });
});
