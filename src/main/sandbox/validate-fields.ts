import { isIP } from 'node:net';
import type { Field, RequestForm } from '#shared/provider/model.ts';
import { parseTime } from './time-text.ts';
import { type PhpObject, type PhpValue, textOf } from './php-json.ts';

/** The most characters that the values of one list of a combined form may have together (spec, Limits). */
const combinedLimit = 20_000;

/**
 * Validates a payload against the documented fields of a form: presence, type, lengths, values and formats.
 * Returns the first violation as a sentence, or null. `realMode`: whether fields that real mode needs are required.
 */
export function validateFields(form: RequestForm, payload: PhpObject, realMode: boolean): string | null {
  for (const field of form.fields) {
    const fault = validateField(field, payload.get(field.name), realMode);
    if (fault !== null) return `${field.name} ${fault}.`;
  }
  return validateCombined(form.combined ?? [], payload);
}

function validateField(field: Field, value: PhpValue | undefined, realMode: boolean): string | null {
  const needed = field.required === 'realMode' ? realMode : field.required !== 'no';
  if (value === undefined || value === null) return needed ? 'is missing' : null;
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? validateText(field, value, needed) : 'must be a string';
    case 'strings':
      return validateTexts(field, value);
    case 'integer':
    case 'bigint':
      if (typeof value !== 'bigint') return 'must be a whole number of at most 64 bits';
      return field.minimum !== undefined && value < BigInt(field.minimum) ? `must be at least ${field.minimum}` : null;
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number' ? null : 'must be a number';
    case 'boolean':
    case 'json':
      // Only a recorded answer has such a field, and the built-in provider checks only the spec's fields.
      return null;
  }
}

function validateTexts(field: Field, value: PhpValue): string | null {
  if (!Array.isArray(value)) return 'must be an array of strings';
  if (value.length === 0) return 'must not be empty';
  for (const item of value) {
    if (typeof item !== 'string') return 'must be an array of strings';
    const fault = validateText(field, item, true);
    if (fault !== null) return `has a value that ${fault}`;
  }
  return null;
}

function validateText(field: Field, value: string, needed: boolean): string | null {
  if (value === '') return needed && (field.mayBeEmpty !== true || field.required === 'realMode') ? 'must not be empty' : null;
  const length = characters(value);
  if (field.exactLength !== undefined && length !== field.exactLength) return `must have ${field.exactLength} characters`;
  if (field.maxLength !== undefined && length > field.maxLength) return `must have at most ${field.maxLength} characters`;
  if (field.values && !field.values.includes(value)) return `must be one of ${field.values.join(', ')}`;
  return field.format ? validateFormat(field.format, value) : null;
}

function validateFormat(format: NonNullable<Field['format']>, value: string): string | null {
  switch (format) {
    case 'language':
      return /^[a-z]{2}$/.test(value) ? null : 'must be a lowercase ISO 639-1 code';
    case 'country':
      return /^[A-Z]{2}$/.test(value) ? null : 'must be an uppercase ISO 3166-1 code';
    case 'currency':
      return /^[A-Z]{3}$/.test(value) ? null : 'must be an uppercase ISO 4217 code';
    case 'dateTime':
      return parseTime(value) === null ? 'must be a date and time as dd-mm-yyyy hh:mm:ss' : null;
    case 'url':
      return isWebAddress(value) ? null : 'must be empty or an http or https URL';
    case 'digits':
      return /^\d+$/.test(value) ? null : 'must contain only digits';
    case 'ip':
      return isIP(value) > 0 ? null : 'must be an IP address';
  }
}

/** Returns whether a text is an absolute http or https URL, the only target to which a player may be sent. */
function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

function validateCombined(names: readonly string[], payload: PhpObject): string | null {
  const sizes = new Set<number>();
  for (const name of names) {
    const values = payload.get(name);
    if (!Array.isArray(values)) continue;
    const texts = values.map(textOf);
    if (new Set(texts).size < texts.length) return `${name} has a value twice.`;
    const total = texts.reduce((sum, text) => sum + characters(text), 0);
    if (total > combinedLimit) return `${name} has ${total} characters; the limit is ${combinedLimit}.`;
    sizes.add(texts.length);
  }
  return sizes.size > 1 ? `${names.join(' and ')} must have the same number of values.` : null;
}

/** Counts characters as PHP's mb_strlen does, in code points. */
function characters(value: string): number {
  let count = 0;
  for (let index = 0; index < value.length; index += 1) if ((value.charCodeAt(index) & 0xfc00) !== 0xdc00) count += 1;
  return count;
}
