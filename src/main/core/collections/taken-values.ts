import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Environment, Handlers, Output, ParsedInput, Payload, TakenValue } from '#shared/ipc/index.ts';
import type { EvaluateResponse } from './checks/response-evaluation.ts';
import { variablesOf } from './checks/evaluate-response.ts';

export interface TakenValuesDeps {
  /** Fails with `not_found`, as the following three do. */
  readonly call: (id: number) => Call;
  /** Returns the decoded body of its response. */
  readonly body: (id: number) => Uint8Array;
  readonly environment: (id: string) => Environment;
  readonly collection: (id: string) => Promise<unknown>;
  /** Returns the values that an environment gives to requests besides its settings. */
  readonly session: (environmentId: string) => Variables;
  readonly evaluate: EvaluateResponse;
  readonly emit: (change: Payload<'answers.changed'>) => void;
}

/** Responses to requests that are sent one by one from a collection. Its members are those of the inside contract. */
export type TakenValues = ReturnType<typeof createTakenValues>;

/** Creates the store of values taken from responses. They stay in memory only, until the session ends, as in a run. */
export function createTakenValues({ call, body, environment, collection, session, evaluate, emit }: TakenValuesDeps) {
  /** By collection and environment, then by name. */
  const kept = new Map<string, Map<string, TakenValue>>();
  const keyOf = (collectionId: string, environmentId: string) => JSON.stringify([collectionId, environmentId]);

  return {
    async check({
      collectionId,
      path,
      callId,
      expect,
      take,
      unresolved,
    }: ParsedInput<'answers.check'>): Promise<Output<'answers.check'>> {
      await collection(collectionId);
      const sent = call(callId);
      if (sent.response === null) {
        throw new AppError(
          'invalid_input',
          'This call has no response in the history, so there is nothing to check. Send it again.',
        );
      }
      const { environmentId } = sent;
      const { answers } = environment(environmentId);
      const key = keyOf(collectionId, environmentId);
      const before = kept.get(key) ?? new Map<string, TakenValue>();
      const known = {
        ...session(environmentId),
        ...Object.fromEntries([...before.values()].map(({ name, value }) => [name, value])),
      };
      const evaluated = await evaluate({
        call: sent,
        body: body(callId),
        expect,
        take,
        unresolved,
        known: [JSON.stringify(known)],
        answers,
        sentences: [],
      });
      const { results } = evaluated;
      const taken = variablesOf(evaluated.taken);
      // A value that this response does not give stays the one that an earlier response gave.
      for (const [name, value] of Object.entries(taken)) before.set(name, { name, value, path, callId });
      if (Object.keys(taken).length > 0) {
        kept.set(key, before);
        emit({ collectionId, environmentId });
      }
      return { checks: [...results], taken: Object.keys(taken) };
    },
    /** Keeps values that a save took out of a request, so that the request still gets them; not those that the environment gives by itself. */
    keep(collectionId: string, environmentId: string | undefined, path: string, values: Variables): void {
      if (environmentId === undefined) return;
      const own = session(environmentId);
      const more = Object.entries(values).filter(([name]) => !Object.hasOwn(own, name));
      if (more.length === 0) return;
      const key = keyOf(collectionId, environmentId);
      const before = kept.get(key) ?? new Map<string, TakenValue>();
      for (const [name, value] of more) before.set(name, { name, value, path, callId: null });
      kept.set(key, before);
      emit({ collectionId, environmentId });
    },
    taken({ collectionId, environmentId }: ParsedInput<'answers.taken'>): Output<'answers.taken'> {
      const values = [...(kept.get(keyOf(collectionId, environmentId))?.values() ?? [])];
      return { values: values.sort((one, other) => (one.name < other.name ? -1 : 1)) };
    },
    forget({ collectionId, environmentId, name }: ParsedInput<'answers.forget'>): void {
      const key = keyOf(collectionId, environmentId);
      const values = kept.get(key);
      const had = name === undefined ? kept.delete(key) : (values?.delete(name) ?? false);
      if (had) emit({ collectionId, environmentId });
    },
  };
}

/** Handlers of the contract's calls about these values. */
export function takenValueHandlers(answers: TakenValues): Pick<Handlers, 'answers.check' | 'answers.taken' | 'answers.forget'> {
  return {
    'answers.check': (input) => answers.check(input),
    'answers.taken': (input) => answers.taken(input),
    'answers.forget': (input) => {
      answers.forget(input);
      return {};
    },
  };
}
