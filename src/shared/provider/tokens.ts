import { tokenPaths } from './answer-shape.ts';
import { specGaps } from './gaps.ts';
import { valueOf } from './recorded.ts';
import type { Answers } from './model.ts';

/** Stands for a token wherever one would be shown or written. */
export const tokenMark = '[token]';

/** One for all, so that what follows from it is found once. */
const none: Answers = {};

/**
 * Whether a field, a parameter of a URL or a member of a response holds a session or replay token. The spec calls every one of them so in its
 * name; a provider's own names are those of the fields that a recorded answer gives the type token.
 */
export function isTokenName(name: string, answers: Answers = none): boolean {
  return /token/i.test(name) || recordedNames(answers).has(name);
}

// Asked for every member of a document.
const namesOf = new WeakMap<Answers, ReadonlySet<string>>();

/** The names of the fields that a recorded answer gives the type token. */
export function recordedNames(answers: Answers): ReadonlySet<string> {
  let names = namesOf.get(answers);
  if (names === undefined) {
    const shapes = specGaps.flatMap(({ id, answer }) =>
      answer.kind === 'shape' ? (valueOf('shape', id, answers)?.shape ?? []) : [],
    );
    names = new Set(shapes.flatMap(tokenPaths).flatMap((steps) => steps.slice(-1)));
    namesOf.set(answers, names);
  }
  return names;
}

/** Where the response of /generateNewToken holds the new token, by the recorded answer; null where none is on record. */
export function newTokenPath(answers: Answers): readonly string[] | null {
  const recorded = valueOf('shape', 'generateNewToken.response', answers);
  return recorded === null ? null : (tokenPaths(recorded.shape)[0] ?? null);
}

// Also in a text around addresses. An empty value is no token.
const inQuery = /([?&;])([^=&#;\s]*token[^=&#;\s]*)=([^&#;\s"'<>]+)/gi;

/** The address with every query value masked whose name speaks of a token. */
export function maskUrlTokens(url: string): string {
  return url.replace(inQuery, `$1$2=${tokenMark}`);
}

/** The tokens in an address's query, as they stand there and decoded. */
export function urlTokens(url: string): string[] {
  return [...url.matchAll(inQuery)].flatMap(([, , , value = '']) => {
    try {
      return [value, decodeURIComponent(value.replaceAll('+', ' '))];
    } catch {
      return [value];
    }
  });
}
