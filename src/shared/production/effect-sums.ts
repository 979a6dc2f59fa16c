import type { CallEffect, EffectSum } from '../ipc/outputs/production.ts';
import type { EffectKind } from '../model/operations.ts';
import { addDecimals, multiplyDecimal } from '../json/decimal.ts';
import { isWrite, type ReadEffect } from './effect.ts';

interface Sum {
  calls: number;
  readonly money: Map<string | null, string>;
  rounds: bigint;
  unknown: number;
  unstated: number;
}

/** Adds up the effects of a run's calls, exactly, and counts those that cannot be added up. */
export function createEffectTally() {
  const sums = new Map<EffectKind, Sum>();

  function sumOf(kind: EffectKind): Sum {
    const sum = sums.get(kind) ?? { calls: 0, money: new Map(), rounds: 0n, unknown: 0, unstated: 0 };
    sums.set(kind, sum);
    return sum;
  }

  return {
    /** `times`: number of equal calls. Calls that only read are ignored. */
    add({ effect, later }: ReadEffect, times: number) {
      if (!isWrite(effect)) return;
      const sum = sumOf(effect.kind);
      sum.calls += times;
      if (later) sum.unknown += times;
      else if (!addTo(sum, effect, BigInt(times))) sum.unstated += times;
    },
    /** In the order in which the kinds first came. */
    sums: (): EffectSum[] =>
      Array.from(sums, ([kind, { calls, money, rounds, unknown, unstated }]) => ({
        kind,
        calls,
        money: Array.from(money, ([currency, amount]) => ({ amount, currency })),
        rounds: String(rounds),
        unknown,
        unstated,
      })),
  };
}

/** Adds one effect; false if it has nothing that can be added up. */
function addTo(sum: Sum, effect: CallEffect, times: bigint): boolean {
  const { kind, money, unclear, rounds, players, moneyOf } = effect;
  if (kind === 'revokes' || kind === 'endsToken') return true;
  let each = times;
  if (kind === 'grants') {
    if (rounds === null || players === null) return false;
    sum.rounds += BigInt(rounds) * BigInt(players) * times;
    // Without money of a known meaning, only the free rounds can be added up.
    if (money === null || moneyOf === null) return unclear === null;
    each *= BigInt(players) * (moneyOf === 'round' ? BigInt(rounds) : 1n);
  }
  if (money === null) return false;
  const part = multiplyDecimal(money.amount, each);
  const known = sum.money.get(money.currency);
  const total = part === null ? null : known === undefined ? part : addDecimals(known, part);
  if (total === null) return false;
  sum.money.set(money.currency, total);
  return true;
}
