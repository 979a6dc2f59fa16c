import { randomBytes } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/ipc/index.ts';
import type { LoggedVerdict, SandboxStatus, SandboxVerdict, VerdictPage } from '#shared/ipc/index.ts';
import { withTexts } from '#shared/ipc/verdict-texts.ts';
import { sessionVariables } from '#shared/variables/scopes.ts';
import { sandboxId } from '../environments/check-environment.ts';
import type { Environments } from '../environments/environments.ts';
import type { Host, RunningSandbox } from '../host.ts';
import type { Keys } from '../keys/keys.ts';
import { createRedaction } from '../redaction.ts';
import type { FindJudgedCall } from './judged-call.ts';
import { createVerdictLog } from './verdict-log.ts';

const preferredPort = 8443;

export interface SandboxStart {
  /** 0 for a free one. Without it 8443 is tried first, then a free one. */
  readonly port?: number;
  /** Used instead of a random key, for this run only. */
  readonly key?: string;
  readonly platform?: number;
  readonly partnerId?: number;
  /** Only for the work of this program: no key goes into the keychain, and the address of one that others may be running stays on the disk. */
  readonly transient?: boolean;
}

export interface Sandbox {
  /** Starts the provider and makes its environment ready. What goes wrong is told by `status`; nothing is thrown. */
  start(options?: SandboxStart): Promise<void>;
  status(): SandboxStatus;
  /** What it judged in this run, newest first. */
  log(query: { before?: number | undefined; limit: number }): VerdictPage;
  /** What the provider of this process gives to requests of its environment: a session of the environment's player, or of the first one. */
  session(environmentId: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The built-in provider as core sees it: the host runs it, core gives it a key and an environment. */
export function createSandbox(deps: {
  host: Host;
  environments: Environments;
  keys: Pick<Keys, 'setKey' | 'useKey'>;
  directory: string;
  judgedCall: FindJudgedCall;
  onVerdict: (verdict: LoggedVerdict) => void;
  onFault: (error: unknown) => void;
}): Sandbox {
  const { host, environments, keys, directory, judgedCall, onVerdict, onFault } = deps;
  const log = createVerdictLog();
  // The provider hides its key where a request has it in clear; here it is hidden in every other form too.
  const redaction = createRedaction();
  let forget: (() => void) | null = null;
  let running: RunningSandbox | null = null;
  let message: string | null = null;

  async function run(options: SandboxStart): Promise<void> {
    if (host.startSandbox === undefined) throw new AppError('unsupported', 'This program does not run the built-in provider.');
    if (running !== null) throw new AppError('conflict', 'The built-in provider is running already.');
    const stored = storedEnvironment();
    const { platform = 1, partnerId = 42 } = options;
    const privateKey = options.key ?? randomBytes(32).toString('hex');
    forget?.();
    forget = redaction.protect(privateKey);
    const start = (port: number) => host.startSandbox?.({ privateKey, platform, partnerId, directory, port, onVerdict: judged });
    const provider =
      (await (options.port === undefined
        ? // Another workbench on this machine may have it, which is no fault.
          start(preferredPort)?.catch(() => start(0))
        : start(options.port))) ?? null;
    if (provider === null) return;
    try {
      await makeReady(provider, stored, options, { platform, partnerId, privateKey });
    } catch (error) {
      await provider.close();
      throw error;
    }
    running = provider;
  }

  function judged(verdict: SandboxVerdict): void {
    try {
      const callId = running === null ? null : judgedCall(verdict, running.baseUrl);
      onVerdict(log.add(withTexts(verdict, redaction.redact), callId));
    } catch (error) {
      // What goes wrong with the log must not change what the provider answers.
      onFault(error);
    }
  }

  async function makeReady(
    provider: RunningSandbox,
    stored: Environment | null,
    start: SandboxStart,
    { platform, partnerId, privateKey }: { platform: number; partnerId: number; privateKey: string },
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
    // What a person changed in it stays, a wrong platform for a test as well; only what was asked for in so many words is put in.
    const asked = {
      ...(start.platform === undefined ? {} : { platform }),
      ...(start.partnerId === undefined ? {} : { partnerId }),
    };
    if (stored === null || start.transient !== true) {
      await environments.save({ ...(stored ?? fresh()), ...asked, baseUrl, walletUrl: '', ca });
    }
    // Another program on this home may run a provider of its own and write its address there.
    environments.overlay(sandboxId, { baseUrl, walletUrl: '', ca });
    // In the keychain for other programs on this home, and held here because they may do the same.
    if (start.key === undefined && start.transient !== true) await keys.setKey(sandboxId, privateKey).catch(onFault);
    await keys.useKey(sandboxId, privateKey);
  }

  function storedEnvironment(): Environment | null {
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
    async start(options = {}) {
      try {
        message = null;
        await run(options);
      } catch (error) {
        message = `The built-in provider could not start. ${error instanceof Error ? error.message : String(error)}`;
        if (!(error instanceof AppError)) onFault(error);
      }
    },
    status: () => ({
      running: running !== null,
      environmentId: running === null ? null : sandboxId,
      baseUrl: running?.baseUrl ?? null,
      message,
      players: running?.players() ?? [],
    }),
    log: (query) => log.page(query),
    session(environmentId) {
      if (running === null || environmentId !== sandboxId) return {};
      return sessionVariables(running.players(), environments.get(sandboxId));
    },
    async close() {
      const stopping = running;
      running = null;
      await stopping?.close();
      forget?.();
    },
  };
}
