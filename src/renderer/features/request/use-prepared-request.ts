import type { VariablePart } from './hash-input/variable-marks.ts';
import { useEffect, useMemo, useState } from 'react';
import type { Environment, Serialization } from '#shared/model/environment.ts';
import { answerOf, operationByName, routeOf, serializationOf } from '#shared/provider/index.ts';
import { preparation, type PreparedRequest, type PrepareError } from '#shared/request/envelope.ts';
import { payloadExcess } from '#shared/provider/payload-limits.ts';
import { inputPlace } from '#shared/variables/substitute.ts';
import { checkStability, type Stability } from '#shared/signing/stability.ts';

import type { RequestSubstitution } from '#shared/variables/substitute-request.ts';
import type { RequestTab } from './tabs/request-tab.ts';
import { noExtras } from './tabs/tab-file.ts';
import { variableParts } from './hash-input/variable-marks.ts';
import type { KnownVariable, TabVariables } from './tabs/tab-variables.ts';
import { useInUse, useTick } from '#renderer/ui/use-now.ts';
import { clockOf } from './request-clock.ts';
import type { Held } from './shown-moment.tsx';
import { useSettled } from './payload/use-settled.ts';

/** The request that would be sent now. */
export interface Prepared {
  readonly request: PreparedRequest | null;
  readonly problem: PrepareError | null;
  readonly url: string;
  readonly subject: HashSubject;
  readonly serialization: Serialization;
  /** Stability of the text at the last pause in typing; null without data. */
  readonly stability: Stability | null;
  /** The request with its variables inserted, or why that cannot be; null if it holds none. */
  readonly filled: RequestSubstitution | null;
  /** The variables that the tab's texts may name. */
  readonly known: readonly KnownVariable[];
  /** The moment it was prepared for, in milliseconds since the epoch. */
  readonly second: number;
  /** Reason why it does not follow the clock; null if it does, or need not. */
  readonly held: Held | null;
}

/** Source of values; another object whenever one of them may have changed. */
export interface VariableView {
  readonly variables: TabVariables;
}

const SETTLE_MS = 150;
/** Shorter than the pause before a digest is requested, so that it is requested once. */
const HELD_MS = 100;
const unsignedWallet = "Wallet methods aren't signed: plain JSON, no hash.";
const unsignedPath = 'Recorded answer: this path takes plain JSON, without signature or hash.';

