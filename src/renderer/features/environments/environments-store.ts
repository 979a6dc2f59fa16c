import { createStore, type StoreApi } from 'zustand/vanilla';
import { startWork, asAppError, orNull } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Client, Environment, Output, Way } from '#shared/ipc/index.ts';
import { createEnvironmentChanges, type EnvironmentChangesState } from './environment-changes.ts';
import { createForms, type FormsState } from './environment-forms.ts';
import { createKeys, type KeysState } from './environment-keys.ts';
import { createKnownEnvironments, type EnvironmentListState } from './environment-list.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** The environments: the sum of the parts, each in a file of its own. */
export interface EnvironmentsState
  extends
    EnvironmentListState,
    KeysState,
    FormsState,
    EnvironmentChangesState,
    TokenCommandsState,
    PrivateHostsState,
    WaysState,
    ClientCertificatesState {}

export type EnvironmentsStore = StoreApi<EnvironmentsState>;

/** Creates the store of the environments, of the forms that are open over them, and of the state of their keys (never a key). */
export function createEnvironmentsStore(
  client: Client,
  { notify, initialId }: { notify: Notify; initialId: string | null },
): EnvironmentsStore {
  return createStore<EnvironmentsState>()((_set, get, store) => {
    client.on('environments.changed', () => {
      startWork(get().load());
      // The command line may have set one with its environment.
      for (const id of Object.keys(get().tokenCommands)) startWork(get().loadTokenCommand(id));
      for (const id of Object.keys(get().privateHosts)) startWork(get().loadPrivateHosts(id));
      for (const id of Object.keys(get().ways)) startWork(get().loadWay(id));
    });
    client.on('keys.changed', ({ environmentId }) => {
      if (get().clientCertificates[environmentId] !== undefined) startWork(get().loadClientCertificate(environmentId));
      if (get().keys[environmentId] !== undefined) startWork(get().loadKey(environmentId));
    });
    client.on('keys.proven', ({ environmentId }) => {
      if (get().keys[environmentId] !== undefined) startWork(get().loadKey(environmentId));
    });
    client.on('tokens.changed', ({ environmentId }) => {
      if (get().tokenCommands[environmentId] !== undefined) startWork(get().loadTokenCommand(environmentId));
    });
    const known = createKnownEnvironments(client, store, initialId);
    const forms = createForms(client, notify, store, known);
    return {
      ...known.state,
      ...createKeys(client, notify, store, known.find),
      ...forms.state,
      ...createTokenCommands(client, store),
      ...createPrivateHosts(client, store),
      ...createWays(client, store),
      ...createClientCertificates(client, store),
      ...createEnvironmentChanges(client, notify, store, known, forms),
    };
  });
}

/** Returns the environment that requests are sent to; null while none is known. */
export function currentEnvironment(state: Pick<EnvironmentListState, 'list' | 'currentId'>): Environment | null {
  if (state.list.state !== 'ready') return null;
  return state.list.environments.find((environment) => environment.id === state.currentId) ?? null;
}

/** Returns the names of the other environments that have the same recorded answers as one. */
export function sharersOf({ list }: Pick<EnvironmentListState, 'list'>, environment: Environment): readonly string[] {
  if (list.state !== 'ready') return [];
  const owner = (one: Environment) => one.sameProviderAs ?? one.id;
  return list.environments
    .filter((one) => one.id !== environment.id && owner(one) === owner(environment))
    .map(({ name }) => name);
}

/** Returns whether a form holds something that was typed and not saved. */
export function hasUnsaved(state: Pick<FormsState, 'editing'>): boolean {
  return Object.keys(state.editing).length > 0;
}

/** The program of this machine that yields session tokens, and whether this host can set it. */
interface TokenCommand {
  /** Empty for none. */
  readonly command: string;
  readonly settable: boolean;
}

/** The token commands that were looked at. They are kept apart from the environments, whose files may be passed on. */
interface TokenCommandsState {
  /** By the ID of the environment. */
  readonly tokenCommands: Readonly<Record<string, TokenCommand>>;
  readonly loadTokenCommand: (id: string) => Promise<void>;
  /** Empty removes it. Resolves to null, or to the reason why it was not set. */
  readonly setTokenCommand: (id: string, command: string) => Promise<string | null>;
}

