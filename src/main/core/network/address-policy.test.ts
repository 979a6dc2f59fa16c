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
  'beside.example': ['93.184.216.34', '2606:2800:999:1:aaaa::1'],
};

function policyWith(own: readonly string[] = []) {
  const asked: string[] = [];
  const judge = createAddressPolicy({
    resolve(host) {
      asked.push(host);
      const found = names[host];
      return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found);
    },
    ownOrigins: () => own,
    ownNetworks: () => ['198.18.0.1/0', '93.184.218.9/24', '2606:2800:999:1::7/64', '::/0', 'odd'],
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

  it('says why in a sentence', async () => {
    const { judge } = policyWith();
    expect(await judge('https://rebound.example/')).toEqual({
      ok: false,
      local: true,
      message: 'rebound.example resolves to 127.0.0.1, an address of this computer.',
    });
  });
});
