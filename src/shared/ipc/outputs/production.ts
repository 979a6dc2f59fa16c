import { EnvironmentColor } from '../../model/environment.ts';
import { effectKinds, operationNames } from '../../model/operations.ts';
import { z } from '../../model/schema.ts';

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

export const productionOutputs = {
  'production.status': z.strictObject({
    /** Milliseconds since the epoch: until then nothing is asked before a call to it. Null where Croupier asks. */
    notAskingUntil: z.nullable(z.int()),
    /** An environment that is marked as production and has the same identity as this one, which is not marked. */
    like: z.nullable(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        by: z.enum(['identity', 'key', 'both']),
      }),
    ),
  }),
  'production.ask': z.strictObject({ asked: z.boolean() }),
};

export const productionEvents = {
  /** Ten minutes began or ended. */
  'production.changed': z.strictObject({ environmentId: z.string() }),
};
