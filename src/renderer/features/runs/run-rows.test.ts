import { describe, expect, it } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { someReported } from '#testing/some-run.ts';
import { createRunRows, type ShownRows } from './run-rows.ts';

/** Counts how often the state of a request is read. */
const looks = { count: 0 };

function placed(
  iteration: number,
  index: number,
  row: number | null = null,
  state: 'passed' | 'failed' = 'passed',
): FinishedRequest {
  const request = {
    ...someReported({ path: `request ${index}` }),
    get state() {
      looks.count += 1;
      return state;
    },
  };
  return { iteration, row, index, request };
}

const places = ({ rows }: ShownRows) => rows.map(({ iteration, index }) => `${iteration}.${index}`);

describe('the rows of a run', () => {
  it('stand in the order of iterations and of the plan, each once, however they come', () => {
    const rows = createRunRows();
    rows.add([placed(2, 1), placed(1, 3)]);
    expect(places(rows.shown('all'))).toEqual(['1.3', '2.1']);
    rows.add([placed(1, 0), placed(2, 1), placed(3, 0, null, 'failed'), placed(1, 4), placed(2, 0, null, 'failed')]);
    expect(places(rows.shown('all'))).toEqual(['1.0', '1.3', '1.4', '2.0', '2.1', '3.0']);
    expect(places(rows.shown('unclean'))).toEqual(['2.0', '3.0']);
    expect(rows.count()).toBe(6);
    expect(rows.find('2 1')).toMatchObject({ iteration: 2, index: 1 });
  });

  it('have a line above each iteration, and none where there is only one without data', () => {
    const one = createRunRows();
    one.add([placed(1, 0), placed(1, 1)]);
    expect(one.shown('all').headings).toEqual([]);
    const rows = createRunRows();
    rows.add([placed(1, 0, 1), placed(2, 0, 2, 'failed')]);
    expect(rows.shown('all').headings).toMatchObject([
      { before: 0, title: 'Iteration 1, data row 1', detail: '1 passed' },
      { before: 1, title: 'Iteration 2, data row 2', detail: '1 failed' },
    ]);
    rows.add([placed(1, 1, 1)]);
    expect(rows.shown('all').headings).toMatchObject([
      { before: 0, title: 'Iteration 1, data row 1', detail: '2 passed' },
      { before: 2, title: 'Iteration 2, data row 2', detail: '1 failed' },
    ]);
    expect(rows.shown('unclean').headings).toMatchObject([{ before: 0, title: 'Iteration 2, data row 2' }]);
  });

  it('are looked at when they come and not again, in whichever of 50,000 places', () => {
    const rows = createRunRows();
    rows.add(Array.from({ length: 50_000 }, (_, at) => placed((at >> 1) + 1, at & 1, at >> 1)));
    rows.shown('all');
    const before = looks.count;
    rows.add(Array.from({ length: 100 }, (_, at) => placed((at % 2) * 20_000 + 100, at + 2, 1)));
    for (let draw = 0; draw < 10; draw += 1) {
      expect(rows.shown('all').rows).toHaveLength(50_100);
      expect(rows.shown('all').headings).toHaveLength(25_000);
      expect(rows.shown('unclean').rows).toEqual([]);
    }
    expect(looks.count - before).toBeLessThan(100 * 4);
  });

  it('leave what was given out as it was', () => {
    const rows = createRunRows();
    rows.add([placed(1, 0), placed(1, 2)]);
    const first = rows.shown('all').rows;
    rows.add([placed(1, 1), placed(1, 3)]);
    rows.shown('all');
    expect(first).toHaveLength(2);
    expect(rows.shown('all')).toBe(rows.shown('all'));
  });
});
