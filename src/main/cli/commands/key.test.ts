import { createHash, createPrivateKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCli, newEnvironment, type Cli } from '#testing/cli-driver.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';
import { leaksIn } from '#testing/secret-forms.ts';
import { pkcs12 } from '#testing/pkcs12-files.ts';
import { toolPath } from '#testing/external-tools.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await createCli();
});
afterAll(() => cli.close());

describe('key, where there is no keychain', () => {
  beforeAll(() => cli.run(newEnvironment('keyed', 'https://keyed.example')));

  it('does not store what would be gone at the end, and says why', async () => {
    const { code, out, err } = await cli.run(['key', 'set', 'keyed'], { input: 'a-very-secret-key\n' });
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain('The key was not stored');
    expect(err).toContain('--key-env');
    expect(leaksIn(err, 'a-very-secret-key')).toEqual([]);
  });

  it('does not store a client certificate either, and says nothing of its file', async () => {
    const file = Buffer.from(pkcs12.aes.join(''), 'base64');
    const path = join(dirname(cli.home), 'own.p12');
    await writeFile(path, file);
    const passphrase = { PASS: 'a-very-secret-passphrase' };
    const set = ['env', 'certificate', 'keyed', path, '--passphrase-env', 'PASS'];
    const { code, out, err } = await cli.run(set, { env: passphrase });
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain('The certificate was not stored');
    expect(leaksIn(err, passphrase.PASS)).toEqual([]);
    expect((await cli.run(['env', 'certificate', 'keyed'])).out).toBe('keyed: no client certificate\n');
  });

  it('uses a client certificate that variables name beside the key, for this command alone', async () => {
    const authority = await makeCertificate({ hosts: ['Provider CA'], selfSigned: true, authority: true });
    const own = await makeCertificate({ hosts: ['Operator 7'], issuer: authority });
    const server = await startHttpsServer(
      ({ request }, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        response.end(JSON.stringify({ code: 0, message: subject.CN, data: { games: [] } }));
      },
      { clientAuthority: authority.cert },
    );
    const [ca, pair] = [join(dirname(cli.home), 'ca.pem'), join(dirname(cli.home), 'pair.pem')];
    const passphrase = 'a-very-secret-passphrase';
    const key = createPrivateKey(own.key).export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase });
    await Promise.all([writeFile(ca, server.ca), writeFile(pair, `${own.cert}\n${String(key)}`)]);
    await cli.run([...newEnvironment('mutual', server.baseUrl), '--ca', ca]);
    const call = (variables: Record<string, string>) =>
      cli.run(['call', 'gameList', '--env', 'mutual', '--key-env', 'KEY'], { env: { KEY: 'a-key', ...variables } });
    const good = await call({ CROUPIER_CERTIFICATE: pair, CROUPIER_PASSPHRASE: passphrase });
    expect(good).toMatchObject({ code: 0, out: expect.stringContaining('Operator 7') as string });
    const [none, wrong, missing] = [
      await call({}),
      await call({ CROUPIER_CERTIFICATE: pair, CROUPIER_PASSPHRASE: `${passphrase}x` }),
      await call({ CROUPIER_CERTIFICATE: `${pair}x` }),
    ];
    expect(none.err).toContain('The server requires a client certificate, and this environment has none.');
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('passphrase') as string });
    expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('there is no such file') as string });
    for (const { out, err } of [good, none, wrong, missing]) expect(leaksIn(out + err, passphrase)).toEqual([]);
    expect((await cli.run(['env', 'certificate', 'mutual'])).out).toBe('mutual: no client certificate\n');
    await server.close();
  });

  it('says that there is none', async () => {
    const { code, out, err: why } = await cli.run(['key', 'status', 'keyed', '--json']);
    expect(code).toBe(5);
    expect(why).toMatch(/^croupier: No keychain .+\n$/);
    expect(JSON.parse(out)).toMatchObject({ state: 'absent', storage: null, fingerprint: null });
    for (const command of ['choose', 'discard']) {
      const { code: refused, err } = await cli.run(['key', command, 'keyed', 'older']);
      expect({ refused, err }).toEqual({ refused: 2, err: expect.stringContaining("doesn't have two keys") as string });
    }
    expect((await cli.run(['key', 'remove', 'keyed'])).code).toBe(0);
  });
});

