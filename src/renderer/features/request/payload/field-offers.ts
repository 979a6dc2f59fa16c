import type { Environment } from '#shared/model/environment.ts';
import type { Field } from '#shared/provider/model.ts';
import { formatTime } from '#shared/signing/time.ts';
import type { FieldValue } from './form-model.ts';

/** A value that one click puts into a field. */
export interface FieldOffer {
  readonly label: string;
  /** Returns JSON text of the value. */
  readonly json: () => string;
}

const DAY_MS = 86_400_000;

/** Returns the values that can fill a field: the environment's default, a fresh reference, a date from today. */
export function fieldOffers(field: Field, value: FieldValue, environment: Environment | null, now: () => number): FieldOffer[] {
  const offers: FieldOffer[] = [];
  if (field.from !== undefined && environment !== null && field.type === 'string') {
    const usual = environment.defaults[field.from];
    if (value.kind !== 'string' || value.value !== usual) {
      offers.push({ label: usual === '' ? 'Default: empty' : `Default: ${shorten(usual)}`, json: () => JSON.stringify(usual) });
    }
  }
  if (field.unique === true && field.type === 'string') {
    const stem = sampleStem(field);
    offers.push({ label: 'Generate', json: () => JSON.stringify(`${stem}-${now().toString(36)}`) });
  }
  if (field.format === 'dateTime') {
    for (const [days, label] of [
      [1, '+1 day'],
      [7, '+7 days'],
      [30, '+30 days'],
    ] as const) {
      offers.push({ label, json: () => JSON.stringify(dateText(now() + days * DAY_MS, environment)) });
    }
  }
  return offers;
}

/** Returns a date as the fields of requests have it: dd-mm-yyyy hh:mm:ss in the environment's zone. */
function dateText(epochMs: number, environment: Environment | null): string {
  return formatTime(epochMs, environment?.timeZone ?? 'UTC', 'dmy');
}

/** Converts the value of a date picker (`2026-12-31T23:59:30`) to the form of the fields of requests; null for an empty one. */
export function pickedDateText(picked: string): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2}))?/.exec(picked);
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second = '00'] = parts;
  return `${day}-${month}-${year} ${hour}:${minute}:${second}`;
}

/** Converts the text of a field to the value of a date picker; empty if it is not such a date. */
export function pickerValue(text: string): string {
  const parts = /^(\d{2})-(\d{2})-(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text);
  return parts === null ? '' : `${parts[3]}-${parts[2]}-${parts[1]}T${parts[4]}`;
}

function sampleStem(field: Field): string {
  return (
    field.example
      .replace(/^"|"$/g, '')
      .replace(/[-\d]+$/, '')
      .trim() || 'value'
  );
}

function shorten(text: string): string {
  return text.length <= 28 ? text : `${text.slice(0, 27)}…`;
}
