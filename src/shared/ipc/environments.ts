import { Environment } from '../model/environment.ts';
import { z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** What a new environment needs at least, with whether it is production; everything else has a default. */
export const EnvironmentDraft = z.extend(z.omit(Environment, { id: true, kind: true }), { production: z.boolean() });
export type EnvironmentDraft = z.input<typeof EnvironmentDraft>;

export const environmentInputs = {
  'environments.list': Nothing,
  'environments.create': z.strictObject({ environment: EnvironmentDraft }),
  'environments.save': z.strictObject({ environment: Environment }),
  /** Gives back what was removed, so that `environments.save` undoes it. The key goes at the next start unless undone. */
  'environments.remove': z.strictObject({ id: z.string() }),
};
