import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Number of connections at most: more than Chromium opens to one proxy; another program that finds the port must not take the
 * memory of this one. As many again may be open without credentials: one more, and the one that came first goes, so that none of
 * them keeps the game out.
 */
export const mostConnections = 1_024;

/** The connections of a proxy; the proxy knows which of them have shown its credentials. */
export function createProxyConnections() {
  const [username, password] = ['croupier', randomBytes(32).toString('base64url')];
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`);
  const open = new Set<Duplex>();
  /** Connections that have not shown the credentials, in the order in which they came. */
  const strangers = new Set<Duplex>();
  let admitted = 0;

  /** Counts a connection that the proxy makes. */
  function track(socket: Duplex): void {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // An end that breaks off closes the other one; there is nobody to report it to.
    socket.on('error', () => undefined);
  }

  /** Counts a connection that comes in, and ends the oldest without credentials if there are too many. */
  function takeIn(socket: Socket): void {
    track(socket);
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    const [first] = strangers;
    if (strangers.size > mostConnections) first?.destroy();
  }

  /** Returns whether a request has the credentials; its connection then goes before those that have none. */
  function isAdmitted({ headers, socket }: IncomingMessage): boolean {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    if (strangers.delete(socket)) {
      admitted += 1;
      socket.once('close', () => (admitted -= 1));
    }
    return true;
  }

  return {
    /** For this proxy alone; another one for each. */
    username,
    password,
    get size(): number {
      return open.size;
    },
    /** True if more connections have shown the credentials than may be open. */
    get isFull(): boolean {
      return admitted > mostConnections;
    },
    track,
    takeIn,
    isAdmitted,
    endAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
