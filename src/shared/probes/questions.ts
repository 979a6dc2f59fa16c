import type { PlannedProbe, ProbeId } from '../ipc/outputs/probes.ts';
import { ladder, mostZoneCalls } from './plan.ts';
import { payloads } from './probe.ts';
import type { ProbeGround } from './probe.ts';

type Question = Omit<PlannedProbe, 'id'>;

const formSent = `getGameRound with ${payloads.forms.sent}`;
const noForm = 'The plan tries another form of data.';
/** A question and its negative control. */
const withControl = 2;

/** Most are asked where the answers before them leave something open. */
const usual = (operation: Question['operation']) => ({ operation, when: 'ifNeeded', calls: withControl }) as const;

/** The questions in words, in the order in which they are asked. A yes is any code but 8, once a wrong hash of the same body got 8. */
const questions: Readonly<Record<ProbeId, Question>> = {
  wrongHash: {
    operation: 'gameList',
    question: 'Does a wrong hash get code 8?',
    sends: 'gameList with a hash of zeros',
    yes: 'The provider checks the hash, so any other code means that a hash passed.',
    no: "The plan can't learn more about the hash. Code 9 means that platform or partnerId is wrong.",
    prior: 0.95,
    when: 'always',
    calls: 1,
  },
  right: {
    operation: 'gameList',
    question: 'Does gameList pass, as this environment sends it?',
    sends: 'gameList with the hash of key and time',
    yes: 'The key is right, and so is time, as far as the provider checks it.',
    no: 'The key or the time is wrong. The plan tries other times.',
    prior: 0.5,
    when: 'always',
    calls: 1,
  },
  otherOrder: {
    ...usual('gameList'),
    question: 'Does gameList pass with day and year swapped?',
    sends: 'gameList, with time in the other order',
    yes: 'gameList accepts the other order.',
    no: "gameList doesn't accept the other order.",
    prior: 0.4,
  },
  serverClock: {
    ...usual('gameList'),
    question: "Does gameList pass with the server's time?",
    sends: "gameList with the time of the first response's Date header, in both orders",
    yes: "This machine's clock is wrong for this provider.",
    no: "The clocks aren't the reason.",
    prior: 0.3,
    calls: withControl + 1,
  },
  otherZone: {
    operation: 'gameList',
    question: 'Does gameList pass in another time zone?',
    sends: 'gameList with time at each other offset from UTC, in both orders, until one passes',
    yes: 'The provider reads time in another zone.',
    no: "It isn't this zone.",
    prior: 0.05,
    when: 'moved',
    calls: mostZoneCalls,
  },
  bothWrong: {
    operation: 'gameList',
    question: 'Does the provider check the hash before platform and partnerId?',
    sends: 'gameList with a wrong platform and a hash of zeros',
    yes: 'The provider checks the hash first: code 8.',
    no: 'The provider checks platform and partnerId first: code 9.',
    prior: 0.3,
    when: 'always',
    calls: 1,
  },
  otherKey: {
    ...usual('gameList'),
    question: 'Does gameList pass with the key of another environment?',
    sends: 'gameList, hashed with the key of each other environment at this base URL',
    yes: 'The provider has the other key for this platform and partnerId.',
    no: "It isn't this key.",
    prior: 0.2,
    calls: 1,
  },
  timeWord: {
    ...usual('gameList'),
    question: 'Does a word pass as time?',
    sends: 'gameList with the word probe as time, hashed as sent',
    yes: "The provider only hashes time: zone, order and clock can't be the reason for code 8.",
    no: 'The provider reads time.',
    prior: 0.5,
  },
  data: {
    ...usual('getGameRound'),
    question: 'Does plain data pass?',
    sends: `getGameRound with ${payloads.plain}`,
    yes: 'The hash covers key, time and data, with nothing between.',
    no: 'The plan tries the other order of time, and a hash without data.',
    prior: 0.9,
  },
  dataOtherOrder: {
    ...usual('getGameRound'),
    question: 'Does getGameRound pass with day and year swapped?',
    sends: 'getGameRound, with time in the other order',
    yes: 'getGameRound accepts the other order.',
    no: "getGameRound doesn't accept the other order.",
    prior: 0.4,
  },
  noData: {
    ...usual('getGameRound'),
    question: 'Does the provider leave data out of the hash?',
    sends: 'getGameRound, hashed without data',
    yes: 'The hash covers only key and time.',
    no: "The provider joins key, time and data in a way that this plan doesn't know.",
    prior: 0.1,
  },
  escaped: {
    ...usual('getGameRound'),
    question: 'Does the provider re-encode data, with \\u escapes and unescaped slashes?',
    sends: `${formSent}, hashed as ${payloads.forms.escaped}`,
    yes: 'The provider re-encodes data as PHP does with JSON_UNESCAPED_SLASHES.',
    no: noForm,
    prior: 0.5,
  },
  received: {
    ...usual('getGameRound'),
    question: 'Does the provider hash data as it arrives?',
    sends: `${formSent}, hashed as sent`,
    yes: 'The provider hashes data as it arrives, so every form of it passes.',
    no: noForm,
    prior: 0.5,
    calls: 1,
  },
  bare: {
    ...usual('getGameRound'),
    question: 'Does the provider re-encode data, with unescaped non-ASCII characters?',
    sends: `${formSent}, hashed as ${payloads.forms.bare}`,
    yes: 'The provider re-encodes data as PHP does with JSON_UNESCAPED_UNICODE and JSON_UNESCAPED_SLASHES.',
    no: noForm,
    prior: 0.6,
    calls: 1,
  },
  slashes: {
    ...usual('getGameRound'),
    question: 'Does the provider re-encode data, with escaped slashes?',
    sends: `${formSent}, hashed as ${payloads.forms.slashes}`,
    yes: 'The provider escapes slashes before it hashes, which the spec rules out.',
    no: noForm,
    prior: 0.3,
    calls: 1,
  },
  bareSlashes: {
    ...usual('getGameRound'),
    question: 'Does the provider re-encode data, with escaped slashes and unescaped non-ASCII characters?',
    sends: `${formSent}, hashed as ${payloads.forms.bareSlashes}`,
    yes: 'The provider escapes slashes before it hashes, which the spec rules out.',
    no: "The provider hashes data in a form that this plan doesn't know, or drops the unlisted field.",
    prior: 0.3,
    calls: 1,
  },
  arrays: {
    ...usual('getGameRound'),
    question: 'Does the provider decode objects as associative arrays?',
    sends: `getGameRound with ${payloads.object.sent}, hashed as ${payloads.object.arrays}`,
    yes: 'The provider hashes an empty object as [], and one with the names 0, 1, 2 as an array.',
    no: 'The plan asks next whether objects stay objects.',
    prior: 0.6,
  },
  objects: {
    ...usual('getGameRound'),
    question: 'Do objects stay objects?',
    sends: `getGameRound with ${payloads.object.sent}, hashed as sent`,
    yes: 'The provider hashes an empty object as {}.',
    no: "The provider hashes an empty object in a form that this plan doesn't know.",
    prior: 0.9,
  },
  shortNumber: {
    ...usual('getGameRound'),
    question: 'Does the provider hash 1.0 as 1?',
    sends: `getGameRound with ${payloads.number.sent}, hashed as ${payloads.number.short}`,
    yes: 'The provider writes decimals in their shortest form, as PHP does: send 1, not 1.0.',
    no: 'The plan asks next whether 1.0 stays 1.0.',
    prior: 0.8,
  },
  longNumber: {
    ...usual('getGameRound'),
    question: 'Does the provider hash 1.0 as 1.0?',
    sends: `getGameRound with ${payloads.number.sent}, hashed as sent`,
    yes: 'The provider keeps the zero of a decimal.',
    no: "The provider hashes a decimal in a form that this plan doesn't know.",
    prior: 0.9,
  },
  replay: {
    ...usual('roundReplayInfo'),
    question: 'Does roundReplayInfo pass?',
    sends: `roundReplayInfo with ${payloads.plain}, with time in this environment's order or the one that passed before`,
    yes: 'roundReplayInfo accepts this order.',
    no: "roundReplayInfo doesn't accept this order.",
    prior: 0.7,
  },
  replayOtherOrder: {
    ...usual('roundReplayInfo'),
    question: 'Does roundReplayInfo pass with day and year swapped?',
    sends: 'roundReplayInfo, with time in the other order',
    yes: 'roundReplayInfo accepts the other order.',
    no: "roundReplayInfo doesn't accept the other order.",
    prior: 0.4,
  },
  moved: {
    operation: 'gameList',
    question: 'Does a time ahead of now, or behind it, pass?',
    sends: 'gameList, with time shifted by 5 seconds to a day, to narrow down the limit on both sides',
    yes: 'The provider accepts this difference.',
    no: 'The provider rejects this difference.',
    prior: 0.5,
    when: 'moved',
    calls: 2 * withControl * Math.ceil(Math.log2(ladder.length + 1)),
  },
  control: {
    ...usual('gameList'),
    question: 'Does a wrong hash get code 8 for this body too?',
    sends: 'The body that passed, with a hash of zeros',
    yes: 'The provider checks the hash of this body, so the previous yes is reliable.',
    no: 'The provider returns another code whatever the hash is, so the previous yes proves nothing.',
    prior: 0.95,
    // Counted with each question.
    calls: 0,
  },
  again: {
    ...usual('gameList'),
    question: 'Does the call that passed at the start still pass?',
    sends: 'gameList once more',
    yes: 'Nothing changed at the provider meanwhile.',
    no: 'Something changed meanwhile, so the plan concludes nothing.',
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
