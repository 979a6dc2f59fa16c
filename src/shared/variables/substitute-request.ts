import type { CollectionRequest } from '../collections/model.ts';
import type { RequestDraft } from '../model/draft.ts';
import { formOfPayload, operationByName } from '../provider/index.ts';
import { mostPayloadCharacters } from '../provider/payload-limits.ts';
import type { Generated } from './generated.ts';
import { findPlaceholders, type TextKind } from '../payload-text/placeholders.ts';
import { createResolver } from './resolver.ts';
import type { Scopes } from './scopes.ts';
import { substitute, type VariableError, type VariableUse } from './substitute.ts';

/** JSON Pointer to the string in the request: `/data`, `/overrides/time`, `/expect/0/equals`. */
interface InField {
  readonly field: string;
}

/** A request with every variable substituted, or the errors of all its strings, in the order of the file. */
export type RequestSubstitution =
  | {
      ok: true;
      /** The draft to sign and send, without the environment's ID. */
      draft: Omit<RequestDraft, 'environmentId'>;
      take: CollectionRequest['take'];
      expect: CollectionRequest['expect'];
      uses: readonly (VariableUse & InField)[];
    }
  | { ok: false; errors: readonly (VariableError & InField)[] };

/** Substitutes the variables of a request. Its checks see the same values as its data, from before its own response. */
export function substituteRequest(request: CollectionRequest, scopes: Scopes, generated: Generated): RequestSubstitution {
  const { texts, uses, errors } = fillTexts(request, scopes, generated);
  if (errors.length > 0) return { ok: false, errors: errors.map(({ text: _text, ...error }) => error) };
  const { operation, form } = request;
  const { data, overrides, take, expect } = texts;
  const draft = { operation, form: formOfPayload(operationByName(operation), form, data), text: data, overrides };
  return { ok: true, draft, take, expect, uses };
}

/** Checks of a response. A string with an unresolved variable stays unchanged and is listed with the reason; the request can still be sent. */
export type FilledChecks = Pick<CollectionRequest, 'take' | 'expect'> & {
  readonly unresolved: readonly { readonly text: string; readonly message: string }[];
};

/** Substitutes the checks of a request that is sent outside a run, with the same values as `substituteRequest`. */
export function substituteChecks(request: CollectionRequest, scopes: Scopes, generated: Generated): FilledChecks {
  const { texts, errors } = fillTexts(request, scopes, generated);
  const ofChecks = errors.filter(({ field }) => /^\/(?:take|expect)\//.test(field));
  const unresolved = [...new Map(ofChecks.map(({ text, message }) => [text, { text, message }])).values()];
  return { take: texts.take, expect: texts.expect, unresolved };
}

/** Substitutes every string; a string with an unresolved variable stays unchanged. */
function fillTexts(request: CollectionRequest, scopes: Scopes, generated: Generated) {
  const resolver = createResolver(scopes, generated);
  const uses: (VariableUse & InField)[] = [];
  const errors: (VariableError & InField & { readonly text: string })[] = [];
  const texts = mapTexts(request, ({ field, text, kind, limit }) => {
    const timeOrder = field === '/overrides/time' ? generated.timeOrderOf(operationByName(request.operation)) : 'dmy';
    const result = substitute(text, resolver, { kind, limit, timeOrder });
    if (!result.ok) {
      for (const error of result.errors) errors.push({ ...error, field, text });
      return text;
    }
    for (const use of result.uses) uses.push({ ...use, field });
    return result.text;
  });
  return { texts, uses, errors };
}

/**
 * Returns the names of the variables in a request, without generated ones. With scopes, also the variables inside the values of its
 * variables in the collection's files.
 */
export function namesUsed(request: CollectionRequest, scopes?: Scopes): ReadonlySet<string> {
  const names = new Set<string>();
  function add(text: string): void {
    for (const { kind, name } of findPlaceholders(text, 'plain')) if (kind === 'variable') names.add(name);
  }
  mapTexts(request, ({ text }) => {
    add(text);
    return text;
  });
  // Iterating a set also visits names added on the way, each once.
  for (const name of names) {
    const variable = scopes?.find(name);
    if (variable?.mayHoldVariables === true) add(variable.value);
  }
  return names;
}

interface Text extends InField {
  readonly text: string;
  readonly kind: TextKind;
  readonly limit: number;
}
type Texts = Pick<CollectionRequest, 'data' | 'overrides' | 'take' | 'expect'>;

/** Replaces each string of a request that may hold variables. `data` and two of the overrides are JSON; the rest is plain. */
function mapTexts(request: CollectionRequest, replace: (text: Text) => string): Texts {
  const plain = (field: string, text: string, limit: number): string =>
    text.includes('{{') ? replace({ field, text, kind: 'plain', limit }) : text;
  const json = (field: string, text: string, limit: number): string =>
    text.includes('{{') ? replace({ field, text, kind: 'json', limit }) : text;

  const data = json('/data', request.data, mostPayloadCharacters);
  const overrides = { ...request.overrides };
  for (const name of ['hash', 'time', 'platform', 'partnerId'] as const) {
    const text = overrides[name];
    if (text === undefined) continue;
    const isJson = name === 'platform' || name === 'partnerId';
    overrides[name] = (isJson ? json : plain)(`/overrides/${name}`, text, 1_000);
  }
  return {
    data,
    overrides,
    take: mapMembers(request.take, (name, text) => plain(`/take/${name}`, text, 2_000)),
    expect: request.expect.map((expectation, index) =>
      mapMembers(expectation, (path, text) => plain(`/expect/${index}/${path}`, text, 1_000_000)),
    ),
  };
}

/** Replaces the strings of an object, at most two levels deep; other values stay. */
function mapMembers<T extends object>(object: T, replace: (path: string, text: string) => string): T {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'string') return [name, replace(name, value)];
      if (typeof value !== 'object' || value === null) return [name, value];
      return [name, mapMembers(value, (path, text) => replace(`${name}/${path}`, text))];
    }),
  ) as T;
}
