import { describe, expect, it } from 'vitest';
import { RunReport } from '#shared/collections/run-report.ts';
import { someReported, someStart } from '#testing/some-run.ts';
import { mergeParts, type PartFile } from './merge-parts.ts';
import type { RunPart } from './report-lines.ts';

const requests = [
  { path: 'wallet/Bet', operation: 'bet', unchecked: false },
  { path: 'wallet/Win', operation: 'win', unchecked: false },
] as const;

const passed = (path: string) => someReported({ path, callId: 3, durationMs: 5 });

interface Changes {
  readonly part?: Partial<RunPart>;
  readonly start?: object;
  /** Number of lines that are lost at the end. */
  readonly cut?: number;
  readonly path?: string;
}

/** The file of one of two parts of a run with two data rows, twice each. */
function file(part: number, { part: changes = {}, start = {}, cut = 0, path = `part-${part}` }: Changes = {}): PartFile {
  const facts = { part, of: 2, version: '1.0.0', plan: 'abc', iterations: 4, rows: 2, requests: [...requests], ...changes };
  const head = someStart({
    runId: `run-${part}`,
    startedAt: 1_000 * part,
    planned: 4,
    warnings: ['Said once.'],
    repeat: 2,
    hasData: true,
    part: facts,
    ...start,
  });
  const done = [part, part + 2].flatMap((iteration) =>
    requests.map(({ path: name }, index) => ({ index, request: { iteration, row: part, request: passed(name) } })),
  );
  const totals = {
    requests: 4,
    passed: 4,
    failed: 0,
    errored: 0,
    skipped: 0,
    cancelled: 0,
    checks: 0,
    checksPassed: 0,
    checksFailed: 0,
  };
  const lines = [{ start: head }, ...done, { end: { state: 'finished', durationMs: 500, totals } }];
  const kept = lines.slice(0, lines.length - cut).map((line) => `${JSON.stringify(line)}\n`);
  return { path, bytes: Buffer.from(kept.join('')) };
}

describe('the parts of a run', () => {
  it('make one report in the order of its iterations, with rows, the time of all and no number of a call', () => {
    const { report, problems } = mergeParts([file(2), file(1)]);
    expect(problems).toEqual([]);
    expect(RunReport.parse(report)).toMatchObject({
      runId: 'run-2, run-1',
      startedAt: 1_000,
      durationMs: 1_500,
      totals: { requests: 8, passed: 8 },
      warnings: ['Said once.'],
    });
    expect(report.iterations.map(({ number, row }) => [number, row])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 2],
    ]);
    expect(report.iterations.every((one) => one.requests.map(({ path }) => path).join() === 'wallet/Bet,wallet/Win')).toBe(true);
    expect(report.iterations[0]?.requests[0]?.callId).toBeNull();
  });

  it.each<[string, PartFile[], string, number]>([
    ['missing', [file(1)], 'Part 2 of 2 is missing.', 4],
    ['doubled', [file(1), file(2, { path: 'a' }), file(2, { path: 'b' })], 'Part 2 of 2 exists 2 times: a, b.', 4],
    ['incomplete', [file(1), file(2, { cut: 2 })], 'Part 2 of 2 is incomplete: 1 of its requests are missing.', 1],
  ])('one of which is %s leave its requests unfinished', (_, files, problem, unfinished) => {
    const { report, problems } = mergeParts(files);
    expect(problems).toEqual([problem]);
    expect(report.warnings).toEqual(['Said once.']);
    expect(report.totals).toMatchObject({ requests: 8, passed: 8 - unfinished, unfinished });
    const lost = report.iterations.flatMap((one) => one.requests.filter(({ state }) => state === 'unfinished'));
    expect(lost.at(-1)).toMatchObject({ path: 'wallet/Win', reason: expect.stringMatching(/^Part 2 of 2 (?:is|exists|ended)/) });
    expect(RunReport.safeParse(report).success).toBe(true);
  });

  it.each<[string, PartFile]>([
    ['version of Croupier', file(2, { part: { version: '2.0.0' } })],
    ['number of parts', file(2, { part: { of: 3 } })],
    ['collection', file(2, { start: { collection: 'Other' } })],
    ['environment', file(2, { start: { environment: 'Live' } })],
    ['plan', file(2, { part: { plan: 'def' } })],
  ])('of another %s are refused', (what, other) => {
    expect(() => mergeParts([file(1), other])).toThrow(`part-2 has a different ${what} from part-1`);
  });

  it('are refused if there is none, or if a file is no part', () => {
    expect(() => mergeParts([])).toThrow('There are no parts of a run here');
    for (const text of ['', 'x', '{"start":{}}\n', '{"end":1}\n'])
      expect(() => mergeParts([{ path: 'p', bytes: Buffer.from(text) }]), text).toThrow('p is not a part of a run');
    const whole = Buffer.from(
      Buffer.from(file(1).bytes)
        .toString()
        .replace(/"part":\{.*?\]\}/, '"repeat":1'),
    );
    expect(() => mergeParts([{ path: 'p', bytes: whole }])).toThrow('p is not a part of a run');
  });
});
