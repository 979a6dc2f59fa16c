import { filledTextUpTo, textUpTo, wholeNumber, z } from './schema.ts';

const pixels = z._default(wholeNumber(0, 500), 0);

/** Pixels at each edge of the screen that a notch, round corners or a bar may cover, in CSS pixels: `env(safe-area-inset-*)`. */
export const Insets = z.strictObject({ top: pixels, right: pixels, bottom: pixels, left: pixels });
export type Insets = z.infer<typeof Insets>;

const noInsets = { top: 0, right: 0, bottom: 0, left: 0 };

/** A screen with what a game's page can find out about it. */
export const Device = z.strictObject({
  name: filledTextUpTo(60),
  /** In CSS pixels, upright; of a desktop as it stands. */
  width: wholeNumber(100, 8_000),
  height: wholeNumber(100, 8_000),
  /** Device pixels per CSS pixel. */
  pixelRatio: z._default(z.number().check(z.gte(0.5), z.lte(6)), 1),
  /** Fingers instead of a mouse, and a viewport that the page's `meta` element may set. */
  touch: z._default(z.boolean(), false),
  /** Empty: that of Croupier's Chromium. `{chromium}` stands for its version. */
  userAgent: z._default(textUpTo(500), ''),
  insets: z._default(z.strictObject({ upright: z._default(Insets, noInsets), onItsSide: z._default(Insets, noInsets) }), {
    upright: noInsets,
    onItsSide: noInsets,
  }),
});
export type Device = z.infer<typeof Device>;

export const NetworkSpeed = z.enum(['full', 'fast 4G', 'slow 4G', '3G']);
export type NetworkSpeed = z.infer<typeof NetworkSpeed>;

/** The surroundings in which a game's page runs, as far as a host can choose them. */
export const PageSettings = z.strictObject({
  /** Null: this computer's screen, as large as the room that the game has. */
  device: z.nullable(Device),
  /** A touch screen on its side. */
  rotated: z.boolean(),
  /** Language of the page's browser, such as `de-AT`; empty for this computer's. */
  lang: textUpTo(35),
  /** Such as `Europe/Vienna`; empty for this computer's. */
  timeZone: textUpTo(60),
  network: NetworkSpeed,
  /** The processor is this many times slower; 1 is as it is. */
  slowdown: wholeNumber(1, 20),
});
export type PageSettings = z.infer<typeof PageSettings>;

/** A page of an operator, which frames the game. */
export const Embedding = z.strictObject({
  /** Origin of the operator's page, `https://HOST`. */
  origin: filledTextUpTo(300),
  /** `refused`: the game's own cookies are third-party cookies there, which Safari and strict settings refuse. */
  cookies: z.enum(['allowed', 'refused']),
});
export type Embedding = z.infer<typeof Embedding>;
