import { refusalOf } from '../calls/call-response.ts';
import { AppError } from '#shared/errors.ts';
import { clockRange } from '#shared/calls/server-clock.ts';
import type {
  Call,
  Confirmed,
  Environment,
  ParsedInput,
  Payload,
  ProbePlan,
  ProbeReport,
  RequestDraft,
} from '#shared/ipc/index.ts';
import { conclude, type Conclusions } from '#shared/probes/conclude.ts';
import { probing } from '#shared/probes/plan.ts';
import type { Probe, ProbeGround, SeenProbe } from '#shared/probes/probe.ts';
import { mostCalls, plannedProbes } from '#shared/probes/questions.ts';
import { stepsOf } from '#shared/probes/steps.ts';
import { zoneOffset } from '#shared/probes/time-words.ts';
import { operationByName } from '#shared/provider/index.ts';
import { timeOrderOf } from '#shared/provider/wire-form.ts';
import { addressOf } from '#shared/request/envelope.ts';
import { formatTime } from '#shared/signing/time.ts';
import type { SendRequest } from '../calls/calls.ts';

type ProbeQuestion = ParsedInput<'probes.start'>;

interface ProbesDeps {
  readonly send: (request: SendRequest) => Promise<Call>;
  readonly cancelCall: (ticket: string) => boolean;
  /** Returns the hash of an environment's key followed by the parts. Fails with `key_missing` or `key_unavailable`. */
  readonly digest: (environmentId: string, parts: readonly Uint8Array[]) => Promise<string>;
  readonly environment: (id: string) => Environment;
  readonly environments: () => readonly Environment[];
  /** Returns whether an environment has a key, as far as that is known without asking the keychain. */
  readonly hasKey: (environmentId: string) => boolean;
  /** Returns whether two environments have the same key, as far as that is known. */
  readonly isSameKey: (one: string, other: string) => boolean;
  /** Passes a plan of at most so many calls, or fails with `refused` and the question. */
  readonly confirm: (environment: Environment, calls: number, given: Confirmed) => void;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when the signal is aborted. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly emit: (progress: Payload<'probes.progressed'>) => void;
}

/** Least milliseconds between a response and the next call. */
const pauseMs = 1_000;
/** Most keys of other environments that are tried. */
const mostKeys = 10;
const tooMany =
  "The codes changed from call to call in a way that the plan doesn't expect. It sent as many calls as it announced, and stopped.";
const zeros = '0'.repeat(64);

