import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { CheckResult, ReportedRequest } from '#shared/collections/run-report.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Environment } from '#shared/ipc/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { substituteRequest } from '#shared/variables/request.ts';
import { createScopes, type Scopes } from '#shared/variables/scopes.ts';
import type { Delivered } from '../calls/send.ts';
import type { RunRequest } from '../calls/calls.ts';
import type { Checks } from '../collections/checks/checks.ts';
import { lookAtAnswer, maskOf } from '../collections/checks/look-at-answer.ts';
import type { PlannedRequest } from './plan.ts';

/** What a request of a pass is made from. */
export interface RequestInput {
  readonly planned: PlannedRequest;
  readonly collection: Variables;
  /** Of the run and of the data row. */
  readonly variables: Variables;
  /** The values of the answers that it waited for. */
  readonly answers: Variables;
  /** Variables that an answer should have set and did not: the paths of its request by their names. */
  readonly missing: ReadonlyMap<string, string>;
  /** The ids of the pass that have a name. */
  readonly namedIds: Map<string, string>;
  readonly ticket: string;
}

export interface RequestOutcome {
  readonly reported: ReportedRequest;
  /** What it takes from its answer, without those that are not there; a prototype would be found under `__proto__`. */
  readonly taken: Variables;
}

export interface RequestDeps {
  readonly runId: string;
  readonly environment: Environment;
  /** What the environment gives besides its settings, now. */
  readonly session: () => Variables;
  readonly send: (request: RunRequest) => Promise<Delivered>;
  readonly checks: Checks;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}

const asItIs = (text: string) => ({ ok: true, text }) as const;

/** Sends one request of a run and looks at its answer. Whatever goes wrong with it is what it gives back. */
export async function runRequest(deps: RequestDeps, input: RequestInput): Promise<RequestOutcome> {
  const { environment, checks, now, newId, session } = deps;
  const { planned, missing } = input;
  const { request } = planned;
  if (request === null) return without(planned, 'error', planned.problem);
  const sessionNow = session();
  const scopes = hiding(
    createScopes({
      answer: input.answers,
      run: input.variables,
      folders: planned.folders,
      collection: input.collection,
      environment,
      session: sessionNow,
    }),
    missing,
  );
  const isToken = (name: string) => isTokenName(name, environment.answers);
  const known = () => [JSON.stringify({ ...sessionNow, ...input.answers, ...input.variables })];

  const filled = substituteRequest(
    request,
    scopes,
    createGenerated({ environment, now: now(), newId, namedIds: input.namedIds }),
  );
  if (!filled.ok) {
    const mask = maskOf(known, isToken);
    const sentences = filled.errors.slice(0, 10).map(({ field, line, column, message, name }) => {
      const setter = missing.get(name);
      const why = setter === undefined ? '' : ` It comes from the answer of ${setter}, which did not give it.`;
      return `${planned.path}.yaml, ${field.slice(1)}, line ${line}, column ${column}: ${message}${why}`;
    });
    return without(planned, 'error', mask.text(sentences.join(' ')));
  }

  let delivered: Delivered;
  try {
    delivered = await deps.send({
      draft: { environmentId: environment.id, ...filled.draft },
      ticket: input.ticket,
      collectionRun: { id: deps.runId, path: planned.path },
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'cancelled') return without(planned, 'cancelled', error.message);
    return without(planned, 'error', maskOf(known, isToken).text(`${planned.path}.yaml${placeOf(error)}: ${error.message}`));
  }

  const { call, body } = delivered;
  const { failure } = call;
  if (failure !== null || call.response === null) {
    const words = failure === null ? 'There is no answer.' : `${failure.message} ${failure.hint}`.trim();
    return {
      reported: reportOf(planned, request, call, call.state === 'cancelled' ? 'cancelled' : 'error', words, []),
      taken: {},
    };
  }
  const { results, taken } = lookAtAnswer(checks, {
    call,
    text: body.toString('utf8'),
    expect: filled.expect,
    take: filled.take,
    substitute: asItIs,
    known,
    isToken,
  });
  const failed = results.filter(({ passed }) => !passed).length;
  const reason = failed === 0 ? '' : `${failed} of ${results.length} ${results.length === 1 ? 'check' : 'checks'} failed.`;
  return { reported: reportOf(planned, request, call, failed === 0 ? 'passed' : 'failed', reason, results), taken };
}

/** A request of which there is no call. */
export function without({ path, request }: PlannedRequest, state: ReportedRequest['state'], reason: string): RequestOutcome {
  const nothingOfIt = { callId: null, code: null, status: null, durationMs: null, checks: [] };
  return { reported: { path, operation: request?.operation ?? null, state, reason, ...nothingOfIt }, taken: {} };
}

function reportOf(
  { path }: PlannedRequest,
  { operation }: CollectionRequest,
  call: Call,
  state: ReportedRequest['state'],
  reason: string,
  checks: CheckResult[],
): ReportedRequest {
  const { id, code, status, durationMs } = call;
  return { path, operation, state, reason, callId: id, code, status, durationMs, checks };
}

/** A variable whose answer did not give it has no value at all: that of a scope further out would be another one. */
function hiding(scopes: Scopes, missing: ReadonlyMap<string, string>): Scopes {
  if (missing.size === 0) return scopes;
  return {
    find: (name) => (missing.has(name) ? null : scopes.find(name)),
    all: () => scopes.all().filter(({ name }) => !missing.has(name)),
  };
}

function placeOf({ details }: AppError): string {
  if (typeof details !== 'object' || details === null || !('line' in details) || !('column' in details)) return '';
  return `, data, line ${String(details.line)}, column ${String(details.column)}`;
}
