import type { Variables } from '#shared/collections/model.ts';
import type { ReportedFinding, ReportedRequest } from '#shared/collections/reported-request.ts';
import { AppError, placeOf } from '#shared/errors.ts';
import { reasonOf, standInText } from '#shared/explanation/provider-reason.ts';
import type { Call, Environment, Finding, RequestDraft } from '#shared/ipc/index.ts';
import { validatePayload, contextOf, formOf, operationByName, usesGames, type KnownGames } from '#shared/provider/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createGenerated } from '#shared/variables/generated.ts';
import { substituteRequest } from '#shared/variables/substitute-request.ts';
import { createScopes, type Scopes } from '#shared/variables/scopes.ts';
import type { Takers } from '#shared/variables/takers.ts';
import type { AnnouncedCall, RunCall } from '../calls/calls.ts';
import type { Delivered, InTurn } from '../calls/send.ts';
import { maskOf, variablesOf } from '../collections/checks/evaluate-response.ts';
import type { Plan, PlannedRequest } from './plan.ts';
import type { Turn } from './turn.ts';
import { reportedCall, type ReportedCallDeps } from './reported-call.ts';

/** Input of a request in an iteration. */
export interface RequestInput {
  readonly planned: PlannedRequest;
  readonly collection: Variables;
  /** Of the run and of the data row. */
  readonly variables: Variables;
  /** The values from the responses that it waited for. */
  readonly answers: Variables;
  /** Variables that a response should have set and did not: the paths of its request by their names. */
  readonly missing: ReadonlyMap<string, string>;
  /** The IDs of the iteration that have a name. */
  readonly namedIds: Map<string, string>;
  readonly ticket: string;
  readonly inTurn: InTurn;
}

export interface RequestOutcome {
  readonly reported: ReportedRequest;
  /** The values taken from its response, without missing ones; no prototype, which `__proto__` would find. */
  readonly taken: Variables;
  /** Resolves to null once its outcome is in the history, or to the reason why it is not; never rejects. */
  readonly recorded: Promise<string | null>;
  /** The reason why no other request can be sent either: nothing can be written to the home. */
  readonly ends?: string;
  /** The reason why no other request should be sent. */
  readonly stops?: string;
}

export interface RequestDeps extends Pick<ReportedCallDeps, 'environment' | 'evaluate' | 'stopped'> {
  readonly runId: string;
  /** Returns the environment's present variables beside its settings. */
  readonly session: () => Variables;
  /** Returns the newest game list of the environment, now; null if none is known. */
  readonly games: () => KnownGames | null;
  readonly announce: (request: RunCall) => Promise<AnnouncedCall>;
  /** Returns the requests that take a variable, for a request (a path with `.yaml`) that lacks one. */
  readonly takersFor: (path: string) => Promise<Takers | undefined>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly onFault: (error: unknown) => void;
}

/** A request that is ready to leave, or whose outcome is known without that. */
export interface ReadyRequest {
  /** Returns whether it is still the request that would be made now: its time, and the environment's values. */
  isFresh(): boolean;
  /** Sends it and checks its response. Any failure is its outcome. To be called once. */
  send(): Promise<RequestOutcome>;
  /** Ends it in place of `send`. Nothing of it stays in the history. */
  withdraw(): Promise<void>;
}

/** Milliseconds: a request must not leave with an older time. */
const oldestMs = 1_000;

/** Returns how requests of a plan are made ready, each when its turn comes. */
export function readyInPlan(
  { requests, collection, takersFor }: Pick<Plan, 'requests' | 'collection' | 'takersFor'>,
  deps: Omit<RequestDeps, 'stopped' | 'takersFor'>,
): (turn: Turn) => Promise<ReadyRequest> {
  return async ({ index, iteration, stopped, ...turn }) => {
    const planned = requests[index];
    if (planned === undefined) throw new RangeError(`There is no request ${index} in the plan`);
    return readyRequest({ ...deps, takersFor, stopped }, { ...turn, planned, collection, variables: iteration.variables });
  };
}

