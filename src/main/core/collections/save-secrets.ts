import { pathDemandNames, pathDemands, type PathDemand } from '#shared/collections/check-kinds.ts';
import type { CollectionRequest, Expectation, FolderSettings } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, SavedRequest, SecretChoices, StandIn } from '#shared/ipc/index.ts';
import { combinedLimit } from '#shared/provider/combined-values.ts';
import { operationByName } from '#shared/provider/index.ts';
import { isTokenName, namesToken, tokenMark, urlTokens } from '#shared/provider/tokens.ts';
import type { SecretToSave } from '#shared/secrets/secret-question.ts';
import { isSecretValue, secretFormsIn, secretPart } from '#shared/secrets/secret-names.ts';
import { literalsOf, replaceLiterals, type Literal } from '../masking/json-literals.ts';
import { choiceOf, markOf, type Chosen, type SecretChoiceStore } from '../settings/secret-choices.ts';
import { createSecretNames } from './secret-variables.ts';

type FolderTexts = FolderSettings;
/** Values with their names, and what makes each look like a secret. */
type Named = readonly (readonly [name: string, value: string, by: ReturnType<typeof secretPart>])[];

/** A request as it is written. `values` are those that became variables, by their names; they are in no file. */
interface RequestToSave {
  readonly request: CollectionRequest;
  readonly replaced: SavedRequest['replaced'];
  readonly values: Readonly<Record<string, string>>;
}

export interface SaveSecretsDeps {
  readonly choices: SecretChoiceStore;
  readonly environments: () => readonly Pick<Environment, 'answers'>[];
  /** Returns the session tokens that this home holds: those of pools, and that of the built-in provider's player. */
  readonly tokens: () => ReadonlySet<string>;
}

/**
 * Asks before a file that is made for git gets values that look like secrets. Both fail with `refused` and the names of all of them.
 * Creates the check for secrets in saves. It remembers a kept value by its name and a mark of the value, like imports, and asks again
 * for another value.
 */
export function createSaveSecrets({ choices, environments, tokens: held }: SaveSecretsDeps) {
  async function check(found: Named, before: () => Promise<Named>, given: SecretChoices) {
    const remembered = choices.read();
    const chosen: Chosen[] = [];
    const secrets = new Map<string, SecretToSave & { readonly values: string[] }>();
    for (const [name, value, by] of found) {
      if (by === null) continue;
      const choice = Object.hasOwn(given, name) ? given[name] : undefined;
      if (choice !== undefined) chosen.push({ name, mark: markOf(remembered, name, value), choice });
      if ((choice ?? choiceOf(remembered, name, value)) === 'keep') continue;
      const known = secrets.get(name);
      if (known === undefined) secrets.set(name, { name, by, values: [value] });
      else known.values.push(value);
    }
    if (secrets.size > 0) {
      const old = new Set((await before()).map(([name, value]) => JSON.stringify([name, value])));
      for (const { name, values } of secrets.values())
        if (values.every((value) => old.has(JSON.stringify([name, value])))) secrets.delete(name);
    }
    if (secrets.size === 0) return choices.add(chosen);
    const asked = [...secrets.values()].map(({ name, by }) => ({ name, by }));
    const names = asked.map(({ name }) => (name === '' ? 'a value without a name' : name)).join(', ');
    const one = asked.length === 1;
    throw new AppError(
      'refused',
      `${names} ${one ? 'looks like a secret' : 'look like secrets'}, and the file is made for git. ${one ? 'Replace it with a variable, or save again to keep it.' : 'Replace them with variables, or save again to keep them.'}`,
      { reason: 'secrets_unconfirmed', secrets: asked },
    );
  }

  /** Returns the variables for the tokens of a request, by their values. */
  function tokensIn({ data, expect }: CollectionRequest, stays: (name: string, value: string) => boolean): Map<string, string> {
    const recorded = environments().map(({ answers }) => answers);
    const isToken = (name: string) => namesToken(name) || recorded.some((answers) => namesToken(name, answers));
    const known = held();
    const nameOf = createSecretNames([]);
    const found = new Map<string, string>();
    for (const [name, value] of [...inData(data), ...expect.flatMap((check) => inCheck(check, ['equals', 'not']))]) {
      const parts = known.has(value)
        ? [['externalToken', value] as const]
        : isToken(name)
          ? [[name, value] as const]
          : urlTokens(value).flatMap((part) => (part.mark === tokenMark ? [['externalToken', part.value] as const] : []));
      for (const [field, token] of parts)
        if (secretPart(field, token) !== null && !stays(name, value)) found.set(token, nameOf(field, token));
    }
    return found;
  }

  return {
    /**
     * Returns the request with variables in place of session tokens, and of a new file's IDs that the provider takes once. `before` is the file's
     * request, null for a new file: its values stay, and cause no question.
     */
    async request(
      request: CollectionRequest,
      before: (() => Promise<CollectionRequest>) | null,
      given: SecretChoices,
    ): Promise<RequestToSave> {
      let tokens = tokensIn(request, () => false);
      if (tokens.size > 0) {
        const remembered = choices.read();
        const old = new Set(before === null ? [] : namedIn(await before()).map(([name, value]) => JSON.stringify([name, value])));
        tokens = tokensIn(request, (name, value) => {
          const choice = Object.hasOwn(given, name) ? given[name] : choiceOf(remembered, name, value);
          return choice === 'keep' || old.has(JSON.stringify([name, value]));
        });
      }
      const saved = withStandIns(request, tokens, before === null ? idsIn(request) : () => false);
      await check(namedIn(saved.request), async () => (before === null ? [] : namedIn(await before())), given);
      return { ...saved, values: Object.fromEntries([...tokens].map(([value, name]) => [name, value])) };
    },
    folder: (settings: FolderTexts, before: () => Promise<FolderTexts>, given: SecretChoices): Promise<void> =>
      check(inFolder(settings), async () => inFolder(await before()), given),
  };
}

