import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '#testing/app.ts';
import { createCli, newEnvironment } from '#testing/cli-driver.ts';
import { startConnectProxy } from '#testing/connect-proxy.ts';
import { toolPath } from '#testing/external-tools.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';
import { leaksIn } from '#testing/secret-forms.ts';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function office() {
  const certificate = await makeCertificate({ hosts: ['api.provider.test'] });
  const server = await startHttpsServer((_seen, response) => void response.end('{"code":0,"message":"ok","data":{"games":[]}}'), {
    certificate,
  });
  const proxy = await startConnectProxy({ login: 'jane:s3cr:et', leadsTo: () => server.port });
  ended.push(server.close, proxy.close);
  const ca = join(await temporaryFolder(), 'ca.pem');
  await writeFile(ca, certificate.ca);
  return { proxy, ca };
}

it('a call leaves as the environment variables say, and a failure names the proxy', async () => {
  const { proxy, ca } = await office();
  const cli = await createCli();
  ended.push(cli.close);
  await cli.run([...newEnvironment('far', 'https://api.provider.test'), '--ca', ca]);
  const call = ['call', 'gameList', '--env', 'far', '--key-env', 'KEY'];
  const env = (login: string) => ({ KEY: 'a-key', HTTPS_PROXY: proxy.address.replace('//', `//${login}`) });

  const good = await cli.run(call, { env: env('jane:s3cr%3Aet@') });
  expect(good).toMatchObject({ code: 0, out: expect.stringContaining('"games":[]') });
  const bad = await cli.run(call, { env: env('jane:wr0ng@') });
  expect(bad.code).not.toBe(0);
  expect(bad.err + bad.out).toContain(`The proxy ${proxy.address} rejected the user name or password (HTTP 407).`);
  expect(leaksIn(bad.err + bad.out, 'jane:wr0ng')).toEqual([]);

  const shown = await cli.run(['diagnostics', '--env', 'far'], { env: { ...env(''), NO_PROXY: '*.provider.test:443' } });
  expect(shown.out).toContain('Way to https://api.provider.test: directly\n  NO_PROXY has the entry *.provider.test:443.\n');
  const login = await cli.run(['proxy', 'login', proxy.address], { input: 'jane:s3cr:et\n' });
  expect(login).toMatchObject({ code: 5, out: '', err: expect.stringContaining('The login was not stored.') });
  expect((await cli.run(['proxy', 'login', proxy.address], { input: 'jane\n' })).err).toMatch(
    /was not stored|has no USER:PASSWORD/,
  );
  expect(await cli.run(['proxy', 'logout', proxy.address])).toMatchObject({ code: 0, out: `${proxy.address}: no login\n` });
});

it("a script decides in the program's own thread, by names that only the program looks up", async () => {
  const { proxy, ca } = await office();
  const { host } = new URL(proxy.address);
  const script = `function FindProxyForURL(url, host) { return isInNet('localhost', '127.0.0.0', '255.0.0.0') ? 'PROXY ${host}; DIRECT' : 'DIRECT' }`;
  const wpad = createServer((_request, response) => void response.end(script)).listen(0, '127.0.0.1');
  await once(wpad, 'listening');
  ended.push(async () => wpad.close());
  const address = `http://localhost:${(wpad.address() as AddressInfo).port}/proxy.pac`;
  const cli = await createCli();
  ended.push(cli.close);
  await cli.run([...newEnvironment('far', 'https://api.provider.test'), '--ca', ca, '--proxy', `pac+${address}`]);
  const shown = await cli.run(['diagnostics', '--env', 'far']);
  expect(shown.out).toContain(
    `Way to https://api.provider.test: through ${proxy.address}\n  The automatic configuration ${address} says so. If the proxy can't be reached: directly.\n`,
  );
});

const keyring = ['gnome-keyring-daemon', 'dbus-run-session', 'dbus-send'].every((name) => toolPath(name) !== null);

it.skipIf(!keyring && !process.env['CI'])(
  'the login of a proxy comes from the keychain, through the process that holds the keys',
  { timeout: 180_000 },
  async () => {
    const { proxy, ca } = await office();
    const script = fileURLToPath(new URL('../../../testing/with-keyring.sh', import.meta.url));
    const entry = fileURLToPath(new URL('../main.ts', import.meta.url));
    const croupier = `"${process.execPath}" "${entry}"`;
    const steps = [
      `${croupier} env set far --base-url https://api.provider.test --ca "${ca}" --platform 1 --partner-id 2 --no-production --proxy ${proxy.address}`,
      `printf 'a-very-secret-key\\n' | ${croupier} key set far`,
      `printf 'jane:s3cr:et\\n' | ${croupier} proxy login ${proxy.address}/`,
      `${croupier} diagnostics --env far | grep -A2 ^Way`,
      `${croupier} call gameList --env far; echo "call $?"`,
      `${croupier} proxy logout ${proxy.address}`,
      `${croupier} call gameList --env far; echo "call $?"`,
    ];
    const cli = await createCli(['/bin/sh', script, 'unlocked', '/bin/sh', '-c', steps.join('\n')]);
    ended.push(cli.close);
    const { out, err } = await cli.run([]);
    expect(out).toContain(`${proxy.address}: login stored\n`);
    expect(out).toContain(
      `Way to https://api.provider.test: through ${proxy.address}\n  The environment names it.\n  Login: in the keychain\n`,
    );
    expect(out).toContain('call 0\n');
    expect(err + out).toContain(`The proxy ${proxy.address} requires a user name and password (HTTP 407).`);
    expect(proxy.asked.map(({ authorization }) => authorization !== null)).toEqual([false, true, false]);
    expect(leaksIn(out + err, 's3cr:et')).toEqual([]);
  },
);
