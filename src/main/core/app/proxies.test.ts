import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { startConnectProxy, type ConnectProxyOptions } from '#testing/connect-proxy.ts';
import { makeCertificate, startHttpsServer } from '#testing/https-server.ts';

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

async function office(options: ConnectProxyOptions = {}) {
  const certificate = await makeCertificate({ hosts: ['api.provider.test'] });
  const server = await startHttpsServer((_seen, response) => void response.end('{"code":0}'), { certificate });
  ended.push(server.close);
  const proxy = await startConnectProxy({ leadsTo: () => server.port, ...options });
  ended.push(proxy.close);
  const test = await createTestApp();
  ended.push(test.close);
  const environment = await test.environment(
    { baseUrl: 'https://api.provider.test', ca: certificate.ca },
    { proxy: `${proxy.address}/` },
  );
  const draft = draftOf(environment.id, { operation: 'gameList', text: '{"currency":"EUR"}' });
  return { ...test, proxy, environment, send: () => test.send(draft) };
}

it('a call goes through the proxy of its environment, with the login that was set for the proxy', async () => {
  const { client, home, proxy, environment, send } = await office({ login: 'jane:s3cr:et' });
  expect(environment.proxy).toBe(proxy.address);
  const way = () => client.call('environments.way', { id: environment.id });
  expect(await way()).toEqual({ proxy: proxy.address, why: 'The environment names it.', problem: null, login: null });
  expect((await send()).failure).toMatchObject({
    kind: 'proxy',
    message: `The proxy ${proxy.address} requires a user name and password (HTTP 407).`,
  });

  const login = { proxy: proxy.address, user: 'jane', password: 's3cr:et' };
  // Without a keychain, as here, it's kept for this session.
  expect(await client.call('keys.setProxyLogin', login)).toEqual({ proxy: proxy.address, kept: 'session' });
  expect((await way()).login).toBe('session');
  const call = await send();
  expect(call.failure).toBeNull();
  expect(call.timings?.proxy?.address).toBe(proxy.address);

  await client.call('keys.removeProxyLogin', { proxy: `${proxy.address}/` });
  expect((await way()).login).toBeNull();
  const { text } = await client.call('app.diagnostics', { environmentId: environment.id });
  expect(text).toContain(
    `Way to https://api.provider.test: through ${proxy.address}\n  The environment names it.\n  Login: none\n`,
  );
  // The login is in no file and no answer, plain or encoded.
  const forbidden = ['s3cr', Buffer.from('jane:s3cr:et').toString('base64')];
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const file of files) {
    const bytes = await readFile(join(file.parentPath, file.name));
    for (const secret of forbidden) expect(bytes.includes(secret), file.name).toBe(false);
  }
  for (const secret of forbidden) expect(JSON.stringify(call) + text).not.toContain(secret);
});

it.each([
  ['socks5://p.test', 'The proxy names a socks5:// proxy.'],
  ['http://jane:s3cret@p.test', 'The proxy contains a user name. Set the login apart from it.'],
  ['http://[', 'The proxy is not an address of a proxy'],
  ['pac+file:///etc/proxy.pac', 'The proxy is no address of an automatic configuration'],
])('the proxy %s of an environment is refused', async (proxy, message) => {
  const test = await createTestApp();
  ended.push(test.close);
  const made = test.environment({ baseUrl: 'https://api.provider.test' }, { proxy });
  await expect(made).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'proxy' } });
  await expect(made).rejects.toThrow(message);
});
