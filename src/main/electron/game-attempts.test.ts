import { beforeEach, describe, expect, it } from 'vitest';
import type { GameViewEvent } from '#core/host/host.ts';
import { createAttempts, type Attempts } from './game-attempts.ts';

const page = { method: 'GET', url: 'https://game.example/spin', resourceType: 'xhr' };
const socket = { method: 'GET', url: 'wss://game.example/live', resourceType: 'webSocket' };
const tunnelFailed = 'net::ERR_TUNNEL_CONNECTION_FAILED';
const away = {
  type: 'failed',
  url: 'https://game.example/',
  message: 'The server refused the connection (ECONNREFUSED).',
} as const;
const local = { type: 'refused', url: 'https://game.example/', message: 'It leads to 127.0.0.1.', local: true } as const;

describe('what a game tried, told once', () => {
  let told: GameViewEvent[];
  let attempts: Attempts;
  beforeEach(() => {
    told = [];
    attempts = createAttempts((event) => void told.push(event));
  });

  it('what the proxy refused is told by the proxy, and the error of the same request no more', () => {
    attempts.begin(page);
    attempts.proxied(local);
    attempts.fail(page, tunnelFailed);
    expect(told).toEqual([local]);
  });

  it('a connection that failed is told with the request that it was for', () => {
    attempts.begin(page);
    attempts.proxied(away);
    attempts.fail(page, tunnelFailed);
    expect(told).toEqual([
      {
        type: 'request',
        ...page,
        status: null,
        error: 'The server refused the connection (ECONNREFUSED).',
        ms: expect.any(Number),
      },
    ]);
  });

  it('a connection that no request is known of is told all the same', () => {
    attempts.proxied(away);
    attempts.proxied(local);
    expect(told).toEqual([
      { type: 'request', method: 'CONNECT', url: away.url, resourceType: 'other', status: null, error: away.message, ms: 0 },
      local,
    ]);
  });

  it('a request that nobody began is not told again of what the proxy said', () => {
    attempts.proxied(local);
    attempts.fail(page, tunnelFailed);
    expect(told).toEqual([local]);
  });

  it('what the proxy said of one that nobody hears of does not hide the reason of another', () => {
    attempts.proxied(local);
    attempts.begin(page);
    attempts.proxied(away);
    attempts.fail(page, tunnelFailed);
    expect(told).toMatchObject([local, { url: page.url, error: away.message }]);
  });

  it('a request that has its response already is not the one whose connection failed', () => {
    attempts.begin(page);
    attempts.responded(page);
    attempts.proxied(away);
    expect(told).toMatchObject([{ method: 'CONNECT' }]);
  });

  it('two failures for one request are two entries, whichever ends first', () => {
    attempts.begin(socket);
    attempts.proxied(away);
    attempts.proxied(away);
    attempts.fail(socket, tunnelFailed);
    expect(told).toMatchObject([{ method: 'CONNECT' }, { url: socket.url, error: away.message }]);
  });

  it('a failure whose request is given up meanwhile is told by itself', () => {
    attempts.begin(page);
    attempts.proxied(away);
    attempts.fail(page, 'net::ERR_ABORTED');
    expect(told).toMatchObject([{ method: 'CONNECT', error: away.message }]);
  });

  it('an error of the tunnel of which the proxy said nothing is told as it is, and so is every other', () => {
    attempts.begin(page);
    attempts.fail(page, tunnelFailed);
    attempts.begin(page);
    attempts.fail(page, 'net::ERR_EMPTY_RESPONSE');
    expect(told).toMatchObject([{ error: tunnelFailed }, { error: 'net::ERR_EMPTY_RESPONSE' }]);
  });

  it('nothing of one game is left for the next', () => {
    attempts.begin(page);
    attempts.proxied(away);
    attempts.reset();
    attempts.begin(page);
    attempts.fail(page, tunnelFailed);
    expect(told).toMatchObject([{ error: tunnelFailed }]);
  });

  it('a tunnel that was made is told by its requests', () => {
    attempts.proxied({ type: 'tunnel', url: away.url, address: '93.184.215.14', judgeMs: 1, connectMs: 1 });
    expect(told).toEqual([]);
  });
});
