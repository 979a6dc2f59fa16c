import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
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
    expect(found).toContain('They ignore HTTPS_PROXY.\n');
    expect(found).not.toMatch(/user|word|proxy\.example|secret-client/);
    expect(found).not.toContain(home);
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
