import { fitsSigned64 } from '../json/decimal.ts';
import { formatTime, isTimeZone } from '../signing/time.ts';
import { answerOf } from './wire-form.ts';
import { readDateTime } from './date-time.ts';
import { countCharacters, counted, shown } from './findings.ts';
import { isoStanding } from './iso-codes.ts';
import { describeNode, fieldSpot, itemSpot, report } from './payload-findings.ts';
import type { JsonArray, JsonNode, JsonNumber } from '../json/parse.ts';
import type { RequestContext } from './request-context.ts';
import type { FindingList } from './findings.ts';
import type { Answers, Field } from './model.ts';
import type { Spot } from './payload-findings.ts';

/** Checks the value of one field against the spec. */
export function validateValue(list: FindingList, field: Field, node: JsonNode, context: RequestContext | null): void {
  const spot = fieldSpot(field.name, node);
  if (field.type === 'string') {
    if (node.kind === 'string') validateText(list, field, node.value, spot, context);
    else wrongType(list, field, 'a string in double quotes', node, spot);
  } else if (field.type === 'strings') {
    if (node.kind === 'array') validateItems(list, field, node, spot);
    else wrongType(list, field, 'an array of strings', node, spot);
  } else if (field.type === 'json') {
    return;
  } else if (field.type === 'boolean') {
    if (node.kind !== 'true' && node.kind !== 'false') wrongType(list, field, 'true or false', node, spot);
  } else if (field.orText === true && node.kind === 'string') {
    validateDigits(list, field, node.value, spot);
  } else if (node.kind !== 'number') {
    wrongType(list, field, field.type === 'number' ? 'a number' : 'an integer', node, spot);
  } else if (field.type === 'number') {
    validateNumber(list, field, node, spot, context?.answers ?? {});
  } else {
    validateWhole(list, field, node, spot);
  }
}

function wrongType(list: FindingList, field: Field, expected: string, node: JsonNode, spot: Spot): void {
  report(list, 'warning', 'type', spot, `${field.name} must be ${expected}; this is ${describeNode(node)}.`);
}

function validateText(list: FindingList, field: Field, value: string, spot: Spot, context: RequestContext | null): void {
  if (value === '') {
    if (field.mayBeEmpty !== true && field.required !== 'realMode') {
      report(list, field.required === 'yes' ? 'warning' : 'note', 'empty', spot, `${field.name} is empty.`);
    }
    return;
  }
  if (validateLength(list, field, field.name, value, spot)) return;
  if (field.values !== undefined && !field.values.includes(value)) {
    report(list, 'warning', 'value', spot, `${field.name} must be ${field.values.join(' or ')}; this is "${shown(value)}".`);
  }
  validateFormat(list, field, value, spot, context);
}

/** Checks the length. Returns true if it is wrong, so that no further finding is needed. */
function validateLength(list: FindingList, field: Field, label: string, value: string, spot: Spot): boolean {
  const { exactLength, maxLength } = field;
  if (exactLength === undefined && maxLength === undefined) return false;
  const length = countCharacters(value);
  if (exactLength !== undefined && length !== exactLength) {
    report(list, 'warning', 'exact-length', spot, `${label} must have ${exactLength} characters; this has ${counted(length)}.`);
    return true;
  }
  if (maxLength !== undefined && length > maxLength) {
    const message = `${label} must have at most ${counted(maxLength)} characters; this has ${counted(length)}.`;
    report(list, 'warning', 'too-long', spot, message);
    return true;
  }
  return false;
}

const isoLists = {
  language: 'ISO 639-1 language code',
  country: 'ISO 3166-1 alpha-2 country code',
  currency: 'ISO 4217 currency code',
} as const;

