import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Every schema takes its `z` from here, so that none is ever used without these: `zod/mini` has no sentences of its own, and zod otherwise
// probes `new Function`, which the page's content security policy reports as a violation.
z.config({ ...english(), jitless: true });

/** Makes the schema of a string of at most `most` UTF-16 units. */
export const textUpTo = oncePerBound((most) => z.string().check(z.maxLength(most)));

/** Makes the schema of a non-empty string of at most `most` UTF-16 units. */
export const filledTextUpTo = oncePerBound((most) => z.string().check(z.minLength(1), z.maxLength(most)));

/** Makes the schema of an integer, both bounds included. */
export function wholeNumber(least: number, most: number): z.ZodMiniNumberFormat {
  return z.int().check(z.gte(least), z.lte(most));
}

/** Replaces a missing or invalid value. Renamed, because `z.catch` looks like a promise's `catch`. */
export const otherwise = z.catch;

/** Makes a schema when it is first needed, so that a rare one does not cost every start. */
export function late<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Makes each schema once per bound: the contract repeats a few bounds, and each schema costs microseconds of every start. */
function oncePerBound<T>(make: (most: number) => T): (most: number) => T {
  const made = new Map<number, T>();
  return (most) => {
    const schema = made.get(most) ?? make(most);
    made.set(most, schema);
    return schema;
  };
}

export { z };
