import { requestOf, type RequestContent, type TabFile } from './tab-file.ts';
import type { Variables } from '#shared/collections/model.ts';
import type { Environment } from '#shared/model/environment.ts';
import { createGenerated, generatedNames } from '#shared/variables/generated.ts';
import {
  substituteChecks,
  substituteRequest,
  type FilledChecks,
  type RequestSubstitution,
} from '#shared/variables/substitute-request.ts';
import { createScopes, type Scopes } from '#shared/variables/scopes.ts';
import type { Takers } from '#shared/variables/takers.ts';

/** The parts of a tab that decide which values it gets. */
export type VariableSubject = RequestContent & {
  readonly id: string;
  readonly file: TabFile | null;
  /** Of a run: values that count before all others. */
  readonly run: { readonly values: Variables } | null;
};

/** Inserts values into the requests of tabs. */
export type TabVariables = ReturnType<typeof createTabVariables>;

/** A name that can be written between the braces, and its current value. */
export interface KnownVariable {
  readonly name: string;
  readonly value: string;
  /** Its source, in a word or two. */
  readonly source: string;
}

/** Values that the files around a request give it, and sentences about files that cannot be read. */
interface FileScopes {
  readonly collection: Variables;
  readonly folders: readonly Variables[];
  readonly problems: readonly string[];
  /** The requests of the collection that take a variable; undefined until they are known. */
  readonly takers: Takers | undefined;
}

export interface TabVariablesDeps {
  readonly newId: () => string;
  /** Returns the values that the files around a request give it; null while they are not known. */
  readonly around: (file: TabFile) => FileScopes | null;
  /** Settles once `around` is known. */
  readonly read: (file: TabFile) => Promise<void>;
  /** Returns the values that earlier responses of the file's collection gave in an environment. */
  readonly taken: (file: TabFile, environment: Environment) => Variables;
  /** Returns the values that an environment gives besides its settings: of the built-in provider, a player's session. */
  readonly session: (environment: Environment) => Variables;
}

/**
 * Creates the values of tabs. The values shown before sending are those that are sent: the IDs of a tab stay the same until then.
 */
export function createTabVariables({ newId, around, read, taken, session }: TabVariablesDeps) {
  const ids = new Map<string, string[]>();

  function scopesOf({ file, run }: VariableSubject, files: FileScopes | null, environment: Environment): Scopes {
    const { collection, folders, takers } = files ?? {};
    const values = run === null ? {} : valuesOfRun(run.values, files);
    const answer = file === null ? {} : taken(file, environment);
    return createScopes({
      answer: Object.fromEntries(Object.entries(answer).filter(([name]) => !Object.hasOwn(values, name))),
      run: values,
      ...(collection === undefined ? {} : { collection }),
      ...(folders === undefined ? {} : { folders }),
      environment,
      session: session(environment),
      takers,
    });
  }

  function filesOf({ file }: Pick<VariableSubject, 'file'>): FileScopes | null {
    return file === null ? null : around(file);
  }

  /** Returns a function that gives the IDs that the tab has had already, in their order, and new ones after them. */
  function repeating(tabId: string): () => string {
    const known = ids.get(tabId) ?? [];
    ids.set(tabId, known);
    let at = 0;
    return () => {
      const id = known[at] ?? newId();
      known[at] = id;
      at += 1;
      return id;
    };
  }

  return {
    /**
     * Inserts the values; `now` in milliseconds since the epoch. Null if the request holds no `{{`, so that there is nothing to
     * insert.
     */
    substitute(tab: VariableSubject, environment: Environment, now: number): RequestSubstitution | null {
      if (!tab.text.includes('{{') && !JSON.stringify(tab.overrides).includes('{{')) return null;
      const files = filesOf(tab);
      // Until they are read, nothing is known to be missing.
      if (tab.file !== null && files === null) return { ok: false, errors: [] };
      const generated = createGenerated({ environment, now, newId: repeating(tab.id) });
      // A check that lacks a value keeps nothing from being sent.
      const request = { ...requestOf(tab), take: {}, expect: [] };
      const result = substituteRequest(request, scopesOf(tab, files, environment), generated);
      if (result.ok || files === null || files.problems.length === 0) return result;
      const why = files.problems.join(' ');
      return { ok: false, errors: result.errors.map((error) => ({ ...error, message: `${error.message} ${why}` })) };
    },
    /** Settles once everything that `substitute` needs for the tab is known, as far as it can be. */
    ready: ({ file }: VariableSubject): Promise<void> => (file === null ? Promise.resolve() : read(file)),
    /** Returns the checks of the response, with the values from before it; to be called before the tab is sent. */
    checks(tab: VariableSubject, environment: Environment, now: number): FilledChecks {
      // The same IDs in the same order as in what is sent: those of the data come first.
      const generated = createGenerated({ environment, now, newId: repeating(tab.id) });
      return substituteChecks(requestOf(tab), scopesOf(tab, filesOf(tab), environment), generated);
    },
    /** Returns the variables that a text may name in this tab. */
    known(tab: VariableSubject, environment: Environment): readonly KnownVariable[] {
      const named = scopesOf(tab, filesOf(tab), environment).all();
      return [
        ...named.map(({ name, value, source }) => ({ name, value, source: sourceWords[source] })),
        ...[...generatedNames, '$now+7d', '$uniqueId:name'].map((name) => ({ name, value: '', source: sourceWords.generated })),
      ];
    },
    /** Returns the other requests of the tab's collection that take a variable; undefined without one, and until they are known. */
    takers: (tab: Pick<VariableSubject, 'file'>): Takers | undefined => filesOf(tab)?.takers,
    /** Gives the tab other IDs from here on; called when it was sent. */
    renew: (tabId: string) => ids.delete(tabId),
  };
}

/** Returns the values of a run without those that a file makes of others: they may hold an ID that must be new in each call. */
function valuesOfRun(values: Variables, files: FileScopes | null): Variables {
  const written = Object.assign({}, files?.collection, ...(files?.folders ?? [])) as Variables;
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => !Object.hasOwn(written, name) || written[name]?.includes('{{') !== true),
  );
}

/** Sources of values, in words for the user. */
export const sourceWords = {
  answer: 'an earlier response',
  run: 'the run',
  folder: 'the folder',
  collection: 'the collection',
  environment: 'the environment',
  generated: 'generated',
} as const;
