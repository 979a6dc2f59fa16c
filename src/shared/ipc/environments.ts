import { Environment } from '../model/environment.ts';
import { textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** The fields that a new environment needs, including `production`; everything else has a default. */
export const EnvironmentDraft = z.extend(z.omit(Environment, { id: true, kind: true }), { production: z.boolean() });
export type EnvironmentDraft = z.input<typeof EnvironmentDraft>;

export const environmentInputs = {
  'environments.list': Nothing,
  'environments.create': z.strictObject({ environment: EnvironmentDraft }),
  'environments.save': z.strictObject({ environment: Environment }),
  /** Returns the removed environment, so that `environments.save` undoes it. Unless undone, the key is removed at the next start. */
  'environments.remove': z.strictObject({ id: textUpTo(100) }),
};