/** Returns the whole second of a moment: the first tick of a clock is the moment that is shown already. */
function secondOf(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

/**
 * Prepares the tab's request at every change of its text, as core would for sending, and for each second while somebody looks at
 * it and uses the page. A request that is too long for that stays at the moment of its last change, or of `held.renew`.
 */
export function usePreparedRequest(
  tab: RequestTab,
  environment: Environment | null,
  now: () => number,
  view: VariableView,
  hashInputShown: boolean,
): Prepared {
  const operation = operationByName(tab.operation);
  const [second, setSecond] = useState(() => secondOf(now()));
  const { id, form, text, overrides, extras, file, run } = tab;

  const varies = useMemo(() => text.includes('{{') || JSON.stringify(overrides).includes('{{'), [text, overrides]);
  // Values that the clock cannot change are read once.
  const filledFor = varies ? second : 0;
  const filled = useMemo(() => {
    // A text that is not sent is not filled in: that could take seconds.
    if (environment === null || payloadExcess(text) !== null) return null;
    const subject = { id, operation: operation.name, form, text, overrides, extras, file, run };
    return view.variables.substitute(subject, environment, filledFor);
  }, [view, id, operation, form, text, overrides, extras, file, run, environment, filledFor]);
  const known = useMemo(() => {
    if (environment === null) return [];
    return view.variables.known(
      { id, operation: operation.name, form: '', text: '', overrides: {}, extras: noExtras, file, run },
      environment,
    );
  }, [view, id, operation, file, run, environment]);

  const draft = useMemo(
    () => (filled === null ? { operation: operation.name, form, text, overrides } : filled.ok ? filled.draft : null),
    [operation, form, text, overrides, filled],
  );
  const prepare = useMemo(
    () => (environment === null || draft === null ? null : preparation({ environmentId: environment.id, ...draft }, environment)),
    [environment, draft],
  );
  const result = useMemo(() => {
    if (filled?.ok === false) return { ok: false as const, error: placeOf(filled) };
    const prepared = prepare?.(second) ?? null;
    if (prepared === null || prepared.ok || filled === null || prepared.error.offset === undefined) return prepared;
    // The position in the typed text, not in the filled one.
    const uses = filled.uses.filter(({ field }) => field === '/data');
    return { ok: false as const, error: { ...prepared.error, ...inputPlace(text, uses, prepared.error.offset) } };
  }, [prepare, text, second, filled]);

  const request = result?.ok === true ? result.request : null;
  const problem = result?.ok === false ? result.error : null;
  const route = routeOf(operation, environment?.answers ?? {});
  const signed = request?.signed ?? route?.signed ?? operation.endpoint === 'service';
  const time = request?.time ?? null;
  const dataJson = request?.dataJson ?? null;
  const message = problem?.message ?? (environment === null ? 'No environment is chosen.' : null);
  const clock = clockOf({
    timed: route?.signed !== false && overrides.time === undefined,
    variables: varies,
    hashInputShown,
    view: tab.view,
    length: Math.max(text.length, dataJson?.length ?? 0),
    inUse: useInUse(),
  });
  // The checks, too, compare a time that a variable gives with the clock; they read it each minute.
  useTick(now, clock === 'ticks' ? 1_000 : 60_000, clock === 'ticks' || varies, (at) => setSecond(secondOf(at)));
  useEffect(() => {
    if (clock !== 'held' && clock !== 'rests') return undefined;
    const timer = setTimeout(() => setSecond(secondOf(now())), HELD_MS);
    return () => clearTimeout(timer);
  }, [clock, now, id, operation, form, text, overrides, environment]);

  const parts = useMemo(() => {
    const uses = filled?.ok === true ? filled.uses.filter(({ field }) => field === '/data') : [];
    return dataJson === null || filled?.ok !== true ? [] : variableParts(filled.draft.text, dataJson, uses);
  }, [dataJson, filled]);
  const subject = useMemo((): HashSubject => {
    if (!signed) return { kind: 'unsigned', why: operation.endpoint === 'wallet' ? unsignedWallet : unsignedPath };
    if (time === null) return { kind: 'refused', message: message ?? '' };
    return { kind: 'input', time, dataJson, parts };
  }, [operation, signed, time, dataJson, message, parts]);

  const serialization = environment === null ? 'php' : serializationOf(environment);
  const settled = useSettled(signed ? dataJson : null, SETTLE_MS, `${tab.id} ${serialization}`);
  const reencode = environment === null ? null : answerOf('hash.reencode', environment.answers);
  const stability = useMemo(
    () => (settled === null ? null : checkStability(settled, serialization, reencode)),
    [settled, serialization, reencode],
  );

  const base = operation.endpoint === 'wallet' && environment?.walletUrl ? environment.walletUrl : (environment?.baseUrl ?? '');
  const url = request?.url ?? base + (route?.path ?? operation.path);
  const held = useMemo((): Held | null => {
    if (clock === 'rests') return { by: 'rest' };
    return clock === 'held' ? { by: 'length', renew: () => setSecond(secondOf(now())) } : null;
  }, [clock, now]);
  return useMemo(
    () => ({ request, problem, url, subject, serialization, stability, filled, known, second, held }),
    [request, problem, url, subject, serialization, stability, filled, known, second, held],
  );
}

/** Returns the first of the errors, as the reason why a request cannot be prepared. */
function placeOf({ errors }: Extract<RequestSubstitution, { ok: false }>): PrepareError {
  const error = errors.find(({ field }) => field === '/data') ?? errors[0];
  if (error === undefined) return { message: "Croupier is still reading the collection's variables. Try again in a moment." };
  const { field, message, start, line, column } = error;
  // Offsets are those of the payload; the overrides have none of their own here.
  return field === '/data' ? { message, offset: start, line, column } : { message: `${field.slice(1)}: ${message}` };
}

/** The input to hash now, or why nothing is hashed. */
export type HashSubject =
  | {
      readonly kind: 'input';
      readonly time: string;
      readonly dataJson: string | null;
      /** The parts of the data that came from variables. */
      readonly parts: readonly VariablePart[];
    }
  /** The request carries no hash; `why` gives the reason. */
  | { readonly kind: 'unsigned'; readonly why: string }
  | { readonly kind: 'refused'; readonly message: string };
