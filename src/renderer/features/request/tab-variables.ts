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

/** What of a tab decides which values it gets. */
export type VariableSubject = RequestContent & { readonly id: string; readonly file: TabFile | null };

/** Puts values into the requests of tabs. */
export interface TabVariables {
  /** `now` in milliseconds since the epoch. Null where the request holds no `{{`, so that nothing is to be put in. */
  readonly substitute: (tab: VariableSubject, environment: Environment, now: number) => RequestSubstitution | null;
  /** Settles once what `substitute` needs for the tab is known, as far as it can be. */
  readonly ready: (tab: VariableSubject) => Promise<void>;
  /** What is wanted of the answer, with the values from before it; to be asked before the tab is sent. */
  readonly checks: (tab: VariableSubject, environment: Environment, now: number) => FilledChecks;
  /** What a text may name in this tab. */
  readonly known: (tab: VariableSubject, environment: Environment) => readonly KnownVariable[];
  /** The tab was sent: it gets other ids from here on. */
  readonly renew: (tabId: string) => void;
}

/** A name that can be written between the braces, and what it gives now. */
export interface KnownVariable {
  readonly name: string;
  readonly value: string;
  /** Where it comes from, in a word or two. */
  readonly source: string;
}

/** What the files around a request give it, and sentences about those that cannot be read. */
interface FileScopes {
  readonly collection: Variables;
  readonly folders: readonly Variables[];
  readonly problems: readonly string[];
}

export interface TabVariablesDeps {
  readonly newId: () => string;
  /** What the files around a request give it; null while they are not known. */
  readonly around: (file: TabFile) => FileScopes | null;
  /** Settles once `around` is known. */
  readonly read: (file: TabFile) => Promise<void>;
  /** What answers of the file's collection gave in an environment. */
  readonly taken: (file: TabFile, environment: Environment) => Variables;
  /** What an environment gives besides its settings: of the built-in provider, a player's session. */
  readonly session: (environment: Environment) => Variables;
}

/** What is shown before sending is what is sent: the ids of a tab stay the same until then. */
export function createTabVariables({ newId, around, read, taken, session }: TabVariablesDeps): TabVariables {
  const ids = new Map<string, string[]>();

  function scopesOf({ file }: VariableSubject, files: FileScopes | null, environment: Environment): Scopes {
    const { collection, folders } = files ?? {};
    return createScopes({
      ...(file === null ? {} : { answer: taken(file, environment) }),
      ...(collection === undefined ? {} : { collection }),
      ...(folders === undefined ? {} : { folders }),
      environment,
      session: session(environment),
    });
  }

  function filesOf({ file }: VariableSubject): FileScopes | null {
    return file === null ? null : around(file);
  }

  /** The ids that the tab has had already, in their order, and new ones behind them. */
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
    substitute(tab, environment, now) {
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
    ready: ({ file }) => (file === null ? Promise.resolve() : read(file)),
    checks(tab, environment, now) {
      // The same ids in the same order as in what is sent: those of the data come first.
      const generated = createGenerated({ environment, now, newId: repeating(tab.id) });
      return substituteChecks(requestOf(tab), scopesOf(tab, filesOf(tab), environment), generated);
    },
    known(tab, environment) {
      const named = scopesOf(tab, filesOf(tab), environment).all();
      return [
        ...named.map(({ name, value, source }) => ({ name, value, source: sourceWords[source] })),
        ...[...generatedNames, '$now+7d', '$uniqueId:name'].map((name) => ({ name, value: '', source: sourceWords.generated })),
      ];
    },
    renew: (tabId) => ids.delete(tabId),
  };
}

/** Where a value comes from, as it is told to a person. */
export const sourceWords = {
  answer: 'an earlier response',
  run: 'the run',
  folder: 'the folder',
  collection: 'the collection',
  environment: 'the environment',
  generated: 'generated',
} as const;
