import { z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { Environment } from '../../model/environment.ts';

/** A file in the environments folder that could not be read; Croupier does not change it. */
export const BrokenEnvironment = z.strictObject({
  file: z.string(),
  message: z.string(),
});

const PrivateHosts = z.strictObject({ hosts: z.array(z.string()) });

export const environmentOutputs = {
  'environments.list': z.strictObject({
    environments: z.array(Environment),
    broken: z.array(BrokenEnvironment),
  }),
  'environments.create': Environment,
  'environments.save': Environment,
  'environments.remove': Environment,
  'environments.privateHosts': PrivateHosts,
  'environments.setPrivateHosts': PrivateHosts,
};

export const environmentEvents = {
  'environments.changed': Nothing,
};
