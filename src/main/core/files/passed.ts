import { AppError } from '#shared/errors.ts';

/**
 * Classes of what is written to a file, with who can read it there: `home` is one user's own, `team` a directory made for git, `export`, `evidence`
 * and `report` go to others, `answer` is a response that the user asked for as it came, `provider` the state of the built-in provider.
 */
export type TextClass = 'home' | 'team' | 'export' | 'evidence' | 'report' | 'answer' | 'provider';

declare const passed: unique symbol;

/** A content that has passed the searches of its class. Only this file makes one, and the writers of `core/files` take nothing else. */
export type Passed<Class extends TextClass = TextClass, Content extends string | Uint8Array = string | Uint8Array> = Content & {
  readonly [passed]: Class;
};

/**
 * Reasons for which a content needs no search where it is written:
 * - `gate`: the key gate (`core/app/key-gate.ts`) searched every text of the call that brought it.
 * - `core`: core searched it for keys and masked its tokens before it gave it out.
 * - `masked`: keys in it were masked a line before.
 * - `own`: nothing of it was typed, sent or received.
 * - `same`: the user's bytes, which are in a file beside it already.
 * - `asked`: the user asked for it as it is.
 */
type Reason = 'gate' | 'core' | 'masked' | 'own' | 'same' | 'asked';

/** Reasons for which a content of each class may pass without a search: none for a class whose every text is searched where it is written. */
interface Unsearched {
  home: Reason;
  team: 'own' | 'same';
  export: 'core' | 'own';
  evidence: 'core';
  report: 'core' | 'asked';
  answer: 'asked';
  provider: never;
}

/** Lets a content pass without a search, for a reason that its class allows. A test lists each use (`passed.test.ts`). */
export function vouched<Class extends TextClass, Content extends string | Uint8Array>(
  _class: Class,
  _why: Unsearched[Class],
  content: Content,
): Passed<Class, Content> {
  return content as Passed<Class, Content>;
}

/** Lets a text pass that holds no private key. Fails with `refused` for one that does. */
export async function withoutKey<Class extends TextClass>(
  _class: Class,
  text: string,
  holdsKey: (text: string) => Promise<boolean>,
): Promise<Passed<Class, string>> {
  if (!(await holdsKey(text))) return text as Passed<Class, string>;
  throw new AppError(
    'refused',
    'Nothing was saved: the text holds the private key of an environment. Take it out; calls are signed without it.',
  );
}