/** Looks for what hides from a reader: a token that became no variable is meant to stay. */
function inPayload(name: string, value: string): ReturnType<typeof secretPart> {
  if (isTokenName(name) && /token/i.test(name)) return isSecretValue(value) ? 'value' : null;
  return secretPart(name, value);
}

/** Returns the request with a variable for each token, and with a generated ID for each literal that `isId` accepts. */
function withStandIns(
  request: CollectionRequest,
  tokens: ReadonlyMap<string, string>,
  isId: (literal: Literal) => boolean,
): Omit<RequestToSave, 'values'> {
  const standIns = new Map<string, StandIn>();
  const add = (name: string, variable: string) => void standIns.set(JSON.stringify([name, variable]), { name, variable });
  const data = replaceLiterals(request.data, (literal) => {
    const { name, value, start, end } = literal;
    const found: string[] = isId(literal) ? ['$uniqueId'] : [];
    const text = isId(literal) ? '{{$uniqueId}}' : withVariables(value, tokens, (variable) => found.push(variable));
    if (found.length === 0 || (request.data.slice(start, end).includes('{{') && !tokens.has(value))) return null;
    for (const variable of found) add(name, `{{${variable}}}`);
    return JSON.stringify(text);
  });
  const expect = request.expect.map((check) => {
    const name = inCheck(check)[0]?.[0] ?? '';
    return checkWith(check, (text) => withVariables(text, tokens, (variable) => add(name, `{{${variable}}}`)));
  });
  let { notes } = request;
  for (const token of tokens.keys()) if (token.length >= shortestInText) notes = notes.replaceAll(token, tokenMark);
  if (notes !== request.notes) add('notes', tokenMark);
  const written = { ...request, data, expect, notes };
  return { request: written, replaced: standIns.size === 0 ? null : { standIns: [...standIns.values()], request: written } };
}

/** Shortest token that is looked for inside of other texts. */
const shortestInText = 12;

/** Returns a text with variables in place of tokens: a text that is one, or that holds one, as a URL does. */
function withVariables(text: string, tokens: ReadonlyMap<string, string>, onFound: (variable: string) => void): string {
  const own = tokens.get(text);
  if (own !== undefined) {
    onFound(own);
    return `{{${own}}}`;
  }
  const inUrl = tokens.size === 0 ? [] : urlTokens(text).map(({ value }) => value);
  let result = text;
  for (const [token, variable] of tokens) {
    if (!result.includes(token) || (token.length < shortestInText && !inUrl.includes(token))) continue;
    result = result.replaceAll(token, () => `{{${variable}}}`);
    onFound(variable);
  }
  return result;
}

/** Length of what `{{$uniqueId}}` becomes. */
const idLength = 36;

/**
 * Returns whether a literal must be new in each call by the spec: a transaction, or a reference. Lists stay if IDs would make them longer
 * than the provider takes.
 */
function idsIn({ operation, data }: CollectionRequest): (literal: Literal) => boolean {
  const { forms } = operationByName(operation);
  const names = new Set(forms.flatMap(({ fields }) => fields.flatMap(({ name, unique }) => (unique === true ? [name] : []))));
  const lists = new Set(forms.flatMap(({ combined = [] }) => combined));
  const length = literalsOf(data)
    .filter(({ name }) => lists.has(name))
    .reduce((sum, { name, value }) => sum + (names.has(name) ? idLength : value.length), 0);
  return ({ name, value, start }) =>
    names.has(name) && value !== '' && data.startsWith('"', start) && (length <= combinedLimit || !lists.has(name));
}