/** Inserts the variables into one request of a run, signs it and writes it into the history. Any failure is its outcome. */
export async function readyRequest(deps: RequestDeps, input: RequestInput): Promise<ReadyRequest> {
  const { environment, now, newId, session } = deps;
  const { planned, missing } = input;
  const { request } = planned;
  if (request === null) return settled(without(planned, 'error', planned.problem));
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

  const generated = createGenerated({ environment, now: now(), newId, namedIds: input.namedIds });
  let filled = substituteRequest(request, scopes, generated);
  if (!filled.ok && filled.errors.some((error) => error.missing !== undefined)) {
    // Once more for the sentences alone: the other files are not looked at for a request that lacks nothing.
    filled = substituteRequest(request, { ...scopes, takers: await deps.takersFor(`${planned.path}.yaml`) }, generated);
  }
  if (!filled.ok) {
    const mask = maskOf(known, isToken);
    const sentences = filled.errors.slice(0, 10).map(({ field, line, column, message, name }) => {
      const setter = missing.get(name);
      // It is defined: the advice for a variable without a definition does not fit.
      const why = setter === undefined ? message : `${name} comes from the response of ${setter}, which didn't contain it.`;
      return `${planned.path}.yaml, ${field.slice(1)}, line ${line}, column ${column}: ${why}`;
    });
    return settled(without(planned, 'error', mask.text(sentences.join(' '))));
  }

  const { draft, expect, take } = filled;

  /** Returns the outcome of a request that was not sent. */
  function unsent(error: unknown): RequestOutcome {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'cancelled') return without(planned, 'cancelled', error.message);
    const at = placeOf(error.details);
    const place = at === null ? '' : `, data, line ${at.line}, column ${at.column}`;
    const outcome = without(planned, 'error', maskOf(known, isToken).text(`${planned.path}.yaml${place}: ${error.message}`));
    return error.code === 'storage' ? { ...outcome, ends: error.message } : outcome;
  }

  let announced: AnnouncedCall;
  try {
    announced = await deps.announce({
      draft: { environmentId: environment.id, ...draft },
      environment,
      ticket: input.ticket,
      collectionRun: { id: deps.runId, path: planned.path },
      inTurn: input.inTurn,
    });
  } catch (error) {
    return settled(unsent(error));
  }

  async function outcomeOf(delivered: Delivered, found: readonly Finding[]): Promise<RequestOutcome> {
    const { call, body, recorded } = delivered;
    const { failure } = call;
    if (failure !== null || call.response === null) {
      const words = failure === null ? 'There is no response.' : `${failure.message} ${failure.hint}`.trim();
      const state = call.state === 'cancelled' ? 'cancelled' : 'error';
      const mask = maskOf(() => [call.request.bodyText, ...known()], isToken);
      const findings = reported(found, call.findings, ({ message }) => mask.text(message));
      const outcome = { state, reason: words, checks: [], findings } satisfies Outcome;
      const shown = state === 'cancelled' ? outcome : await withCall(outcome, delivered);
      return { reported: reportOf(planned, call, shown), taken: {}, recorded };
    }
    const why = reasonOf(call);
    const { results, taken, sentences } = await deps.evaluate(
      {
        call,
        body,
        expect,
        take,
        unresolved: [],
        known: known(),
        answers: environment.answers,
        sentences: [why?.why ?? '', ...[...found, ...call.findings].map(({ message }) => message)],
      },
      deps.stopped,
    );
    const [reasonText = '', ...messages] = sentences;
    const failed = results.filter(({ passed }) => !passed).length;
    const reason = [
      ...(failed === 0 ? [] : [`${failed} of ${results.length} ${results.length === 1 ? 'check' : 'checks'} failed.`]),
      ...(failed === 0 || why === null ? [] : [`The built-in provider's reason: ${reasonText}`]),
      ...(failed > 0 && why?.standsIn === true && call.code !== null ? [standInText(call.code)] : []),
    ].join(' ');
    const state = failed === 0 ? 'passed' : 'failed';
    const findings = reported(found, call.findings, (_, index) => messages[index] ?? '');
    const outcome = { state, reason, checks: [...results], findings } satisfies Outcome;
    const shown = failed === 0 ? outcome : await withCall(outcome, delivered);
    return { reported: reportOf(planned, call, shown), taken: variablesOf(taken), recorded };
  }

  /** Adds the call to what a report says. A call that cannot be described changes nothing of the outcome. */
  async function withCall(outcome: Outcome, { call, body, raw }: Delivered): Promise<Outcome> {
    try {
      const reported = await reportedCall(
        { environment, evaluate: deps.evaluate, stopped: deps.stopped },
        { call, body, raw, known: known() },
      );
      return { ...outcome, call: reported };
    } catch (error) {
      return { ...outcome, reason: `${outcome.reason} Call ${call.id} is not in the report. ${whyUntold(error)}` };
    }
  }

  function whyUntold(error: unknown): string {
    if (deps.stopped.aborted) return 'The run was cancelled.';
    if (error instanceof AppError) return error.message;
    deps.onFault(error);
    return `An error in Croupier: ${error instanceof Error ? error.message : String(error)}`;
  }

  return {
    isFresh: () => now() - announced.sentAt <= oldestMs && isSame(sessionNow, session()),
    async send() {
      const games = usesGames(formOf(operationByName(draft.operation), draft.form)) ? deps.games() : null;
      const sending = announced.send();
      // While the provider works on it.
      const found = findingsOf(draft, environment, announced.sentAt, games);
      let delivered: Delivered;
      try {
        delivered = await sending;
      } catch (error) {
        await announced.withdraw();
        return unsent(error);
      }
      return outcomeOf(delivered, found);
    },
    withdraw: () => announced.withdraw(),
  };
}

