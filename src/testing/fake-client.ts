import type { Call, CallName, Client, Input, RequestDraft } from '#shared/ipc/index.ts';
import { someCall } from './some-call.ts';
import { createRequestStore, type RequestStore, type RequestStoreDeps } from '#renderer/features/request/tabs/request-store.ts';
import { readTab } from '#renderer/features/request/tabs/read-tab.ts';
import { readList, writeList, writeTab, type SavedWorkspace } from '#renderer/features/request/kept/workspace-text.ts';

type Handler = (input: never) => unknown;

/** A client for tests of stores: replies by functions under the call's name, and keeps what was asked. */
export interface FakeClient {
  readonly client: Client;
  readonly asked: { name: CallName; input: unknown }[];
  readonly answer: <K extends CallName>(name: K, handler: (input: Input<K>) => unknown) => void;
  readonly emit: (name: string, payload: unknown) => void;
  readonly listeners: () => number;
}

/** Creates a fake client; a call without a handler gets no reply. */
export function createFakeClient(): FakeClient {
  const handlers = new Map<string, Handler>();
  const listeners = new Set<{ name: string; listener: (payload: never) => void }>();
  const asked: FakeClient['asked'] = [];
  const client = {
    call(name: CallName, input: unknown) {
      asked.push({ name, input });
      const handler = handlers.get(name);
      if (handler === undefined) return new Promise(() => undefined);
      return new Promise((resolve) => resolve(handler(input as never)));
    },
    on(name: string, listener: (payload: never) => void) {
      const entry = { name, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    body: () => new Promise(() => undefined),
  } as unknown as Client;
  return {
    client,
    asked,
    answer: (name, handler) => handlers.set(name, handler as Handler),
    emit(name, payload) {
      for (const entry of listeners) if (entry.name === name) entry.listener(payload as never);
    },
    listeners: () => listeners.size,
  };
}

/** Returns the recorded call of a draft. */
export const callOfDraft = (id: number, draft: RequestDraft, change: Partial<Call> = {}): Call => {
  const { environmentId, operation } = draft;
  return someCall({ id, environmentId, environmentName: environmentId, operation, draft, ...change });
};

/** Returns the open tabs as they come back from their files. */
export function savedOf(store: RequestStore): SavedWorkspace {
  const state = store.getState();
  const tabs = state.tabs.map((tab) => {
    const read = readTab(writeTab(tab));
    if (read === null) throw new Error('A tab was not understood.');
    return { id: tab.id, tab: read.tab };
  });
  return { list: readList(writeList(state, [], undefined)).list, tabs };
}

/** Creates requests without an environment, whose texts hold no variables; `change` replaces parts of that. */
export function createPlainRequests(
  client: Client,
  {
    variables,
    ...change
  }: Partial<Omit<RequestStoreDeps, 'variables'>> & {
    readonly newId: () => string;
    readonly variables?: Partial<RequestStoreDeps['variables']>;
  },
): RequestStore {
  return createRequestStore(client, {
    frozenAt: () => null,
    environment: () => null,
    notify: () => undefined,
    samples: () => ({}),
    now: () => 0,
    onResponse: () => undefined,
    readOnly: () => null,
    ...change,
    variables: {
      substitute: () => null,
      ready: () => Promise.resolve(),
      checks: () => ({ take: {}, expect: [], unresolved: [] }),
      renew: () => true,
      ...variables,
    },
  });
}
