import type { Socket } from 'node:net';
import type { SandboxCertificate } from './certificate.ts';
import { byConnection, listen, type Listening, type Reach, type Serve } from './listener.ts';
import { keepCertificate, type KeptCertificateDeps } from './renewal.ts';

export interface EntranceOptions extends Pick<KeptCertificateDeps, 'directory' | 'exclusively' | 'now'> {
  /** Name of the listener, for messages, as `built-in provider`. */
  readonly name: string;
  /** Host names for the certificate. */
  readonly names: readonly string[];
  /** 0 for any free one. */
  readonly port: number;
  readonly reach: Reach;
  /** Called with each new certificate. */
  readonly onRenewed?: (certificate: SandboxCertificate) => void;
  /** Called once with the reason why there is no new certificate. */
  readonly onFault?: (error: unknown) => void;
}

/** A port of this machine over TLS, with a certificate of its own. */
export interface Entrance extends Pick<Listening, 'port' | 'hold'> {
  /** The present certificate. */
  readonly certificate: SandboxCertificate;
  /** Checks whether the certificate must be replaced: null if not, otherwise resolves after that. Never fails. */
  renew(): Promise<void> | null;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** Opens one. Fails with `conflict` (the port is taken) or `storage` (no certificate can be kept). */
export async function openEntrance(
  options: EntranceOptions,
  serve: Serve,
  limits: Parameters<typeof listen>[3] = {},
): Promise<Entrance> {
  const { name, port, reach, onRenewed, onFault = () => undefined } = options;
  let listening: Listening | null = null;
  const certificate = await keepCertificate({
    ...options,
    onFault,
    onRenewed(renewed) {
      listening?.present(renewed);
      onRenewed?.(renewed);
    },
  });
  try {
    const opened = await listen(port, { ...certificate.current, name, renew: certificate.renew }, serve, limits, reach);
    listening = opened;
    return {
      port: opened.port,
      hold: opened.hold,
      get certificate() {
        return certificate.current;
      },
      renew: certificate.renew,
      close() {
        certificate.close();
        return opened.close();
      },
    };
  } catch (error) {
    certificate.close();
    throw error;
  }
}

/** Opens one whose connections are given away as they are, to whoever ends them. */
export const openRawEntrance = (options: EntranceOptions, onConnection: (socket: Socket) => void): Promise<Entrance> =>
  openEntrance(options, byConnection(onConnection), { halfClosedMs: Number.POSITIVE_INFINITY });
