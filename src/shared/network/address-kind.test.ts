import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { addressKind, addressKindWords, type AddressKind } from './address-kind.ts';

const local: Readonly<Record<Exclude<AddressKind, 'public' | 'name'>, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0X7F.0.0.1',
    '0x7f.1',
    '0177.0.0.01',
    '0177.1',
    '127.0x0.0.1',
    '127.000.000.001',
    '１２７．０．０．１',
    '127。0。0。1',
    '127｡0｡0｡1',
    '①②⑦.⓪.⓪.①',
    '𝟙𝟚𝟟.𝟘.𝟘.𝟙',
    '%31%32%37.0.0.1',
    '127.0.0.%31',
    '127\u00ad.0.0.1',
    '127.\u200b0.0.1',
    ' 127.0.0.1 ',
    '::1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '[::1%25lo]',
    '::1%eth0',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fe80::5efe:127.0.0.1]',
    '[2001:470:1f0a::200:5efe:7f00:1]',
  ],
  unspecified: ['0.0.0.0', '0', '0x0', '00', '0.1', '0.255.255.255', '::', '[::]', '[0::0]', '[::ffff:0.0.0.0]', '[2002::]'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '012.0.0.1',
    '0xa.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.168.257',
    '0xc0a80101',
    '3232235777',
    '0300.0250.1.1',
    '[::ffff:10.0.0.1]',
    '[::ffff:192.168.0.1]',
    '[2002:c0a8:101::1]',
    '[64:ff9b::10.1.2.3]',
    '[64:ff9b:1::808:808]',
    'fc00::1',
    '[fd12:3456:789a::1]',
    '[FDFF::]',
    '[fec0::1]',
  ],
  linkLocal: [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.0.1.',
    '[fe80::1]',
    '[fe80::1%25eth0]',
    '[febf::]',
    '[::ffff:169.254.169.254]',
  ],
  carrier: ['100.64.0.1', '100.127.255.255', '[::ffff:100.64.0.1]'],
  benchmark: ['198.18.0.1', '198.19.255.255', '[::ffff:198.18.0.1]'],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff05::c]'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.9',
    '240.0.0.1',
    '255.255.255.255',
    '[2001:db8::1]',
    '[2001::1]',
    '[100::1]',
    '[3fff::1]',
    '[4000::1]',
  ],
  localName: [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'local\u00adhost',
    'game.localhost',
    'a.b.LocalHost.',
    'localhost.localdomain',
    'printer.local',
    'router',
    'intranet',
    'nas.lan',
    'hub.home.arpa',
    'metadata.google.internal',
    'ip6-localhost',
  ],
  invalid: [
    '',
    ' ',
    '256.256.256.256',
    '1.2.3.4.5',
    '0x100000000',
    '127.0.0.1.1',
    '08.0.0.1',
    '1..2',
    'a..b',
    '[::1',
    '::g',
    '1:2:3:4:5:6:7:8:9',
    '::1::',
    'a b.example',
    '%zz',
    '127.0.0.1x.9',
    '[::127.1]',
    '[::ffff:010.0.0.1]',
    '[::ffff:0x7f.0.0.1]',
    '[fe80:127.0.0.1::]',
    '::ffff:8.8.8.08',
  ],
};

describe('the kind of an address', () => {
  for (const [kind, hosts] of Object.entries(local)) {
    it.each(hosts)(`${kind}: %j`, (host) => {
      expect(addressKind(host)).toBe(kind);
    });
  }

  it('knows at least 80 spellings that lead to this machine or its network', () => {
    const spellings = new Set(Object.values(local).flat());
    expect(spellings.size).toBeGreaterThanOrEqual(80);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '134744072',
    '0x08080808',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.1.1',
    '192.167.1.1',
    '11.0.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '[2606:4700:4700::1111]',
    '2a00:1450:4001:830::200e',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
    '[2002:808:808::1]',
  ])('lets %j be public', (host) => {
    expect(addressKind(host)).toBe('public');
  });

  it.each([
    'games.example',
    'a.b.c.example.',
    'xn--e1afmkfd.example',
    'пример.example',
    '127.0.0.1.nip.io',
    'localhost.example.com',
    'notlocal',
  ])('cannot say of %j before it is resolved, unless it has no dot', (host) => {
    expect(addressKind(host)).toBe(host.includes('.') ? 'name' : 'localName');
  });

  it('says the same of a spelling and of what a browser makes of it', () => {
    const spellings = Object.values(local).flat();
    const read = spellings.filter((host) => URL.canParse(`https://${host}/`));
    for (const host of read) {
      const { hostname } = new URL(`https://${host}/`);
      // A browser takes a few texts for names that are none to us; never for a public address.
      if (addressKind(host) === 'invalid') expect(addressKind(hostname), host).not.toBe('public');
      else expect(addressKind(hostname), host).toBe(addressKind(host));
    }
    expect(read.length).toBeGreaterThan(80);
  });

  it('agrees with a browser on numbers in every notation', () => {
    const part = fc.oneof(
      fc.nat(300).map(String),
      fc.nat(300).map((value) => `0x${value.toString(16)}`),
      fc.nat(300).map((value) => `0${value.toString(8)}`),
      fc.nat(0xffff_ffff).map(String),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const host = parts.join('.');
        const url = URL.parse(`https://${host}/`);
        expect(addressKind(host)).toBe(url === null ? 'invalid' : addressKind(url.hostname));
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees with a browser on IPv6 in every notation', () => {
    const group = fc.oneof(
      fc.nat(0xffff).map((value) => value.toString(16)),
      fc.constantFrom(
        '',
        '0',
        'ffff',
        '64',
        'ff9b',
        '2001',
        '2002',
        '5efe',
        '200',
        'fe80',
        'fc00',
        '7f00',
        '10.1.2.3',
        '010.1.2.3',
      ),
    );
    fc.assert(
      fc.property(fc.array(group, { minLength: 2, maxLength: 9 }), (groups) => {
        const host = `[${groups.join(':')}]`;
        const url = URL.parse(`https://${host}/`);
        expect(addressKind(host)).toBe(url === null ? 'invalid' : addressKind(url.hostname));
      }),
      { numRuns: 5_000 },
    );
  });

  it('has words for each', () => {
    for (const words of Object.values(addressKindWords)) expect(words).toMatch(/^\S/);
  });
});
