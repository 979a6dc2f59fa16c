import type { CallName, EventName, KeyStatus, KeptPart, Reply, Transport } from '#shared/ipc/index.ts';
import type { SandboxStart } from '../built-in-provider/built-in-provider.ts';
import type { Instead } from '../calls/instead.ts';
import type { Host } from '../host/host.ts';
import { closeParts } from './close.ts';
import { openGround } from './ground.ts';
import { createKeyGate } from './key-gate.ts';
import { createRouter } from './router.ts';
import { createKeyProofs, createSending, sendingHandlers, sendingInputs } from './sending.ts';
import type { Others } from './handlers.ts';

export { withInstead, type Instead } from '../calls/instead.ts';
export { readText, writeFileDurably } from '../files/files.ts';
export { createPass, vouched } from '../files/passed.ts';
export { createRedaction } from '../masking/redaction.ts';
export { readHomeFile } from '../files/home-file.ts';
export { writeNewDirectory } from '../files/new-directory.ts';
export { endLockWaits, withLock } from '../files/locks.ts';
export { openNewFile, type NewFile } from '../files/new-file.ts';
export { resolveHome } from './home.ts';
export { createAgentSecrets } from '../keys/agent-secrets.ts';
export { agentEnvironment, forkAgent } from '../keys/fork-agent.ts';
export { createLocalSecrets } from '../keys/local-secrets.ts';
export type { SandboxStart } from '../built-in-provider/built-in-provider.ts';

export interface AppOptions {
  /** The folder that holds everything of one profile; created if it is missing. */
  readonly home: string;
  readonly host: Host;
  /** Writes faults to a log, with `errorForLog`. */
  readonly onFault?: (error: unknown) => void;
  /** Ends the reading of collections, with its reason, for a program that ends; the application is closed besides. */
  readonly stop?: AbortSignal;
}

