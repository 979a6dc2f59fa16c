import { AppError } from '../errors.ts';
import type { Environment } from '../model/environment.ts';
import { timeOrderOf, type Operation } from '../provider/index.ts';
import { formatTime, type TimeOrder } from '../signing/time.ts';
import { suggestion } from '../suggestion.ts';
import { shortName } from '../payload-text/placeholders.ts';

type GeneratedValue = { ok: true; value: string } | { ok: false; message: string };

/** Generated values, whose names begin with `$`, for one request. All its times are of the same moment. */
export type Generated = ReturnType<typeof createGenerated>;

export interface GeneratedDeps {
  readonly environment: Pick<Environment, 'timeZone' | 'answers'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Returns a fresh ID of at most 100 characters each time (spec, Limits: externalReferenceId), such as `crypto.randomUUID()`. */
  readonly newId: () => string;
  /** Named IDs: one map for all requests of an iteration, which share them. */
  readonly namedIds?: Map<string, string>;
}

/** Names for suggestions. */
export const generatedNames = ['$uniqueId', '$time', '$now', '$braces'];

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const form = /^\$([A-Za-z]\w*)(?:([+-])(\d+)([A-Za-z]*))?(?::([\w.-]*))?$/;

// A year of four digits in every time zone.
const earliest = Date.UTC(1000, 0, 2);
const latest = Date.UTC(9999, 11, 30);

export function createGenerated({ environment, now, newId, namedIds = new Map() }: GeneratedDeps) {
  function uniqueId(label: string | undefined): GeneratedValue {
    if (label === undefined) return { ok: true, value: newId() };
    if (label === '') return refuse('Write a name after the colon, as in {{$uniqueId:bet}}, or leave the colon out.');
    const value = namedIds.get(label) ?? newId();
    namedIds.set(label, value);
    return { ok: true, value };
  }

  function time(epochMs: number, order: string): GeneratedValue {
    if (order !== 'dmy' && order !== 'ymd') {
      return refuse('After the colon of a time, write dmy (dd-mm-yyyy hh:mm:ss) or ymd (yyyy-mm-dd hh:mm:ss).');
    }
    if (!(epochMs > earliest && epochMs < latest)) return refuse('This is outside the years 1000 to 9999. Use a smaller number.');
    try {
      return { ok: true, value: formatTime(epochMs, environment.timeZone, order) };
    } catch (error) {
      if (error instanceof AppError) return refuse(`${error.message}.`);
      throw error;
    }
  }

  return {
    /** Returns the value of a name such as `$uniqueId`, `$uniqueId:bet` or `$now+7d:ymd`. `timeOrder` applies to times without an order. */
    value(name: string, timeOrder: TimeOrder): GeneratedValue {
      const [, base = '', sign, amount, unit = '', label] = form.exec(name) ?? [];
      if (base === 'now' && sign !== undefined) {
        const scale = Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined;
        if (scale === undefined) return refuse(explainUnit(unit));
        return time(now + (sign === '-' ? -1 : 1) * Number(amount) * scale, label ?? timeOrder);
      }
      if (sign === undefined) {
        if (base === 'now' || base === 'time') return time(now, label ?? timeOrder);
        if (base === 'uniqueId') return uniqueId(label);
        if (base === 'braces' && label === undefined) return { ok: true, value: '{{' };
      }
      if (sign !== undefined && base === 'time') return refuse('Only $now takes an offset: write {{$now+7d}}.');
      const near = generatedNames.includes(`$${base}`) ? '' : suggestion(name, generatedNames);
      const known = 'Use $uniqueId, $uniqueId:name, $time, $now+7d, $now-2h:ymd or $braces.';
      return refuse(`There is no generated value ${shortName(name)}.${near} ${known}`);
    },
    /** Returns the order of the envelope's `time` in an operation. */
    timeOrderOf: (operation: Operation): TimeOrder => timeOrderOf(operation, environment.answers),
  };
}

function refuse(message: string): GeneratedValue {
  return { ok: false, message };
}

function explainUnit(unit: string): string {
  const units = 'Write s (seconds), m (minutes), h (hours), d (days of 24 hours) or w (weeks)';
  if (unit === '') return `A unit is missing. ${units}, as in {{$now+7d}}.`;
  return unit === 'M' || unit === 'y'
    ? `Months and years differ in length. ${units}.`
    : `There is no unit ${shortName(unit)}. ${units}.`;
}
