import { mostResponseBytes } from './limits.ts';
import { ReadySign } from './ready-sign.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from './schema.ts';
import { environmentColors, serializations, defaultEnvironment } from './default-environment.ts';

const { defaults, timeouts, launchRules } = defaultEnvironment;

export const Serialization = z.enum(serializations);
export type Serialization = z.infer<typeof Serialization>;

export const EnvironmentColor = z.enum(environmentColors);
export type EnvironmentColor = z.infer<typeof EnvironmentColor>;

/**
 * The provider's answer to a point that the spec leaves open, as recorded by the user. The format of the text depends on the point's type
 * (docs/open-points.md); an answer that is no longer valid is kept but not used.
 */
export const RecordedAnswer = z.strictObject({
  value: textUpTo(20_000),
  note: z._default(textUpTo(10_000), ''),
  /** Day on which the value was recorded, as 2026-01-31; absent if an older version recorded it. */
  date: z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/))),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** Initial values of fields in templates. */
export const EnvironmentDefaults = z.strictObject({
  currency: z._default(textUpTo(255), defaults.currency),
  lang: z._default(textUpTo(255), defaults.lang),
  country: z._default(textUpTo(255), defaults.country),
  ip: z._default(textUpTo(255), defaults.ip),
  exitURL: z._default(textUpTo(10_000), defaults.exitURL),
  playerId: z._default(textUpTo(255), defaults.playerId),
});
export type EnvironmentDefaults = z.infer<typeof EnvironmentDefaults>;

/** Milliseconds; `total` limits the whole call. */
export const Timeouts = z.strictObject({
  connect: z._default(wholeNumber(1, 600_000), timeouts.connect),
  headers: z._default(wholeNumber(1, 600_000), timeouts.headers),
  idle: z._default(wholeNumber(1, 600_000), timeouts.idle),
  total: z._default(wholeNumber(1, 600_000), timeouts.total),
});
export type Timeouts = z.infer<typeof Timeouts>;

/** Limits and known noise for the verdicts of launches. */
export const LaunchRules = z.strictObject({
  /** Seconds from the moment a game's page begins to load: one that is not ready then has failed. */
  readyWithin: z._default(wholeNumber(1, 600), launchRules.readyWithin),
  /** Seconds from the same moment: one that is ready later is to be checked. */
  slowAfter: z._default(wholeNumber(1, 600), launchRules.slowAfter),
  /** Texts: an entry of the record that holds one of them makes no launch fail, and such a request keeps none from being ready. */
  noise: z._default(z.array(filledTextUpTo(500)).check(z.maxLength(100)), []),
  /** Signs of a game that is ready: the first one that comes decides. */
  readySigns: z._default(z.array(ReadySign).check(z.maxLength(20)), []),
  /** Texts on a game's page that say that it failed, beside those that Croupier knows. */
  errorTexts: z._default(z.array(filledTextUpTo(500)).check(z.maxLength(100)), []),
});
export type LaunchRules = z.infer<typeof LaunchRules>;

/** Made once from the name and a random suffix; names the file and the keychain account. */
const EnvironmentId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,79}$/));

/** Target and identity of calls. Holds no secret: the key is in the keychain under `id`. */
export const Environment = z.strictObject({
  id: EnvironmentId,
  name: filledTextUpTo(100),
  kind: z._default(z.enum(['sandbox', 'provider']), 'provider'),
  color: z._default(EnvironmentColor, defaultEnvironment.color),
  /** Croupier asks once per session before it reads, and before each call that grants or moves money. Files of old versions lack it. */
  production: z._default(z.boolean(), false),
  /** https URL without a trailing slash; Croupier adds `/serviceApi.php`. */
  baseUrl: textUpTo(2_000),
  /** https URL of the wallet methods; empty means the base URL. */
  walletUrl: z._default(textUpTo(2_000), defaultEnvironment.walletUrl),
  platform: z.int(),
  partnerId: z.int(),
  /** IANA name; the zone in which `time` is written. */
  timeZone: z._default(textUpTo(100), defaultEnvironment.timeZone),
  serialization: z._default(Serialization, defaultEnvironment.serialization),
  defaults: z.prefault(EnvironmentDefaults, {}),
  /** PEM of an extra certificate authority; empty for none. */
  ca: z._default(textUpTo(200_000), defaultEnvironment.ca),
  timeouts: z.prefault(Timeouts, {}),
  /** Largest decoded response in bytes. */
  maxResponseBytes: z._default(wholeNumber(1_024, mostResponseBytes), defaultEnvironment.maxResponseBytes),
  launchRules: z.prefault(LaunchRules, {}),
  /** `none`, or the address of a proxy, as `http://proxy.example:8080`; absent (or `system`, while it is typed): as this computer says. */
  proxy: z.optional(textUpTo(2_000)),
  /** ID of another environment of the same provider, whose recorded answers are this one's; absent: it has its own. */
  sameProviderAs: z.optional(EnvironmentId),
  /** Recorded answers by the ID of their open point. */
  answers: z._default(z.record(textUpTo(100), RecordedAnswer), {}),
});
export type Environment = z.infer<typeof Environment>;
