import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/model/environment.ts';
import { openActionNames, type OpenActionName } from '#shared/model/operations.ts';
import type { OpenPointId } from '#shared/provider/model.ts';
import { operationByName } from '#shared/provider/operations.ts';
import { actionOf } from '#shared/provider/wire-form.ts';
import { sandboxId } from '../environments/validate-environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { RunningSandbox } from '../host/host.ts';
import type { Keys } from '../keys/keys.ts';

export type ActionNames = Readonly<Partial<Record<OpenActionName, string>>>;

/** Settings that a start asked for explicitly; a missing one stays as the user set it. */
interface AskedEnvironment {
  readonly platform?: number | undefined;
  readonly partnerId?: number | undefined;
  readonly actions?: ActionNames | undefined;
  readonly transient?: boolean | undefined;
}

export interface ProviderEnvironmentDeps {
  readonly environments: Pick<Environments, 'get' | 'list' | 'save' | 'overlay'>;
  readonly keys: Pick<Keys, 'storeMade' | 'lendKey'>;
  readonly onFault: (error: unknown) => void;
}

/** The environment of the built-in provider: created at its first start, and from then on the user's. */
export function createProviderEnvironment({ environments, keys, onFault }: ProviderEnvironmentDeps) {
  /** Returns null also if its file cannot be read: a provider goes on without it. */
  function readable(): Environment | null {
    try {
      return environments.get(sandboxId);
    } catch {
      return null;
    }
  }

  /** Returns the names in the environment as it is now, so that a name recorded there counts at once. */
  function actions(): ActionNames {
    const answers = readable()?.answers ?? {};
    return Object.fromEntries(openActionNames.map((name) => [name, actionOf(operationByName(name), answers) ?? '']));
  }

  /** Returns null before the first start. Fails if its file cannot be read. */
  function stored(): Environment | null {
    try {
      return environments.get(sandboxId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }

  function freeName(): string {
    const names = new Set(environments.list().environments.map(({ name }) => name.toLowerCase()));
    for (let number = 1; ; number++) {
      const name = number === 1 ? 'sandbox' : `sandbox ${number}`;
      if (!names.has(name)) return name;
    }
  }

  return {
    stored,
    readable,
    actions,
    /** Writes URL, certificate and names of a provider that started; if `transient` and there is an environment, its URL is for this process alone. */
    async write(
      provider: Pick<RunningSandbox, 'baseUrl' | 'ca' | 'players'>,
      stored: Environment | null,
      start: AskedEnvironment,
      { platform, partnerId }: { readonly platform: number; readonly partnerId: number },
    ): Promise<void> {
      const { baseUrl, ca } = provider;
      const [player] = provider.players();
      const fresh = (): Environment =>
        Environment.parse({
          id: sandboxId,
          name: freeName(),
          kind: 'sandbox',
          color: 'green',
          baseUrl,
          platform,
          partnerId,
          defaults: player === undefined ? {} : { playerId: player.playerId, currency: player.currency, country: player.country },
        });
      // Keeps the user's changes, even a wrong platform for a test; overwrites only options given at start.
      const asked = {
        ...(start.platform === undefined ? {} : { platform }),
        ...(start.partnerId === undefined ? {} : { partnerId }),
      };
      const environment = stored ?? fresh();
      const answers = withActionNames(environment.answers, start.actions ?? {});
      if (stored === null || start.transient !== true) {
        await environments.save({ ...environment, ...asked, answers, baseUrl, walletUrl: '', ca });
      } else if (answers !== stored.answers) {
        await environments.save({ ...stored, answers });
      }
      // Another program on this home may run a provider of its own and write its URL there.
      environments.overlay(sandboxId, { baseUrl, walletUrl: '', ca });
    },
    /** Gives the provider's key to the key agent; `store`: also to the keychain, for other programs on this home. */
    async giveKey(privateKey: string, store: boolean): Promise<void> {
      // Held here too, because other programs may store another one.
      if (store) await keys.storeMade(sandboxId, privateKey).catch(onFault);
      // The provider knows it anyway. Given once, it would be gone with the process that holds the keys, and every call would be
      // rejected from then on.
      await keys.lendKey(sandboxId, () => privateKey);
    },
  };
}

/**
 * Returns the answers with the names that were asked for, and if none is recorded, the name of the operation itself. The same
 * object if nothing changes.
 */
function withActionNames(answers: Environment['answers'], asked: ActionNames): Environment['answers'] {
  const missing = openActionNames.flatMap((name) => {
    const point: OpenPointId = `${name}.action`;
    const value = asked[name] ?? (answers[point] === undefined ? name : undefined);
    return value === undefined ? [] : [[point, { value, note: 'Chosen for the built-in provider.' }] as const];
  });
  return missing.length === 0 ? answers : { ...answers, ...Object.fromEntries(missing) };
}
