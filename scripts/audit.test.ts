import { describe, expect, it } from 'vitest';
import { judgeSignatures } from './audit.mjs';

const error = (code: string, summary: string) => ({
  status: 1,
  stdout: JSON.stringify({ error: { code, summary, detail: '' } }),
  stderr: '',
});
const found = (invalid: object[], missing: object[]) => ({
  status: invalid.length + missing.length > 0 ? 1 : 0,
  stdout: JSON.stringify({ invalid, missing }),
  stderr: '',
});

describe('npm run audit', () => {
  it('passes where nothing is invalid and nothing lacks a signature', () => {
    expect(judgeSignatures(found([], [])).outcome).toBe('passed');
  });

  it('fails with the name of a package that is not what was signed, or has no signature', () => {
    expect(judgeSignatures(found([{ name: 'a', version: '1.0.0' }], []))).toMatchObject({
      outcome: 'failed',
      words: expect.stringContaining('a@1.0.0') as string,
    });
    expect(judgeSignatures(found([], [{ name: '@b/c', version: '2.0.0' }]))).toMatchObject({
      outcome: 'failed',
      words: expect.stringContaining('@b/c@2.0.0') as string,
    });
  });

  it.each([
    error('ENOTFOUND', 'request to https://tuf-repo-cdn.sigstore.dev/14.root.json failed, reason: getaddrinfo ENOTFOUND'),
    error('ECONNREFUSED', 'request to http://127.0.0.1:1/-/npm/v1/keys failed'),
    error('TUF_REFRESH_METADATA_ERROR', 'error refreshing TUF metadata'),
    error('E503', '503 Service Unavailable - GET https://registry.npmjs.org/-/npm/v1/keys'),
    { status: 1, stdout: '', stderr: 'npm error code ETIMEDOUT\nnpm error network' },
  ])('says that nothing was checked where a host does not answer: %j', (ended) => {
    const { outcome, words } = judgeSignatures(ended);
    expect(outcome).toBe('skipped');
    expect(words).toMatch(/^The signatures were not checked: a host did not answer \([A-Z0-9_]+\)\./);
  });

  it.each([
    error(
      'EEXPIREDSIGNATUREKEY',
      'undici@7.30.2 has a registry signature with keyid: x but the corresponding public key has expired',
    ),
    error('EMISSINGSIGNATUREKEY', 'no corresponding public key can be found'),
    { status: 1, stdout: 'not JSON', stderr: 'npm error found no installed dependencies to audit' },
    { status: 1, stdout: JSON.stringify({ invalid: [], missing: [] }), stderr: '' },
    { status: null, stdout: '', stderr: '' },
  ])('fails where npm failed for another reason: %j', (ended) => {
    expect(judgeSignatures(ended).outcome).toBe('failed');
  });
});
