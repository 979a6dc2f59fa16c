import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from '#core/files/locks.ts';
import { prepareCertificate } from './certificate.ts';
import { startTestSandbox } from '#testing/sandbox-client.ts';

const day = 86_400_000;
let directory: string;
const prepare = (now: number, where = directory) => prepareCertificate(where, now, (work) => withLock(where, work));

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'croupier-certificate-')), 'sandbox');
});
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }));

describe('prepareCertificate', () => {
  test('keeps everything to its owner, and not the key of the authority', async () => {
    const made = await prepare(Date.now());
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const names = (await readdir(directory)).sort();
    expect(names).toEqual(['ca.pem', 'certificate.pem']);
    for (const name of names) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(directory, 'certificate.pem'), 'utf8');
    expect(text.match(/BEGIN PRIVATE KEY/g)).toHaveLength(1);
    expect(await readFile(made.caFile, 'utf8')).toBe(made.ca);
    const [ca, leaf] = [new X509Certificate(made.ca), new X509Certificate(made.cert)];
    expect([ca.ca, leaf.ca]).toEqual([true, false]);
    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(leaf.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(Math.round((Date.parse(leaf.validTo) - Date.now()) / day)).toBe(30);
  });

  test('is kept while at least 7 days are left and made again below', async () => {
    const start = Date.now();
    const first = await prepare(start);
    expect(await prepare(start + 22 * day)).toEqual(first);
    const renewed = await prepare(start + 23.1 * day);
    expect(renewed.cert).not.toBe(first.cert);
    expect(renewed.ca).not.toBe(first.ca);
    expect(await prepare(start + 23.2 * day)).toEqual(renewed);
  });

  test.each(['certificate.pem', 'ca.pem'])('a damaged %s is replaced', async (name) => {
    const first = await prepare(Date.now());
    await writeFile(join(directory, name), 'nonsense');
    const second = await prepare(Date.now());
    expect(second.cert).not.toBe(first.cert);
    expect(new X509Certificate(second.cert).verify(new X509Certificate(second.ca).publicKey)).toBe(true);
  });

  test('many at once agree on one', async () => {
    await prepare(Date.now());
    await rm(join(directory, 'certificate.pem'));
    const all = await Promise.all(Array.from({ length: 8 }, () => prepare(Date.now())));
    expect(new Set(all.map((made) => made.cert)).size).toBe(1);
    expect((await readdir(directory)).sort()).toEqual(['ca.pem', 'certificate.pem']);
  });

  test('is accepted where RFC 5280 is taken at its word, as Python takes it from 3.13 on', async () => {
    const { caFile, cert } = await prepare(Date.now());
    const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost', '-CAfile', caFile];
    expect(execFileSync('openssl', args, { input: cert, encoding: 'utf8' })).toBe('stdin: OK\n');
  });

  test('a pipe in a file’s place is replaced', async () => {
    await prepare(Date.now());
    await rm(join(directory, 'certificate.pem'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(directory, 'certificate.pem')]);
    const { cert } = await prepare(Date.now());
    expect(await readFile(join(directory, 'certificate.pem'), 'utf8')).toContain(cert);
    expect((await readdir(directory)).sort()).toEqual(['ca.pem', 'certificate.pem']);
  });

  test('says where it cannot be kept', async () => {
    await writeFile(directory.replace(/sandbox$/, 'file'), '');
    await expect(prepare(Date.now(), directory.replace(/sandbox$/, join('file', 'sandbox')))).rejects.toMatchObject({
      code: 'storage',
    });
  });
});

describe('a client', () => {
  function reach(url: string, ca: string | undefined): Promise<string> {
    return new Promise((resolve) => {
      const agent = new Agent(ca === undefined ? {} : { ca });
      get(url, { agent }, (response) => resolve(String(response.resume().statusCode))).on(
        'error',
        (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message),
      );
    });
  }

  test('that does not pin the authority, or pins another one, refuses the connection', async () => {
    const [one, other] = await Promise.all([startTestSandbox(), startTestSandbox()]);
    try {
      expect(await reach(`${one.baseUrl}/`, one.ca)).toBe('404');
      expect(await reach(one.baseUrl.replace('localhost', '127.0.0.1'), one.ca)).toBe('404');
      expect(await reach(one.baseUrl, undefined)).toMatch(/UNABLE_TO|SELF_SIGNED/);
      expect(await reach(one.baseUrl, other.ca)).toMatch(/UNABLE_TO|SELF_SIGNED|CERT_SIGNATURE/);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
