import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { Environment } from '../../model/environment.ts';

/** A file in the environments folder that could not be read; Croupier does not change it. */
export const BrokenEnvironment = z.strictObject({
  file: z.string(),
  message: z.string(),
});

/** The way of calls, with what decided it. */
const Way = z.strictObject({
  /** The address of the proxy; null without one. */
  proxy: z.nullable(z.string()),
  /** A sentence: what decided it. */
  why: z.string(),
  /** A sentence if no call can leave; null if calls can. */
  problem: z.nullable(z.string()),
  /** The place of the proxy's login; null without one. `address`: it came with the address of the proxy. */
  login: z.nullable(z.enum(['keychain', 'session', 'address'])),
});
export type Way = z.infer<typeof Way>;

const PrivateHosts = z.strictObject({ hosts: z.array(z.string()) });

export const environmentOutputs = {
  'environments.list': z.strictObject({
    environments: z.array(Environment),
    broken: z.array(BrokenEnvironment),
  }),
  'environments.create': Environment,
  'environments.save': Environment,
  'environments.remove': Environment,
  'environments.way': Way,
  'environments.privateHosts': PrivateHosts,
  'environments.setPrivateHosts': PrivateHosts,
};

export const environmentEvents = {
  'environments.changed': Nothing,
};
