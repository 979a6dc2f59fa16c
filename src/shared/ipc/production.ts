import { effectKinds, operationNames } from '../model/operations.ts';
import { textUpTo, z } from '../model/schema.ts';
import { EnvironmentColor } from '../model/environment.ts';

/**
 * The user's answer to core's question. `true`: this call, or this run. `tenMinutes`: and everything that grants or moves money in this
 * environment for ten minutes; for a call that only reads it means `true`.
 */
export const Confirmed = z._default(z.union([z.boolean(), z.literal('tenMinutes')]), false);
export type Confirmed = z.output<typeof Confirmed>;

const EffectKind = z.enum(effectKinds);

/** An amount of money as JSON writes numbers; `currency` is null where the request names none. */
export const Money = z.strictObject({
  amount: z.string(),
  currency: z.nullable(z.string()),
});
export type Money = z.infer<typeof Money>;

/** What one call does, read from the body that leaves. */
export const CallEffect = z.strictObject({
  operation: z.enum(operationNames),
  kind: EffectKind,
  /** The digits are those of the body; null where it has no amount that is a number. */
  money: z.nullable(Money),
  /** JSON text in place of a number, or more than one value: it is shown and never added up. Null for none. */
  unclear: z.nullable(z.string()),
  /** In minor units by the recorded answer to `amounts.unit`; else nobody knows. */
  minorUnits: z.boolean(),
  /** Of a grant; null where the body does not say. */
  rounds: z.nullable(z.int()),
  players: z.nullable(z.int()),
  /** What `money` is for in a grant: the spec for a bet amount, a recorded answer for an amount. Null where neither says. */
  moneyOf: z.nullable(z.enum(['round', 'player'])),
});
export type CallEffect = z.infer<typeof CallEffect>;

/** The calls of one kind in a run, added up exactly. */
export const EffectSum = z.strictObject({
  kind: EffectKind,
  calls: z.int(),
  /** One entry for each currency. */
  money: z.array(Money),
  /** Free rounds that are granted, for all players. Decimal digits. */
  rounds: z.string(),
  /** Calls whose amount or number of free rounds comes from a response of the run. */
  unknown: z.int(),
  /** Calls whose body has no amount that can be added up. */
  unstated: z.int(),
});
export type EffectSum = z.infer<typeof EffectSum>;

/** What a run does before its first call leaves: as far as its files and data say. */
export const RunEffect = z.strictObject({
  /** The collection, folder or request. */
  name: z.string(),
  requests: z.int(),
  minorUnits: z.boolean(),
  /** Only those that grant or move money; empty where all requests only read. */
  sums: z.array(EffectSum),
});
export type RunEffect = z.infer<typeof RunEffect>;

/** What core asks before production: `details.question` of a refusal with the reason `production_unconfirmed`. */
export const ProductionQuestion = z.strictObject({
  environment: z.strictObject({
    id: z.string(),
    name: z.string(),
    color: EnvironmentColor,
    platform: z.int(),
    partnerId: z.int(),
  }),
  /** Where a call goes; the base URL for a run. */
  url: z.string(),
  call: z.nullable(CallEffect),
  run: z.nullable(RunEffect),
});
export type ProductionQuestion = z.infer<typeof ProductionQuestion>;

export const productionInputs = {
  /** Fails with `not_found`. */
  'production.status': z.strictObject({ environmentId: textUpTo(200) }),
  /** Asks again before each call to the environment that grants or moves money. */
  'production.ask': z.strictObject({ environmentId: textUpTo(200) }),
};
