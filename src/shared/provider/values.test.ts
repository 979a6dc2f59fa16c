import { describe, expect, it } from 'vitest';
import { readDateTime } from './date-time.ts';
import { pointerStep } from '../json/pointer.ts';
import { countCharacters, counted, shown } from './findings.ts';
import { isoStanding } from './iso-codes.ts';
import { isIpAddress } from './payload-values.ts';

describe('readDateTime', () => {
  it.each([
    ['20-11-2026 10:15:30', 'dmy', Date.UTC(2026, 10, 20, 10, 15, 30)],
    ['2026-11-20 10:15:30', 'ymd', Date.UTC(2026, 10, 20, 10, 15, 30)],
    ['29-02-2024 00:00:00', 'dmy', Date.UTC(2024, 1, 29)],
    ['31-12-9999 23:59:59', 'dmy', Date.UTC(9999, 11, 31, 23, 59, 59)],
    ['29-02-2023 00:00:00', 'dmy', null],
    ['00-01-2026 00:00:00', 'dmy', null],
    ['01-13-2026 00:00:00', 'dmy', null],
    ['20-11-2026 24:00:00', 'dmy', null],
    ['20-11-2026 10:60:00', 'dmy', null],
    ['20-11-2026 10:15:60', 'dmy', null],
    ['2026-11-20 10:15:30', 'dmy', null],
    ['20-11-2026 10:15:30', 'ymd', null],
    ['20-11-2026T10:15:30', 'dmy', null],
    [' 20-11-2026 10:15:30', 'dmy', null],
    ['20-11-2026 10:15:30\n', 'dmy', null],
  ] as const)('%s as %s', (text, order, expected) => {
    expect(readDateTime(text, order)).toBe(expected);
  });

  it('reads a year below 100 as that year', () => {
    expect(new Date(readDateTime('01-01-0050 00:00:00', 'dmy') ?? 0).getUTCFullYear()).toBe(50);
  });
});

describe('isoStanding', () => {
  it('agrees with the runtime on every code that both know', () => {
    for (const code of ['EUR', 'USD', 'JPY', 'SLE', 'VED', 'XCG', 'ZWG'])
      expect(isoStanding('currency', code), code).toBe('listed');
    const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
    const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    const countries = pairs.map((pair) => pair.toUpperCase()).filter((pair) => isoStanding('country', pair) === 'listed');
    expect(countries).toHaveLength(249);
    for (const code of countries) expect(regions.of(code), code).toBeDefined();
    const known = pairs.filter((pair) => isoStanding('language', pair) === 'listed');
    expect(known).toHaveLength(183);
    for (const code of known) expect(languages.of(code), code).toBeDefined();
  });

  it('tells withdrawn, the other case and unknown apart', () => {
    expect(isoStanding('currency', 'HRK')).toBe('withdrawn');
    expect(isoStanding('currency', 'eur')).toBe('case');
    expect(isoStanding('currency', 'DEM')).toBe('unknown');
    expect(isoStanding('country', 'UK')).toBe('unknown');
    expect(isoStanding('country', 'de')).toBe('case');
    expect(isoStanding('language', 'DE')).toBe('case');
    expect(isoStanding('language', 'iw')).toBe('unknown');
  });
});

describe('isIpAddress', () => {
  it.each([
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '1::',
    '2001:db8:0:0:0:0:0:1',
    '2001:DB8::1',
    '::ffff:203.0.113.9',
    '1:2:3:4:5:6:7::',
  ])('%s is one', (text) => {
    expect(isIpAddress(text)).toBe(true);
  });

  it.each([
    '',
    '1',
    '1.2.3',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4.5',
    '1.2.3.4 ',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    '::1.2.3',
    '1:2:3:4:5:6:7:8::',
    '1.2.3.4::',
  ])('%j is none', (text) => {
    expect(isIpAddress(text)).toBe(false);
  });
});

describe('words of findings', () => {
  it('are short, counted and escaped as a pointer', () => {
    expect(counted(1234567)).toBe('1,234,567');
    expect(counted(999)).toBe('999');
    expect(pointerStep('a/b~c')).toBe('/a~1b~0c');
    expect(shown('x'.repeat(100))).toHaveLength(80);
    expect(countCharacters('a😀\ud83d')).toBe(3);
  });
});
