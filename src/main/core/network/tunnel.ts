import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { startDeadline } from '../host/deadline.ts';
import type { Proxy, TunnelOptions } from '../host/host.ts';
import { authorityCodes, trustingAlso, watchRefusal, type Authorities, type Authority } from './authorities.ts';
import { createResponseReader } from './http-message.ts';
import { proxyFailure } from './proxy-failure.ts';
import { readChallenges, type ProxyLogin } from './proxy-login.ts';

/** Milliseconds for a proxy to be reached and to reach the server, for callers without a limit of their own. */
const timeoutMs = 30_000;

/** Times that a proxy is asked: without a login, with one, and again if the proxy's question was too old. */
const mostTries = 3;

/** Creates a proxy at an http or https URL without a login. It is asked for tunnels alone (CONNECT), so it never sees what is in them. */
export function createProxy(url: URL, hasLogin: boolean, login: ProxyLogin, authorities: Authorities): Proxy {
  const address = `${url.protocol}//${url.host}`;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

  /** Authorities of this computer that the proxy's own certificate needed. */
  const added = new Map<string, Authority>();

  async function reach(target: string, { signal, ca = '' }: Pick<TunnelOptions, 'signal' | 'ca'>): Promise<Socket> {
    const socket = connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
    let step: 'lookup' | 'connect' | 'tls' = isIP(host) === 0 ? 'lookup' : 'connect';
    socket.once('lookup', (error) => (step = error === null ? 'connect' : 'lookup'));
    const failed = (error: NodeJS.ErrnoException) => proxyFailure(address, target, { step, code: error.code ?? 'unknown' });
    await happens(socket, 'connect', signal, failed);
    if (url.protocol === 'http:') return socket;
    step = 'tls';
    const { connect } = await import('node:tls');
    const used = new Set(added.keys());
    const secureContext = await trustingAlso(ca, [...added.values()]);
    const secured = connect({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    const refusedChain = watchRefusal(secured);
    let code: string | undefined;
    secured.once('error', (error: NodeJS.ErrnoException) => (code = error.code));
    try {
      await happens(secured, 'secureConnect', signal, failed);
      return secured;
    } catch (error) {
      const found = authorityCodes.has(code) ? await authorities(refusedChain()) : [];
      if (found.every(({ pem }) => used.has(pem))) throw error;
      // Another connection may have found the same meanwhile.
      for (const one of found) added.set(one.pem, one);
      return reach(target, { signal, ca });
    }
  }

  /** Asks for a tunnel and reads the head of the answer. What comes after it stays in the connection. */
  async function askFor(socket: Socket, target: string, authorization: string | null, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const early: Buffer[] = [];
    const reader = createResponseReader({
      onHead() {
        const challenges = reader.headers.flatMap(([name, value]) => (name.toLowerCase() === 'proxy-authenticate' ? value : []));
        resolve({ status: reader.status ?? 0, challenges });
      },
      onBody: (bytes) => early.push(Buffer.from(bytes)),
    });
    const broken = () => reject(proxyFailure(address, target, { step: 'notHttp' }));
    const onData = (bytes: Buffer) => {
      reader.add(bytes);
      if (reader.fault !== null) broken();
    };
    const onClose = () => reject(proxyFailure(address, target, { step: 'connect', code: 'ECONNRESET' }));
    const stop = () => socket.destroy();
    socket.on('data', onData).once('close', onClose).once('end', onClose);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`, 'Proxy-Connection: keep-alive'];
    if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    try {
      return await promise;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      socket.pause().off('data', onData).off('close', onClose).off('end', onClose);
      signal.removeEventListener('abort', stop);
      if (early.length > 0 && !socket.destroyed) socket.unshift(Buffer.concat(early));
    }
  }

  async function tunnel(target: string, options: TunnelOptions): Promise<Socket> {
    let authorization = await login.answer(target);
    for (let tries = 1; ; tries += 1) {
      const socket = await reach(target, options);
      options.onReached?.();
      const { status, challenges } = await askFor(socket, target, authorization, options.signal);
      if (status >= 200 && status < 300) return socket;
      socket.destroy();
      if (status !== 407) throw proxyFailure(address, target, { step: 'refused', status });
      const sent = authorization !== null;
      authorization = tries < mostTries ? await login.answer(target, challenges, sent) : null;
      if (authorization !== null) continue;
      const schemes = readChallenges(challenges).map(({ scheme }) => scheme);
      throw proxyFailure(address, target, { step: 'login', schemes, sent });
    }
  }

  return {
    address,
    hasLogin,
    async tunnel(target, options) {
      const late = new AbortController();
      const deadline = startDeadline(timeoutMs, () => late.abort(), { unref: true });
      try {
        return await tunnel(target, { ...options, signal: AbortSignal.any([options.signal, late.signal]) });
      } catch (error) {
        throw late.signal.aborted ? proxyFailure(address, target, { step: 'late', seconds: timeoutMs / 1_000 }) : error;
      } finally {
        deadline.clear();
      }
    },
  };
}

/** Milliseconds for which a proxy that could not be reached comes after the others of its list. */
const avoidedMs = 300_000;
/** Milliseconds after which one that was not reached when the connection was given up counts as such, too. */
const silentMs = 3_000;

/**
 * Creates what stands for a list of proxies, null for a connection without one: each is tried if the one before could not be reached, so none after
 * anything was sent. `failedAt` remembers those that could not, by their addresses.
 */
export function createProxyList(proxies: readonly (Proxy | null)[], named: Proxy, failedAt: Map<string, number>): Proxy {
  async function connectTo(target: string, { signal, lookup }: TunnelOptions): Promise<Socket> {
    const { hostname, port } = new URL(`https://${target}`);
    const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443), noDelay: true };
    const socket = connectTcp({ ...place, ...(lookup === null ? {} : { lookup }) });
    await happens(socket, 'connect', signal, (error) => error);
    return socket;
  }

  return {
    ...named,
    async tunnel(target, options) {
      const isAvoided = (one: Proxy | null) => performance.now() - (failedAt.get(one?.address ?? '') ?? -avoidedMs) < avoidedMs;
      const inOrder = [...proxies.filter((one) => !isAvoided(one)), ...proxies.filter(isAvoided)];
      for (const [at, proxy] of inOrder.entries()) {
        const began = performance.now();
        let isReached = false;
        const onReached = () => {
          isReached = true;
          options.onReached?.();
        };
        options.onTry?.(proxy?.address ?? null);
        try {
          return await (proxy === null ? connectTo(target, options) : proxy.tunnel(target, { ...options, onReached }));
        } catch (error) {
          const { aborted } = options.signal;
          const isSilent = performance.now() - began > silentMs;
          if (proxy !== null && !isReached && (isSilent || !aborted)) failedAt.set(proxy.address, performance.now());
          if (isReached || aborted || at === inOrder.length - 1) throw error;
        }
      }
      throw new Error('The list of proxies is empty.');
    },
  };
}

/** Settles with an event of a connection, its error, or the signal, which destroys it. */
async function happens(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  failed: (error: NodeJS.ErrnoException) => Error,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => socket.destroy(new Error('It was stopped'));
  const onError = (error: Error) => reject(failed(error));
  const onClose = () => reject(failed(Object.assign(new Error('It was closed'), { code: 'ECONNRESET' })));
  socket.once(event, resolve).once('error', onError).once('close', onClose);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await promise;
  } finally {
    socket.off('error', onError).off('close', onClose);
    signal.removeEventListener('abort', stop);
    // Until the next owner listens.
    socket.on('error', () => undefined);
  }
}

interface Answer {
  readonly status: number;
  /** The values of Proxy-Authenticate. */
  readonly challenges: string[];
}
