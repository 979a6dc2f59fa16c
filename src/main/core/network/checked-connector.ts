import { Socket, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';

/** Starts a connection and gives both of its sockets at once: TLS's, and the one below it, which looks names up and connects. */
export type Connector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => { readonly socket: TLSSocket; readonly raw: Socket };

/**
 * Makes undici's connector distinguish a truncated connection from one that ended. TLS announces with a close_notify that nothing
 * more comes; a FIN or a RST without one can come from anybody on the way. Node shows both as the same `end`, and a body without a
 * length then counts as whole. So TLS runs here over a socket whose own end is seen: if it ends first, the call under way fails
 * with `UND_ERR_SOCKET`. A body that is whole by its length or its chunks is over by then (RFC 9112, 9.8). `lookup` replaces the
 * system's.
 */
export function checkedEnd(connect: buildConnector.connector, lookup?: LookupFunction): Connector {
  // undici's connector gives the socket back at once, which its types do not say.
  const start = connect as (...parameters: Parameters<buildConnector.connector>) => TLSSocket;
  return (options, callback) => {
    const raw = new Underneath({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
    // Before TLS hears of it, which would take it for an end. Of a handshake that breaks off Node itself tells; and for
    // `UND_ERR_SOCKET` undici would connect again and again.
    raw.on('end', () => {
      if (raw.isSecured) socket.destroy(brokenOff());
    });
    const socket = start({ ...options, httpSocket: raw }, callback);
    socket.once('secureConnect', () => (raw.isSecured = true));
    raw.connect({ host: options.hostname, port: Number(options.port) || 443, ...(lookup === undefined ? {} : { lookup }) });
    return { socket, raw };
  };
}

/** undici takes an ECONNRESET for the end of a body without a length. */
class Underneath extends Socket {
  isSecured = false;

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    super._destroy(error !== null && this.isSecured ? brokenOff(error) : error, done);
  }
}

function brokenOff(cause?: Error): Error {
  return Object.assign(new Error('The connection broke off.', { cause }), { code: 'UND_ERR_SOCKET' });
}
