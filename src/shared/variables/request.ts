import type { CollectionRequest } from '../collections/model.ts';
import type { RequestDraft } from '../model/draft.ts';
import { operationByName } from '../provider/index.ts';
import { mostPayloadCharacters } from '../provider/payload-limits.ts';
import type { Generated } from './generated.ts';
import { findPlaceholders, type TextKind } from '../payload-text/placeholders.ts';
import { createResolver } from './resolver.ts';
import type { Scopes } from './scopes.ts';
import { substitute, type VariableError, type VariableUse } from './substitute.ts';

/** JSON Pointer into the request to the text that it is about: `/data`, `/overrides/time`, `/expect/0/equals`. */
interface InField {
  readonly field: string;
}

/** A request with every value in place; errors are those of all its texts, in the order of the file. */
export type RequestSubstitution =
  | {
      ok: true;
      /** What is signed and sent, but for the environment's id. */
      draft: Omit<RequestDraft, 'environmentId'>;
      take: CollectionRequest['take'];
      expect: CollectionRequest['expect'];
      uses: readonly (VariableUse & InField)[];
    }
  | { ok: false; errors: readonly (VariableError & InField)[] };

/** Its expectations see what its data sees: the answers before its own. */
export function substituteRequest(request: CollectionRequest, scopes: Scopes, generated: Generated): RequestSubstitution {
  const { texts, uses, errors } = fillTexts(request, scopes, generated);
  if (errors.length > 0) return { ok: false, errors: errors.map(({ text: _text, ...error }) => error) };
  const { operation, form } = request;
  const { data, overrides, take, expect } = texts;
  return { ok: true, draft: { operation, form, text: data, overrides }, take, expect, uses };
}

/** What is wanted of an answer. A text that lacks a variable stays as it is and is named, with why: it keeps nothing from being sent. */
export type FilledChecks = Pick<CollectionRequest, 'take' | 'expect'> & {
  readonly unresolved: readonly { readonly text: string; readonly message: string }[];
};

/** The checks of a request that is sent by itself, of the same values as `substituteRequest` with the same generated ones. */
export function substituteChecks(request: CollectionRequest, scopes: Scopes, generated: Generated): FilledChecks {
  const { texts, errors } = fillTexts(request, scopes, generated);
  const ofChecks = errors.filter(({ field }) => /^\/(?:take|expect)\//.test(field));
  const unresolved = [...new Map(ofChecks.map(({ text, message }) => [text, { text, message }])).values()];
  return { take: texts.take, expect: texts.expect, unresolved };
}

/** Every text with its values; one that lacks any stays as it is. */
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
 * The names of the variables in a request, generated ones aside. With scopes, also those that its variables are made of in the files of
 * the collection.
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
  // A set gives what is added while it is walked, and each name once.
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

/** The same with each text that may hold variables replaced. Two of the overrides are JSON as `data` is; the rest is plain. */
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

/** The object with its texts replaced, at most two levels deep; what is no text stays. */
function mapMembers<T extends object>(object: T, replace: (path: string, text: string) => string): T {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'string') return [name, replace(name, value)];
      if (typeof value !== 'object' || value === null) return [name, value];
      return [name, mapMembers(value, (path, text) => replace(`${name}/${path}`, text))];
    }),
  ) as T;
}
