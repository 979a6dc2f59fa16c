import { signForm } from './ready-signs.ts';
import { filledTextUpTo, z } from './schema.ts';

/** A sign as `ready-signs.ts` reads it, which programs use that load no schema. */
export const ReadySign = filledTextUpTo(500).check(
  z.regex(signForm, 'Write a sign as "selector: #spin", "text: …", "message: …", "console: …", or as "drawn"'),
);
