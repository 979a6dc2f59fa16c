import { AppError } from '#shared/errors.ts';
import type { Handlers } from '#shared/ipc/index.ts';
import type { Environment } from '#shared/ipc/index.ts';
import type { Launches } from '../launches/launches.ts';
import type { SessionTokens } from '../session-tokens/session-tokens.ts';

/** The calls of the inside contract about session tokens. `environment` fails with `not_found`. */
export function tokenHandlers(
  tokens: SessionTokens,
  launcher: Pick<Launches, 'userOf' | 'renewToken'>,
  environment: (id: string) => Environment,
  settable: boolean,
): Pick<Handlers, Extract<keyof Handlers, `tokens.${string}`>> {
  const { pools } = tokens;
  return {
    'tokens.list': ({ environmentId }) => {
      const { id } = environment(environmentId);
      return { tokens: pools.list(id, launcher.userOf), command: tokens.command(id), settable };
    },
    'tokens.add': ({ environmentId, text, file }) => tokens.add(environment(environmentId).id, text, file),
    'tokens.remove': ({ environmentId, ids }) => ({ removed: pools.remove(environmentId, ids) }),
    'tokens.restore': ({ environmentId }) => ({ restored: pools.restore(environmentId) }),
    'tokens.renew': async ({ environmentId, id, ...how }) => {
      const taken = pools.takeOne(environmentId, id);
      if (taken === null)
        throw new AppError('conflict', 'This token is being used or is no longer in the pool. Choose another one.');
      try {
        const { call, token, message, fields } = await launcher.renewToken({ environmentId, token: taken.token, ...how });
        // The provider may have ended the old one although its response shows no new one.
        if (token === null) taken.used();
        else taken.renewed(token);
        return { call, message, fields };
      } catch (error) {
        taken.back();
        throw error;
      }
    },
    'tokens.setCommand': async ({ environmentId, command }) => {
      const { id } = environment(environmentId);
      const set = await tokens.setCommand(id, command);
      return { set, command: tokens.command(id) };
    },
  };
}
