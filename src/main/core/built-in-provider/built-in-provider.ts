import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type {
  Environment,
  LoggedVerdict,
  SandboxSamples,
  SandboxStatus,
  SandboxVerdict,
  VerdictPage,
} from '#shared/ipc/index.ts';
import { withTexts } from '#shared/ipc/verdict-texts.ts';
import { sessionVariables } from '#shared/variables/scopes.ts';
import { sandboxId } from '../environments/validate-environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { Host, RunningSandbox } from '../host/host.ts';
import type { Keys } from '../keys/keys.ts';
import { withLock } from '../files/locks.ts';
import { patiently } from '../files/moves.ts';
import { createRedaction } from '../masking/redaction.ts';
import type { ProviderReply, ProviderState } from './ask-provider.ts';
import type { FindJudgedCall } from './judged-call.ts';
import { createProviderEnvironment, type ActionNames } from './provider-environment.ts';
import { createSessionLog } from '../host/session-log.ts';

const preferredPort = 8443;

export interface SandboxStart {
  /** 0 for a free one. Without it 8443 is tried first, then a free one. */
  readonly port?: number;
  /** Used instead of a random key, for this session only. */
  readonly key?: string;
  readonly platform?: number;
  readonly partnerId?: number;
  /** Names for the actions whose names the spec does not show; recorded in its environment. */
  readonly actions?: ActionNames;
  /** Only for the work of this program: no key goes into the keychain, and the address of one that others may be running stays on the disk. */
  readonly transient?: boolean;
}

