import { createHash } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { RunOptions } from '#shared/ipc/index.ts';
import type { Iterations } from './iterations.ts';
import type { Plan } from './plan.ts';
import type { RunPart } from './report-lines.ts';
import { isUnchecked } from './request.ts';

type Shard = NonNullable<RunOptions['shard']>;

/** Returns the numbers of the iterations of one part: every `of`-th, so that each part gets rows of the whole file. */
export function* numbersOf({ part, of }: Pick<Shard, 'part' | 'of'>, iterations: number): Generator<number, void> {
  for (let number = part; number <= iterations; number += of) yield number;
}

/** Returns all requests of the iterations of one part. Fails with `invalid_input` together with a rerun, whose requests are a part already. */
export function onlyOfShard(
  { shard, failedOf }: Pick<RunOptions, 'shard' | 'failedOf'>,
  plan: Pick<Plan, 'requests'>,
  { count }: Pick<Iterations, 'count'>,
): Map<number, readonly number[]> | null {
  if (shard === null) return null;
  if (failedOf !== null) throw new AppError('invalid_input', "A rerun of what failed can't be split into parts. Run it whole.");
  const all = plan.requests.map((_, index) => index);
  return new Map([...numbersOf(shard, count)].map((number) => [number, all]));
}

/**
 * Describes a part, so that it is merged only with parts of the same run: same requests, data, repeat count and path. Values of variables are left
 * out, because they may differ by machine.
 */
export function partOf(
  shard: Shard | null,
  plan: Pick<Plan, 'requests' | 'collection'>,
  { count, rows, digest }: Pick<Iterations, 'count' | 'rows' | 'digest'>,
): Omit<RunPart, 'version'> | null {
  if (shard === null) return null;
  const requests = plan.requests.map(({ path, request }) => ({
    path,
    operation: request?.operation ?? null,
    unchecked: isUnchecked(request),
  }));
  const whole = JSON.stringify([plan.requests, plan.collection, count, digest]);
  const { part, of } = shard;
  return { part, of, plan: createHash('sha256').update(whole).digest('hex'), iterations: count, rows, requests };
}
