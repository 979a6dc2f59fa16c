import type { Environment, RunEffect } from '#shared/ipc/index.ts';
import { effectOf, isWrite, valueOfLater, type ReadEffect } from '#shared/production/effect.ts';
import { createEffectTally } from '#shared/production/effect-sums.ts';
import { answerOf } from '#shared/provider/index.ts';
import { assembleBody, prepareRequest } from '#shared/request/envelope.ts';
import type { Variables } from '#shared/collections/model.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { substituteRequest } from '#shared/variables/substitute-request.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import type { Iterations } from './iterations.ts';
import type { Plan } from './plan.ts';
import { withDependencies } from './tags.ts';

export interface RunToAskAbout {
  readonly name: string;
  readonly plan: Plan;
  readonly iterations: Iterations;
  readonly only: ReadonlyMap<number, readonly number[]> | null;
  readonly environment: Environment;
  readonly session: Variables;
  /** Returns milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns what a run would grant and move: its requests with the values of files, data rows and environment. The values of later
 * responses are not known yet, and a request that cannot be made is not sent. Fails as `Iterations.open` does.
 */
export async function effectOfRun({
  name,
  plan,
  iterations,
  only,
  environment,
  session,
  now,
}: RunToAskAbout): Promise<RunEffect> {
  const { answers } = environment;
  const tally = createEffectTally();
  let ids = 0;

  function effectIn(index: number, variables: Variables): ReadEffect | null {
    const planned = plan.requests[index];
    if (!planned?.request) return null;
    const answer = Object.create(null) as Variables;
    for (const later of plan.needs[index]?.keys() ?? []) answer[later] = valueOfLater;
    const { request, folders } = planned;
    const scopes = createScopes({ answer, run: variables, folders, collection: plan.collection, environment, session });
    const filled = substituteRequest(request, scopes, createGenerated({ environment, now, newId: () => `id-${++ids}` }));
    if (!filled.ok) return null;
    const prepared = prepareRequest({ environmentId: environment.id, ...filled.draft }, environment, now);
    return prepared.ok ? effectOf(request.operation, assembleBody(prepared.request, null), answers) : null;
  }

  function add(indexes: readonly number[], variables: Variables, times: number): void {
    for (const index of indexes) {
      const read = effectIn(index, variables);
      if (read !== null && isWrite(read.effect)) tally.add(read, times);
    }
  }

  const all = plan.requests.map((_, index) => index);
  const indexesOf = (number: number) => (only === null ? all : withDependencies(plan, only.get(number) ?? []));
  const numbers = only === null ? upTo(iterations.count) : [...only.keys()];
  let requests = 0;
  // Without data every iteration does the same.
  const alike = only === null && iterations.rowOf(1) === null;
  for await (const { number, variables } of iterations.open(alike ? [1] : numbers)) {
    const indexes = indexesOf(number);
    requests += indexes.length * (alike ? iterations.count : 1);
    add(indexes, variables, alike ? iterations.count : 1);
  }
  return { name, requests, minorUnits: answerOf('amounts.unit', answers) === 'minor', sums: tally.sums() };
}

function* upTo(count: number): Generator<number> {
  for (let number = 1; number <= count; number++) yield number;
}
