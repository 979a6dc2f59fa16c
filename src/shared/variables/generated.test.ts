import { describe, expect, it } from 'vitest';
import { operationByName, operations, readDateTime } from '../provider/index.ts';
import { createGenerated, type GeneratedDeps } from './generated.ts';

const now = Date.UTC(2026, 10, 20, 10, 15, 30, 999);

function create(deps: Partial<GeneratedDeps> = {}) {
  let count = 0;
  return createGenerated({ environment: { timeZone: 'UTC', answers: {} }, now, newId: () => `id-${++count}`, ...deps });
}

function value(name: string, deps: Partial<GeneratedDeps> = {}): string {
  const result = create(deps).value(name, 'dmy');
  return result.ok ? result.value : `! ${result.message}`;
}

describe('times', () => {
  it('are written in the format of the API', () => {
    expect(value('$time')).toBe('20-11-2026 10:15:30');
    expect(value('$now')).toBe('20-11-2026 10:15:30');
    expect(value('$now+7d')).toBe('27-11-2026 10:15:30');
    expect(value('$now-2h')).toBe('20-11-2026 08:15:30');
    expect(value('$now+90s')).toBe('20-11-2026 10:17:00');
    expect(value('$now+45m')).toBe('20-11-2026 11:00:30');
    expect(value('$now-1w')).toBe('13-11-2026 10:15:30');
    expect(value('$now+0s')).toBe('20-11-2026 10:15:30');
    expect(readDateTime(value('$now+7d'), 'dmy')).toBe(Math.floor(now / 1_000) * 1_000 + 7 * 86_400_000);
  });

  it('may have the year first', () => {
    expect(value('$time:ymd')).toBe('2026-11-20 10:15:30');
    expect(value('$now+7d:ymd')).toBe('2026-11-27 10:15:30');
    expect(create().value('$time', 'ymd')).toEqual({ ok: true, value: '2026-11-20 10:15:30' });
    expect(create().value('$now-2h:dmy', 'ymd')).toEqual({ ok: true, value: '20-11-2026 08:15:30' });
  });

  it('are in the zone of the environment, with days of 24 hours', () => {
    const berlin = { environment: { timeZone: 'Europe/Berlin', answers: {} }, now: Date.UTC(2026, 9, 24, 12) };
    expect(value('$time', berlin)).toBe('24-10-2026 14:00:00');
    expect(value('$now+1d', berlin)).toBe('25-10-2026 13:00:00');
  });

  it('take the order of an operation from the recorded answers', () => {
    const answers = { 'time.order.roundReplayInfo': { value: 'ymd', note: '' } };
    const generated = create({ environment: { timeZone: 'UTC', answers } });
    expect(generated.timeOrderOf(operationByName('roundReplayInfo'))).toBe('ymd');
    expect(generated.timeOrderOf(operationByName('freeRounds'))).toBe('dmy');
  });

  it('say what is wrong', () => {
    expect(value('$now+7')).toContain('A unit is missing. Write s (seconds)');
    expect(value('$now+1M')).toContain('Months and years differ in length.');
    expect(value('$now+1constructor')).toContain('There is no unit constructor.');
    expect(value('$now+9999999999d')).toContain('outside the years 1000 to 9999');
    expect(value(`$now-${'9'.repeat(400)}d`)).toContain('outside the years');
    expect(value('$time+7d')).toBe('! Only $now takes an offset: write {{$now+7d}}.');
    expect(value('$time:iso')).toContain('write dmy (dd-mm-yyyy hh:mm:ss) or ymd');
    expect(value('$time', { environment: { timeZone: 'Mars/Base', answers: {} } })).toContain('Unknown time zone: Mars/Base');
  });
});

describe('ids', () => {
  it('are fresh each time, and the same under one name', () => {
    const generated = create();
    const ids = ['$uniqueId', '$uniqueId', '$uniqueId:bet', '$uniqueId:win', '$uniqueId:bet'].map((name) =>
      generated.value(name, 'dmy'),
    );
    expect(ids.map((id) => id.ok && id.value)).toEqual(['id-1', 'id-2', 'id-3', 'id-4', 'id-3']);
  });

  it('share their names through a pass', () => {
    const namedIds = new Map<string, string>();
    const first = value('$uniqueId:bet', { namedIds, newId: () => 'one' });
    expect(value('$uniqueId:bet', { namedIds, newId: () => 'two' })).toBe(first);
    expect(value('$uniqueId', { namedIds, newId: () => 'two' })).toBe('two');
  });

  it('fit the fields that must be unique', () => {
    const lengths = operations.flatMap(({ forms }) =>
      forms.flatMap(({ fields }) => fields.flatMap(({ unique, maxLength }) => (unique === true ? (maxLength ?? []) : []))),
    );
    expect(lengths).toContain(100);
    expect(value('$uniqueId', { newId: () => crypto.randomUUID() }).length).toBeLessThanOrEqual(Math.min(...lengths));
  });

  it('need a name behind the colon', () => {
    expect(value('$uniqueId:')).toContain('Write a name after the colon');
  });
});

it('has a way to write two braces', () => {
  expect(value('$braces')).toBe('{{');
});

it('names what there is', () => {
  expect(value('$tme')).toBe(
    '! There is no generated value $tme. Did you mean $time? Use $uniqueId, $uniqueId:name, $time, $now+7d, $now-2h:ymd or $braces.',
  );
  expect(value('$uniqueid')).toContain('Did you mean $uniqueId?');
  for (const name of ['$', '$timestamp2', '$__proto__', '$now+', '$now+d', '$braces:x', '$now++7d', '$uniqueId+1d']) {
    expect(value(name), name).toContain('There is no generated value');
  }
});
