import { describe, expect, it } from 'vitest';
import { createProxies, exceptionIn } from './proxies.ts';

const wayTo = async (env: NodeJS.ProcessEnv, url: string) =>
  createProxies({
    authorities: async () => [],
    pac: async () => ({ problem: 'No script was expected.' }),
    system: null,
    env,
    sign: async () => null,
  }).wayTo('system', new URL(url));
const far = 'https://api.example.com/serviceApi.php';

describe('an exception', () => {
  it.each<[entry: string, matched: readonly string[], others: readonly string[]]>([
    ['*', [far, 'https://10.1.2.3'], []],
    [
      'example.com',
      ['https://example.com', far, 'https://API.EXAMPLE.COM.'],
      ['https://notexample.com', 'https://example.com.evil.test'],
    ],
    ['.example.com', [far, 'https://example.com'], ['https://badexample.com']],
    ['*.example.com', [far], ['https://example.org']],
    ['EXAMPLE.com.', [far], []],
    ['api.*.com', [far], ['https://www.example.com']],
    ['10.*', ['https://10.2.3.4'], ['https://100.2.3.4']],
    ['example.com:443', [far], ['https://api.example.com:8443']],
    ['example.com:8443', ['https://api.example.com:8443'], [far]],
    ['192.0.2.7', ['https://192.0.2.7', 'https://192.0.2.7:8443'], ['https://192.0.2.70']],
    ['192.0.2.7:8443', ['https://192.0.2.7:8443'], ['https://192.0.2.7']],
    ['10.0.0.0/8', ['https://10.255.0.1'], ['https://11.0.0.1', far]],
    ['169.254/16', ['https://169.254.3.4'], ['https://169.25.3.4']],
    ['2001:db8::7', ['https://[2001:db8::7]', 'https://[2001:db8:0:0::7]:8443'], ['https://[2001:db8::8]']],
    ['[2001:db8::7]:8443', ['https://[2001:db8::7]:8443'], ['https://[2001:db8::7]']],
    ['2001:db8::/32', ['https://[2001:db8:1::1]'], ['https://[2001:db9::1]']],
    ['[2001:db8::]/32', ['https://[2001:db8:1::1]'], ['https://192.0.2.7']],
    ['<local>', ['https://intranet'], [far, 'https://[2001:db8::7]']],
  ])('%s', (entry, matched, others) => {
    for (const url of matched) expect(exceptionIn(`none.test, ${entry}`, new URL(url)), url).toBe(entry);
    for (const url of others) expect(exceptionIn(entry, new URL(url)), url).toBeNull();
  });

  it.each(['', ',', ' ', '/8', '10.0.0.0/99', '10.0.0.0/-1', '10.0.0.0/x', ':443', '[', '.', '((((('])(
    'that is none: %j',
    (list) => {
      expect(exceptionIn(list, new URL('https://10.0.0.1'))).toBeNull();
    },
  );

  it.each([',', ' ', ';', '|', ', '])('stands in a list with %j between two', (between) => {
    expect(exceptionIn(['a.test', 'example.com', 'b.test'].join(between), new URL(far))).toBe('example.com');
  });
});

