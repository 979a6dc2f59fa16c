import { CallSummary } from './calls.ts';
import { call, event, filledTextUpTo, Nothing, textUpTo, wholeNumber, z } from './contract.ts';
import { Confirmed } from './production.ts';
import { AddressCheck } from './rounds.ts';

export const GameMode = z.enum(['fun', 'real']);
export type GameMode = z.infer<typeof GameMode>;

/** One parameter of the launch URL beside what was asked for. Session tokens read `[token]` and `[another token]`. */
export const LaunchParameterRow = z.strictObject({
  name: z.string(),
  /** `equal`: present once and the same, or rightly absent. `unexpected`: not a documented parameter. `malformed`: present, and not of the documented form. */
  state: z.enum(['equal', 'different', 'missing', 'unexpected', 'duplicated', 'malformed']),
  requested: z.nullable(z.string()),
  returned: z.nullable(z.string()),
});
export type LaunchParameterRow = z.infer<typeof LaunchParameterRow>;

/** One line of the live record. Texts have session tokens masked and are cut at 2,000 characters. */
export const LaunchEntry = z.strictObject({
  /** Counts from 1 within the launch, without gaps unless entries were left out. */
  seq: z.int(),
  /** Milliseconds since the launch was prepared. */
  at: z.number(),
  kind: z.enum([
    'call', // getLauncherURL or roundReplayInfo answered
    'opened',
    'navigation',
    'redirect',
    'loaded',
    'console',
    'request', // failed, or took longer than 3 s
    'framing', // headers that forbid embedding
    'wallet', // a wallet call that the built-in provider judged
    'dialog', // alert, confirm or prompt, answered at once
    'permission',
    'download',
    'window',
    'address', // a request to a local or private address
    'exit', // arrival at exitURL
    'crash',
    'closed',
    'note', // what became of its view, and what the page of the browser host could see
  ]),
  /** The tab it belongs to. */
  group: z.enum(['navigation', 'console', 'requests', 'blocked', 'other']),
  level: z.enum(['info', 'good', 'warning', 'error', 'blocked']),
  title: z.string(),
  detail: z.string(),
});
export type LaunchEntry = z.infer<typeof LaunchEntry>;

export const Launch = z.strictObject({
  id: z.string(),
  environmentId: z.string(),
  environmentName: z.string(),
  /** `replay`: the page of a round's replay link. */
  source: z.enum(['launcher', 'replay']),
  /** The call in the history that brought the address. */
  call: CallSummary,
  gameId: z.string(),
  /** What the caller said the game is called; empty where it did not. */
  gameName: z.string(),
  /** Null for a replay. */
  gameMode: z.nullable(GameMode),
  exitURL: z.string(),
  /** Milliseconds since the epoch. */
  preparedAt: z.int(),
  /** The address with session tokens as `[token]`; null where the answer has none. */
  url: z.nullable(z.string()),
  /** `https://host:port`; null where there is no readable address. */
  origin: z.nullable(z.string()),
  parameters: z.array(LaunchParameterRow),
  checks: z.array(AddressCheck),
  /** Why it cannot be opened, in words; null where it can. A failed check alone does not keep it from being opened. */
  problem: z.nullable(z.string()),
  /** `expired`: of an earlier run, whose address is not kept. */
  state: z.enum(['ready', 'open', 'closed', 'expired']),
  /** True once the page arrived at exitURL, since it was opened last. */
  exited: z.boolean(),
  entries: z.int(),
  /** Entries that were left out because the record was full. */
  dropped: z.int(),
  /** Whether a screenshot is kept. */
  screenshot: z.boolean(),
});
export type Launch = z.infer<typeof Launch>;

/** In CSS pixels of the window's content, already clipped to what is visible. */
export const ViewBounds = z.strictObject({
  x: wholeNumber(-32_768, 32_767),
  y: wholeNumber(-32_768, 32_767),
  width: wholeNumber(0, 32_767),
  height: wholeNumber(0, 32_767),
});
export type ViewBounds = z.infer<typeof ViewBounds>;

/** In CSS pixels of the game's own page. */
export const ViewportSize = z.strictObject({ width: wholeNumber(1, 32_767), height: wholeNumber(1, 32_767) });
export type ViewportSize = z.infer<typeof ViewportSize>;

/** How the game is shown. `view`: the host lays it over the page. `frame`: the page puts `src` into an iframe. `none`: this host shows no games. */
export const OpenedLaunch = z.union([
  z.strictObject({ kind: z.literal('view') }),
  z.strictObject({
    kind: z.literal('frame'),
    /** Path on the page's own origin, good once and for a minute. Opening again (reload) gives a new one. */
    src: z.string(),
    /** What cannot be observed there, as sentences. */
    unobserved: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('none'), message: z.string() }),
]);
export type OpenedLaunch = z.infer<typeof OpenedLaunch>;

/** What the page of the browser host can see of a framed game; `origin` as the frame's own policy reported it. */
export const FrameObservation = z.union([
  z.strictObject({ event: z.literal('loaded') }),
  /** The frame was about to go to another origin and was stopped. */
  z.strictObject({ event: z.literal('left'), origin: textUpTo(2_000) }),
  z.strictObject({ event: z.literal('failed'), message: textUpTo(2_000) }),
]);
export type FrameObservation = z.infer<typeof FrameObservation>;

