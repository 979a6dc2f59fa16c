import { openPointIds } from '../provider/model.ts';
import { walletNames } from '../model/operations.ts';
import { caseGroups, type CaseGroup } from './run-facts.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';

/*
 * The form of a wallet case. Croupier's own cases and those that a team adds to its collection have the same one.
 */

/** `required`: the spec says so. `customary`: every wallet is expected to. `open`: the spec leaves it open, so it is only observed. */
const caseGrades = ['required', 'customary', 'open'] as const;

/**
 * Needs of a case: a second player's session, amounts with decimals, a currency of so many decimals, a very large balance, an earlier
 * run whose transactions are repeated, an `amount` in the request of /cancel, or wins that carry an ID of their own.
 */
const caseNeeds = [
  'secondPlayer',
  'fractions',
  'noDecimals',
  'threeDecimals',
  'largeBalance',
  'earlierRun',
  'cancelAmount',
  'ownWinId',
] as const;
export type CaseNeed = (typeof caseNeeds)[number];

/**
 * Demands on a step: on its responses and on the money, which is always checked.
 *
 * `booked`: accepted, and the money moved as asked. `accepted`: accepted, and no money moved. `refused`: a code other than 0, and no money moved. `invalidToken`: code 404, and
 * no money moved. `unmoved`: no money moved, whatever was said. `recognised`: no money moved, and no final refusal of what was booked. `either`: booked or refused, and
 * the money agrees with what was said. `once`: of the requests at once exactly one moved money. `lost`: nobody knows, because the connection was cut.
 * `converted`: refused, or booked with another amount than the same number. `notBoth`: one of the two moved money, or none. `oneToken`: at
 * most one of the new tokens works. `moved`: the money moved as asked, or not at all, whatever was said.
 */
const caseExpectations = [
  'booked',
  'accepted',
  'refused',
  'invalidToken',
  'unmoved',
  'recognised',
  'either',
  'once',
  'lost',
  'converted',
  'notBoth',
  'oneToken',
  'moved',
] as const;
export type CaseExpectation = (typeof caseExpectations)[number];

/** Checks of the responses of a step beside its expectation, in words. */
export const caseChecks = {
  player: 'the four fields of a player, as documented',
  ownPlayer: "the playerId is the session's",
  noPlayerData: 'no data of a player',
  sameAnswer: 'the same player and balance as the first time',
  sameContext: 'the same player, country and currency as before',
  echo: 'transactionId as sent',
  externalId: 'externalTrxId as text',
  otherExternalId: 'another externalTrxId than the one before',
  balance: 'the balance after the transaction',
  plainNumber: 'the balance as a number, without an exponent and with no more decimals than the currency has',
  sameMembers: 'the members of /win',
  newToken: 'another token of at most 255 characters, which works',
  noRefusal: 'no final refusal of what was booked',
  betweenStates: 'only balances that exist between two bets',
  json: 'code and message as JSON',
  patience: 'within 4 s, after which the first providers give up',
} as const;
export type CaseCheck = keyof typeof caseChecks;

/** A token in place of the session's: an unknown one, forms of the session's own, the one that a new one replaced, or the other player's. */
const tokenForms = ['unknown', 'otherCase', 'spaceBehind', 'padded255', 'padded256', 'replaced', 'injection'] as const;
export type TokenForm = (typeof tokenForms)[number];

const Label = z.string().check(z.regex(/^[a-zA-Z][a-zA-Z0-9]{0,19}$/, 'Use up to 20 letters and digits.'));

/** `times`, unit, divisor and minor units more of an amount that is no JSON text. */
export const amountExpression = /^(-?)(\d*)(b|u|balance|most)(?:\/([1-9]\d*))?(?:\+(\d*)u)?$/;
const amountForm = new RegExp(`${amountExpression.source}|^=.`);