/** Finds what looks like a secret in each field of a request; a field without a row does not compile. */
const requestTexts: { readonly [Field in keyof CollectionRequest]: (value: CollectionRequest[Field]) => Named } = {
  operation: () => [],
  form: (form) => inText('form', form),
  tags: (tags) => tags.flatMap((tag) => inText('tags', tag)),
  data: inData,
  overrides: (overrides) =>
    Object.entries(overrides).flatMap(([name, text]) => (typeof text === 'string' ? inText(name, text) : [])),
  take: (take) => Object.values(take).flatMap((path) => inText('take', path)),
  expect: (checks) => checks.flatMap((check) => [...payloadNames(inCheck(check)), ...inWholeCheck(check)]),
  notes: (notes) => inText('notes', notes),
  examples: (examples) => examples.flatMap(({ name, body }) => [...inText('examples', name), ...inText('examples', body)]),
};

function namedIn(request: CollectionRequest): Named {
  const inField = <Field extends keyof CollectionRequest>(field: Field) => requestTexts[field](request[field]);
  return (Object.keys(requestTexts) as (keyof CollectionRequest)[]).flatMap(inField);
}

function payloadNames(found: readonly (readonly [name: string, value: string])[]): Named {
  return found.map(([name, value]) => [name, value, inPayload(name, value)]);
}

function inData(data: string): Named {
  const literals = literalsOf(data);
  if (literals.length === 0) return inText('data', data);
  return [
    ...payloadNames(literals.map(({ name, value }) => [name, value])),
    // A text of the payload may be JSON again.
    ...literals.flatMap(({ value }) => (/^\s*[[{]/.test(value) ? inText('data', value) : [])),
  ];
}

/** A response or a note is full of IDs that nobody made up: a name or a form has to show that it is a secret. */
function inText(label: string, text: string): Named {
  const forms: Named = secretFormsIn(text).map((value) => [label, value, secretPart(label, value)]);
  if (text.length > shortText) return forms;
  const named = literalsOf(text).flatMap(({ name, value }): Named => {
    if (secretPart(name, value) === 'name') return [[name, value, 'name']];
    return value.includes('"') && value !== text ? inText(label, value) : [];
  });
  return [...named, ...urlTokens(text).map(({ value }) => ['token', value, secretPart('token', value)] as const), ...forms];
}

/** Returns whether a text that is a name in a file made for git holds a secret. */
export function namesSecret(text: string): boolean {
  return inText('', text).some(([, , by]) => by !== null);
}

/** Number of characters above which a text is searched for forms alone. */
const shortText = 65_536;

function inFolder({ variables, order, notes }: FolderTexts): Named {
  return [
    ...Object.entries(variables).flatMap(([name, value]): Named => [
      [name, value, secretPart(name, value)],
      ...inText(name, value),
    ]),
    ...order.flatMap((name) => inText('order', name)),
    ...inText('notes', notes),
  ];
}

/** By the last name of the path: a JSON Pointer's or a JSONPath's. */
function inCheck(check: Expectation, members: readonly TextDemand[] = valueNames): (readonly [name: string, value: string])[] {
  if (!('path' in check)) return [];
  const name = /([^/.[\]'"$*?@]*)['"\]]*$/.exec(check.path)?.[1] ?? '';
  return members.flatMap((member) => (check[member] === undefined ? [] : [[name, check[member]] as const]));
}

/** Finds secrets inside of every text of a check. */
function inWholeCheck(check: Expectation): Named {
  const texts = Object.values(check).flatMap((part) => (typeof part === 'object' ? Object.values<string>(part) : [String(part)]));
  return texts.flatMap((text) => inText(inCheck(check)[0]?.[0] ?? 'expect', text));
}

type TextDemand = { [D in PathDemand]: (typeof pathDemands)[D]['holds'] extends 'text' | 'pattern' ? D : never }[PathDemand];
const valueNames = pathDemandNames.filter((name): name is TextDemand => ['text', 'pattern'].includes(pathDemands[name].holds));

/** Returns the check with its values changed. */
function checkWith(check: Expectation, change: (text: string) => string): Expectation {
  if (!('path' in check)) return check;
  const values = valueNames.flatMap((name) => (check[name] === undefined ? [] : [[name, change(check[name])]]));
  return { ...check, ...Object.fromEntries(values) };
}
