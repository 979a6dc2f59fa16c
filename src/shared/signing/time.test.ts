import { fc } from '#testing/property.ts';
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

  it('writes midnight as 00', () => {
    expect(formatTime(Date.UTC(2026, 0, 2), 'UTC', 'dmy')).toBe('02-01-2026 00:00:00');
  });

  it('refuses a zone that nobody knows, and a moment that is none', () => {
    expect(() => formatTime(moment, 'Mars/Olympus', 'dmy')).toThrow(AppError);
    expect(() => formatTime(Number.NaN, 'UTC', 'dmy')).toThrow(AppError);
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([true, false, false]);
  });
});
