import * as z from 'zod';

// zod otherwise probes `new Function`, which the page's content security policy reports as a violation.
z.config({ jitless: true });

export interface CallSpec<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly input: I;
  readonly output: O;
}

/** One entry of the inside contract: what a caller sends and what it gets back. Both are plain JSON. */
export function call<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): CallSpec<I, O> {
  return { input, output };
}

/** One event that core tells every listener. */
export function event<P extends z.ZodType>(payload: P): P {
  return payload;
}

/** The input of a call that needs none. */
export const Nothing = z.strictObject({});

export { z };
