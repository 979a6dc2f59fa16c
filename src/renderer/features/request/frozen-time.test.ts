import { describe, expect, it } from 'vitest';
import type { RequestDraft } from '#shared/ipc/index.ts';
import { withFrozenTime } from './frozen-time.ts';

const moment = Date.UTC(2026, 10, 20, 10, 15, 30);
const environment = { answers: {}, timeZone: 'Europe/Malta' };
const draft: RequestDraft = {
  environmentId: 'e',
  operation: 'getGameRound',
  form: 'main',
  text: '{}',
  overrides: { platform: '7' },
};

describe('withFrozenTime', () => {
  it('adds the moment as the environment writes it, and keeps the other overrides', () => {
    expect(withFrozenTime(draft, environment, moment)).toEqual({
      ...draft,
      overrides: { platform: '7', time: '20-11-2026 11:15:30' },
    });
    const yearFirst = { ...environment, answers: { 'time.order': { value: 'ymd', note: '' } } };
    expect(withFrozenTime(draft, yearFirst, moment).overrides?.time).toBe('2026-11-20 11:15:30');
  });

  it('leaves a request as it is while time runs, or with a time of its own, or without any', () => {
    const own = { ...draft, overrides: { time: 'mine' } };
    expect(withFrozenTime(draft, environment, null)).toBe(draft);
    expect(withFrozenTime(own, environment, moment)).toBe(own);
    const bet: RequestDraft = { ...draft, operation: 'bet' };
    expect(withFrozenTime(bet, environment, moment)).toBe(bet);
  });
});
