import { filledTextUpTo, late, textUpTo, wholeNumber, z } from './schema.ts';

// Made when they are first needed: the page reads what it remembers with them, and nothing else.

/** Pixels at each edge of the screen that a notch, round corners or a bar may cover, in CSS pixels: `env(safe-area-inset-*)`. */
const insets = late(() => {
  const pixels = z._default(wholeNumber(0, 500), 0);
  return z.strictObject({ top: pixels, right: pixels, bottom: pixels, left: pixels });
});
export type Insets = z.infer<ReturnType<typeof insets>>;

const noInsets = { top: 0, right: 0, bottom: 0, left: 0 };

/** A screen with what a game's page can find out about it. */
export const deviceSchema = late(() =>
  z.strictObject({
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
    insets: z._default(z.strictObject({ upright: z._default(insets(), noInsets), onItsSide: z._default(insets(), noInsets) }), {
      upright: noInsets,
      onItsSide: noInsets,
    }),
  }),
);
export type Device = z.infer<ReturnType<typeof deviceSchema>>;

/** The content of `devices.json`, in the home and in collections. `$schema` is for editors. */
export const deviceFileSchema = late(() =>
  z.strictObject({ $schema: z.optional(textUpTo(2_000)), devices: z.array(deviceSchema()).check(z.maxLength(200)) }),
);

export const networkSpeedSchema = late(() => z.enum(['full', 'fast 4G', 'slow 4G', '3G']));
export type NetworkSpeed = z.infer<ReturnType<typeof networkSpeedSchema>>;

/** The surroundings in which a game's page runs, as far as a host can choose them. */
export const pageSettingsSchema = late(() =>
  z.strictObject({
    /** Null: this computer's screen, as large as the room that the game has. */
    device: z.nullable(deviceSchema()),
    /** A touch screen on its side. */
    rotated: z.boolean(),
    /** Language of the page's browser, such as `de-AT`; empty for this computer's. */
    lang: textUpTo(35),
    /** Such as `Europe/Vienna`; empty for this computer's. */
    timeZone: textUpTo(60),
    network: networkSpeedSchema(),
    /** The processor is this many times slower; 1 is as it is. */
    slowdown: wholeNumber(1, 20),
  }),
);
export type PageSettings = z.infer<ReturnType<typeof pageSettingsSchema>>;

/** A page of an operator, which frames the game. */
export const embeddingSchema = late(() =>
  z.strictObject({
    /** Origin of the operator's page, `https://HOST`. */
    origin: filledTextUpTo(300),
    /** `refused`: the game's own cookies are third-party cookies there, which Safari and strict settings refuse. */
    cookies: z.enum(['allowed', 'refused']),
  }),
);
export type Embedding = z.infer<ReturnType<typeof embeddingSchema>>;