/** Returns a request that is over before it could leave. */
function settled(outcome: RequestOutcome): ReadyRequest {
  return readyValue(() => Promise.resolve(outcome));
}

/** Returns an entry that is made when it is sent. */
export function readyValue(send: () => Promise<RequestOutcome>): ReadyRequest {
  return { isFresh: () => true, send, withdraw: () => Promise.resolve() };
}

function isSame(one: Variables, other: Variables): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
/** Returns the outcome of a request without a call. */
export function without({ path, request }: PlannedRequest, state: ReportedRequest['state'], reason: string): RequestOutcome {
  const nothingOfIt = { callId: null, code: null, status: null, durationMs: null, checks: [], findings: [] };
  const reported = {
    path,
    operation: request?.operation ?? null,
    state,
    reason,
    ...nothingOfIt,
    unchecked: isUnchecked(request),
    unrecorded: '',
  };
  return { reported, taken: {}, recorded: nothingToRecord };
}

const nothingToRecord = Promise.resolve(null);

/** Returns whether its file has no check of its response. */
export function isUnchecked(request: PlannedRequest['request']): boolean {
  return request?.expect.length === 0;
}

type Outcome = Pick<ReportedRequest, 'state' | 'reason' | 'checks' | 'findings' | 'call'>;

function reportOf({ path, request }: PlannedRequest, call: Call, outcome: Outcome): ReportedRequest {
  const { id, operation, code, status, durationMs } = call;
  const facts = { callId: id, code, status, durationMs };
  return { path, operation, ...outcome, ...facts, unchecked: isUnchecked(request), unrecorded: '' };
}

/** Returns the findings about a request, with the environment and the clock at its sending. */
function findingsOf(
  { operation, form, text, overrides }: Omit<RequestDraft, 'environmentId'>,
  environment: Environment,
  sentAt: number,
  games: KnownGames | null,
): Finding[] {
  return validatePayload(operationByName(operation), form, text, contextOf(environment, overrides, sentAt, games));
}

/** Returns the findings of a request and of its response; `messageOf` writes each as it may be shown. */
function reported(
  request: readonly Finding[],
  response: readonly Finding[],
  messageOf: (finding: Finding, index: number) => string,
): ReportedFinding[] {
  return [...request, ...response].map((finding, index) => {
    const { rule, severity, path } = finding;
    const about = index < request.length ? 'request' : 'response';
    return { about, rule, severity, path, message: messageOf(finding, index) };
  });
}

/** Hides a variable that its response did not give: it has no value at all, and one of an outer scope would be another one. */
function hiding(scopes: Scopes, missing: ReadonlyMap<string, string>): Scopes {
  if (missing.size === 0) return scopes;
  return {
    find: (name) => (missing.has(name) ? null : scopes.find(name)),
    all: () => scopes.all().filter(({ name }) => !missing.has(name)),
  };
}