const requestFields = {
  /** The wallet method; `again` sends the request `of` once more. */
  call: z.enum([...walletNames, 'again']),
  of: z.optional(Label),
  /** The name by which later steps refer to it. */
  as: z.optional(Label),
  /** The request whose transactionId it carries; with none of that name, a new ID under that name. Without it, a new ID. */
  id: z.optional(Label),
  /** `b`: one small bet, `u`: one minor unit, `balance`: the whole balance, `most`: two thirds of it; `3b`, `-b`, `3u/2`, `balance+u`; `=` and JSON text for a value as it is. */
  amount: z.optional(
    z.string().check(z.maxLength(100), z.regex(amountForm, 'Write an amount such as 2b, u, balance+u or =0.1.')),
  ),
  player: z.optional(z.union([z.literal(1), z.literal(2)])),
  token: z.optional(z.enum(tokenForms)),
  /** Members in place of the usual ones, or beside them: JSON text, or null to leave one out. `{id}`, `{n}`, `{ref}`, `{player2}`, `{b}` are filled in. */
  with: z.optional(z.record(filledTextUpTo(100), z.nullable(textUpTo(100_000)))),
  /** JSON text of members that stand before all others. */
  before: z.optional(filledTextUpTo(1_000)),
  /** The whole body; `{body}` is the usual one. */
  body: z.optional(textUpTo(10_000)),
  /** The members in another order, with spaces and with amounts written differently. */
  relaid: z.optional(z.literal(true)),
  /** So many at once; at most `lanes` at a time. They share an ID if it has a name. */
  times: z.optional(wholeNumber(1, 1_000)),
  lanes: z.optional(wholeNumber(1, 50)),
  /** Once for each of its members: left out, null, or of another type. */
  each: z.optional(z.enum(['omitted', 'null', 'otherType'])),
  /** The place where the connection ends: in the body of the request, before the response, or right after it. */
  cut: z.optional(z.enum(['upload', 'response', 'after'])),
} as const;

export const CaseRequest = z.strictObject(requestFields);
export type CaseRequest = z.infer<typeof CaseRequest>;

const judged = {
  expect: z.enum(caseExpectations),
  check: z.optional(z.array(z.enum(Object.keys(caseChecks) as [CaseCheck, ...CaseCheck[]]))),
} as const;

/** One request, or several `together`, and what must hold after them. */
export const CaseStep = z.union([
  z.strictObject({ ...requestFields, ...judged }),
  z.strictObject({ together: z.array(CaseRequest).check(z.minLength(1), z.maxLength(50)), ...judged }),
]);
export type CaseStep = z.infer<typeof CaseStep>;

/**
 * An open point and what a case shows about it: the answers that agree with what was seen of its last step. `answered`: by its code. `moved`: by its money.
 * `retry`: by the balance that a repeated request gets.
 */
const Observation = z.strictObject({
  point: z.enum(openPointIds),
  by: z.enum(['answered', 'moved', 'retry', 'codes']),
  answers: z.record(filledTextUpTo(20), z.array(filledTextUpTo(50))),
});

/** Returns whether each request that is repeated, and each response that is compared, has a step before it. */
function namesAreKnown({ steps }: { readonly steps: readonly CaseStep[] }): boolean {
  const known = new Set<string>();
  for (const request of steps.flatMap(requestsOf)) {
    if (request.of === undefined ? request.call === 'again' : !known.has(request.of)) return false;
    if (request.as !== undefined) known.add(request.as);
  }
  return true;
}

export const WalletCase = z
  .strictObject({
    id: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,59}$/, 'Use lowercase letters, digits and hyphens.')),
    group: z._default(z.enum(Object.keys(caseGroups) as [CaseGroup, ...CaseGroup[]]), 'own'),
    name: filledTextUpTo(100),
    /** The reason why a provider would send this: one sentence. */
    why: filledTextUpTo(300),
    /** The damage in production if it does not hold. */
    harm: filledTextUpTo(600),
    cause: z._default(textUpTo(600), ''),
    grade: z._default(z.enum(caseGrades), 'customary'),
    /** The section of the spec; empty for customary. */
    section: z._default(textUpTo(60), ''),
    needs: z._default(z.array(z.enum(caseNeeds)), []),
    /** Open points that must have an answer first. */
    waitsFor: z._default(z.array(z.enum(openPointIds)), []),
    observes: z.optional(Observation),
    /** `replay`: repeats the transactions of an earlier run. `refusals`, `leaks`: look at every refusal of the run so far. */
    special: z.optional(z.enum(['replay', 'refusals', 'leaks'])),
    steps: z.array(CaseStep).check(z.maxLength(60)),
  })
  .check(
    z.refine(({ steps, special }) => steps.length > 0 || special !== undefined, 'Write at least one step.'),
    z.refine(namesAreKnown, 'A step repeats or compares a request (of) that no step before it names (as).'),
  );
export type WalletCase = z.output<typeof WalletCase>;
/** A case as it is written. */
export type WrittenCase = z.input<typeof WalletCase>;

/** Returns the requests of a step. */
export function requestsOf(step: CaseStep): readonly CaseRequest[] {
  if ('together' in step) return step.together;
  const { expect: _expect, check: _check, ...request } = step;
  return [request];
}

/** Returns whether a case ends the token in hand: such cases run last. */
export function endsToken({ steps }: WalletCase): boolean {
  return steps.some((step) => requestsOf(step).some(({ call }) => call === 'generateNewToken'));
}
