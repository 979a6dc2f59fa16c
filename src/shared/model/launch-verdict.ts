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

/** A parameter of a page's URL; `got` is null where it lost it. */
const ChangedParameter = z.strictObject({ name: z.string(), asked: z.string(), got: z.nullable(z.string()) });

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
  /** The game's main document has a response. Earlier versions noted its `status` alone. */
  z.strictObject({
    type: z.literal('document'),
    status: z.int(),
    /** Host and path of its URL. */
    place: z.optional(z.string()),
    /** Parameters of its URL that differ from the request, or that the launcher URL had and it lost. Tokens are masked. */
    changed: z.optional(z.array(ChangedParameter)),
  }),
  /** The user had it loaded again. */
  z.strictObject({ type: z.literal('asked again') }),
  z.strictObject({ type: z.literal('redirect'), secure: z.boolean() }),
  /** The main document did not load. */
  z.strictObject({ type: z.literal('not loaded') }),
  /**
   * Headers of the main document: nobody, or only some origins, may embed it. `bare`: Croupier asked for its address without parameters, so the
   * page itself may have others; only then may `allows` be `all`.
   */
  z.strictObject({ type: z.literal('framing'), allows: z.enum(['nobody', 'some', 'all']), bare: z.optional(z.boolean()) }),
  z.strictObject({ type: z.literal('mixed content') }),
  /** Croupier refused a request. */
  z.strictObject({ type: z.literal('blocked') }),
  /** `succeeded after all`: one to the same address had failed before. `socket ended`: a WebSocket that was open. */
  z.strictObject({
    type: z.literal('request'),
    outcome: z.enum(['failed', 'error status', 'unanswered', 'answered late', 'succeeded after all', 'socket ended']),
  }),
  /** The page's own content security policy stopped something; `code`: a script, a worker, a frame or a connection. */
  z.strictObject({ type: z.literal('policy'), code: z.boolean() }),
  /** Alert, confirm, prompt or a picker of files. */
  z.strictObject({ type: z.literal('dialog') }),
  z.strictObject({ type: z.literal('permission') }),
  z.strictObject({ type: z.literal('download') }),
  /** A URL for another program than a browser. */
  z.strictObject({ type: z.literal('protocol') }),
  z.strictObject({ type: z.literal('closed itself') }),
  /** A canvas lost its WebGL context; `over` once it has one again. */
  z.strictObject({ type: z.literal('context lost'), over: z.boolean() }),
  /** The page shows a text as of an error card, or says that it is loading; `over` once it does no longer. */
  z.strictObject({ type: z.literal('error text'), over: z.boolean() }),
  z.strictObject({ type: z.literal('loading text'), over: z.boolean() }),
  /** Milliseconds in which Croupier itself could not run, since the page began to load. */
  z.strictObject({ type: z.literal('busy'), ms: z.number() }),
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
  /**
   * `after`: milliseconds since its page began to load; earlier versions: since it was opened. `by`: a sign that the environment names, or only that
   * it is loaded and drawn; earlier versions did not note it. `busy`: those of `after` in which Croupier could not run, or the game was hidden. The others: since the page's
   * navigation began; null for what has not happened.
   */
  z.strictObject({
    type: z.literal('ready'),
    after: z.number(),
    by: z.optional(z.enum(['sign', 'drawn'])),
    busy: z.optional(z.number()),
    firstByte: z.nullable(z.number()),
    firstPaint: z.nullable(z.number()),
    load: z.nullable(z.number()),
  }),
  /** It was not ready at the limit, in milliseconds. */
  z.strictObject({ type: z.literal('not ready'), after: z.number() }),
  /** After it was ready it was looked at some more times. */
  z.strictObject({ type: z.literal('watched') }),
  /** Its canvas draws most of what it shows, and requests of its own were answered. */
  z.strictObject({ type: z.literal('plays') }),
  z.strictObject({ type: z.literal('exit') }),
  /** Somebody pressed what looks like its exit, and nothing followed, or only a message that a page around it would hear. */
  z.strictObject({ type: z.literal('exit pressed'), followed: z.enum(['nothing', 'message']) }),
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