const id = z.uuid();
/** `done` is false where this host has no view of the launch: nothing was to be done. */
const Done = z.strictObject({ done: z.boolean() });
const sending = { ticket: filledTextUpTo(100), confirmed: Confirmed };
const environmentId = filledTextUpTo(80);
const field = textUpTo(10_000);

export const launchCalls = {
  /** Sends getLauncherURL and checks the answer. A refusal by the provider is a launch with a `problem`. Fails as `calls.send` does. */
  'launches.prepare': call(
    z.strictObject({
      environmentId,
      gameMode: GameMode,
      gameId: field,
      gameName: z._default(textUpTo(300), ''),
      lang: field,
      /** In fun mode an empty text is sent whatever stands here. */
      externalToken: z._default(field, ''),
      playerId: field,
      country: field,
      ip: field,
      exitURL: z._default(field, ''),
      ...sending,
    }),
    Launch,
  ),
  /** A launch from a call of the history: getLauncherURL or roundReplayInfo, answered in this run or before. Fails with `not_found` or `invalid_input`. */
  'launches.fromCall': call(z.strictObject({ callId: z.int().check(z.gte(1)), gameName: z._default(textUpTo(300), '') }), Launch),
  /**
   * Opens the launch, or opens it again from the start. `redirects` matters for a frame only: `origin` keeps it on the launch's origin,
   * which is how leaving through exitURL is seen; `https` lets it go to any https address. Fails with `refused` where there is a `problem`.
   */
  'launches.open': call(
    z.strictObject({ id, bounds: ViewBounds, redirects: z._default(z.enum(['origin', 'https']), 'origin') }),
    OpenedLaunch,
  ),
  'launches.setBounds': call(z.strictObject({ id, bounds: ViewBounds }), Done),
  /** Hides the view behind dialogs, menus and palettes, which the page draws below it otherwise. Its record says so. */
  'launches.setVisible': call(z.strictObject({ id, visible: z.boolean() }), Done),
  'launches.reload': call(z.strictObject({ id }), Done),
  'launches.back': call(z.strictObject({ id }), Done),
  /** The CSS pixels that the game is to have in its bounds, however large it is drawn there. */
  'launches.setViewport': call(z.strictObject({ id, viewport: ViewportSize }), Done),
  /** For as long as the view is there. */
  'launches.setMuted': call(z.strictObject({ id, muted: z.boolean() }), Done),
  /** Gives the game the keyboard; F6 there gives it back. */
  'launches.focus': call(z.strictObject({ id }), Done),
  /** Ends the view and its session with everything it stored. The record stays. */
  'launches.close': call(z.strictObject({ id }), Launch),
  /** A PNG of the game at its viewport's size, as a `data:` address, kept for the evidence; null with a message where there is none. */
  'launches.screenshot': call(
    z.strictObject({ id }),
    z.strictObject({ dataUrl: z.nullable(z.string()), message: z.nullable(z.string()) }),
  ),
  /** Told by the page that frames a game. */
  'launches.note': call(z.strictObject({ id, observation: FrameObservation }), Launch),
  /** Newest first. */
  'launches.list': call(
    z.strictObject({ limit: z._default(wholeNumber(1, 200), 50) }),
    z.strictObject({ launches: z.array(Launch) }),
  ),
  /** The launch and its record. Fails with `not_found`. */
  'launches.get': call(z.strictObject({ id }), z.strictObject({ launch: Launch, entries: z.array(LaunchEntry) })),
  /**
   * The evidence of one launch. `folder`: written below the home. `html`: one file as text, to be saved by the page.
   * Fails with `refused` where a key or a token is found in what would be written.
   */
  'launches.export': call(
    z.strictObject({ id, as: z.enum(['folder', 'html']) }),
    z.union([
      z.strictObject({ as: z.literal('folder'), folder: z.string(), files: z.array(z.string()) }),
      z.strictObject({ as: z.literal('html'), name: z.string(), html: z.string() }),
    ]),
  ),
  /** Sends generateNewToken. `token` is null where the answer does not show it; `message` then says why and `fields` names the texts it has. */
  'launches.renewToken': call(
    z.strictObject({ environmentId, token: filledTextUpTo(10_000), newGameId: filledTextUpTo(10_000), ...sending }),
    z.strictObject({
      call: CallSummary,
      token: z.nullable(z.string()),
      message: z.nullable(z.string()),
      fields: z.array(z.string()),
    }),
  ),
};

export const launchEvents = {
  /** New entries of a record, in order; several at once where a page is busy. */
  'launches.recorded': event(z.strictObject({ id: z.string(), entries: z.array(LaunchEntry), dropped: z.int() })),
  /** The state of a launch changed: opened, closed, exited. */
  'launches.changed': event(z.strictObject({ id: z.string() })),
  /** A launch was added or dropped from the list. */
  'launches.listed': event(Nothing),
};
