import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

export const GameMode = z.enum(['fun', 'real']);
export type GameMode = z.infer<typeof GameMode>;

/** In CSS pixels of the window's content, already clipped to what is visible. */
export const ViewBounds = z.strictObject({
  x: wholeNumber(-32_768, 32_767),
  y: wholeNumber(-32_768, 32_767),
  width: wholeNumber(0, 32_767),
  height: wholeNumber(0, 32_767),
});
export type ViewBounds = z.infer<typeof ViewBounds>;

/** In CSS pixels of the game's own page. */
export const ViewportSize = z.strictObject({
  width: wholeNumber(1, 32_767),
  height: wholeNumber(1, 32_767),
});
export type ViewportSize = z.infer<typeof ViewportSize>;

/** What the page of the browser host can see of a framed game; `origin` as the frame's own policy reported it. */
export const FrameObservation = z.union([
  z.strictObject({ event: z.literal('loaded') }),
  /** The frame was about to go to another origin and was stopped. */
  z.strictObject({ event: z.literal('left'), origin: textUpTo(2_000) }),
  z.strictObject({ event: z.literal('failed'), message: textUpTo(2_000) }),
]);
export type FrameObservation = z.infer<typeof FrameObservation>;

const id = z.uuid();

const sending = { ticket: filledTextUpTo(100), confirmed: Confirmed };

const environmentId = filledTextUpTo(80);

const field = textUpTo(10_000);

export const launchInputs = {
  /** Sends getLauncherURL and checks the answer. A refusal by the provider is a launch with a `problem`. Fails as `calls.send` does. */
  'launches.prepare': z.strictObject({
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
  /** A launch from a call of the history: getLauncherURL or roundReplayInfo, answered in this run or before. Fails with `not_found` or `invalid_input`. */
  'launches.fromCall': z.strictObject({
    callId: z.int().check(z.gte(1)),
    gameName: z._default(textUpTo(300), ''),
  }),
  /**
   * Opens the launch, or opens it again from the start. `redirects` matters for a frame only: `origin` keeps it on the launch's origin,
   * which is how leaving through exitURL is seen; `https` lets it go to any https address. Fails with `refused` where there is a `problem`.
   */
  'launches.open': z.strictObject({
    id,
    bounds: ViewBounds,
    redirects: z._default(z.enum(['origin', 'https']), 'origin'),
  }),
  'launches.setBounds': z.strictObject({ id, bounds: ViewBounds }),
  /** Hides the view behind dialogs, menus and palettes, which the page draws below it otherwise. Its record says so. */
  'launches.setVisible': z.strictObject({ id, visible: z.boolean() }),
  'launches.reload': z.strictObject({ id }),
  'launches.back': z.strictObject({ id }),
  /** The CSS pixels that the game is to have in its bounds, however large it is drawn there. */
  'launches.setViewport': z.strictObject({ id, viewport: ViewportSize }),
  /** For as long as the view is there. */
  'launches.setMuted': z.strictObject({ id, muted: z.boolean() }),
  /** Gives the game the keyboard; F6 there gives it back. */
  'launches.focus': z.strictObject({ id }),
  /** Ends the view and its session with everything it stored. The record stays. */
  'launches.close': z.strictObject({ id }),
  /** A PNG of the game at its viewport's size, as a `data:` address, kept for the evidence; null with a message where there is none. */
  'launches.screenshot': z.strictObject({ id }),
  /** Told by the page that frames a game. */
  'launches.note': z.strictObject({ id, observation: FrameObservation }),
  /** Newest first. */
  'launches.list': z.strictObject({
    limit: z._default(wholeNumber(1, 200), 50),
  }),
  /** The launch and its record. Fails with `not_found`. */
  'launches.get': z.strictObject({ id }),
  /**
   * The evidence of one launch. `folder`: written below the home. `html`: one file as text, to be saved by the page.
   * Fails with `refused` where a key or a token is found in what would be written.
   */
  'launches.export': z.strictObject({ id, as: z.enum(['folder', 'html']) }),
  /** Sends generateNewToken. `token` is null where the answer does not show it; `message` then says why and `fields` names the texts it has. */
  'launches.renewToken': z.strictObject({
    environmentId,
    token: filledTextUpTo(10_000),
    newGameId: filledTextUpTo(10_000),
    ...sending,
  }),
};
