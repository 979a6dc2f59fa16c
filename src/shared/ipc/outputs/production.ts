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

/** The effect of one call, read from the body to be sent. */
export const CallEffect = z.strictObject({
  operation: z.enum(operationNames),
  kind: EffectKind,
  /** The digits are those of the body; null if it has no numeric amount. */
  money: z.nullable(Money),
  /** JSON text that is not one number; it is shown but never added up. Null for none. */
  unclear: z.nullable(z.string()),
  /** True if the recorded answer to `amounts.unit` says minor units; otherwise unknown. */
  minorUnits: z.boolean(),
  /** Number of rounds of a grant; null if the body does not say. */
  rounds: z.nullable(z.int()),
  players: z.nullable(z.int()),
  /** Meaning of `money` in a grant: from the spec for a bet amount, from a recorded answer for an amount. Null if neither says. */
  moneyOf: z.nullable(z.enum(['round', 'player'])),
});
export type CallEffect = z.infer<typeof CallEffect>;

/** The calls of one kind in a run, added up exactly. */
export const EffectSum = z.strictObject({
  kind: EffectKind,
  calls: z.int(),
  /** One entry for each currency. */
  money: z.array(Money),
  /** Free rounds granted to all players, in decimal digits. */
  rounds: z.string(),
  /** Calls whose amount or number of free rounds comes from a response of the run. */
  unknown: z.int(),
  /** Calls whose body has no amount that can be added up. */
  unstated: z.int(),
});
export type EffectSum = z.infer<typeof EffectSum>;

/** The effect of a run, from its files and data, before its first call is sent. */
export const RunEffect = z.strictObject({
  /** The collection, folder or request. */
  name: z.string(),
  requests: z.int(),
  minorUnits: z.boolean(),
  /** Only those that grant or move money; empty if all requests only read. */
  sums: z.array(EffectSum),
});
export type RunEffect = z.infer<typeof RunEffect>;

/** Core's question before a call to production: `details.question` of a refusal with the reason `production_unconfirmed`. */
export const ProductionQuestion = z.strictObject({
  environment: z.strictObject({
    id: z.string(),
    name: z.string(),
    color: EnvironmentColor,
    platform: z.int(),
    partnerId: z.int(),
  }),
  /** The URL of a call; the base URL for a run or a plan. */
  url: z.string(),
  call: z.nullable(CallEffect),
  run: z.nullable(RunEffect),
  /** A plan of at most so many calls, which only read. Absent for anything else. */
  probes: z.optional(z.strictObject({ calls: z.int() })),
  /** The gateway, which passes whatever comes. Absent for anything else. */
  gateway: z.optional(z.literal(true)),
  /** The cases of a wallet test, and what they may lose; empty to put back what an earlier one left moved. Absent for anything else. */
  wallet: z.optional(z.strictObject({ stake: z.string(), cases: z.int() })),
});
export type ProductionQuestion = z.infer<typeof ProductionQuestion>;

export const productionOutputs = {
  'production.status': z.strictObject({
    /** Milliseconds since the epoch until which Croupier does not ask. Null if it asks. */
    notAskingUntil: z.nullable(z.int()),
    /** A production environment with the same identity as this one, which is not marked as production. */
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
  /** Ten minutes without a question began or ended. */
  'production.changed': z.strictObject({ environmentId: z.string() }),
};
