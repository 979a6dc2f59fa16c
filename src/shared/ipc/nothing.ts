import { z } from '../model/schema.ts';

/** The input of a call that needs none. */
export const Nothing = z.strictObject({});
