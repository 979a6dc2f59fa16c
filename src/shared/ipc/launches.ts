import { embeddingSchema, pageSettingsSchema } from '../model/device.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { LaunchState } from '../model/launch-state.ts';
import { Nothing } from './nothing.ts';
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

/** An observation of a framed game by the page of the browser host; `origin` as the frame's own policy reported it. */
export const FrameObservation = z.union([
  z.strictObject({ event: z.literal('loaded') }),
  /** The browser that shows the frame, by its own user agent. */
  z.strictObject({ event: z.literal('browser'), userAgent: textUpTo(1_000) }),
  /** The frame was about to go to another origin and was stopped. */
  z.strictObject({ event: z.literal('left'), origin: textUpTo(2_000) }),
  z.strictObject({ event: z.literal('failed'), message: textUpTo(2_000) }),
  /** A message that the game posted to the page around it; `data` as JSON if it is not a text. */
  z.strictObject({ event: z.literal('message'), origin: textUpTo(2_000), data: textUpTo(2_000) }),
]);
export type FrameObservation = z.infer<typeof FrameObservation>;

const id = z.uuid();

const pictureNumber = z.int().check(z.gte(1));

const sending = { ticket: filledTextUpTo(100), confirmed: Confirmed };

const environmentId = filledTextUpTo(80);

const field = textUpTo(10_000);

export const launchInputs = {
  /**
   * Sends getLauncherURL and checks the response. If the provider rejects it, the launch has a `problem`. Fails as `calls.send` does,
   * and with `details.field` `externalToken` if there is no token to use; `details.reuse` says that `reuse` allows it.
   */
  'launches.prepare': z.strictObject({
    environmentId,
    gameMode: GameMode,
    gameId: field,
    gameName: z._default(textUpTo(300), ''),
    lang: field,
    /** Ignored in fun mode, which sends an empty string. */
    externalToken: z._default(field, ''),
    /**
     * `pool`: takes the next unused token of the environment's pool. `command`: runs the environment's command first, and takes a
     * token that it yields. Its player, language and country then replace those given here.
     */
    tokenFrom: z._default(z.enum(['typed', 'pool', 'command']), 'typed'),
    /** Allows a token that another launch has, or that a launch has used. */
    reuse: z._default(z.boolean(), false),
    playerId: field,
    country: field,
    ip: field,
    exitURL: z._default(field, ''),
    ...sending,
  }),
  /** Makes a launch from a recorded call, getLauncherURL or roundReplayInfo, of any session. Fails with `not_found` or `invalid_input`. */
  'launches.fromCall': z.strictObject({
    callId: z.int().check(z.gte(1)),
    gameName: z._default(textUpTo(300), ''),
  }),
  /**
   * Opens the launch, or opens it again from the start. `redirects` applies to a frame only: `origin` keeps it on the launch's origin,
   * so that Croupier can detect an exit through exitURL; `https` allows any https address. `page` and `embedding` apply to a view only;
   * `embedding` is null for a page of its own. Fails with `refused` if there is a `problem`, and with `invalid_input` for a language, a
   * time zone or an operator's origin that is none.
   */
  'launches.open': z.strictObject({
    id,
    bounds: ViewBounds,
    redirects: z._default(z.enum(['origin', 'https']), 'origin'),
    page: z._default(pageSettingsSchema(), {
      device: null,
      rotated: false,
      lang: '',
      timeZone: '',
      network: 'full',
      slowdown: 1,
    }),
    embedding: z._default(z.nullable(embeddingSchema()), null),
  }),
  /** Lists the devices that come with Croupier, and those of `devices.json` in the home and in the opened collections. */
  'launches.devices': Nothing,
  'launches.setBounds': z.strictObject({ id, bounds: ViewBounds }),
  /** Hides the game view while a dialog, menu or palette is open, which it would otherwise cover. The launch's record says so. */
  'launches.setVisible': z.strictObject({ id, visible: z.boolean() }),
  'launches.reload': z.strictObject({ id }),
  'launches.back': z.strictObject({ id }),
  /**
   * Sets the size in CSS pixels that the game sees, however large it is drawn, and its surroundings. The record notes a change of these.
   * Fails as `launches.open` does.
   */
  'launches.setPage': z.strictObject({ id, viewport: ViewportSize, page: pageSettingsSchema() }),
  /** Holds until the game view closes. */
  'launches.setMuted': z.strictObject({ id, muted: z.boolean() }),
  /** Gives the game the keyboard; F6 there gives it back. */
  'launches.focus': z.strictObject({ id }),
  /** Ends the view and its session with everything it stored. The record stays. */
  'launches.close': z.strictObject({ id }),
  /** Takes a PNG at the size of the game's viewport and keeps it for the evidence; null with a message if that fails. */
  'launches.screenshot': z.strictObject({ id }),
  /** Returns a kept picture as a `data:` URL; null if there is none of that number. */
  'launches.picture': z.strictObject({ id, number: pictureNumber }),
  /** Removes a kept picture for good, if it is there. */
  'launches.removePicture': z.strictObject({ id, number: pictureNumber }),
  /** Sets the user's note on a launch, which goes into its evidence. */
  'launches.setNote': z.strictObject({ id, note: textUpTo(2_000) }),
  /** Reports an observation of a framed game. */
  'launches.note': z.strictObject({ id, observation: FrameObservation }),
  /** Replaces the verdict of the rules by a person's, with a note; null takes it back. */
  'launches.overrule': z.strictObject({
    id,
    overruling: z.nullable(z.strictObject({ state: z.enum(['passed', 'failed', 'to check']), note: filledTextUpTo(2_000) })),
  }),
  /**
   * Returns launches, newest first, whose verdict is `state` (null for any), a person's or that of the rules, and which hold every word
   * of `text`: in the launch, its note or its record.
   */
  'launches.list': z.strictObject({
    text: z._default(textUpTo(200), ''),
    state: z._default(z.nullable(LaunchState), null),
    offset: z._default(wholeNumber(0, 1_000_000), 0),
    limit: z._default(wholeNumber(1, 200), 50),
  }),
  'launches.keeping': Nothing,
  /**
   * Sets how many launches Croupier keeps, and removes the oldest beyond that for good. `removes`: the number that the user saw. Fails
   * with `conflict` if it is another by now.
   */
  'launches.keep': z.strictObject({ most: wholeNumber(100, 10_000), removes: wholeNumber(0, 1_000_000) }),
  /** Returns the launch and its record. Fails with `not_found`. */
  'launches.get': z.strictObject({ id }),
  /**
   * Exports the evidence of a launch, or of several together, as those of a tab. `folder`: writes it below the home, with the
   * SHA-256 of each file. `html`: returns one file as text, for the page to save. `sheet` and `csv`: a row for each launch, with totals. Fails
   * with `refused` if it would hold a key or a token, and for the evidence of more than 8.
   */
  'launches.export': z.strictObject({
    ids: z.array(id).check(z.minLength(1), z.maxLength(200)),
    as: z.enum(['folder', 'html', 'sheet', 'csv']),
  }),
  /**
   * Returns the network log of the page as HAR 1.2, with its name as a file; null with a message if there is none, as in a frame.
   * Fails with `refused` if it would hold a key or a token.
   */
  'launches.networkLog': z.strictObject({ id }),
  /**
   * Sends generateNewToken. Fails with `conflict` if an open launch has the token. `token` is null if the response does not show it;
   * `message` then says why and `fields` names its strings.
   */
  'launches.renewToken': z.strictObject({
    environmentId,
    token: filledTextUpTo(10_000),
    newGameId: filledTextUpTo(10_000),
    ...sending,
  }),
};
