import type { CollectionRequest, Expectation, FolderSettings } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { SecretChoices } from '#shared/ipc/index.ts';
import type { SecretToSave } from '#shared/secrets/secret-question.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { isSecretValue, secretFormsIn, secretLook } from '#shared/secrets/secret-names.ts';
import { literalsOf } from '../masking/json-literals.ts';
import { choiceOf, markOf, type Chosen, type SecretChoiceStore } from '../settings/secret-choices.ts';

type FolderTexts = Pick<FolderSettings, 'variables' | 'notes'>;
type Named = readonly (readonly [name: string, value: string])[];

/** Asks before a file that is made for git gets values that look like secrets. Both fail with `refused` and the names of all of them. */
export interface SaveSecrets {
  /** `before` reads the values in the file, which cause no question. */
  request(request: CollectionRequest, before: () => Promise<CollectionRequest | null>, given: SecretChoices): Promise<void>;
  folder(settings: FolderTexts, before: () => Promise<FolderTexts>, given: SecretChoices): Promise<void>;
}

/** Creates the check for secrets in saves. It remembers a kept value by its name and a mark of the value, like imports, and asks again for another value. */
export function createSaveSecrets(choices: SecretChoiceStore): SaveSecrets {
  async function check(found: Named, look: Look, before: () => Promise<Named>, given: SecretChoices) {
    const remembered = choices.read();
    const chosen: Chosen[] = [];
    const secrets = new Map<string, SecretToSave & { readonly values: string[] }>();
    for (const [name, value] of found) {
      const by = look(name, value);
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
      `${names} ${one ? 'looks like a secret' : 'look like secrets'}, and the file is made for git. ${one ? 'Write a variable in its place, or save again and keep it.' : 'Write variables in their place, or save again and keep them.'}`,
      { reason: 'secrets_unconfirmed', secrets: asked },
    );
  }

  return {
    request: (request, before, given) =>
      check(namedIn(request), inPayload, async () => namedIn((await before()) ?? nothing), given),
    folder: (settings, before, given) => check(inFolder(settings), secretLook, async () => inFolder(await before()), given),
  };
}

type Look = typeof secretLook;

/** Most requests of this API have a session token in a payload; only one that hides from a reader causes a question. */
function inPayload(name: string, value: string): ReturnType<Look> {
  if (isTokenName(name) && /token/i.test(name)) return isSecretValue(value) ? 'value' : null;
  return secretLook(name, value);
}

type RequestTexts = Pick<CollectionRequest, 'data' | 'expect' | 'notes' | 'examples'>;
const nothing: RequestTexts = { data: '', expect: [], notes: '', examples: [] };

function namedIn({ data, expect, notes, examples }: RequestTexts): Named {
  return [
    ...literalsOf(data).map(({ name, value }) => [name, value] as const),
    ...expect.flatMap(inCheck),
    ...inNotes(notes),
    ...examples.flatMap(({ body }) => inExample(body)),
  ];
}

function inFolder({ variables, notes }: FolderTexts): Named {
  return [...Object.entries(variables), ...inNotes(notes)];
}

/** By the last name of the path: a JSON Pointer's or a JSONPath's. */
function inCheck(check: Expectation): Named {
  if (!('path' in check)) return [];
  const name = /([^/.[\]'"$*?@]*)['"\]]*$/.exec(check.path)?.[1] ?? '';
  return [check.equals, check.not, check.contains, check.matches].flatMap((value) =>
    value === undefined ? [] : [[name, value]],
  );
}

/** Finds secrets in a user's words, which have no names. */
function inNotes(notes: string): Named {
  return secretFormsIn(notes).map((value) => ['notes', value]);
}

/** Number of characters above which a text is searched for forms alone. */
const shortExample = 65_536;

/** Finds secrets in a response, which is full of IDs that nobody made up: a name or a form has to show that it is a secret. */
function inExample(body: string): Named {
  const named =
    body.length > shortExample ? [] : literalsOf(body).filter(({ name, value }) => secretLook(name, value) === 'name');
  return [
    ...named.map(({ name, value }) => [name, value] as const),
    ...secretFormsIn(body).map((value) => ['examples', value] as const),
  ];
}
