import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Every schema takes its `z` from here, so that none is ever used without these: `zod/mini` has no sentences of its own, and zod otherwise
// probes `new Function`, which the page's content security policy reports as a violation.
z.config({ ...english(), jitless: true });

export interface CallSpec<I extends z.ZodMiniType = z.ZodMiniType, O extends z.ZodMiniType = z.ZodMiniType> {
  readonly input: I;
  readonly output: O;
}

/** One entry of the inside contract: what a caller sends and what it gets back. Both are plain JSON. */
export function call<I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O): CallSpec<I, O> {
  return { input, output };
}

/** One event that core tells every listener. */
export function event<P extends z.ZodMiniType>(payload: P): P {
  return payload;
}

/** The input of a call that needs none. */
export const Nothing = z.strictObject({});

/** A text of at most so many UTF-16 units. */
export function textUpTo(most: number): z.ZodMiniString<string> {
  return z.string().check(z.maxLength(most));
}

/** The same, and not empty. */
export function filledTextUpTo(most: number): z.ZodMiniString<string> {
  return z.string().check(z.minLength(1), z.maxLength(most));
}

/** A number without a fraction, both bounds included. */
export function wholeNumber(least: number, most: number): z.ZodMiniNumberFormat {
  return z.int().check(z.gte(least), z.lte(most));
}

export { z };
