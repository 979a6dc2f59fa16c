import { createHash } from 'node:crypto';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { secretForms } from '#testing/secret-forms.ts';
import { createLocalSecrets } from './local-secrets.ts';

describe('createLocalSecrets', () => {
  it('digests key and parts as one SHA-256 over their bytes', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), parts, async (key, pieces) => {
        const secrets = createLocalSecrets();
        await secrets.set('a', key, 'session');
        const expected = createHash('sha256')
          .update(Buffer.concat([Buffer.from(key, 'utf8'), ...pieces]))
          .digest('hex');
        expect(await secrets.digest('a', '', pieces)).toBe(expected);
      }),
    );
  });

  it('says that a key is held for this run, also one that should have gone to a keychain', async () => {
    const secrets = createLocalSecrets();
    const status = await secrets.set('a', 'clé', 'keychain');
    expect(status).toMatchObject({ state: 'present', storage: 'session', bytes: 4 });
    expect(status.fingerprint).toMatch(/^[0-9a-f]{4}-[0-9a-f]{2} session [0-9a-f]{8}$/);
    expect(await secrets.status('a', false)).toEqual(status);
    expect(await secrets.keychainMessage()).toContain('keys are held until it ends');
  });

  it('says whether a text holds the key in any form; where there is no key, none does', async () => {
    const secrets = createLocalSecrets();
    const key = 'a $key/with "every"\\kind & ä';
    await secrets.set('a', key, 'session');
    for (const [name, form] of secretForms(key)) {
      const text = Buffer.from(`<${form}>`);
      expect(await secrets.contains('a', '', true, text), name).toBe(true);
      expect(await secrets.contains('b', '', false, text), name).toBe(false);
    }
  });

  it('says whether a text is the key that it holds', async () => {
    const secrets = createLocalSecrets();
    await secrets.set('a', 'key-a', 'session');
    const compared = [
      ['a', 'key-a'],
      ['a', 'key-b'],
      ['b', 'key-a'],
    ] as const;
    const relations = await Promise.all(compared.map(([account, key]) => secrets.compare(account, key, true)));
    expect(relations).toEqual(['same', 'other', 'none']);
  });

  it('has nothing left after remove and after close', async () => {
    const secrets = createLocalSecrets();
    await secrets.set('a', 'key-a', 'session');
    await secrets.set('b', 'key-b', 'session');
    await secrets.remove('a');
    await expect(secrets.digest('a', '', [])).rejects.toMatchObject({ code: 'key_missing' });
    expect(await secrets.digest('b', '', [])).toHaveLength(64);
    await secrets.close();
    await expect(secrets.digest('b', '', [])).rejects.toMatchObject({ code: 'key_missing' });
    const inspection = { accounts: [{ account: 'b', version: '' }], bytes: Buffer.from('key-b') };
    await expect(secrets.sign('b', '', [], inspection)).rejects.toMatchObject({ code: 'key_missing' });
    expect(await secrets.find(inspection)).toEqual({ found: [], unknown: ['b'] });
  });

  it('makes a fingerprint that another run does not repeat', async () => {
    const [one, other] = [createLocalSecrets(), createLocalSecrets()];
    const prints = await Promise.all(['a', 'b', 'c'].map((account) => one.set(account, 'same-key', 'session')));
    expect(new Set(prints.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    const others = await Promise.all(
      Array.from(
        { length: 3 },
        async (_, at) => (await other.set(String(at), `same-key${'x'.repeat(at)}`, 'session')).fingerprint,
      ),
    );
    expect(new Set(others).size).toBeGreaterThan(1);
    expect(others[0]).not.toBe(prints[0]?.fingerprint);
  });
});
