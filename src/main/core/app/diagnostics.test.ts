import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { createProxies } from '../network/proxies.ts';
import { diagnosticsText } from './diagnostics.ts';

let home: string;
beforeEach(async () => (home = await temporaryFolder()));
afterEach(() => rm(home, { recursive: true }));

const text = (changes: Partial<Parameters<typeof diagnosticsText>[0]> = {}) =>
  diagnosticsText({
    home,
    host: { name: 'Test', version: '1.2.3' },
    env: {},
    keychainMessage: async () => null,
    asked: null,
    resolve: async () => [],
    environments: () => [{ production: true }, { production: false }],
    calls: () => 7,
    faults: () => [],
    holdsKey: async () => false,
    ...changes,
  });

describe('the diagnostics', () => {
  it('count what is there, and name neither paths nor values of variables', async () => {
    await mkdir(join(home, 'environments'));
    await writeFile(join(home, 'environments', 'secret-client.json'), '12345');
    const found = await text({ env: { HTTPS_PROXY: 'http://user:word@proxy.example', CROUPIER_HOME: home } });
    expect(found).toMatch(/^Croupier 1\.2\.3, Test\nRuntime: Node \d+.*SQLite 3\./);
    expect(found).toContain('Environments: 2, 1 of them production\nHistory: 7 calls\nHome: set by CROUPIER_HOME\n');
    expect(found).toContain('  environments: 5 B in 1 file\n');
    expect(found).toContain('Proxy variables: HTTPS_PROXY\n');
    expect(found).not.toMatch(/user|word|proxy\.example|secret-client/);
    expect(found).not.toContain(home);
  });

  it('say how calls to a URL leave, and what is known of the addresses behind a proxy', async () => {
    const proxies = createProxies({
      authorities: async () => [],
      pac: async () => ({ problem: 'No script was expected.' }),
      system: null,
      env: { HTTPS_PROXY: 'http://jane:s3cret@p.test:8080' },
      sign: async () => null,
    });
    const said = async (address: string, found: readonly string[] | null = null) => {
      const url = new URL(address);
      const resolve = async () => found ?? Promise.reject(new Error('ENOTFOUND'));
      return (await text({ asked: { url, way: await proxies.wayTo('system', url), loginKept: null }, resolve }))
        .split('\n')
        .slice(6, 10);
    };
    expect(await said('https://api.test/x')).toEqual([
      'Way to https://api.test: through http://p.test:8080',
      '  The environment variable HTTPS_PROXY names it.',
      '  Login: with its address',
      "  The proxy looks up api.test. This computer can't look it up, so Croupier checks only the spelling of the host.",
    ]);
    expect((await said('https://api.test', ['93.184.216.34']))[3]).toMatch(/Here it has only public addresses\.$/);
    expect((await said('https://api.test', ['93.184.216.34', '10.0.0.1']))[3]).toMatch(
      /Here it has an address on a private network, so games and pictures from there are refused\.$/,
    );
    expect((await said('https://localhost:1'))[0]).toBe('Way to https://localhost:1: directly');
  });

  it('say what cannot be seen: a history that does not open, a keychain that does not answer', async () => {
    const found = await text({
      calls() {
        throw new Error('locked');
      },
      keychainMessage: async () => 'No keychain answers here.',
    });
    expect(found).toContain('History: cannot be opened\n');
    expect(found).toContain('Keychain: No keychain answers here.\n');
  });

  it('leave out each line that holds a key, or of which nobody knows', async () => {
    const faults = [{ at: Date.UTC(2026, 10, 26), details: 'Croupier 1.2.3\nError: with K3Y in it\n    at send (a.js:1:2)' }];
    const found = await text({ faults: () => faults, holdsKey: async (line) => line.includes('K3Y') });
    expect(found).toContain(
      'Faults of this session: the newest 1\n  2026-11-26T00:00:00.000Z\n  Croupier 1.2.3\n[left out: contains a private key',
    );
    expect(found).toContain('      at send (a.js:1:2)\n');
    expect(found).not.toContain('K3Y');
    const blind = await text({ faults: () => faults, holdsKey: () => Promise.reject(new Error('no agent')) });
    expect(new Set(blind.trim().split('\n'))).toEqual(new Set([expect.stringMatching(/^\[left out: /)]));
  });
});