/** The application behind every host. */
export interface App {
  dispatch(name: string, input: unknown): Promise<Reply>;
  /** Returns the function that stops listening. */
  subscribe(listener: (name: EventName, payload: unknown) => void): () => void;
  /**
   * Returns the decoded body of a call's response, or the bytes as they came, also of a call in an open support pack. Fails with `not_found` or
   * `storage`.
   */
  body(callId: number, part?: KeptPart): Promise<Uint8Array>;
  /** Returns the bytes of a picture that `catalogue.thumbnail` named. Fails with `not_found`. */
  picture(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Transport for callers in this process. */
  readonly transport: Transport;
  /**
   * Starts the built-in provider; `sandbox.status` reports failures. Returns the URL of another program's provider whose place in the environment
   * stays, or null.
   */
  startSandbox(options?: SandboxStart): Promise<string | null>;
  /**
   * Uses the built-in provider that another program runs on this home. Resolves to `otherKey` if it has another key, `absent` if
   * none replies.
   */
  joinSandbox(): Promise<'joined' | 'absent' | 'otherKey'>;
  /** Finds a key in texts from now on, before `useKey` says whose it is. */
  expectKey(key: string): Promise<void>;
  /** Uses a key for this session only (`--key-env`). */
  useKey(environmentId: string, key: string): Promise<KeyStatus>;
  /** Uses a client certificate from a file for this session only, beside such a key. Fails with `invalid_input` for what is none. */
  useCertificate(environmentId: string, file: Uint8Array, passphrase: string): Promise<void>;
  /** Sends the call of this ticket with settings in place of its environment's (`--base-url`, `--timeout`). */
  useInstead(ticket: string, instead: Instead): void;
  /**
   * Returns texts, and documents as JSON, for a program that is not the user's own: tokens are masked and keys searched for, as in an export of them.
   * `beside` are texts with further tokens. Fails as an export does.
   */
  exported(documents: readonly unknown[], beside: readonly string[]): Promise<string[]>;
  /**
   * Reports an error that nobody caught in this process to the log and to the pages. Returns false if the program cannot be
   * expected to go on: close it and end the process.
   */
  uncaught(error: unknown): boolean;
  /**
   * Stops work under way, records it, and releases every file and process, each within a bounded time. Resolves to false if
   * something did not end: everything is written, and the caller ends its process all the same.
   */
  close(): Promise<boolean>;
}

/**
 * Calls that wait for a user or a page and may never be answered. After them only the launcher writes, a record that it closes by
 * itself, so a program that ends does not wait for them.
 */
const unbounded: ReadonlySet<string> = new Set<CallName>([
  'app.openOutside',
  'app.pickDirectory',
  'launches.open',
  'launches.close',
  'launches.screenshot',
  'tokens.setCommand',
]);

/**
 * Creates the application on a home. Several may use one home at the same time. Fails with `storage` if the home cannot be created.
 */
export async function createApp({
  home,
  host,
  onFault: log = () => undefined,
  stop = new AbortController().signal,
}: AppOptions): Promise<App> {
  const ground = await openGround({ home, host, log });
  const { faults, onFault, events, environments, environmentIds, keys, nameOf, workspaces } = ground;
  const proofs = createKeyProofs(keys, onFault);
  const sending = createSending(ground, {
    onDelivered(call, body, environment) {
      // What another URL says proves nothing about the provider of the environment.
      if (call.instead?.baseUrl === true) return undefined;
      proofs.prove(call);
      if (call.operation !== 'gameList') return undefined;
      // Whoever has the response finds its games in the catalogue.
      return others()
        .then(({ catalogue }) => catalogue.delivered(call, body, environment))
        .catch(onFault);
    },
    onVerdict: (verdict) => void loading?.then(({ launcher }) => launcher.judged(verdict)),
  });
  let watching = false;
  let loading: Promise<Others> | null = null;
  /** Most of core, and a command that sends one call has no use for it. */
  const others = () => (loading ??= load());
  async function load(): Promise<Others> {
    const { createOthers } = await import('./handlers.ts');
    const made = createOthers(ground, sending, stop);
    if (watching) made.collections.watch();
    return made;
  }
  // A host that stays needs all of it, and does not start without.
  if (host.searchWorker !== undefined) await others();
  // A key outlives its environment until the next start, so that a removal can be undone.
  const swept = keys.sweep(async () => environmentIds()).catch(onFault);

  host.screenReader?.watch(() => events.emit('app.screenReaderChanged', {}));
  const early = { inputs: sendingInputs, handlers: sendingHandlers(ground, sending) };
  const route = createRouter(
    (name) => (Object.hasOwn(early.handlers, name) ? early : others()),
    onFault,
    createKeyGate({ find: (text) => keys.find(text), nameOf }),
  );
  let closing: Promise<boolean> | null = null;
  const replying = new Set<Promise<Reply>>();

  const dispatch: App['dispatch'] = (name, input) => {
    if (closing !== null)
      return Promise.resolve({ ok: false, error: { code: 'cancelled', message: 'Croupier is closing. Start it again.' } });
    const reply = route(name, input);
    if (!unbounded.has(name)) {
      replying.add(reply);
      void reply.finally(() => replying.delete(reply));
    }
    return reply;
  };
  const subscribe: App['subscribe'] = (listener) => {
    environments.watch();
    watching = true;
    void loading?.then(({ collections }) => collections.watch());
    const { line, leave } = workspaces.join();
    const stop = events.subscribe(listener);
    listener('app.joined', { line });
    return () => {
      leave();
      stop();
    };
  };
  const body: App['body'] = async (callId, part) =>
    callId < 0 ? (await others()).packs.body(callId, part) : sending.bodyOf(callId, part);
  const picture: App['picture'] = async (id) => (await others()).thumbnails.picture(id);

  return {
    dispatch,
    subscribe,
    body,
    picture,
    transport: { call: dispatch, subscribe, body, picture },
    startSandbox: (options) => sending.sandbox.start(options),
    joinSandbox: () => sending.sandbox.join(),
    expectKey: (key) => keys.expectKey(key),
    useKey: (environmentId, key) => keys.useKey(environments.get(environmentId).id, key),
    async useCertificate(environmentId, file, passphrase) {
      const { readClientCertificate } = await import('../environments/client-certificate.ts');
      const { certificate, key } = readClientCertificate([file], passphrase);
      await keys.certificates.use(environments.get(environmentId).id, certificate, key);
    },
    useInstead: sending.calls.useInstead,
    exported: async (documents, beside) => (await others()).exports.documents(documents, beside),
    uncaught: faults.uncaught,
    close: () => (closing ??= closeParts(ground, sending, loading, { replying, proofs, swept })),
  };
}
