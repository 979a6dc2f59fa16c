import type { PlannedProbe, ProbeId } from '../ipc/outputs/probes.ts';
import { ladder, mostZoneCalls } from './plan.ts';
import { payloads } from './probe.ts';
import type { ProbeGround } from './probe.ts';

type Question = Omit<PlannedProbe, 'id'>;

const formSent = `getGameRound with ${payloads.forms.sent}`;
const noForm = 'Another form of data is tried.';
/** A question and its negative control. */
const withControl = 2;

/** Most are asked where the answers before them leave something open. */
const usual = (operation: Question['operation']) => ({ operation, when: 'ifNeeded', calls: withControl }) as const;

/** The questions in words, in the order in which they are asked. A yes is any code but 8, once a wrong hash of the same body got 8. */
const questions: Readonly<Record<ProbeId, Question>> = {
  wrongHash: {
    operation: 'gameList',
    question: 'Is a wrong hash rejected with code 8?',
    sends: 'gameList with a hash of zeros',
    yes: 'The provider checks the hash, so any other code means that a hash passed.',
    no: 'Nothing more can be learned about the hash. Code 9 means that platform or partnerId is wrong.',
    prior: 0.95,
    when: 'always',
    calls: 1,
  },
  right: {
    operation: 'gameList',
    question: 'Does gameList pass, as this environment sends it?',
    sends: 'gameList with the hash of key and time',
    yes: 'The key is right, and so is time, as far as the provider looks at it.',
    no: 'The key or the time is wrong. Other times are tried.',
    prior: 0.5,
    when: 'always',
    calls: 1,
  },
  otherOrder: {
    ...usual('gameList'),
    question: 'Does gameList pass with the other order of day and year?',
    sends: 'gameList, with time in the other order',
    yes: 'gameList accepts the other order.',
    no: 'gameList does not accept the other order.',
    prior: 0.4,
  },
  serverClock: {
    ...usual('gameList'),
    question: "Does gameList pass with the time of the server's clock?",
    sends: 'gameList, with time by the Date header of the first response, in both orders',
    yes: 'The clock of this machine is wrong for this provider.',
    no: 'The difference of the clocks is not the reason.',
    prior: 0.3,
    calls: withControl + 1,
  },
  otherZone: {
    operation: 'gameList',
    question: 'Does gameList pass with the time of another zone?',
    sends: 'gameList, with time at each other offset from UTC, in both orders, until one passes',
    yes: 'The provider reads time in another zone.',
    no: 'This zone is not the reason.',
    prior: 0.05,
    when: 'moved',
    calls: mostZoneCalls,
  },
  bothWrong: {
    operation: 'gameList',
    question: 'Is the hash checked before platform and partnerId?',
    sends: 'gameList with a wrong platform and a hash of zeros',
    yes: 'The hash is checked first: code 8.',
    no: 'platform and partnerId are checked first: code 9.',
    prior: 0.3,
    when: 'always',
    calls: 1,
  },
  otherKey: {
    ...usual('gameList'),
    question: 'Does gameList pass with the key of another environment?',
    sends: 'gameList, hashed with the key of each other environment at this base URL',
    yes: 'The provider knows the other key under this platform and partnerId.',
    no: 'It is not this key.',
    prior: 0.2,
    calls: 1,
  },
  timeWord: {
    ...usual('gameList'),
    question: 'Does a word pass as time?',
    sends: 'gameList with the word probe as time, hashed as sent',
    yes: 'time is only hashed: neither zone, nor order, nor clock can be the reason for a code 8.',
    no: 'The provider reads time.',
    prior: 0.5,
  },
  data: {
    ...usual('getGameRound'),
    question: 'Does plain data pass?',
    sends: `getGameRound with ${payloads.plain}`,
    yes: 'The hash covers key, time and data, without anything between.',
    no: 'The other order of time is tried, and a hash without data.',
    prior: 0.9,
  },
  dataOtherOrder: {
    ...usual('getGameRound'),
    question: 'Does getGameRound pass with the other order of day and year?',
    sends: 'getGameRound, with time in the other order',
    yes: 'getGameRound accepts the other order.',
    no: 'getGameRound does not accept the other order.',
    prior: 0.4,
  },
  noData: {
    ...usual('getGameRound'),
    question: 'Is data left out of the hash?',
    sends: 'getGameRound, hashed without data',
    yes: 'The hash covers key and time alone.',
    no: 'The provider joins key, time and data in a way that this plan does not know.',
    prior: 0.1,
  },
  escaped: {
    ...usual('getGameRound'),
    question: 'Is data encoded again, with \\u escapes and bare slashes?',
    sends: `${formSent}, hashed as ${payloads.forms.escaped}`,
    yes: 'data is decoded and encoded again as PHP does it with JSON_UNESCAPED_SLASHES.',
    no: noForm,
    prior: 0.5,
  },
  received: {
    ...usual('getGameRound'),
    question: 'Is data hashed as it arrives?',
    sends: `${formSent}, hashed as sent`,
    yes: 'The text of data is hashed as it arrives, so each form of it passes.',
    no: noForm,
    prior: 0.5,
    calls: 1,
  },
  bare: {
    ...usual('getGameRound'),
    question: 'Is data encoded again, with bare non-ASCII characters?',
    sends: `${formSent}, hashed as ${payloads.forms.bare}`,
    yes: 'data is encoded again as PHP does it with JSON_UNESCAPED_UNICODE and JSON_UNESCAPED_SLASHES.',
    no: noForm,
    prior: 0.6,
    calls: 1,
  },
  slashes: {
    ...usual('getGameRound'),
    question: 'Is data encoded again, with escaped slashes?',
    sends: `${formSent}, hashed as ${payloads.forms.slashes}`,
    yes: 'Slashes are escaped before the hash, which the spec says they are not.',
    no: noForm,
    prior: 0.3,
    calls: 1,
  },
  bareSlashes: {
    ...usual('getGameRound'),
    question: 'Is data encoded again, with escaped slashes and bare non-ASCII characters?',
    sends: `${formSent}, hashed as ${payloads.forms.bareSlashes}`,
    yes: 'Slashes are escaped before the hash, which the spec says they are not.',
    no: 'The provider hashes data in a form that this plan does not know, or without the field that it does not list.',
    prior: 0.3,
    calls: 1,
  },
  arrays: {
    ...usual('getGameRound'),
    question: 'Are objects decoded as associative arrays?',
    sends: `getGameRound with ${payloads.object.sent}, hashed as ${payloads.object.arrays}`,
    yes: 'An empty object is hashed as [], and one with the keys 0, 1, 2 as a list.',
    no: 'It is asked next if objects stay objects.',
    prior: 0.6,
  },
  objects: {
    ...usual('getGameRound'),
    question: 'Do objects stay objects?',
    sends: `getGameRound with ${payloads.object.sent}, hashed as sent`,
    yes: 'An empty object is hashed as {}.',
    no: 'An empty object is hashed in a form that this plan does not know.',
    prior: 0.9,
  },
  shortNumber: {
    ...usual('getGameRound'),
    question: 'Is 1.0 hashed as 1?',
    sends: `getGameRound with ${payloads.number.sent}, hashed as ${payloads.number.short}`,
    yes: 'Decimals are written in their shortest form, as PHP does: send 1, not 1.0.',
    no: 'It is asked next if 1.0 stays as it is.',
    prior: 0.8,
  },
  longNumber: {
    ...usual('getGameRound'),
    question: 'Is 1.0 hashed as 1.0?',
    sends: `getGameRound with ${payloads.number.sent}, hashed as sent`,
    yes: 'A decimal keeps its zero.',
    no: 'A decimal is hashed in a form that this plan does not know.',
    prior: 0.9,
  },
  replay: {
    ...usual('roundReplayInfo'),
    question: 'Does roundReplayInfo pass?',
    sends: `roundReplayInfo with ${payloads.plain}, with time in the order of this environment, or in the one that passed before`,
    yes: 'roundReplayInfo accepts this order.',
    no: 'roundReplayInfo does not accept this order.',
    prior: 0.7,
  },
  replayOtherOrder: {
    ...usual('roundReplayInfo'),
    question: 'Does roundReplayInfo pass with the other order of day and year?',
    sends: 'roundReplayInfo, with time in the other order',
    yes: 'roundReplayInfo accepts the other order.',
    no: 'roundReplayInfo does not accept the other order.',
    prior: 0.4,
  },
  moved: {
    operation: 'gameList',
    question: 'Does a time pass that is ahead of now, or behind it?',
    sends: 'gameList, with time moved by 5 seconds to a day, halving the range on both sides',
    yes: 'This difference is accepted.',
    no: 'This difference is rejected.',
    prior: 0.5,
    when: 'moved',
    calls: 2 * withControl * Math.ceil(Math.log2(ladder.length + 1)),
  },
  control: {
    ...usual('gameList'),
    question: 'Is a wrong hash rejected with code 8 for this body, too?',
    sends: 'The body that passed, with a hash of zeros',
    yes: 'The hash of this body is checked, so the yes before it counts.',
    no: 'Another code comes whatever the hash is, so the yes before it proves nothing.',
    prior: 0.95,
    // Counted with each question.
    calls: 0,
  },
  again: {
    ...usual('gameList'),
    question: 'Does the call that passed at the beginning still pass?',
    sends: 'gameList once more',
    yes: 'Nothing changed at the provider meanwhile.',
    no: 'Something changed meanwhile, so nothing is concluded.',
    prior: 0.95,
    calls: 1,
  },
};

export function questionOf(id: ProbeId): Question {
  return questions[id];
}

/** Returns the plan as it is shown before anything is sent. */
export function plannedProbes({ otherKeys }: Pick<ProbeGround, 'otherKeys'>): PlannedProbe[] {
  const planned = (Object.keys(questions) as ProbeId[]).map((id) => ({ id, ...questions[id] }));
  return planned.flatMap((one) => {
    if (one.id !== 'otherKey') return [one];
    return otherKeys.length === 0 ? [] : [{ ...one, calls: otherKeys.length }];
  });
}

/** Returns the most calls that a plan sends. */
export function mostCalls(ground: Pick<ProbeGround, 'otherKeys' | 'moved'>): number {
  return plannedProbes(ground).reduce((sum, { when, calls }) => sum + (when === 'moved' && !ground.moved ? 0 : calls), 0);
}