/** Finds out from a provider's codes how it checks key, time and data, by calls that only read. */
export function createProbes(deps: ProbesDeps) {
  const { cancelCall, digest, environment: environmentOf, confirm, now } = deps;
  const underWay = new Map<string, { environmentId: string; stop: AbortController; done: Promise<unknown> }>();
  let closed = false;

  /** Returns whether a plan with this ticket was under way. */
  function end(ticket: string): boolean {
    const found = underWay.get(ticket);
    found?.stop.abort();
    if (found !== undefined) cancelCall(ticket);
    return found !== undefined;
  }

  async function start({ ticket, moved, confirmed }: ProbeQuestion, environment: Environment, signal: AbortSignal) {
    // Before the question: nobody should confirm a plan that then cannot be signed.
    await digest(environment.id, []);
    const ground = groundOf(environment, moved, now(), await usable(othersWithKeys(environment)));
    confirm(environment, mostCalls(ground), confirmed);
    return runPlan(deps, environment, { ticket, ground }, signal);
  }

  return {
    /** Fails with `not_found`. */
    plan(environmentId: string): ProbePlan {
      const environment = environmentOf(environmentId);
      const otherKeys = othersWithKeys(environment);
      return {
        environmentId,
        environmentName: environment.name,
        url: addressOf(operationByName('gameList'), environment),
        production: environment.production,
        probes: plannedProbes({ otherKeys }),
        calls: mostCalls({ otherKeys, moved: false }),
        callsMoved: mostCalls({ otherKeys, moved: true }),
      };
    },
    /** Sends the plan. Fails as `probes.start` says; afterwards a failure or the user's stop is a report of what was seen. */
    async start(question: ProbeQuestion): Promise<ProbeReport> {
      if (closed) throw new AppError('cancelled', 'Croupier is closing. Nothing was sent.');
      const { environmentId, ticket } = question;
      const environment = environmentOf(environmentId);
      const isBusy = [...underWay].some(([other, one]) => other === ticket || one.environmentId === environmentId);
      if (isBusy) throw new AppError('conflict', `A plan for ${environment.name} is already running. Wait for it, or cancel it.`);
      const stop = new AbortController();
      const done = start(question, environment, stop.signal);
      underWay.set(ticket, { environmentId, stop, done });
      try {
        return await done;
      } finally {
        underWay.delete(ticket);
      }
    },
    cancel: end,
    /** Stops plans under way and waits for them. */
    async close(): Promise<void> {
      closed = true;
      const running = [...underWay];
      for (const [ticket] of running) end(ticket);
      await Promise.allSettled(running.map(([, { done }]) => done));
    },
  };

  async function runPlan(
    { send, pause, emit }: ProbesDeps,
    environment: Environment,
    { ticket, ground }: { readonly ticket: string; readonly ground: ProbeGround },
    signal: AbortSignal,
  ): Promise<ProbeReport> {
    const startedAt = now();
    const seen: SeenProbe[] = [];
    const sent: { readonly time: string }[] = [];
    const report = (state: ProbeReport['state'], message: string | null): ProbeReport => ({
      environmentId: environment.id,
      state,
      message,
      steps: stepsOf(seen, sent),
      ...concluded(state),
    });
    function concluded(state: ProbeReport['state']): Conclusions {
      const all = conclude(seen, { environment, ground, now: startedAt });
      // Without its last call, nothing shows that the provider stayed as it was.
      return state === 'done' ? all : { ...all, answers: [] };
    }

    const plan = probing(ground);
    for (let next = plan.next(); next.done !== true;) {
      if (seen.length > 0) await pause(pauseMs, signal);
      if (signal.aborted) return report('cancelled', null);
      if (seen.length === mostCalls(ground)) return report('stopped', tooMany);
      const probe = next.value;
      const draft = await draftFor(probe, environment);
      // As typed: what the probe sends must not be written in another form.
      const target: Environment = { ...environment, serialization: 'verbatim' };
      const call = await send({ draft, environment: target, ticket, confirmed: true }).catch(unlessCancelled);
      if (call === null || call.state === 'cancelled') return report('cancelled', null);
      const stopped = stopOf(call);
      if (stopped !== null || call.code === null) return report('stopped', stopped);
      const response = { callId: call.id, code: call.code, clock: clockRange(call) };
      seen.push({ probe, response });
      sent.push({ time: draft.overrides.time ?? '' });
      const step = stepsOf(seen, sent).at(-1);
      if (step !== undefined) emit({ ticket, calls: mostCalls(ground), step });
      next = plan.next(response);
    }
    return report('done', null);
  }

  /** Returns the other environments at the same host with a key of their own. */
  function othersWithKeys({ id, baseUrl }: Environment): ProbeGround['otherKeys'] {
    const host = URL.parse(baseUrl)?.host;
    return deps
      .environments()
      .filter((one) => one.id !== id && URL.parse(one.baseUrl)?.host === host)
      .filter((one) => deps.hasKey(one.id) && !deps.isSameKey(id, one.id))
      .slice(0, mostKeys)
      .map((one) => ({ id: one.id, name: one.name }));
  }

  /** Leaves out keys that the keychain does not release now. */
  async function usable(others: ProbeGround['otherKeys']): Promise<ProbeGround['otherKeys']> {
    const found = others.map((one) =>
      digest(one.id, []).then(
        () => [one],
        () => [],
      ),
    );
    return (await Promise.all(found)).flat();
  }

  async function draftFor(
    { operation, text, hashed, keyOf, time, wrong }: Probe,
    environment: Environment,
  ): Promise<RequestDraft> {
    const timeText = 'word' in time ? time.word : formatTime(now() + time.moved * 1_000, 'UTC', time.order);
    const own = operation === 'gameList' ? '' : text;
    const isOther = hashed !== null || keyOf !== null;
    const parts = [timeText, hashed ?? own].map((part) => Buffer.from(part));
    // Null for the hash that each call gets.
    const hash = wrong !== 'nothing' ? zeros : isOther ? await digest(keyOf ?? environment.id, parts) : null;
    return {
      environmentId: environment.id,
      operation,
      form: operationByName(operation).forms[0]?.id ?? '',
      text,
      overrides: {
        time: timeText,
        ...(hash === null ? {} : { hash }),
        ...(wrong === 'both' ? { platform: wrongPlatform(environment) } : {}),
      },
    };
  }
}

/** Returns a platform that cannot be another's by chance: nearly the largest integer of 32 bits. */
function wrongPlatform({ platform }: Environment): string {
  return platform === 2_147_483_646 ? '2147483645' : '2147483646';
}

function groundOf(
  { answers, defaults, timeZone }: Environment,
  moved: boolean,
  now: number,
  otherKeys: ProbeGround['otherKeys'],
): ProbeGround {
  const orderOf = (name: 'gameList' | 'getGameRound' | 'roundReplayInfo') => timeOrderOf(operationByName(name), answers);
  return {
    listText: JSON.stringify({ currency: defaults.currency }),
    orders: {
      gameList: orderOf('gameList'),
      getGameRound: orderOf('getGameRound'),
      roundReplayInfo: orderOf('roundReplayInfo'),
    },
    zoneSeconds: zoneOffset(timeZone, now),
    otherKeys,
    moved,
  };
}

function unlessCancelled(error: unknown): null {
  if (error instanceof AppError && error.code === 'cancelled') return null;
  throw error;
}

/** Returns why no further call of a plan is sent after this one; null if the provider answered it as the API does. */
function stopOf(call: Call): string | null {
  if (call.failure !== null) return refusalOf(call);
  // A guard before the provider has no codes; a provider that answers with one at 403 has judged the call.
  if (call.status === 429 || (call.status === 403 && call.code === null)) {
    return `The response has HTTP status ${call.status}: the provider, or a proxy in front of it, wants no more calls. Ask the provider before you start the plan again.`;
  }
  if (call.code !== null) return null;
  const type = call.response?.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const what = /html/i.test(type) ? 'is an HTML page' : 'has no code';
  return `The response ${what}: the service doesn't answer like that. Check the base URL, and look at the call in the history.`;
}