describe('the environment variables', () => {
  it.each<[env: NodeJS.ProcessEnv, url: string, proxy: string | null, why: string]>([
    [{}, far, null, 'No proxy is set.'],
    [{ HTTP_PROXY: 'http://p.test:1' }, far, null, 'No proxy is set.'],
    [{ HTTPS_PROXY: ' ' }, far, null, 'No proxy is set.'],
    [{ HTTPS_PROXY: 'http://p.test:8080/' }, far, 'http://p.test:8080', 'The environment variable HTTPS_PROXY names it.'],
    [
      { https_proxy: 'p.test:8080', HTTPS_PROXY: 'http://q.test' },
      far,
      'http://p.test:8080',
      'The environment variable https_proxy names it.',
    ],
    [{ ALL_PROXY: 'https://p.test' }, far, 'https://p.test', 'The environment variable ALL_PROXY names it.'],
    [{ HTTPS_PROXY: 'http://u:w@p.test', NO_PROXY: '.example.com' }, far, null, 'NO_PROXY has the entry .example.com.'],
    [
      { HTTPS_PROXY: 'http://u:w@p.test', no_proxy: 'other.test' },
      far,
      'http://p.test',
      'The environment variable HTTPS_PROXY names it.',
    ],
    [{ HTTPS_PROXY: 'http://p.test' }, 'https://localhost:8443', null, 'localhost is this computer, which needs no proxy.'],
    [{ HTTPS_PROXY: 'http://p.test' }, 'https://api.localhost', null, 'api.localhost is this computer, which needs no proxy.'],
    [{ HTTPS_PROXY: 'http://p.test' }, 'https://127.9.9.9', null, '127.9.9.9 is this computer, which needs no proxy.'],
    [{ HTTPS_PROXY: 'http://p.test' }, 'https://[::1]', null, '[::1] is this computer, which needs no proxy.'],
  ])('%j to %s', async (env, url, proxy, why) => {
    const way = await wayTo(env, url);
    expect([way.proxy?.address ?? null, way.why, way.problem]).toEqual([proxy, why, undefined]);
  });

  it.each([
    ['socks5://p.test', 'HTTPS_PROXY names a socks5:// proxy. Croupier uses only http:// and https:// proxies.'],
    ['http://', 'HTTPS_PROXY is not an address of a proxy, such as http://proxy.example:8080.'],
    ['http://user:se cret@[', 'HTTPS_PROXY is not an address of a proxy, such as http://proxy.example:8080.'],
  ])('%s', async (HTTPS_PROXY, problem) => {
    expect(await wayTo({ HTTPS_PROXY }, far)).toMatchObject({ proxy: null, problem });
  });
});

describe('the proxy of an environment', () => {
  const ofEnvironment = (setting: string, url: string) =>
    createProxies({
      authorities: async () => [],
      pac: async () => ({ problem: 'No script was expected.' }),
      system: null,
      env: { HTTPS_PROXY: 'http://p.test', NO_PROXY: '*' },
      sign: async () => null,
    }).wayTo(setting, new URL(url));

  it.each([
    ['none', far, null, 'The environment uses no proxy.'],
    ['http://own.test:3128', far, 'http://own.test:3128', 'The environment names it.'],
    // Named for this environment alone: that is meant, too.
    ['http://own.test:3128', 'https://localhost:8443', 'http://own.test:3128', 'The environment names it.'],
    ['system', far, null, 'NO_PROXY has the entry *.'],
  ])('%s to %s', async (setting, url, proxy, why) => {
    const way = await ofEnvironment(setting, url);
    expect([way.proxy?.address ?? null, way.why]).toEqual([proxy, why]);
  });
});

describe("the system's settings", () => {
  const settings = { named: "GNOME's settings", proxy: 'sys.test:3128', script: '', exceptions: '*.corp.test, 10.0.0.0/8' };
  const ofSystem = (env: NodeJS.ProcessEnv, url: string, found: typeof settings | null = settings) =>
    createProxies({
      authorities: async () => [],
      pac: async () => ({ problem: 'No script was expected.' }),
      env,
      system: async () => found,
      sign: async () => null,
    }).wayTo('system', new URL(url));

  it.each<[env: NodeJS.ProcessEnv, url: string, proxy: string | null, why: string]>([
    [{}, far, 'http://sys.test:3128', "GNOME's settings name it."],
    [{}, 'https://git.corp.test', null, "GNOME's settings except *.corp.test."],
    [{}, 'https://10.1.2.3', null, "GNOME's settings except 10.0.0.0/8."],
    [{}, 'https://localhost', null, 'localhost is this computer, which needs no proxy.'],
    [{ HTTPS_PROXY: 'http://p.test' }, far, 'http://p.test', 'The environment variable HTTPS_PROXY names it.'],
    [{ NO_PROXY: 'example.com' }, far, null, 'NO_PROXY has the entry example.com.'],
  ])('%j to %s', async (env, url, proxy, why) => {
    const way = await ofSystem(env, url);
    expect([way.proxy?.address ?? null, way.why]).toEqual([proxy, why]);
  });

  it('that name none or cannot be read leave calls alone', async () => {
    expect(await ofSystem({}, far, null)).toEqual({ proxy: null, why: 'No proxy is set.' });
    expect(await ofSystem({}, far, { ...settings, proxy: '' })).toEqual({ proxy: null, why: 'No proxy is set.' });
    expect(await ofSystem({}, far, { ...settings, proxy: 'socks://s.test' })).toMatchObject({
      problem: expect.stringContaining('socks://'),
    });
  });
});
