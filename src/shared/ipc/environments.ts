import { Environment } from '../model/environment.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** The fields that a new environment needs, including `production`; everything else has a default. */
export const EnvironmentDraft = z.extend(z.omit(Environment, { id: true, kind: true }), { production: z.boolean() });
export type EnvironmentDraft = z.input<typeof EnvironmentDraft>;

export const environmentInputs = {
  'environments.list': Nothing,
  'environments.create': z.strictObject({ environment: EnvironmentDraft }),
  'environments.save': z.strictObject({ environment: Environment }),
  /** Returns how calls to the environment's base URL leave. Fails with `not_found`. */
  'environments.way': z.strictObject({ id: textUpTo(100) }),
  /** Lists the hosts that may lead to a private address. They are kept on this machine, apart from the environment. Fails with `not_found`. */
  'environments.privateHosts': z.strictObject({ id: textUpTo(100) }),
  /** Replaces them. Fails with `invalid_input` for one that is no host, or that nobody can allow. */
  'environments.setPrivateHosts': z.strictObject({
    id: textUpTo(100),
    hosts: z.array(filledTextUpTo(255)).check(z.maxLength(50)),
  }),
  /** Returns the removed environment, so that `environments.save` undoes it. Unless undone, the key is removed at the next start. */
  'environments.remove': z.strictObject({ id: textUpTo(100) }),
};
