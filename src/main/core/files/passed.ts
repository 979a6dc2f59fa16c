import { AppError } from '#shared/errors.ts';
import { readers } from '#shared/model/readers.ts';

/** Classes of what is written to a file. */
export type TextClass = keyof typeof searches;

declare const passed: unique symbol;

/** A content that has passed the searches of its class. Only this file makes one, and the writers of `core/files` take nothing else. */
export type Passed<Class extends TextClass = TextClass, Content extends string | Uint8Array = string | Uint8Array> = Content & {
  readonly [passed]: Class;
};

/**
 * Reasons for which a content needs no search where it is written:
 * - `gate`: the key gate (`core/app/key-gate.ts`) searched every text of the call that brought it.
 * - `core`: core passed it before it gave it out as an answer, which has no class.
 * - `masked`: keys in it were masked a line before.
 * - `own`: nothing of it was typed, sent or received.
 * - `same`: the user's bytes, which are in a file beside it already.
 * - `asked`: the user asked for it as it is.
 */
type Reason = 'gate' | 'core' | 'masked' | 'own' | 'same' | 'asked';

/** Lets a content pass without a search, for a reason that its class allows. A test lists each use (`passed.test.ts`). */
export function vouched<Class extends TextClass, Content extends string | Uint8Array>(
  _class: Class,
  _why: (typeof searches)[Class]['unsearched'][number],
  content: Content,
): Passed<Class, Content> {
  return content as Passed<Class, Content>;
}

/** Searches of a class, and what is said of a text that does not pass them. */
interface Searches {
  /** Reasons for which a content may pass without a search: none for a class whose every text is searched where it is written. */
  readonly unsearched: readonly Reason[];
  /**
   * Keys that are searched for: `every` environment's, where one that cannot be read now refuses the text; `readable`: so those of the
   * environments that the caller names, and the others as far as they can be read; `none`.
   */
  readonly keys: 'every' | 'readable' | 'none';
  readonly keyFound: string;
  /** Said of a text with a token that was to be masked; null if nothing looks for one once more. */
  readonly tokenFound: string | null;
  readonly size: { readonly bytes: number; readonly advice: string };
}

const saved = {
  keys: 'readable',
  keyFound: "Nothing was saved: the text contains an environment's private key. Remove it; Croupier signs without it.",
  tokenFound: null,
} as const;
const given = { keys: 'every', tokenFound: null, size: { bytes: 200_000_000, advice: 'Export less at once.' } } as const;

/**
 * The searches of each class, which is named by who can read it: `home` is one user's own, `team` a directory made for git, `provider` the state of
 * the built-in provider; `export`, `evidence` and `report` go to others; `answer` is a response that the user asked for as it came. What Croupier
 * reads again is no longer than its reader takes.
 */
export const searches = {
  home: { ...saved, unsearched: ['gate', 'masked', 'own', 'same', 'asked'], size: readers['home.environment'] },
  team: { ...saved, unsearched: ['own', 'same'], size: readers['collection.file'] },
  provider: { ...saved, unsearched: [], size: readers['input.world'] },
  export: {
    ...given,
    unsearched: ['core', 'own'],
    keyFound:
      "Nothing was exported: an environment's private key was sent or received. Replace that key, and export other calls.",
  },
  evidence: {
    ...given,
    unsearched: [],
    keyFound:
      "Evidence not saved: it contains an environment's private key, from the game page or a field of the launch. Replace that key.",
    tokenFound: 'Evidence not saved: masking missed a session token of this launch. Report this error in Croupier.',
  },
  report: {
    ...given,
    unsearched: ['core', 'asked'],
    keys: 'readable',
    keyFound: "Nothing was exported: the report contains an environment's private key. Replace that key.",
  },
  answer: { ...given, unsearched: ['asked'], keys: 'none', keyFound: '' },
} as const satisfies Record<string, Searches>;

/** Fails with `invalid_input` if a text of a class would have so many bytes. */
export function checkSize(known: TextClass, bytes: number): void {
  const { bytes: most, advice } = searches[known].size;
  if (bytes <= most) return;
  const words = `it would have ${bytes.toLocaleString('en')} bytes, and the limit is ${most.toLocaleString('en')}`;
  throw new AppError('invalid_input', `Nothing was written: ${words}. ${advice}`);
}

/** Ways to find keys. */
export interface KeyFinders {
  /** Returns whether a text holds the key of an environment; fails if one exists that cannot be read now. */
  readonly contains: (environmentId: string, text: Uint8Array) => Promise<boolean>;
  /** Returns the keys in a text, as far as keys can be read now. */
  readonly find: (text: Uint8Array) => Promise<readonly { readonly environmentId: string }[]>;
}

/** Facts that a caller knows about its texts: environments that they are of, and a better sentence for a key in them. */
type About<Class extends TextClass> = {
  readonly of?: readonly string[];
  readonly keyFound?: (environmentId: string) => string;
} & ((typeof searches)[Class]['tokenFound'] extends string ? { readonly holdsToken: (text: string) => boolean } : unknown);

/** Lets a content that is made of searched texts pass. */
export type Passing<Class extends TextClass> = <Content extends string | Uint8Array>(content: Content) => Passed<Class, Content>;

/** Searches texts as their class decides. Fails with `refused`, with `invalid_input` for their size, and as `contains` does. */
export type Pass = ReturnType<typeof createPass>;

/** Creates the one way by which texts pass the searches of their class. */
export function createPass({ contains, find }: KeyFinders, environmentIds: () => readonly string[]) {
  return async <Class extends TextClass>(
    known: Class,
    texts: readonly (string | Uint8Array)[],
    about: About<Class>,
  ): Promise<Passing<Class>> => {
    const { keys, keyFound, tokenFound }: Searches = searches[known];
    const { of = [], keyFound: says = () => keyFound, holdsToken = () => false } = about as Partial<About<'evidence'>>;
    const refuse = (environmentId: string) => new AppError('refused', says(environmentId), { environmentId });
    for (const text of texts) {
      const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
      if (bytes.length === 0) continue;
      checkSize(known, bytes.length);
      const isHeld = tokenFound !== null && holdsToken(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
      if (isHeld) throw new AppError('refused', tokenFound);
      for (const id of { every: new Set([...environmentIds(), ...of]), readable: of, none: [] }[keys])
        if (await contains(id, bytes)) throw refuse(id);
      const [held] = keys === 'readable' ? await find(bytes) : [];
      if (held !== undefined) throw refuse(held.environmentId);
    }
    return (content) => content as Passed<Class, typeof content>;
  };
}
