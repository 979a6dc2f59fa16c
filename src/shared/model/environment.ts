import { mostResponseBytes } from './limits.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from './schema.ts';
import { environmentColors, serializations, usualEnvironment } from './usual-environment.ts';

const { defaults, timeouts } = usualEnvironment;

export const Serialization = z.enum(serializations);
export type Serialization = z.infer<typeof Serialization>;

export const EnvironmentColor = z.enum(environmentColors);
export type EnvironmentColor = z.infer<typeof EnvironmentColor>;

/**
 * The provider's answer to a point that the spec leaves open, as recorded by the user. The form of the text follows the point's type
 * (docs/open-points.md); one that is no longer valid is kept and not used.
 */
export const GapAnswer = z.strictObject({
  value: textUpTo(20_000),
  note: z._default(textUpTo(10_000), ''),
});
export type GapAnswer = z.infer<typeof GapAnswer>;

/** Values that templates start from when nobody set the field. */
export const EnvironmentDefaults = z.strictObject({
  currency: z._default(textUpTo(255), defaults.currency),
  lang: z._default(textUpTo(255), defaults.lang),
  country: z._default(textUpTo(255), defaults.country),
  ip: z._default(textUpTo(255), defaults.ip),
  exitURL: z._default(textUpTo(10_000), defaults.exitURL),
  playerId: z._default(textUpTo(255), defaults.playerId),
});
export type EnvironmentDefaults = z.infer<typeof EnvironmentDefaults>;

/** Milliseconds; `total` bounds the whole call whatever the other phases do. */
export const Timeouts = z.strictObject({
  connect: z._default(wholeNumber(1, 600_000), timeouts.connect),
  headers: z._default(wholeNumber(1, 600_000), timeouts.headers),
  idle: z._default(wholeNumber(1, 600_000), timeouts.idle),
  total: z._default(wholeNumber(1, 600_000), timeouts.total),
});
export type Timeouts = z.infer<typeof Timeouts>;

/** Where calls go and as whom. Holds no secret: the key is in the keychain under `id`. */
export const Environment = z.strictObject({
  /** Made once from the name and a random suffix; names the file and the keychain account. */
  id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,79}$/)),
  name: filledTextUpTo(100),
  kind: z._default(z.enum(['sandbox', 'provider']), 'provider'),
  color: z._default(EnvironmentColor, usualEnvironment.color),
  /** Croupier asks once per session before it reads, and before each call that grants or moves money. Files without it are of old versions. */
  production: z._default(z.boolean(), false),
  /** https address without a trailing slash; `/serviceApi.php` is added. */
  baseUrl: textUpTo(2_000),
  /** https address of the wallet methods; empty means the base URL. */
  walletUrl: z._default(textUpTo(2_000), usualEnvironment.walletUrl),
  platform: z.int(),
  partnerId: z.int(),
  /** IANA name; the zone in which `time` is written. */
  timeZone: z._default(z.string(), usualEnvironment.timeZone),
  serialization: z._default(Serialization, usualEnvironment.serialization),
  defaults: z.prefault(EnvironmentDefaults, {}),
  /** PEM of an extra certificate authority; empty for none. */
  ca: z._default(textUpTo(200_000), usualEnvironment.ca),
  timeouts: z.prefault(Timeouts, {}),
  /** Largest decoded answer in bytes. */
  maxResponseBytes: z._default(wholeNumber(1_024, mostResponseBytes), usualEnvironment.maxResponseBytes),
  /** Recorded answers by the id of the spec gap. */
  answers: z._default(z.record(z.string(), GapAnswer), {}),
});
export type Environment = z.infer<typeof Environment>;
