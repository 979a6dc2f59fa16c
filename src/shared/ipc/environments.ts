import { call, event, Nothing, z } from './contract.ts';

/** How `data` becomes the bytes that are hashed and sent: see docs/signing.md. */
export const Serialization = z.enum(['php', 'php-unicode', 'verbatim']);
export type Serialization = z.infer<typeof Serialization>;

export const EnvironmentColor = z.enum(['green', 'blue', 'violet', 'amber', 'red', 'grey']);
export type EnvironmentColor = z.infer<typeof EnvironmentColor>;

/** The provider's answer to a point that the spec leaves open, as recorded by the user. */
export const GapAnswer = z.strictObject({ value: z.string().max(2_000), note: z.string().max(10_000).default('') });
export type GapAnswer = z.infer<typeof GapAnswer>;

/** Values that templates start from when nobody set the field. */
export const EnvironmentDefaults = z.strictObject({
  currency: z.string().max(255).default('EUR'),
  lang: z.string().max(255).default('en'),
  country: z.string().max(255).default('DE'),
  ip: z.string().max(255).default('203.0.113.9'),
  exitURL: z.string().max(10_000).default(''),
  playerId: z.string().max(255).default('player-1'),
});
export type EnvironmentDefaults = z.infer<typeof EnvironmentDefaults>;

/** Milliseconds; `total` bounds the whole call whatever the other phases do. */
export const Timeouts = z.strictObject({
  connect: z.number().int().min(1).max(600_000).default(10_000),
  headers: z.number().int().min(1).max(600_000).default(15_000),
  idle: z.number().int().min(1).max(600_000).default(15_000),
  total: z.number().int().min(1).max(600_000).default(60_000),
});
export type Timeouts = z.infer<typeof Timeouts>;

/** Where calls go and as whom. Holds no secret: the key is in the keychain under `id`. */
export const Environment = z.strictObject({
  /** Made once from the name and a random suffix; names the file and the keychain account. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/),
  name: z.string().min(1).max(100),
  kind: z.enum(['sandbox', 'provider']).default('provider'),
  color: EnvironmentColor.default('blue'),
  /** Asks before the first send of a run. */
  production: z.boolean().default(false),
  /** https address without a trailing slash; `/serviceApi.php` is added. */
  baseUrl: z.string().max(2_000),
  /** https address of the wallet methods; empty means the base URL. */
  walletUrl: z.string().max(2_000).default(''),
  platform: z.number().int(),
  partnerId: z.number().int(),
  /** IANA name; the zone in which `time` is written. */
  timeZone: z.string().default('UTC'),
  serialization: Serialization.default('php'),
  defaults: EnvironmentDefaults.prefault({}),
  /** PEM of an extra certificate authority; empty for none. */
  ca: z.string().max(200_000).default(''),
  timeouts: Timeouts.prefault({}),
  /** Largest decoded answer in bytes. */
  maxResponseBytes: z.number().int().min(1_024).max(268_435_456).default(20_971_520),
  /** Recorded answers by the id of the spec gap. */
  answers: z.record(z.string(), GapAnswer).default({}),
});
export type Environment = z.infer<typeof Environment>;

/** What a new environment needs at least; everything else has a default. */
export const EnvironmentDraft = Environment.omit({ id: true, kind: true });
export type EnvironmentDraft = z.input<typeof EnvironmentDraft>;

/** A file in the environments folder that could not be read; it is left untouched. */
export const BrokenEnvironment = z.strictObject({ file: z.string(), message: z.string() });

export const environmentCalls = {
  'environments.list': call(Nothing, z.strictObject({ environments: z.array(Environment), broken: z.array(BrokenEnvironment) })),
  'environments.create': call(z.strictObject({ environment: EnvironmentDraft }), Environment),
  'environments.save': call(z.strictObject({ environment: Environment }), Environment),
  /** Gives back what was removed, so that `environments.save` undoes it. The key goes at the next start unless undone. */
  'environments.remove': call(z.strictObject({ id: z.string() }), Environment),
};

export const environmentEvents = {
  'environments.changed': event(Nothing),
};
