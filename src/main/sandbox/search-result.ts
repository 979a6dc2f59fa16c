import { byteText } from '#shared/model/byte-text.ts';
import { differenceAfterKey } from '#shared/doctor/first-byte.ts';
import type { Subject } from '#shared/doctor/model.ts';
import type { Match, Stage } from '#shared/doctor/search.ts';
import { tellMatch } from '#shared/doctor/tell.ts';
import type { Told } from '#shared/doctor/turn.ts';
import { stageWords } from '#shared/doctor/words.ts';

/** The outcome of a search for the mistake in a hash, in sentences that quote neither the hash nor its input. */
export interface SearchResult {
  /** Names the mistakes that together make the hash, and the first byte that they change; null if none was found. */
  readonly mistake: string | null;
  /** Without a mistake: that none was found, and what was not tried and why. */
  readonly unfound: readonly string[];
}

/** The reason for which a search ended early. */
export type Stop = 'busy' | 'time' | 'gone' | 'closed';

/** Returns the result of a search as far as it came; `stop` is null if it came to its end. */
export function resultOf(subject: Subject, steps: readonly Told[], stop: Stop | null, waitMs: number): SearchResult {
  const match = steps.reduce<Match | null>((found, step) => ('match' in step ? (step.match ?? found) : found), null);
  if (match !== null) {
    const more =
      stop === null ? '' : ` Other mistakes may give the same bytes: not all were tried, because ${because(stop, waitMs)}.`;
    return { mistake: tellMistake(subject, match) + more, unfound: [] };
  }
  if (steps.length === 0 && stop === null)
    return { mistake: null, unfound: ["The hash doesn't look like a digest, so Croupier didn't search for a mistake."] };
  const states = told.map((stage) => stateOf(stage, steps));
  const tooLong = states.filter(({ kind }) => kind === 'skipped');
  const cut = states.filter(({ kind }) => kind === 'cut');
  return {
    mistake: null,
    unfound: [
      ...(steps.length === 0 ? [] : [tooLong.length + cut.length === 0 ? noMistake : nothingTried]),
      ...(tooLong.length === 0 ? [] : [`Not tried, because data is too long: ${listed(tooLong)}.`]),
      ...(cut.length === 0 || stop === null
        ? []
        : [`Not tried, because ${because(stop, waitMs)}: ${listed(cut)}. Croupier's doctor tries all.`]),
    ],
  };
}

const noMistake = 'No known mistake or pair of mistakes gives this hash; check the private key.';
const nothingTried = 'None of the mistakes tried gives this hash; check the private key.';

/** The stages to tell of. That of the rule belongs to the single mistakes. */
const told = ['singles', 'seconds', 'pairs'] as const;

interface StageState {
  readonly stage: Stage;
  readonly kind: 'done' | 'skipped' | 'cut';
  readonly tried: number;
  /** Null if the stage did not begin. */
  readonly total: number | null;
}

function stateOf(stage: Stage, steps: readonly Told[]): StageState {
  let state: StageState = { stage, kind: 'cut', tried: 0, total: null };
  for (const step of steps) {
    if (step.kind === 'guessed' || step.stage !== stage) continue;
    if (step.kind === 'skipped') state = { ...state, kind: 'skipped' };
    else if (step.kind === 'begun') state = { ...state, total: step.total };
    else state = { ...state, tried: step.tried, kind: step.kind === 'ended' ? 'done' : 'cut' };
  }
  return state;
}

function listed(states: readonly StageState[]): string {
  return states
    .map(({ stage, tried, total }) => {
      const words = stageWords[stage].replace(/^./, (first) => first.toLowerCase());
      return total === null ? words : `${words} (${counted(total - tried)} of ${counted(total)})`;
    })
    .join(', ');
}

function because(stop: Stop, waitMs: number): string {
  switch (stop) {
    case 'busy':
      return 'the provider was searching for other requests';
    case 'time':
      return `the response waits at most ${waitMs / 1_000} seconds`;
    case 'gone':
      return 'the client did not wait';
    case 'closed':
      return 'the provider stopped';
  }
}

/** Says the mistakes. Where the text that was sent was hashed, the first byte of `data` that differs is told elsewhere. */
function tellMistake(subject: Subject, match: Match): string {
  const difference = match.isSent
    ? null
    : differenceAfterKey(`<PRIVATE_KEY>${subject.time}${subject.ruleText ?? ''}`, match.input);
  if (difference === null) return tellMatch(match);
  const { byteOffset, left, right } = difference;
  return `${tellMatch(match)} The hash input first differs at ${byteText(byteOffset)} after the key: ${left.character} is right, ${right.character} was hashed.`;
}

const counted = (count: number) => count.toLocaleString('en');
