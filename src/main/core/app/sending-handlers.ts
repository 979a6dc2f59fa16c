import { callInputs } from '#shared/ipc/calls.ts';
import { environmentInputs } from '#shared/ipc/environments.ts';
import type { Handlers } from '#shared/ipc/index.ts';
import { keyInputs } from '#shared/ipc/keys.ts';
import { productionInputs } from '#shared/ipc/production.ts';
import { sandboxInputs } from '#shared/ipc/sandbox.ts';
import { likeProduction } from '#shared/production/likeness.ts';
import type { Ground } from './ground.ts';
import type { Sending } from './sending.ts';

/** Schemas of the calls below, and of others of their topics. */
export const sendingInputs = { ...callInputs, ...environmentInputs, ...keyInputs, ...productionInputs, ...sandboxInputs };

/** Returns the handlers of the calls that a command makes which sends one request: they are there from the start. */
export function sendingHandlers({ environments, keys, confirmations }: Ground, { calls, sandbox }: Sending) {
  return {
    'calls.send': (request) => calls.send(request),
    'calls.repeat': (request) => calls.repeat(request),
    // Copies: core's own objects must not change under a caller's hands.
    'environments.list': () => structuredClone(environments.list()),
    'keys.status': ({ environmentId }) => keys.status(environments.get(environmentId).id),
    'keys.digest': async ({ environmentId, time, data }) => {
      const parts = data === null ? [Buffer.from(time)] : [Buffer.from(time), Buffer.from(data)];
      return { digest: await keys.digest(environments.get(environmentId).id, parts) };
    },
    'production.status': ({ environmentId }) => {
      const environment = environments.get(environmentId);
      return {
        notAskingUntil: confirmations.notAskingUntil(environment),
        like: likeProduction(environment, environments.list().environments, (one, other) => keys.isSame(one, other)),
      };
    },
    'sandbox.status': () => sandbox.status(),
  } satisfies Partial<Handlers>;
}
