import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import type { RoundRecord } from '#shared/ipc/index.ts';
import {
  dateProblem,
  fromPicker,
  lookUpWaits,
  monthName,
  nearMonthEdge,
  roundIdProblem,
  toPicker,
  todayIn,
} from './round-question.ts';
import { sumExactly, totalRecords } from './round-totals.ts';

describe('the sum of amounts', () => {
  it('keeps every digit', () => {
    expect(sumExactly(['0.1', '0.2'])).toBe('0.3');
    expect(sumExactly(['9007199254740993', '0.00000000000000000001'])).toBe('9007199254740993.00000000000000000001');
    expect(sumExactly(['1.50', '-1.5'])).toBe('0.00');
    expect(sumExactly(['-0.25', '0.05'])).toBe('-0.20');
    expect(sumExactly([])).toBe('0');
    for (const odd of ['1e2', '', 'free', '1,5', '.5', '1.']) expect(sumExactly(['1', odd])).toBeNull();
  });

  it('is that of whole cents, whatever the order', () => {
    const cents = fc.array(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }));
    const text = (value: bigint) => {
      const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(cents, (values) => {
        const sum = values.reduce((total, value) => total + value, 0n);
        expect(sumExactly(values.map(text))).toBe(values.length === 0 ? '0' : text(sum));
        expect(sumExactly(values.toReversed().map(text))).toBe(sumExactly(values.map(text)));
      }),
    );
  });

  it('is taken by currency', () => {
    const record = (bet: string | null, win: string | null, currencyName: string | null) =>
      ({ bet, win, currencyName }) as RoundRecord;
    expect(
      totalRecords([record('1.5', '0', 'EUR'), record('2', null, 'USD'), record('0.25', '10', 'EUR'), record('x', '1', null)]),
    ).toEqual([
      { currency: 'EUR', rows: 2, bet: '1.75', win: '10' },
      { currency: 'USD', rows: 1, bet: '2', win: '0' },
      { currency: '', rows: 1, bet: null, win: '1' },
    ]);
  });
});

describe('a question for a round', () => {
  it('says what is wrong with an id, and takes digits of any size', () => {
    for (const good of ['', '0', '9007199254740993', ' 12 ', '9'.repeat(40)]) expect(roundIdProblem(good)).toBeNull();
    expect(roundIdProblem('007')).toContain('begin with 0');
    expect(roundIdProblem('9'.repeat(41))).toContain('40 digits');
    expect(roundIdProblem('-3')).toContain('negative');
    expect(roundIdProblem('1.5')).toContain('whole number');
    expect(roundIdProblem('12 34')).toContain('space');
    expect(roundIdProblem('0xff')).toContain('decimal');
    expect(roundIdProblem('t-81c4')).toContain('digits only');
  });

  it('can be sent when both are whole and the day has been, and says why not', () => {
    const now = Date.UTC(2026, 10, 20, 23, 30);
    const waits = (roundId: string, date: string, zone = 'UTC') => lookUpWaits({ roundId, date }, zone, now);
    expect(waits('12', '20-11-2026')).toBeNull();
    expect(waits('12', '21-11-2026', 'Europe/Berlin')).toBeNull();
    for (const [id, date, reason] of [
      ['12', '21-11-2026', /./],
      ['', '20-11-2026', /Enter a roundId/],
      ['x', '20-11-2026', /digits only/],
      ['12', '', /Enter the round day/],
      ['12', '31-02-2026', /./],
      ['12', '2026-11-20', /Day first/],
    ] as const) {
      expect(waits(id, date)).toMatch(reason);
    }
    expect(waits('12', '20-11-2026', 'Nowhere/Land')).toMatch(/./);
    expect(dateProblem('2026-11-20')).toContain('Day first');
    expect(dateProblem('1-2-2026')).toContain('dd-mm-yyyy');
  });

  it('knows today in a zone, and the date picker’s own form', () => {
    const now = Date.UTC(2026, 10, 30, 23, 30);
    expect(todayIn('UTC', now)).toBe('30-11-2026');
    expect(todayIn('Europe/Berlin', now)).toBe('01-12-2026');
    expect(todayIn('Nowhere/Land', now)).toBe('30-11-2026');
    expect(fromPicker(toPicker('05-11-2026'))).toBe('05-11-2026');
    expect([toPicker('5-11-2026'), fromPicker('')]).toEqual(['', '']);
  });

  it('warns at the edges of months', () => {
    const edges = ['01-11-2026', '30-11-2026', '28-02-2026', '29-02-2028', '31-12-2026'];
    const inside = ['02-11-2026', '29-11-2026', '28-02-2028', '30-12-2026'];
    expect(edges.map(nearMonthEdge)).toEqual(edges.map(() => true));
    expect(inside.map(nearMonthEdge)).toEqual(inside.map(() => false));
    expect(monthName('2026-11')).toBe('November 2026');
  });
});
