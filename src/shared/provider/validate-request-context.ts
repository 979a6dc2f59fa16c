import { formatTime, isTimeZone } from '../signing/time.ts';
import { readDateTime } from './date-time.ts';
import { recordedAnswer } from './recorded-answers.ts';
import { answerOf, routeOf, timeOrderOf } from './wire-form.ts';
import { shown, type FindingList, type Rule } from './findings.ts';
import type { Operation } from './model.ts';
import type { RequestContext } from './request-context.ts';

/** Validates the request's time zone, wallet URL, and hash without data against the recorded answers. */
export function validateSurroundings(list: FindingList, operation: Operation, blank: boolean, context: RequestContext): void {
  if (routeOf(operation, context.answers)?.signed === true) {
    validateZone(list, context);
    validateTime(list, operation, context);
    if (blank && operation.payload === 'data') validateNoData(list, context);
  }
  if (operation.endpoint === 'wallet') validateWalletUrl(list, context);
}

function add(list: FindingList, severity: 'warning' | 'note', rule: Rule, message: string): void {
  list.add(rule, '', () => ({ severity, path: '', message }));
}

function validateZone(list: FindingList, { answers, timeZone, now, overrides }: RequestContext): void {
  // Croupier does not know the zone of a time set by hand.
  if (overrides.time !== undefined) return;
  const recorded = answerOf('time.zone', answers);
  if (recorded === null || !isTimeZone(timeZone)) return;
  if (formatTime(now, recorded, 'dmy') === formatTime(now, timeZone, 'dmy')) return;
  const message = `time is written in ${timeZone}, the environment's zone. The recorded zone is ${recorded}, where the time differs now.`;
  add(list, 'warning', 'time-zone', message);
}

/** Validates a time that was set by hand. One with a variable is checked once the variable has its value. */
function validateTime(list: FindingList, operation: Operation, { answers, overrides }: RequestContext): void {
  const { time, omit = [] } = overrides;
  if (time === undefined || omit.includes('time') || time.includes('{{')) return;
  const order = timeOrderOf(operation, answers);
  const own = operation.openPoints.find((id) => id === `time.order.${operation.name}`);
  const isOpen = own !== undefined && recordedAnswer(own, answers).state !== 'valid';
  if (readDateTime(time, order) !== null || (isOpen && readDateTime(time, 'ymd') !== null)) return;
  const form = order === 'dmy' ? 'dd-mm-yyyy' : 'yyyy-mm-dd';
  add(
    list,
    'warning',
    'time-format',
    `time ${JSON.stringify(shown(time))} is not written ${form} hh:mm:ss. It is sent and hashed as typed.`,
  );
}

const covers = {
  keyTime: 'the private key and time alone',
  null: 'the private key, time and null',
  object: 'the private key, time and {}',
  array: 'the private key, time and []',
} as const;

function validateNoData(list: FindingList, { answers }: RequestContext): void {
  const recorded = answerOf('hash.noData', answers);
  if (recorded === null || !Object.hasOwn(covers, recorded)) return;
  const words = covers[recorded as keyof typeof covers];
  const sent = `Without data, the hash covers ${covers.keyTime}.`;
  if (recorded === 'keyTime') add(list, 'note', 'no-data', `${sent} This agrees with the recorded answer.`);
  else add(list, 'warning', 'no-data', `${sent} According to the recorded answer, the provider expects ${words}.`);
}

function validateWalletUrl(list: FindingList, { answers, walletUrl }: RequestContext): void {
  if (walletUrl !== '' || answerOf('wallet.host', answers) !== 'operator') return;
  const message =
    "According to the recorded answer, the operator hosts the wallet methods. This environment has no wallet URL, so the request goes to the provider's base URL.";
  add(list, 'warning', 'wallet-host', message);
}
