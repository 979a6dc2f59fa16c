import { AppError } from '#shared/errors.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import { z } from '#shared/model/schema.ts';
import { addressKind, addressKindWords, vpnKinds } from '#shared/network/address-kind.ts';
import type { Settings } from './settings.ts';

const setting = 'privateHosts' satisfies SettingName;

/** Hosts by the ID of their environment. */
const PrivateHosts = z.record(z.string(), z.array(z.string()));

/**
 * Remembers the hosts that a person allowed to lead to a private address, because their VPN answers so. They are in the settings of this
 * home, never in an environment's file: those are passed on and come from git, and nothing from there may open this network to a game.
 */
export function createPrivateHosts(settings: Pick<Settings, 'read' | 'write'>) {
  /** Of what cannot be read, no host is allowed. */
  function all(): z.infer<typeof PrivateHosts> {
    try {
      return PrivateHosts.parse(JSON.parse(settings.read()[setting] ?? '{}'));
    } catch {
      return {};
    }
  }
  return {
    /** Returns those of an environment: names and addresses as a URL writes them. */
    of(environmentId: string): readonly string[] {
      const found = all();
      return Object.hasOwn(found, environmentId) ? (found[environmentId] ?? []) : [];
    },
    /** Replaces those of an environment. Fails with `invalid_input` for what is no host, or one that may not be allowed. */
    async set(environmentId: string, hosts: readonly string[]): Promise<void> {
      const named = [...new Set(hosts.map(hostOf))];
      const { [environmentId]: _before, ...others } = all();
      await settings.write(setting, JSON.stringify(named.length === 0 ? others : { ...others, [environmentId]: named }));
    },
  };
}

function hostOf(text: string): string {
  const url = URL.parse(`https://${text.trim()}`);
  if (url === null || url.href !== `https://${url.hostname}/`) {
    throw new AppError(
      'invalid_input',
      `“${text.trim()}” is not a host. Enter a name such as games.corp.example, without https:// or a port.`,
    );
  }
  const kind = addressKind(url.hostname);
  if (kind === 'name' || kind === 'localName' || vpnKinds.has(kind)) return url.hostname;
  throw new AppError(
    'invalid_input',
    `${url.hostname} is ${addressKindWords[kind]}. Only names and addresses on private networks can be allowed.`,
  );
}
