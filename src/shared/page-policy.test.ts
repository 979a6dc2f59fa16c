import { describe, expect, it } from 'vitest';
import { pageFileCaching, pageFileType, gameFrameAllow, pageHeaders, pagePolicy } from './page-policy.ts';

function directives(policy: string): Map<string, string> {
  return new Map(policy.split('; ').map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]));
}

describe('the page’s policy', () => {
  it('lets the page load from its own origin alone, and nothing be evaluated', () => {
    const policy = pagePolicy({ frame: null });
    const parts = directives(policy);
    expect(parts.get('default-src')).toBe("'none'");
    for (const name of ['script-src', 'worker-src', 'connect-src', 'font-src']) expect(parts.get(name)).toBe("'self'");
    const line = directives(pagePolicy({ frame: null, line: 'ws://127.0.0.1:4000' }));
    expect(line.get('connect-src')).toBe("'self' ws://127.0.0.1:4000");
    expect([...line].filter(([name, value]) => parts.get(name) !== value).map(([name]) => name)).toEqual(['connect-src']);
    for (const name of ['object-src', 'base-uri', 'form-action', 'frame-ancestors', 'frame-src'])
      expect(parts.get(name)).toBe("'none'");
    expect(parts.get('style-src')).toBe("'self' 'unsafe-inline'");
    expect(parts.get('img-src')).toBe("'self' data: blob:");
    expect(parts.get('require-trusted-types-for')).toBe("'script'");
    // A blob is a picture and nothing else.
    expect(policy.replace("img-src 'self' data: blob:", '')).not.toMatch(/unsafe-eval|blob:|wasm|https?:|\*/);
  });

  it('frames nothing but a host’s own page between, which names the game', () => {
    const policy = pagePolicy({ frame: 'self' });
    expect(directives(policy).get('frame-src')).toBe("'self'");
    expect(directives(policy).get('frame-ancestors')).toBe("'none'");
  });

  it('comes with the headers that keep the page to itself', () => {
    const headers = pageHeaders('the policy');
    expect(headers).toMatchObject({
      'content-security-policy': 'the policy',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['permissions-policy']).toContain('loopback-network=()');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('denies nothing to the page that a game in its frame may have, and nothing else less', () => {
    const denied = (headers: Record<string, string>) => (headers['permissions-policy'] ?? '').split(', ');
    const given = gameFrameAllow.split('; ').map((name) => `${name}=()`);
    const all = denied(pageHeaders(''));
    expect(all).toEqual(expect.arrayContaining(given));
    expect(denied(pageHeaders('', { framesGames: true }))).toEqual(all.filter((one) => !given.includes(one)));
  });

  it('knows what it hands out, and nothing else', () => {
    expect(pageFileType('assets/index-abc.js')).toBe('text/javascript; charset=utf-8');
    expect(pageFileType('index.html')).toBe('text/html; charset=utf-8');
    for (const name of ['index.js.map', 'secret.pem', 'constructor', 'a.__proto__', '.env', 'noextension'])
      expect(pageFileType(name)).toBeNull();
    expect(pageFileCaching('index.html')).toBe('no-store');
    expect(pageFileCaching('assets/index-abc.js')).toContain('immutable');
  });
});