/** The built-in provider as core sees it: the host runs it, core gives it a key and an environment. */
export function createBuiltInProvider(deps: {
  host: Host;
  environments: Environments;
  keys: Pick<Keys, 'storeMade' | 'lendKey' | 'digest'>;
  directory: string;
  judgedCall: FindJudgedCall;
  onVerdict: (verdict: LoggedVerdict) => void;
  onFault: (error: unknown) => void;
}) {
  const { host, environments, keys, directory, judgedCall, onVerdict, onFault } = deps;
  const own = createProviderEnvironment({ environments, keys, onFault });
  const log = createSessionLog<LoggedVerdict>({ entries: 1_000, bytes: 16_777_216, sizeOf });
  // The provider hides its key if a request has it in clear; here every other form is hidden, too.
  const redaction = createRedaction();
  let forget: (() => void) | null = null;
  let running: RunningSandbox | null = null;
  let joined: (ProviderState & { readonly baseUrl: string }) | null = null;
  let message: string | null = null;
  let closed = false;

  /** Asks whether another program's provider answers for this home. */
  async function askOther({ baseUrl, ca, defaults }: Environment): Promise<ProviderReply> {
    const sign = (text: string) => keys.digest(sandboxId, [Buffer.from(text)]);
    // Loaded when it is needed: with it come HTTPS and its schemas, which most commands never use.
    const { askProvider } = await import('./ask-provider.ts');
    return askProvider({ baseUrl, ca, playerId: defaults.playerId, sign });
  }

  /** Returns the URL of another program's provider that answers at the URL of the environment; null if none does. */
  async function otherAt(stored: Environment, ownUrl: string): Promise<string | null> {
    return stored.baseUrl === ownUrl || (await askOther(stored)) === 'absent' ? null : stored.baseUrl;
  }

  async function run(given: SandboxStart): Promise<string | null> {
    if (host.startSandbox === undefined) throw new AppError('unsupported', "This host can't run the built-in provider.");
    if (running !== null) throw new AppError('conflict', 'The built-in provider is already running.');
    const { platform = 1, partnerId = 42 } = given;
    const privateKey = given.key ?? randomBytes(32).toString('hex');
    forget?.();
    forget = redaction.protect(privateKey);
    const exclusively = <T>(work: () => Promise<T>) => withLock(directory, () => patiently(work));
    const start = (port: number) =>
      host.startSandbox?.({
        privateKey,
        platform,
        partnerId,
        directory,
        exclusively,
        port,
        onVerdict: judged,
        onRenewed: (ca) => void environments.trust(sandboxId, ca).catch(onFault),
        onFault,
        actions: own.actions,
      });
    const provider =
      (await (given.port === undefined
        ? // Another workbench on this machine may have it, which is not a fault.
          start(preferredPort)?.catch(() => start(0))
        : start(given.port))) ?? null;
    if (provider === null) return null;
    try {
      if (closed) throw new AppError('cancelled', 'Croupier is closing.');
      // Of two that start at the same time, the second one finds the URL of the first.
      const other = await exclusively(async () => {
        const stored = own.stored();
        const found = given.transient === true || stored === null ? null : await otherAt(stored, provider.baseUrl);
        const asked = found === null ? given : { ...given, transient: true };
        await own.write(provider, stored, asked, { platform, partnerId });
        return found;
      });
      await own.giveKey(privateKey, given.key === undefined && given.transient !== true && other === null);
      if (closed) throw new AppError('cancelled', 'Croupier is closing.');
      running = provider;
      return other;
    } catch (error) {
      await provider.close();
      throw error;
    }
  }

  function samplesOf(provider: RunningSandbox): SandboxSamples {
    return provider.samples(own.readable()?.defaults.playerId ?? '');
  }

  function judged(verdict: SandboxVerdict): void {
    try {
      const callId = running === null ? null : judgedCall(verdict, running.baseUrl);
      onVerdict(log.add({ ...withTexts(verdict, redaction.redact), callId }));
    } catch (error) {
      // A failure of the log must not change the provider's response.
      onFault(error);
    }
  }

  return {
    /**
     * Starts the provider and prepares its environment. `status` reports failures; nothing is thrown. If another program's provider answers at the URL
     * in the environment's file, the file stays as it is, and only this process uses the new one; returns that provider's URL, otherwise null.
     */
    async start(options: SandboxStart = {}): Promise<string | null> {
      try {
        message = null;
        return await run(options);
      } catch (error) {
        message = `The built-in provider could not start. ${error instanceof Error ? error.message : String(error)}`;
        if (!(error instanceof AppError)) onFault(error);
        return null;
      }
    },
    /**
     * Uses the provider that another program runs on this home, if it responds and has this home's key; `status` reports it from then
     * on.
     */
    async join(): Promise<'joined' | Exclude<ProviderReply, ProviderState>> {
      const environment = own.stored();
      if (environment === null) return 'absent';
      const reply = await askOther(environment);
      if (typeof reply === 'string') return reply;
      joined = { ...reply, baseUrl: environment.baseUrl };
      return 'joined';
    },
    status(): SandboxStatus {
      const told =
        running === null ? joined : { baseUrl: running.baseUrl, players: running.players(), samples: samplesOf(running) };
      const nobody = { baseUrl: null, players: [], samples: {} };
      const controlUrl = running?.controlUrl ?? null;
      return {
        running: told !== null,
        environmentId: told === null ? null : sandboxId,
        message,
        controlUrl,
        ...(told ?? nobody),
      };
    },
    /** Returns its verdicts of this session, newest first. */
    log: (query: { before?: number | undefined; limit: number }): VerdictPage => log.page(query),
    /** Removes verdicts on some requests from the log. */
    forget: (of: (entry: LoggedVerdict) => boolean): void => log.forget(of),
    /**
     * Returns the authority (PEM) that an environment's next connection has to trust, which may differ from the one in the
     * environment.
     */
    authority({ id, baseUrl, ca }: Pick<Environment, 'id' | 'baseUrl' | 'ca'>): string | Promise<string> {
      if (id !== sandboxId) return ca;
      // A run keeps its environment for days; the provider renews its certificate meanwhile, and so does another program's.
      const now = () => {
        const found = own.readable();
        return found?.baseUrl === baseUrl ? found.ca : ca;
      };
      return running?.renew()?.then(now) ?? now();
    },
    /** Returns the variables of this process's provider: a player session of the environment's player, or of the first one. */
    session(environmentId: string): Readonly<Record<string, string>> {
      if (running === null || environmentId !== sandboxId) return {};
      return sessionVariables(running.players(), environments.get(sandboxId));
    },
    async close(): Promise<void> {
      closed = true;
      const stopping = running;
      running = null;
      await stopping?.close();
      forget?.();
    },
  };
}

function sizeOf({ path, action, bodyText, headers, verdict }: SandboxVerdict): number {
  const { why, expected, received } = verdict;
  const texts = [path, action, bodyText, why, expected?.input?.time, expected?.input?.data, received?.data, received?.hash];
  return [...texts, ...(headers ?? []).flat()].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
