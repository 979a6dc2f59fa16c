import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Every schema takes its `z` from here, so that none is ever used without these: `zod/mini` has no sentences of its own, and zod otherwise
// probes `new Function`, which the page's content security policy reports as a violation.
z.config({ ...english(), jitless: true });

/** A text of at most so many UTF-16 units. */
export const textUpTo = oncePerBound((most) => z.string().check(z.maxLength(most)));

/** The same, and not empty. */
export const filledTextUpTo = oncePerBound((most) => z.string().check(z.minLength(1), z.maxLength(most)));

/** A number without a fraction, both bounds included. */
export function wholeNumber(least: number, most: number): z.ZodMiniNumberFormat {
  return z.int().check(z.gte(least), z.lte(most));
}

/** What is missing or not understood is this value. By a name of its own: as `z.catch` it looks like that of a promise. */
export const otherwise = z.catch;

/** Makes a schema when it is first needed: what is rarely read costs no start. */
export function late<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A few bounds are all over the contract, and each schema costs some microseconds of every start. */
function oncePerBound<T>(make: (most: number) => T): (most: number) => T {
  const made = new Map<number, T>();
  return (most) => {
    const schema = made.get(most) ?? make(most);
    made.set(most, schema);
    return schema;
  };
}

export { z };
