import { describe, expect, it } from 'vitest';
import type { NetworkStep } from '../host/host.ts';
import { createNetworkLog } from './network-log.ts';

const asked = (url: string): NetworkStep => ({ step: 'asked', method: 'GET', url, resourceType: 'xhr' });
const ended = { step: 'ended', error: null, fromCache: false, redirectURL: null } as const;

function followed(
  steps: readonly (readonly [id: string, at: number, step: NetworkStep])[],
  limits?: Parameters<typeof createNetworkLog>[0],
) {
  const log = createNetworkLog(limits);
  for (const [id, at, step] of steps) log.follow({ type: 'network', id, at, ...step });
  return log;
}

describe('the network log of a launch', () => {
  it('joins the steps of a request, also of several at once, and keeps those that are under way', () => {
    const log = followed([
      ['1', 10, asked('https://g.example/a')],
      ['2', 11, asked('https://g.example/b')],
      ['1', 12, { step: 'sent', headers: [['accept', '*/*']] }],
      ['1', 20, { step: 'responded', status: 200, statusLine: 'HTTP/1.1 200 OK', headers: [['a', 'b']] }],
      ['1', 25, ended],
      // What comes after the end is about no request.
      ['1', 30, { ...ended, error: 'net::ERR_FAILED' }],
    ]);
    expect(log.requests).toEqual([
      {
        startedAt: 10,
        method: 'GET',
        url: 'https://g.example/a',
        resourceType: 'xhr',
        sent: [['accept', '*/*']],
        response: { at: 20, status: 200, statusLine: 'HTTP/1.1 200 OK', headers: [['a', 'b']] },
        end: { at: 25, error: null, fromCache: false, redirectURL: null },
      },
      expect.objectContaining({ url: 'https://g.example/b', sent: null, response: null, end: null }),
    ]);
  });

  it('counts what it leaves out: by number, and by the characters of URLs and headers', () => {
    const many = ['1', '2', '3', '4'].map((id, at) => [id, at, asked('https://g.example/')] as const);
    expect(followed(many, { requests: 3, characters: 1_000 })).toMatchObject({ requests: { length: 3 }, left: 1 });
    const [first, ...others] = many;
    const headers: NetworkStep = { step: 'sent', headers: [['cookie', 'x'.repeat(90)]] };
    const log = followed([first ?? ['1', 0, ended], ['1', 0, headers], ...others], { requests: 100, characters: 100 });
    expect(log).toMatchObject({ requests: { length: 1 }, left: 3 });
    log.clear();
    expect(log).toMatchObject({ requests: [], left: 0, cleared: true });
  });
});
