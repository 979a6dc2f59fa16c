import { describe, expect, it } from 'vitest';
import type { CallSummary } from '#shared/ipc/index.ts';
import { dayText, groupCalls, type GroupingOf } from './call-groups.ts';

const now = new Date(2026, 10, 21, 19, 30).getTime();
const at = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime();
let next = 1_000;
const call = (day: number, hours: number, minutes: number, run: string) =>
  ({ id: (next -= 1), sentAt: at(day, hours, minutes), day: `2026-11-${day}`, run }) as CallSummary;

/** Newest first: two sessions that took turns today, one of them since yesterday, and an old one. */
const calls = [
  call(21, 19, 20, 'mine'),
  call(21, 19, 10, 'mine'),
  call(21, 19, 5, 'other'),
  call(21, 18, 59, 'mine'),
  call(20, 23, 50, 'mine'),
  call(14, 9, 5, 'old'),
];
const group = (change: Partial<GroupingOf> = {}) =>
  groupCalls(calls, { grouping: 'session', now, run: 'mine', open: false, ...change }).map(
    ({ before, level, title, detail }) => `${before} ${'#'.repeat(level)} ${title}: ${detail}`,
  );

describe('the headings of the history', () => {
  it('are the days, with how many calls each has', () => {
    expect(group({ grouping: 'day' })).toEqual([
      '0 # Today: 4 calls',
      '4 # Yesterday: 1 call',
      '5 # Saturday 14 November 2026: 1 call',
    ]);
  });

  it('are the sessions within each day too, again where another program came between', () => {
    expect(group()).toEqual([
      '0 # Today: ',
      '0 ## This session, 19:10–19:20: 2 calls',
      '2 ## Session 19:05: 1 call',
      '3 ## This session, 18:59: 1 call',
      '4 # Yesterday: ',
      '4 ## This session, 23:50: 1 call',
      '5 # Saturday 14 November 2026: ',
      '5 ## Session 09:05: 1 call',
    ]);
    expect(group({ run: null }).filter((heading) => heading.includes('This session'))).toEqual([]);
  });

  it('say of the last group that it may have more while older calls were not fetched', () => {
    expect(group({ open: true }).slice(-4)).toEqual([
      '4 # Yesterday: ',
      '4 ## This session, 23:50: 1 call',
      '5 # Saturday 14 November 2026: ',
      '5 ## Session 09:05: 1+ calls',
    ]);
  });

  it('are none where the list is not grouped, and none for no calls', () => {
    expect(group({ grouping: 'none' })).toEqual([]);
    expect(groupCalls([], { grouping: 'session', now, run: null, open: false })).toEqual([]);
  });

  it('follow the list where a clock went back, and tell a day that cannot be read', () => {
    const odd = [call(20, 10, 0, 'a'), call(21, 10, 0, 'a'), call(20, 9, 0, 'a'), { ...call(20, 9, 0, 'a'), day: '' }];
    const headings = groupCalls(odd, { grouping: 'day', now, run: null, open: false });
    expect(headings.map(({ title }) => title)).toEqual(['Yesterday', 'Today', 'Yesterday', 'Unknown day']);
  });

  it('know yesterday across months and summer time', () => {
    expect(dayText('2026-10-31', new Date(2026, 10, 1, 0, 1).getTime())).toBe('Yesterday');
    expect(dayText('2026-03-29', new Date(2026, 2, 30, 0, 30).getTime())).toBe('Yesterday');
    expect(dayText('2025-12-31', new Date(2026, 11, 31).getTime())).toBe('Wednesday 31 December 2025');
  });
});
