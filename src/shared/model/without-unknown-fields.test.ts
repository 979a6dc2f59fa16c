import { describe, expect, it } from 'vitest';
import { z } from './schema.ts';
import { understood } from './without-unknown-fields.ts';

const Schema = z.strictObject({ a: z.int(), list: z.array(z.strictObject({ b: z.string() })) });

describe('understood', () => {
  it('leaves out what the schema does not know, at any depth, and changes nothing of what it was given', () => {
    const value = { a: 1, later: {}, list: [{ b: 'x', more: [1] }, { b: 'y' }] };
    expect(understood(Schema, value)).toEqual({ value: { a: 1, list: [{ b: 'x' }, { b: 'y' }] }, whole: false });
    expect(understood(Schema, { a: 1, list: [] })).toEqual({ value: { a: 1, list: [] }, whole: true });
    expect(value.list[0]).toEqual({ b: 'x', more: [1] });
  });

  it('is null where what the schema knows is not as it says', () => {
    for (const value of [null, [], {}, { a: '1', list: [] }, { a: 1, list: [{ later: 1 }] }])
      expect(understood(Schema, value)).toBeNull();
  });
});
