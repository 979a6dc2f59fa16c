import type { ImportPlan, SecretChoices } from '#shared/ipc/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { maskSecretForms, secretPart } from '#shared/secrets/secret-names.ts';
import { createSecretNames } from '../../collections/secret-variables.ts';
import { replaceLiterals } from '../../masking/json-literals.ts';
import { choiceOf, markOf, type Chosen, type RememberedChoices } from '../../settings/secret-choices.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'imports.secrets': typeof takeSecrets;
  }
}

const givenLater =
  'It looks like a secret, and these files are made for git. Set it for each run, as a run variable or with --var-env.';
const tokenWhy =
  'A session token is valid only in its session, so it is now a variable without a value. Set it for each run, or take it from a response.';
const notesWhy = 'It looks like a token or a key, so Croupier replaced it with [secret].';

export interface SecretsInput {
  readonly plan: ImportPlan;
  /** The present choices by name: `keep` for all values of the name, `out` for those without an earlier choice. */
  readonly choices: SecretChoices;
  readonly remembered: RememberedChoices;
  readonly recorded: boolean;
}

/** `chosen`: the values that `choices` decided about. */
export interface SecretsTaken {
  readonly plan: ImportPlan;
  readonly chosen: readonly Chosen[];
}

/**
 * Returns the plan without the values that look like secrets, except those kept by name or kept before: a variable loses its value,
 * and a literal in a payload becomes a variable. Each is named in `secrets` and in `notCarried`. `recorded`: the requests are
 * recorded calls, whose session tokens are removed without a question.
 */
export function takeSecrets({ plan, choices, remembered, recorded }: SecretsInput): SecretsTaken {
  const secrets: ImportPlan['secrets'] = [];
  const notCarried = [...plan.notCarried];
  const names = createSecretNames(
    [plan.variables, ...plan.folders.map(({ variables }) => variables)].flatMap((one) => Object.keys(one)),
  );
  const chosen = new Map<string, Chosen>();

  /** Returns whether the value stays. */
  function stays(name: string, value: string, where: string, what: string): boolean {
    const by = secretPart(name, value);
    if (by === null) return true;
    const isToken = recorded && isTokenName(name);
    const said = isToken || !Object.hasOwn(choices, name) ? undefined : choices[name];
    const before = choiceOf(remembered, name, value);
    // An answer of no about a name holds for the values that nobody had chosen for.
    const choice = isToken ? 'out' : said === 'keep' ? said : (before ?? said);
    if (said !== undefined && choice !== before) {
      const mark = markOf(remembered, name, value);
      chosen.set(JSON.stringify([name, mark]), { name, mark, choice: said });
    }
    const kept = choice === 'keep';
    const asked = choice === undefined;
    if (!secrets.some((one) => one.name === name && one.where === where && one.kept === kept && one.asked === asked))
      secrets.push({ name, where, by, kept, asked });
    if (!kept) notCarried.push({ where, what, why: isToken ? tokenWhy : givenLater, at: [] });
    return kept;
  }

  function cleanVariables(variables: ImportPlan['variables'], where: string): ImportPlan['variables'] {
    const kept = Object.entries(variables).filter(([name, value]) =>
      stays(name, value, where, `the value of the variable ${name}`),
    );
    return Object.fromEntries(kept);
  }

  function cleanNotes(notes: string, where: string): string {
    const clean = maskSecretForms(notes);
    if (clean !== notes) notCarried.push({ where, what: 'a secret in its notes', why: notesWhy, at: [] });
    return clean;
  }

  function cleanData(data: string, where: string): string {
    return replaceLiterals(data, ({ name, value }) =>
      stays(name, value, where, `the value of ${name} in its data`) ? null : `"{{${names(name, value)}}}"`,
    );
  }

  const variables = cleanVariables(plan.variables, 'the variables');
  const folders = plan.folders.map((folder) => ({
    ...folder,
    variables: cleanVariables(folder.variables, folder.path),
    notes: cleanNotes(folder.notes, folder.path),
  }));
  const requests = plan.requests.map((one) => ({
    ...one,
    comment: maskSecretForms(one.comment),
    request: {
      ...one.request,
      data: cleanData(one.request.data, one.path),
      notes: cleanNotes(one.request.notes, one.path),
      examples: one.request.examples.map((example) => ({ ...example, body: maskSecretForms(example.body) })),
    },
  }));
  const notes = cleanNotes(plan.notes, 'the collection');
  return { plan: { ...plan, variables, folders, requests, notes, notCarried, secrets }, chosen: [...chosen.values()] };
}
