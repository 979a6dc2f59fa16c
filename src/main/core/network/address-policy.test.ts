import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from './address-policy.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'games.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'rebound.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.7'],
  'inner.example': ['fd00::1'],
  'scoped.example': ['fe80::1%eth0'],
  'odd.example': ['not an address'],
  'empty.example': [],
  'self.example': ['93.184.218.9'],
  'vpn.example': ['10.8.0.9', 'fd00::1', '100.64.0.1', '198.18.0.9', '93.184.216.34'],
  'vpn.corp': ['172.16.0.1'],
  'itself.example': ['10.8.0.5'],
  'mapped.example': ['::ffff:10.8.0.5'],
  'itself6.example': ['fd00::7'],
  'metadata.example': ['10.8.0.9', '169.254.169.254'],
  'beside.example': ['93.184.216.34', '2606:2800:999:1:aaaa::1'],
};

function policyWith(own: readonly string[] = [], allowed: readonly string[] = []) {
  const asked: string[] = [];
  const judge = createAddressPolicy({
    resolve(host) {
      asked.push(host);
      const found = names[host];
      return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found);
    },
    ownOrigins: () => own,
    isAllowed: (host) => allowed.includes(host),
    ownNetworks: () => ['10.8.0.5/24', 'fd00::7/64', '198.18.0.1/0', '93.184.218.9/24', '2606:2800:999:1::7/64', '::/0', 'odd'],
    schemes: ['https:', 'wss:'],
  });
  return { judge, asked };
}

describe('the address policy of game pages', () => {
  it.each(['ETIMEDOUT', 'EAI_AGAIN'])('says of a name that nobody answers for (%s) no more than that', async (code) => {
    const judge = createAddressPolicy({
      resolve: () => Promise.reject(Object.assign(new Error('x'), { code })),
      ownOrigins: () => [],
      schemes: ['https:'],
    });
    expect(await judge('https://games.example/')).toEqual({
      ok: false,
      local: false,
      message: `The name games.example could not be looked up: no name server responded (${code}).`,
    });
  });

  it('names a public address of this computer’s own network as that', async () => {
    expect(await policyWith().judge('https://self.example/')).toEqual({
      ok: false,
      local: true,
      message: "self.example resolves to 93.184.218.9, an address on this computer's network.",
    });
  });

  it.each([
    'https://games.example/x',
    'wss://games.example/socket',
    'https://93.184.216.34/',
    'data:text/plain,x',
    'blob:https://games.example/1',
    'about:blank',
  ])('lets %s leave', async (address) => {
    expect(await policyWith().judge(address)).toMatchObject({ ok: true });
  });

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'wss://192.168.0.1/socket',
    'https://router/',
    'https://rebound.example/',
    'https://mixed.example/',
    'https://inner.example/',
    'https://scoped.example/',
    'https://odd.example/',
    'https://93.184.218.200/',
    'https://[2606:2800:999:1::7]/',
    'https://[::ffff:93.184.218.9]/',
    'https://self.example/',
    'https://beside.example/',
  ])('holds %s back: it leads to this machine or its network', async (address) => {
    expect(await policyWith().judge(address)).toMatchObject({ ok: false, local: true });
  });

  it.each(['https://nowhere.example/', 'https://empty.example/'])(
    'holds %s back: without an answer nothing leaves',
    async (address) => {
      expect(await policyWith().judge(address)).toMatchObject({ ok: false, local: false });
    },
  );

  it.each([
    'http://games.example/',
    'ws://games.example/',
    'file:///etc/passwd',
    'app://workbench/',
    'javascript:1',
    'not an address',
    '',
  ])('holds %j back whatever is behind it', async (address) => {
    expect(await policyWith().judge(address)).toMatchObject({ ok: false });
  });

  it('lets a page reach the built-in provider by its origin alone, and asks nobody for it', async () => {
    const { judge, asked } = policyWith(['https://localhost:8443']);
    const loopback = { ok: true, addresses: ['127.0.0.1', '::1'] };
    expect(await judge('https://localhost:8443/game-api/spin')).toEqual(loopback);
    expect(await judge('wss://localhost:8443/')).toEqual(loopback);
    expect(asked).toEqual([]);
    for (const other of [
      'https://localhost:8444/',
      'https://localhost.:8443/',
      'https://127.0.0.1:8443/',
      'http://localhost:8443/',
      'https://localhost/',
    ])
      expect(await judge(other), other).toMatchObject({ ok: false });
  });

  const vpnHosts = ['vpn.example', 'vpn.corp', '10.8.0.9', '[fd00::1]'];
  it.each(vpnHosts)('lets a page reach %s once a person allowed that host, and no other', async (host) => {
    const refused = await policyWith().judge(`https://${host}/`);
    expect(refused).toMatchObject({ ok: false, local: true });
    expect(refused).toHaveProperty(
      'message',
      expect.stringContaining(`If your VPN leads there, add ${host} to the private hosts of the environment.`),
    );
    const { judge } = policyWith([], [host]);
    expect(await judge(`wss://${host}:8443/`)).toMatchObject({ ok: true });
    expect(await judge(`http://${host}/`)).toMatchObject({ ok: false });
    for (const other of vpnHosts.filter((one) => one !== host)) {
      expect(await judge(`https://${other}/`), other).toMatchObject({ ok: false, local: true });
    }
  });

  it.each([
    'itself.example',
    'mapped.example',
    'itself6.example',
    '10.8.0.5',
    'metadata.example',
    'rebound.example',
    'scoped.example',
    'self.example',
    '127.0.0.1',
    '169.254.169.254',
    'localhost',
  ])('lets nobody allow %s: it leads to this computer, or past any VPN', async (host) => {
    const verdict = await policyWith([], [host]).judge(`https://${host}/`);
    expect(verdict).toMatchObject({ ok: false });
    expect(verdict).not.toHaveProperty('message', expect.stringContaining('private hosts'));
  });

  it('says why in a sentence', async () => {
    const { judge } = policyWith();
    expect(await judge('https://rebound.example/')).toEqual({
      ok: false,
      local: true,
      message: 'rebound.example resolves to 127.0.0.1, an address of this computer.',
    });
  });
});