const keyring = ['gnome-keyring-daemon', 'dbus-run-session', 'dbus-send'].every((name) => toolPath(name) !== null);

describe.skipIf(!keyring && !process.env['CI'])('key, in a keychain', () => {
  it('stores, uses and removes a key from standard input, and warns of what is odd about it', { timeout: 180_000 }, async () => {
    const script = fileURLToPath(new URL('../../../testing/with-keyring.sh', import.meta.url));
    const entry = fileURLToPath(new URL('../main.ts', import.meta.url));
    const croupier = `"${process.execPath}" "${entry}"`;
    const steps = [
      `${croupier} env set keyed --base-url https://localhost:1 --platform 1 --partner-id 2 --no-production`,
      `printf ' a-very-secret-key\\n' | ${croupier} key set keyed --json`,
      `printf ' a-very-secret-key\\n' | ${croupier} key set keyed --trim`,
      `${croupier} key status keyed --json`,
      `${croupier} call getGameRound --dry-run --time t --set logMonth=1; echo`,
      `printf ' \\n' | ${croupier} key set keyed; echo "blank $?"`,
      `printf 'a-newer-secret-key\\n' | ${croupier} key set keyed`,
      `${croupier} key choose keyed older`,
      `${croupier} key choose keyed both; echo "both $?"`,
      `${croupier} key discard keyed new`,
      `${croupier} key discard keyed new; echo "again $?"`,
      `${croupier} key remove keyed`,
      `${croupier} key status keyed; echo "status $?"`,
    ];
    const keyed = await createCli(['/bin/sh', script, 'unlocked', '/bin/sh', '-c', steps.join('\n')]);
    const { out, err } = await keyed.run([]);
    await keyed.close();
    const lines = out.split('\n');
    const fingerprint = expect.stringMatching(/^[0-9a-f]{4}-[0-9a-f]{2} keychain [0-9a-f]{8}$/) as string;
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ state: 'present', storage: 'keychain', bytes: 18, fingerprint });
    expect(lines.slice(2, 4).map(withoutDigits)).toEqual([
      'keyed: the new key signs: stored, fingerprint F, 17 bytes',
      'keyed: the older key is kept: stored, fingerprint F, 18 bytes',
    ]);
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ bytes: 17, pair: { signs: 'new', other: { bytes: 18 } } });
    const sent = JSON.parse(lines[5] ?? '') as { hash: string };
    const dataJson = '{"roundId":9007199254740993,"logMonth":1}';
    expect(lines[5]).toContain(`"data":${dataJson},`);
    expect(sent.hash).toBe(createHash('sha256').update(`a-very-secret-keyt${dataJson}`).digest('hex'));
    expect(out).toContain('blank 2');
    // The third key took the place of the new one.
    expect(lines.slice(7, 14).map(withoutDigits)).toEqual([
      'keyed: the new key signs: stored, fingerprint F, 18 bytes',
      'keyed: the older key is kept: stored, fingerprint F, 18 bytes',
      'keyed: the older key signs: stored, fingerprint F, 18 bytes',
      'keyed: the new key is kept: stored, fingerprint F, 18 bytes',
      'both 2',
      'keyed: stored, fingerprint F, 18 bytes',
      'again 2',
    ]);
    expect(out).toContain('status 5');
    expect(err).toContain('--trim');
    for (const key of ['a-very-secret-key', 'a-newer-secret-key']) expect(leaksIn(out + err, key)).toEqual([]);
  });
});

function withoutDigits(line: string): string {
  return line.replace(/fingerprint [0-9a-f]{4}-[0-9a-f]{2}/, 'fingerprint F');
}