function validateFormat(list: FindingList, field: Field, value: string, spot: Spot, context: RequestContext | null): void {
  switch (field.format) {
    case undefined:
      return;
    case 'language':
    case 'country':
    case 'currency':
      validateCode(list, field.format, value, spot);
      return;
    case 'dateTime':
      validateDateTime(list, field, value, spot, context);
      return;
    case 'digits':
      validateDigits(list, field, value, spot);
      return;
    case 'ip':
      if (!isIpAddress(value)) report(list, 'warning', 'ip', spot, `"${shown(value)}" is not an IP address.`);
      return;
    case 'url':
      if (!/^https:\/\/[^/?#\s]+/i.test(value)) {
        const message = /^http:\/\/[^/?#\s]+/i.test(value)
          ? `${field.name} uses http. HTTPS is customary, but the spec doesn't require it here.`
          : `${field.name} is not a web URL.`;
        report(list, 'note', 'url', spot, message);
      }
  }
}

function validateCode(list: FindingList, format: 'language' | 'country' | 'currency', value: string, spot: Spot): void {
  const standing = isoStanding(format, value);
  if (standing === 'listed') return;
  if (standing === 'withdrawn') {
    report(list, 'note', format, spot, `${value} was withdrawn from ISO 4217 in recent years.`);
    return;
  }
  const right = format === 'language' ? value.toLowerCase() : value.toUpperCase();
  const written = standing === 'case' ? `; write ${right}` : '';
  const custom = format === 'currency' ? ' ISO 4217 is customary here; the spec requires it only in the currency list.' : '';
  report(list, 'warning', format, spot, `"${shown(value)}" is not an ${isoLists[format]}${written}.${custom}`);
}

function validateDigits(list: FindingList, field: Field, value: string, spot: Spot): void {
  if (/^(?:0|[1-9]\d*)$/.test(value)) return;
  report(list, 'warning', 'digits', spot, `${field.name} must be digits only; this is "${shown(value)}".`);
}

function validateDateTime(list: FindingList, field: Field, value: string, spot: Spot, context: RequestContext | null): void {
  const at = readDateTime(value, 'dmy');
  if (at === null) {
    const reason = /^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/.test(value)
      ? 'this day or time does not exist'
      : readDateTime(value, 'ymd') === null
        ? 'this has another format'
        : 'this has the year first';
    report(list, 'warning', 'date-time', spot, `${field.name} must be a date and time as dd-mm-yyyy hh:mm:ss; ${reason}.`);
    return;
  }
  if (context === null) return;
  const recordedZone = answerOf('time.zone', context.answers);
  const zone = recordedZone ?? context.timeZone;
  if (!isTimeZone(zone)) return;
  const now = readDateTime(formatTime(context.now, zone, 'dmy'), 'dmy');
  if (now === null || at >= now) return;
  const basis = recordedZone === null ? 'the spec states no zone' : 'the recorded zone';
  const expired = field.name === 'freeRoundValidity' ? answerOf('freeRounds.expired', context.answers) : null;
  const outcome = {
    rejected: ' According to the recorded answer, the request is rejected.',
    accepted: ' According to the recorded answer, it is accepted and gives nothing to play.',
  }[expired ?? ''];
  const message = `${field.name} is in the past in ${zone} (${basis}).${outcome ?? ''}`;
  report(list, expired === 'rejected' ? 'warning' : 'note', 'in-the-past', spot, message);
}

/** Returns whether a text is IPv4 in dotted decimals, or IPv6 with at most one `::` and an optional IPv4 tail. */
export function isIpAddress(text: string): boolean {
  const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
  const v4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`);
  if (v4.test(text)) return true;
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1)?.at(-1) ?? '';
  let count = groups.flat().length;
  if (last.includes('.')) {
    if (!v4.test(last)) return false;
    groups.at(-1)?.pop();
    count++;
  }
  if (!groups.flat().every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}

function validateItems(list: FindingList, field: Field, node: JsonArray, spot: Spot): void {
  if (node.items.length === 0) {
    report(list, field.required === 'yes' ? 'warning' : 'note', 'empty', spot, `${field.name} is empty.`);
  }
  for (const [index, item] of node.items.entries()) {
    if (item.kind !== 'string') {
      const message = `${field.name} must contain strings in double quotes; this is ${describeNode(item)}.`;
      report(list, 'warning', 'type', itemSpot(field.name, index, item), message);
    } else if (item.value === '') {
      report(list, 'warning', 'empty', itemSpot(field.name, index, item), `${field.name} contains an empty string.`);
    } else if (field.maxLength !== undefined || field.exactLength !== undefined) {
      validateLength(list, field, `A value of ${field.name}`, item.value, itemSpot(field.name, index, item));
    }
  }
}

function validateNumber(list: FindingList, field: Field, node: JsonNumber, spot: Spot, answers: Answers): void {
  const value = Number(node.text);
  if (!Number.isFinite(value)) {
    report(list, 'warning', 'number-range', spot, `${field.name} is too large for a number: PHP reads it as infinite.`);
    return;
  }
  validateMinimum(list, field, value, spot);
  if (field.money === true && !Number.isInteger(value) && answerOf('amounts.unit', answers) === 'minor') {
    const message = `${field.name} has decimals, but the recorded unit is minor units.`;
    report(list, 'warning', 'amount-unit', spot, message);
  }
}

function validateWhole(list: FindingList, field: Field, node: JsonNumber, spot: Spot): void {
  if (/[.eE]/.test(node.text)) {
    const message = `${field.name} must be an integer; ${shown(node.text)} has a decimal point or an exponent.`;
    report(list, 'warning', 'whole-number', spot, message);
    return;
  }
  if (!fitsSigned64(node.text)) {
    const message = `${field.name} exceeds a signed 64-bit integer: PHP makes it a float and loses digits.`;
    report(list, 'warning', 'integer-range', spot, message);
    return;
  }
  validateMinimum(list, field, Number(node.text), spot);
}

function validateMinimum(list: FindingList, field: Field, value: number, spot: Spot): void {
  if (field.minimum !== undefined && value < field.minimum) {
    report(
      list,
      'warning',
      'minimum',
      spot,
      `${field.name} is below ${field.minimum}. The spec states no limit, but a lower value has no meaning.`,
    );
  }
}
