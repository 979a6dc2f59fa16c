import { createPrivateKey, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate, type TestCertificate } from '#testing/https-server.ts';
import { pkcs12 } from '#testing/pkcs12-files.ts';
import { readClientCertificate } from './client-certificate.ts';

const fileOf = (name: keyof typeof pkcs12) => Buffer.from(pkcs12[name].join(''), 'base64');

let pair: TestCertificate;
let other: TestCertificate;
let encrypted: string;
beforeAll(async () => {
  pair = await makeCertificate({ hosts: ['Operator 8'] });
  other = await makeCertificate();
  encrypted = createPrivateKey(pair.key)
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'päss' })
    .toString();
});

const read = (files: readonly (string | Uint8Array)[], passphrase = '') =>
  readClientCertificate(
    files.map((file) => Buffer.from(file)),
    passphrase,
  );

describe('a client certificate', () => {
  it.each<[name: string, files: () => readonly (string | Uint8Array)[], passphrase: string, owner: string]>([
    ['a pair in PEM', () => [pair.cert, pair.key], '', 'Operator 8'],
    ['a pair in PEM, the key first', () => [pair.key, pair.cert], '', 'Operator 8'],
    ['one file in PEM, with the certificate of another first', () => [`${other.cert}${pair.cert}${pair.key}`], '', 'Operator 8'],
    ['a pair in PEM with an encrypted key', () => [pair.cert, encrypted], 'päss', 'Operator 8'],
    ['PKCS#12 of today', () => [fileOf('aes')], 'päss', 'Operator 7'],
    ['PKCS#12 of yesterday', () => [fileOf('tripleDes')], 'päss', 'Operator 7'],
  ])('is read from %s', (_, files, passphrase, owner) => {
    const { certificate, key } = read(files(), passphrase);
    const own = new X509Certificate(certificate);
    expect(own.subject).toBe(`CN=${owner}`);
    const opened = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
    expect(own.checkPrivateKey(opened)).toBe(true);
    expect(certificate).not.toContain('PRIVATE');
  });

  it.each<[name: string, files: () => readonly (string | Uint8Array)[], passphrase: string, words: RegExp]>([
    ['an encrypted key without its passphrase', () => [pair.cert, encrypted], '', /passphrase is missing or wrong/],
    ['an encrypted key with another passphrase', () => [pair.cert, encrypted], 'pass', /passphrase is missing or wrong/],
    ['PKCS#12 without its passphrase', () => [fileOf('aes')], '', /passphrase is missing or wrong/],
    ['PKCS#12 with another passphrase', () => [fileOf('tripleDes')], 'pass', /passphrase is missing or wrong/],
    ['PKCS#12 of long ago', () => [fileOf('rc2')], 'päss', /outdated way, such as RC2/],
    ['PKCS#12 without a key', () => [fileOf('withoutKey')], '', /no private key/],
    ['a certificate alone', () => [pair.cert], '', /no private key/],
    ['a key alone', () => [pair.key], '', /no certificate/],
    ['the key of another certificate', () => [pair.cert, other.key], '', /doesn't belong/],
    ['bytes that begin as DER', () => [Buffer.from([0x30, 1, 2])], '', /neither PKCS#12 nor/],
    ['a damaged key', () => [pair.cert, pair.key.replace('MIG', 'AAA')], '', /neither PKCS#12 nor/],
  ])('is not read from %s', (_, files, passphrase, words) => {
    expect(() => read(files(), passphrase)).toThrow(words);
  });
});
