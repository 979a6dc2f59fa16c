import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { formatTime, isTimeZone } from './time.ts';

const moment = Date.UTC(2026, 10, 20, 10, 15, 30, 999);

describe('formatTime', () => {
  it('writes both orders', () => {
    expect(formatTime(moment, 'UTC', 'dmy')).toBe('20-11-2026 10:15:30');
    expect(formatTime(moment, 'UTC', 'ymd')).toBe('2026-11-20 10:15:30');
  });

  it('writes in the zone, over days and clock changes', () => {
    expect(formatTime(moment, 'Asia/Kathmandu', 'dmy')).toBe('20-11-2026 16:00:30');
    expect(formatTime(Date.UTC(2026, 11, 31, 23, 30), 'Europe/Berlin', 'dmy')).toBe('01-01-2027 00:30:00');
    expect(formatTime(Date.UTC(2026, 2, 29, 0, 59, 59), 'Europe/Berlin', 'dmy')).toBe('29-03-2026 01:59:59');
    expect(formatTime(Date.UTC(2026, 2, 29, 1), 'Europe/Berlin', 'dmy')).toBe('29-03-2026 03:00:00');
  });

  it('writes UTC as the zone of that name is written, without its formatter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 }),
        fc.constantFrom('dmy', 'ymd'),
        (at, order) => {
          expect(formatTime(at, 'UTC', order)).toBe(formatTime(at, 'Etc/UTC', order));
        },
      ),
    );
  });

  it.each(['0000-01-01', '0000-06-15', '0000-12-31', '0001-01-01', '9999-12-31', '+010000-01-01', '-000001-12-31'])(
    'writes a day at the edge of years of four digits as any zone does: %s',
    (day) => {
      const at = Date.parse(`${day}T12:34:56Z`);
      for (const order of ['dmy', 'ymd'] as const) expect(formatTime(at, 'UTC', order)).toBe(formatTime(at, 'Etc/UTC', order));
      expect(formatTime(at, 'UTC', 'dmy')).toMatch(/^\d\d-\d\d-\d{4,5} 12:34:56$/);
    },
  );

  it('knows a second by its zone and its order too', () => {
    for (const [zone, hour] of [
      ['UTC', '10'],
      ['Europe/Berlin', '11'],
      ['UTC', '10'],
    ] as const) {
      expect(formatTime(moment, zone, 'dmy')).toBe(`20-11-2026 ${hour}:15:30`);
      expect(formatTime(moment + 1, zone, 'ymd')).toBe(`2026-11-20 ${hour}:15:31`);
      expect(formatTime(moment, zone, 'ymd')).toBe(`2026-11-20 ${hour}:15:30`);
    }
  });

  it('writes midnight as 00', () => {
    expect(formatTime(Date.UTC(2026, 0, 2), 'UTC', 'dmy')).toBe('02-01-2026 00:00:00');
  });

  it('refuses a zone that nobody knows, and a moment that is none', () => {
    expect(() => formatTime(moment, 'Mars/Olympus', 'dmy')).toThrow(AppError);
    expect(() => formatTime(moment, 'Mars/Olympus', 'dmy')).toThrow(
      'Unknown time zone: Mars/Olympus. Use an IANA name such as Europe/Berlin, or UTC',
    );
    for (const none of [Number.NaN, Infinity, -Infinity, 8.64e15 + 1, -8.64e15 - 1])
      for (const zone of ['UTC', 'Etc/UTC'])
        expect(() => formatTime(none, zone, 'dmy')).toThrow(
          new AppError('invalid_input', 'The time is outside the range of dates'),
        );
    expect(formatTime(8.64e15, 'UTC', 'dmy')).toBe('13-09-275760 00:00:00');
    expect(formatTime(-8.64e15, 'UTC', 'dmy')).toMatch(/ 00:00:00$/);
    expect(isTimeZone('UTC')).toBe(true);
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([true, false, false]);
  });
});
