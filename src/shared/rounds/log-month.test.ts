import { describe, expect, it } from 'vitest';
import { logMonthOf } from './log-month.ts';

const at = (iso: string) => Date.parse(iso);

describe('logMonth', () => {
  it.each([
    // date, now, zone, months
    ['20-11-2026', '2026-11-20T10:00:00Z', 'UTC', 0],
    ['01-11-2026', '2026-11-30T23:59:59Z', 'UTC', 0],
    ['31-10-2026', '2026-11-01T00:00:00Z', 'UTC', 1],
    ['30-11-2026', '2026-12-01T00:00:00Z', 'UTC', 1],
    ['31-12-2025', '2026-01-01T00:00:00Z', 'UTC', 1],
    ['01-01-2026', '2026-12-31T12:00:00Z', 'UTC', 11],
    ['20-11-2024', '2026-11-20T10:00:00Z', 'UTC', 24],
    ['29-02-2024', '2026-03-01T00:00:00Z', 'UTC', 25],
    ['31-01-2026', '2026-02-28T12:00:00Z', 'UTC', 1],
    ['01-01-2000', '2026-11-20T10:00:00Z', 'UTC', 322],
    // The month has changed in one zone and not yet in the other.
    ['31-10-2026', '2026-10-31T23:30:00Z', 'UTC', 0],
    ['31-10-2026', '2026-10-31T23:30:00Z', 'Europe/Berlin', 1],
    ['01-11-2026', '2026-10-31T23:30:00Z', 'Europe/Berlin', 0],
    ['31-10-2026', '2026-11-01T03:00:00Z', 'America/New_York', 0],
    ['01-01-2027', '2026-12-31T10:30:00Z', 'Pacific/Kiritimati', 0],
    ['31-12-2026', '2026-12-31T10:30:00Z', 'Pacific/Kiritimati', 1],
    // The hour that summer time takes or gives changes no month.
    ['25-10-2026', '2026-10-25T00:30:00Z', 'Europe/Berlin', 0],
    ['28-03-2027', '2027-03-28T01:30:00Z', 'Europe/Berlin', 0],
  ] as const)('%s at %s in %s is %i', (date, now, zone, logMonth) => {
    expect(logMonthOf(date, at(now), zone)).toMatchObject({ ok: true, logMonth });
  });

  it('says which months it counted between', () => {
    expect(logMonthOf('31-12-2025', at('2026-02-01T00:00:00Z'), 'UTC')).toEqual({
      ok: true,
      logMonth: 2,
      month: '2025-12',
      currentMonth: '2026-02',
    });
  });

  it.each([
    ['21-11-2026', '2026-11-20T23:59:59Z', 'UTC'],
    ['01-12-2026', '2026-11-20T10:00:00Z', 'UTC'],
    ['01-11-2026', '2026-11-01T03:00:00Z', 'America/New_York'],
    ['01-01-9999', '2026-11-20T10:00:00Z', 'UTC'],
  ])('refuses %s at %s in %s: it lies ahead', (date, now, zone) => {
    const found = logMonthOf(date, at(now), zone);
    expect(found.ok ? '' : found.message).toContain('is in the future');
  });

  it.each(['31-02-2026', '00-01-2026', '01-13-2026', '2026-11-20', '1-1-2026', '', '20-11-2026 10:00:00', '29-02-2025'])(
    'refuses %j: it is not a date',
    (date) => {
      const found = logMonthOf(date, at('2026-11-20T10:00:00Z'), 'UTC');
      expect(found.ok ? '' : found.message).toContain('is not a date');
    },
  );

  it('refuses a zone that nobody knows', () => {
    const found = logMonthOf('01-11-2026', at('2026-11-20T10:00:00Z'), 'Europe/Atlantis');
    expect(found.ok ? '' : found.message).toContain('Europe/Atlantis');
  });
});
