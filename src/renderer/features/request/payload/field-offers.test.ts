import { describe, expect, it } from 'vitest';
import { Environment } from '#shared/model/environment.ts';
import { formOf, operationByName } from '#shared/provider/index.ts';
import { fieldOffers, pickedDateText, pickerValue } from './field-offers.ts';

const environment = Environment.parse({
  id: 'e',
  name: 'e',
  baseUrl: 'https://a.example',
  platform: 1,
  partnerId: 2,
  timeZone: 'Europe/Berlin',
});
const now = () => Date.UTC(2026, 10, 20, 23, 30, 0);
const field = (operation: 'freeRounds' | 'bet', name: string) => {
  const found = formOf(operationByName(operation), '').fields.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('fieldOffers', () => {
  it('offers the environment’s default only where the field differs', () => {
    const currency = field('bet', 'currency');
    expect(fieldOffers(currency, { kind: 'string', json: '"EUR"', value: 'EUR' }, environment, now)).toEqual([]);
    const [offer] = fieldOffers(currency, { kind: 'string', json: '"USD"', value: 'USD' }, environment, now);
    expect([offer?.label, offer?.json()]).toEqual(['Default: EUR', '"EUR"']);
  });

  it('offers a reference that was not used before', () => {
    const [offer] = fieldOffers(field('bet', 'transactionId'), { kind: 'absent' }, environment, now);
    expect(offer?.json()).toMatch(/^"transaction-[0-9a-z]+"$/);
  });

  it('offers dates in the environment’s zone, day first', () => {
    const offers = fieldOffers(field('freeRounds', 'freeRoundValidity'), { kind: 'absent' }, environment, now);
    expect(offers.map((offer) => offer.json())).toEqual([
      '"22-11-2026 00:30:00"',
      '"28-11-2026 00:30:00"',
      '"21-12-2026 00:30:00"',
    ]);
  });

  it('goes between a date picker and the field without a change', () => {
    expect(pickedDateText('2026-12-31T23:59')).toBe('31-12-2026 23:59:00');
    expect(pickedDateText(pickerValue('31-12-2026 23:59:58'))).toBe('31-12-2026 23:59:58');
    expect(pickerValue('2026-12-31 23:59:58')).toBe('');
    expect(pickedDateText('')).toBeNull();
  });
});
