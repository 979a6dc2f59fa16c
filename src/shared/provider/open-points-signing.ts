import { serviceNames } from '../model/operations.ts';
import { choice, type OpenPointFacts, type OpenPointId } from './model.ts';
import type { OperationName } from '../model/operations.ts';

const withData: readonly OperationName[] = serviceNames.filter((name) => name !== 'gameList');

const timeOrders = choice({ dmy: 'Day first: dd-mm-yyyy hh:mm:ss', ymd: 'Year first: yyyy-mm-dd hh:mm:ss' });

/** Points about the envelope: time, identity and hash. */
export const signingPoints = {
  'time.order': {
    title: 'Order of day and year in time',
    basis: 'notShown',
    section: 'Request envelope',
    operations: serviceNames,
    question:
      'The format of time is given as dd-mm-yyyy hh:mm:ss, and one sample of roundReplayInfo has the year first. Which of the two does each operation accept?',
    meanwhile: 'Croupier writes time day first in every operation, as the declared format says.',
    changes:
      'Croupier writes time in the recorded order. For a single operation, record an answer under its name, such as time.order.getGameRound.',
    answer: timeOrders,
  },
  'time.order.roundReplayInfo': {
    title: 'Time of roundReplayInfo',
    basis: 'notShown',
    section: 'Request envelope',
    operations: ['roundReplayInfo'],
    question:
      'A sample of roundReplayInfo has time with the year first. Does this operation require that order, or accept it as well as the declared one?',
    meanwhile: 'time follows the answer for all operations; without one it is day first.',
    changes: 'Croupier writes time of roundReplayInfo in the recorded order, whatever the other operations use.',
    answer: timeOrders,
  },
  'time.tolerance': {
    title: 'How far time may be off',
    basis: 'notShown',
    section: 'Authentication',
    operations: serviceNames,
    question: 'How far may time differ from your clock before you reject a request, and with which code?',
    meanwhile: 'time is the sending time. A server clock that is off by more than 5 seconds is a finding.',
    changes: 'A server clock that is off by more than the recorded tolerance is a finding that names the tolerance.',
    answer: {
      kind: 'quantity',
      units: [
        { unit: 'seconds', factor: 1 },
        { unit: 'minutes', factor: 60 },
      ],
    },
  },
  'time.zone': {
    title: 'Time zone',
    basis: 'silent',
    section: 'Request envelope',
    operations: serviceNames,
    question: 'In which time zone do you read time and freeRoundValidity, and in which are the times of your responses?',
    meanwhile: "Croupier writes time in the environment's time zone, UTC by default.",
    changes:
      "Croupier compares an expiry with the current time in the recorded zone. Requests say so if the environment's time zone has another time now.",
    answer: { kind: 'zone' },
  },
  'identity.type': {
    title: 'Platform and partnerId as text',
    basis: 'silent',
    section: 'Request envelope',
    operations: serviceNames,
    question: 'platform and partnerId are integers. Do you also accept the same digits in double quotes?',
    meanwhile: 'Croupier sends both as JSON numbers; an override can send strings.',
    changes: 'The steps for code 9 say whether digits in double quotes can be the cause.',
    answer: choice({
      number: 'Only JSON numbers are accepted',
      either: 'The same digits in double quotes are accepted too',
    }),
  },
  'hash.nonAscii': {
    title: 'Non-ASCII text in the hash',
    basis: 'silent',
    section: 'Authentication',
    operations: withData,
    question:
      'Slashes in the JSON text of data stay unescaped. For characters outside ASCII, do you hash \\u escapes, the characters themselves, or the text as you received it?',
    meanwhile: "Croupier uses the environment's serialization, by default php with \\u escapes.",
    changes:
      'Environments set to php or php-unicode use the recorded form. With "Hashed as received", both are right and the setting stays. verbatim never changes.',
    answer: choice({
      php: 'Escaped, as \\u followed by four digits',
      'php-unicode': 'Unescaped, as the characters themselves',
      received: 'The text as received',
    }),
  },
  'hash.reencode': {
    title: 'Re-encoding before hashing',
    basis: 'silent',
    section: 'Authentication',
    operations: withData,
    question:
      'Do you hash the text of data as it arrives, or decode and encode it again first? If so, do objects stay objects or become associative arrays?',
    meanwhile: 'Croupier tries both ways of decoding before sending and reports the first byte that would change.',
    changes:
      'Croupier tries only the recorded way of decoding before sending. With "as it arrives", no text of data can change, so none is reported.',
    answer: choice({
      received: 'Hashed as received',
      objects: 'Decoded and encoded again, objects stay objects',
      arrays: 'Decoded and encoded again, objects become associative arrays',
    }),
  },
  'hash.noData': {
    title: 'Hash of a request without data',
    basis: 'silent',
    section: 'Authentication',
    operations: withData,
    question:
      'The hash of gameList covers the private key and time alone. What does it cover if data is missing in another operation?',
    meanwhile: 'Without data, Croupier hashes the private key and time, as for gameList.',
    changes: 'A request without data shows whether its hash agrees with the recorded answer.',
    answer: choice({
      keyTime: 'The private key and time alone',
      null: 'The private key, time and the word null',
      object: 'The private key, time and an empty object {}',
      array: 'The private key, time and an empty array []',
    }),
  },
  'checks.order': {
    title: 'What is checked first',
    basis: 'silent',
    section: 'Authentication',
    operations: serviceNames,
    question: 'If both the hash and platform or partnerId are wrong, which code is returned: 8 or 9?',
    meanwhile: 'Croupier explains codes 8 and 9 separately.',
    changes: 'The explanation of code 8 or 9 says which part was checked first and is therefore right.',
    answer: choice({
      identity: 'platform and partnerId before the hash: code 9',
      hash: 'The hash before platform and partnerId: code 8',
    }),
  },
} satisfies Partial<Record<OpenPointId, OpenPointFacts>>;
