import { describe, expect, it } from 'vitest';
import { bodyTable, compareNumbers } from './body-table.ts';

describe('bodyTable', () => {
  it('finds the list nearest to the top and keeps every digit', () => {
    const table = bodyTable(
      '{"code":0,"data":{"slots":[{"id":9007199254740993,"bets":[0.10,1e2],"name":"Zo\\u00eb"},{"id":2,"extra":{"a": 1}}]}}',
    );
    expect(table).toEqual({
      place: 'data.slots',
      columns: [
        { name: 'id', kind: 'number' },
        { name: 'bets', kind: 'numbers' },
        { name: 'name', kind: 'text' },
        { name: 'extra', kind: 'text' },
      ],
      rows: [
        ['9007199254740993', '0.10, 1e2', 'Zoë', ''],
        ['2', '', '', '{"a": 1}'],
      ],
      hidden: 0,
    });
  });

  it('reads a list that is the data or the body itself', () => {
    expect(bodyTable('{"data":[{"id":1}]}')?.place).toBe('data');
    expect(bodyTable('[{"id":1}]')?.place).toBe('');
  });

  it('takes a column of unlike values as text', () => {
    expect(bodyTable('[{"a":1},{"a":"1"},{"a":null}]')?.columns).toEqual([{ name: 'a', kind: 'text' }]);
    expect(bodyTable('[{"a":1},{"a":null}]')?.columns).toEqual([{ name: 'a', kind: 'number' }]);
  });

  it('shows the first rows of a very long list and counts the others', () => {
    const table = bodyTable(`[${'{"a":1},'.repeat(12_000)}{"a":2}]`);
    expect([table?.rows.length, table?.hidden]).toEqual([10_000, 2_001]);
  });

  it('has none for other answers', () => {
    for (const text of ['', '<html>', '{"data":null}', '{"data":[]}', '{"data":[1,2]}', '[{"a":1},2]'])
      expect(bodyTable(text)).toBeNull();
  });
});

describe('compareNumbers', () => {
  it('orders by value, beyond doubles too, with what is not a number last', () => {
    const values = ['', '10', '9007199254740993', '-1.5', '9007199254740992', 'x', '9'];
    expect(values.toSorted(compareNumbers)).toEqual(['-1.5', '9', '10', '9007199254740992', '9007199254740993', '', 'x']);
  });
});
