import { AppError } from '#shared/errors.ts';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Output, Way } from '#shared/ipc/index.ts';

/** Settings that this machine keeps apart from an environment, whose file may be passed on; nothing of keys and passwords. */
export interface Apart {
  /** The program that yields session tokens, empty for none, and whether this host can set it. */
  readonly tokenCommand: Pick<Output<'tokens.list'>, 'command' | 'settable'>;
  readonly privateHosts: readonly string[];
  readonly way: Way;
  readonly clientCertificate: Output<'keys.clientCertificate'>;
}

/** Resolves to null, or to the reason why nothing was changed. */
type Changed = Promise<string | null>;

/** The part of the store that shows and sets what is kept apart. */
export interface ApartState {
  /** Those that were looked at, by the ID of the environment. */
  readonly apart: Readonly<Record<string, Partial<Apart>>>;
  readonly loadApart: (id: string, kind: keyof Apart) => Promise<void>;
  /** Empty removes it. */
  readonly setTokenCommand: (id: string, command: string) => Changed;
  readonly setPrivateHosts: (id: string, hosts: string[]) => Changed;
  /** Sets the login of the proxy on the way; null removes it. */
  readonly setProxyLogin: (id: string, login: { readonly user: string; readonly password: string } | null) => Changed;
  /** `files` in base64. */
  readonly setClientCertificate: (id: string, files: string[], passphrase: string) => Changed;
  readonly removeClientCertificate: (id: string) => Changed;
}

/** Creates that part. */
export function createApart(client: Client, { getState, setState }: StorePart<ApartState>): ApartState {
  const read: { readonly [Kind in keyof Apart]: (environmentId: string) => Promise<Apart[Kind]> } = {
    async tokenCommand(environmentId) {
      const { command, settable } = await client.call('tokens.list', { environmentId });
      return { command, settable };
    },
    privateHosts: async (id) => (await client.call('environments.privateHosts', { id })).hosts,
    way: (id) => client.call('environments.way', { id }),
    clientCertificate: (environmentId) => client.call('keys.clientCertificate', { environmentId }),
  };

  async function loadApart(id: string, kind: keyof Apart): Promise<void> {
    const found = await orNull<Apart[keyof Apart]>(read[kind](id));
    if (found !== null) setState(({ apart }) => ({ apart: { ...apart, [id]: { ...apart[id], [kind]: found } } }));
  }

  /** Reads again what was looked at. */
  function loadAgain(id: string, ...kinds: readonly (keyof Apart)[]): void {
    for (const kind of kinds) if (getState().apart[id]?.[kind] !== undefined) startWork(loadApart(id, kind));
  }
  client.on('environments.changed', () => {
    // The command line may have set one with its environment.
    for (const id of Object.keys(getState().apart)) loadAgain(id, 'tokenCommand', 'privateHosts', 'way');
  });
  client.on('keys.changed', ({ environmentId }) => loadAgain(environmentId, 'clientCertificate'));
  client.on('tokens.changed', ({ environmentId }) => loadAgain(environmentId, 'tokenCommand'));

  async function change(id: string, kind: keyof Apart, work: Promise<unknown>): Changed {
    try {
      await work;
      await loadApart(id, kind);
      return null;
    } catch (error) {
      return asAppError(error).message;
    }
  }

  async function setCommand(environmentId: string, command: string): Promise<void> {
    const { set } = await client.call('tokens.setCommand', { environmentId, command });
    if (!set) throw new AppError('refused', 'The command was not set. To set it, choose Allow when asked.');
  }

  return {
    apart: {},
    loadApart,
    setTokenCommand: (id, command) => change(id, 'tokenCommand', setCommand(id, command)),
    setPrivateHosts: (id, hosts) => change(id, 'privateHosts', client.call('environments.setPrivateHosts', { id, hosts })),
    setProxyLogin(id, login) {
      const proxy = getState().apart[id]?.way?.proxy ?? '';
      const set =
        login === null ? client.call('keys.removeProxyLogin', { proxy }) : client.call('keys.setProxyLogin', { proxy, ...login });
      return change(id, 'way', set);
    },
    setClientCertificate: (id, files, passphrase) =>
      change(id, 'clientCertificate', client.call('keys.setClientCertificate', { environmentId: id, files, passphrase })),
    removeClientCertificate: (id) =>
      change(id, 'clientCertificate', client.call('keys.removeClientCertificate', { environmentId: id })),
  };
}