/** Creates the part of the store that shows and sets token commands. */
function createTokenCommands(client: Client, { setState }: StorePart<TokenCommandsState>): TokenCommandsState {
  async function loadTokenCommand(id: string): Promise<void> {
    const got = await orNull(client.call('tokens.list', { environmentId: id }));
    if (got === null) return;
    const { command, settable } = got;
    setState(({ tokenCommands }) => ({ tokenCommands: { ...tokenCommands, [id]: { command, settable } } }));
  }

  return {
    tokenCommands: {},
    loadTokenCommand,
    async setTokenCommand(id, command) {
      try {
        const { set } = await client.call('tokens.setCommand', { environmentId: id, command });
        await loadTokenCommand(id);
        return set ? null : 'The command was not set. To set it, choose Allow when asked.';
      } catch (error) {
        return asAppError(error).message;
      }
    },
  };
}

/** The private hosts that were looked at, by the ID of the environment. They are kept apart from it, as token commands are. */
interface PrivateHostsState {
  readonly privateHosts: Readonly<Record<string, readonly string[]>>;
  readonly loadPrivateHosts: (id: string) => Promise<void>;
  /** Resolves to null, or to the reason why they were not set. */
  readonly setPrivateHosts: (id: string, hosts: readonly string[]) => Promise<string | null>;
}

/** Creates the part of the store that shows and sets private hosts. */
function createPrivateHosts(client: Client, { setState }: StorePart<PrivateHostsState>): PrivateHostsState {
  const keep = (id: string, hosts: readonly string[]) =>
    setState(({ privateHosts }) => ({ privateHosts: { ...privateHosts, [id]: hosts } }));
  return {
    privateHosts: {},
    async loadPrivateHosts(id) {
      const got = await orNull(client.call('environments.privateHosts', { id }));
      if (got !== null) keep(id, got.hosts);
    },
    async setPrivateHosts(id, hosts) {
      try {
        keep(id, (await client.call('environments.setPrivateHosts', { id, hosts: [...hosts] })).hosts);
        return null;
      } catch (error) {
        return asAppError(error).message;
      }
    },
  };
}

/** The ways of calls that were looked at, by the ID of the environment. */
interface WaysState {
  readonly ways: Readonly<Record<string, Way>>;
  readonly loadWay: (id: string) => Promise<void>;
  /** Sets the login of the proxy on the way, or removes it. Resolves to null, or to the reason why it could not. */
  readonly setProxyLogin: (
    id: string,
    login: { readonly user: string; readonly password: string } | null,
  ) => Promise<string | null>;
}

/** Creates the part of the store that shows how calls leave, and sets the login of a proxy. */
function createWays(client: Client, { setState, getState }: StorePart<WaysState>): WaysState {
  async function loadWay(id: string): Promise<void> {
    const way = await orNull(client.call('environments.way', { id }));
    if (way !== null) setState(({ ways }) => ({ ways: { ...ways, [id]: way } }));
  }
  return {
    ways: {},
    loadWay,
    async setProxyLogin(id, login) {
      try {
        const proxy = getState().ways[id]?.proxy ?? '';
        await (login === null
          ? client.call('keys.removeProxyLogin', { proxy })
          : client.call('keys.setProxyLogin', { proxy, ...login }));
        await loadWay(id);
        return null;
      } catch (error) {
        return asAppError(error).message;
      }
    },
  };
}

/** The client certificates that were looked at, by the ID of the environment; nothing of their keys. */
interface ClientCertificatesState {
  readonly clientCertificates: Readonly<Record<string, Output<'keys.clientCertificate'>>>;
  readonly loadClientCertificate: (id: string) => Promise<void>;
  /** `files` in base64. Resolves to null, or to the reason why it was not set. */
  readonly setClientCertificate: (id: string, files: readonly string[], passphrase: string) => Promise<string | null>;
  /** Resolves as `setClientCertificate` does. */
  readonly removeClientCertificate: (id: string) => Promise<string | null>;
}

/** Creates the part of the store that shows and sets client certificates. */
function createClientCertificates(client: Client, { setState }: StorePart<ClientCertificatesState>): ClientCertificatesState {
  async function show(id: string, work: Promise<Output<'keys.clientCertificate'>>): Promise<string | null> {
    try {
      const found = await work;
      setState(({ clientCertificates }) => ({ clientCertificates: { ...clientCertificates, [id]: found } }));
      return null;
    } catch (error) {
      return asAppError(error).message;
    }
  }
  return {
    clientCertificates: {},
    async loadClientCertificate(environmentId) {
      await show(environmentId, client.call('keys.clientCertificate', { environmentId }));
    },
    setClientCertificate: (environmentId, files, passphrase) =>
      show(environmentId, client.call('keys.setClientCertificate', { environmentId, files: [...files], passphrase })),
    removeClientCertificate: (environmentId) =>
      show(environmentId, client.call('keys.removeClientCertificate', { environmentId })),
  };
}
