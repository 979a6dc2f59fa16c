import { LaunchState } from './launch-state.ts';
import { z } from './schema.ts';
import { WalletBalance } from './wallet-balance.ts';

/** Content of a picture of the game. `nothing` is one plain colour, `little` is a gradient, or a spinner or logo on one colour. */
export const PictureContent = z.enum(['nothing', 'little', 'enough']);
export type PictureContent = z.infer<typeof PictureContent>;

/** The program that opened a game. */
const OpeningProgram = z.strictObject({
  /** `Desktop` or `Browser`. */
  host: z.string(),
  version: z.string(),
  /** The browser engine with its version; null if the host does not know it, as of the user's own browser. */
  engine: z.nullable(z.string()),
});

/** A wallet call with the response of the built-in provider. */
const WalletCall = z.strictObject({
  code: z.int(),
  /** As the request wrote it; null without one. */
  amount: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  /** Null if the session token is not valid. */
  balance: z.nullable(WalletBalance),
});

/** The part of an entry of a launch's record that the rules look at. Hosts record it, and only `shared/launches` judges it. */
export const LaunchSignal = z.union([
  /**
   * `wallet`: Croupier sees the wallet's calls. `embedded`: an operator's page in the view frames the game. Earlier versions did not note the
   * `program`.
   */
  z.strictObject({
    type: z.literal('opened'),
    host: z.enum(['view', 'frame']),
    wallet: z.boolean(),
    program: z.optional(OpeningProgram),
    embedded: z.optional(z.boolean()),
  }),
  /** It could not be opened, because of the launch's URL or because of Croupier. */
  z.strictObject({ type: z.literal('unopened'), because: z.enum(['url', 'croupier']) }),
  /** A connection to the origin of a framed game. `untrusted`: its certificate did not pass. */
  z.strictObject({ type: z.literal('origin'), outcome: z.enum(['reached', 'untrusted', 'unreached']) }),
  /** The game's main document has a response. */
  z.strictObject({ type: z.literal('document'), status: z.int() }),
  z.strictObject({ type: z.literal('redirect'), secure: z.boolean() }),
  /** The main document did not load. */
  z.strictObject({ type: z.literal('not loaded') }),
  /** Headers of the main document: nobody, or only some origins, may embed it. */
  z.strictObject({ type: z.literal('framing'), allows: z.enum(['nobody', 'some']) }),
  z.strictObject({ type: z.literal('mixed content') }),
  /** Croupier refused a request. */
  z.strictObject({ type: z.literal('blocked') }),
  z.strictObject({ type: z.literal('request'), outcome: z.enum(['failed', 'error status', 'unanswered', 'answered late']) }),
  z.strictObject({ type: z.literal('uncaught error') }),
  z.strictObject({ type: z.literal('crash') }),
  /** The page did not respond for some seconds; `over` once it does again. */
  z.strictObject({ type: z.literal('hang'), over: z.boolean() }),
  z.strictObject({ type: z.literal('picture'), content: PictureContent }),
  /**
   * Statements of the page about itself; empty where it states nothing. The last three come from its URL. `titled`: IDs of the games
   * whose name, in the newest game list, is its title.
   */
  z.strictObject({
    type: z.literal('page'),
    lang: z.string(),
    title: z.string(),
    titled: z.array(z.string()),
    urlGameId: z.string(),
    urlGameMode: z.string(),
    urlLang: z.string(),
  }),
  z.strictObject({ type: z.literal('window') }),
  /** This computer has no WebGL. */
  z.strictObject({ type: z.literal('no webgl') }),
  /** The game says on its console that it lacks WebGL. */
  z.strictObject({ type: z.literal('webgl wanted') }),
  /** The console has more lines than a game needs. */
  z.strictObject({ type: z.literal('many lines') }),
  /** `after`: milliseconds since it was opened. The others: since the page's navigation began; null for what has not happened. */
  z.strictObject({
    type: z.literal('ready'),
    after: z.number(),
    firstByte: z.nullable(z.number()),
    firstPaint: z.nullable(z.number()),
    load: z.nullable(z.number()),
  }),
  /** It was not ready at the limit, in milliseconds. */
  z.strictObject({ type: z.literal('not ready'), after: z.number() }),
  z.strictObject({ type: z.literal('exit') }),
  /** After it was ready the page went to another document, which is not exitURL. */
  z.strictObject({ type: z.literal('elsewhere') }),
  /**
   * A wallet call that carried the launch's token. `alone`: no other open launch can have caused it. Earlier versions did not note the
   * `call`.
   */
  z.strictObject({ type: z.literal('wallet'), method: z.string(), alone: z.boolean(), call: z.optional(WalletCall) }),
  z.strictObject({ type: z.literal('closed') }),
]);
export type LaunchSignal = z.infer<typeof LaunchSignal>;

/** One rule's result. `not observed`: Croupier could not look. `waiting`: it can still be decided. */
export const RuleResult = z.strictObject({
  rule: z.string(),
  state: z.enum(['passed', 'failed', 'to check', 'not observed', 'waiting']),
  message: z.string(),
  /** `seq` of the entry of the record that decided; null without one. */
  entry: z.nullable(z.int()),
});
export type RuleResult = z.infer<typeof RuleResult>;

export const LaunchVerdict = z.strictObject({
  state: LaunchState,
  /** Failed ones first, each kind in the order of the rules: a cause stands before its consequences. */
  results: z.array(RuleResult),
});
export type LaunchVerdict = z.infer<typeof LaunchVerdict>;

/** A person's own verdict, which replaces that of the rules until it is taken back. */
export const Overruling = z.strictObject({
  state: z.enum(['passed', 'failed', 'to check']),
  note: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
});
export type Overruling = z.infer<typeof Overruling>;
