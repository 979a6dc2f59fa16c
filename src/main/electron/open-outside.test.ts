import { describe, expect, it } from 'vitest';
import { decideOpenOutside } from './open-outside.ts';

const tab = '\t';

/** Addresses by what refuses them. The spellings of an address that is no public name are in `address-kind.test.ts`. */
const hostile: Readonly<Record<string, readonly unknown[]>> = {
  'no text': [undefined, null, 0, 1, true, {}, [], ['https://example.com/'], { href: 'https://example.com/' }, ''],
  'other schemes': [
    'http://example.com/',
    'file:///etc/passwd',
    'file://server/share/run.exe',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript://example.com/%0aalert(1)',
    'data:text/html,a',
    'blob:https://example.com/1',
    'view-source:https://example.com/',
    'mailto:a@example.com',
    'ms-msdt:/id',
    'vscode://file/etc/passwd',
    'app://workbench/',
    'httpss://example.com/',
    'x-https://example.com/',
  ],
  'half an address': [
    'https',
    'https://',
    'https:///example.com/',
    'https:example.com',
    'https:/example.com/',
    '//example.com/',
    '/etc/passwd',
    'www.example.com/',
    'https://?q',
    'https://#f',
    'https://:443/',
    'https://example.com:99999/',
    'https://example.com:4a3/',
    '--https://example.com/',
  ],
  'local files and shares': [
    'C:\\Windows\\System32\\cmd.exe',
    'c:/windows/system32/cmd.exe',
    '\\\\server\\share\\run.exe',
    'https:\\\\example.com\\',
    'https://example.com\\@evil.example/',
    './run.sh',
  ],
  'invalid characters': [
    ' https://example.com/',
    'https://example.com/ ',
    `ht${tab}tps://example.com/`,
    'https://exam\nple.com/',
    'https://example.com/\r\nHost: evil.example',
    'https://ехample.com/',
    'https://example。com/',
    'https://①②⑦.⓪.⓪.①/',
    '\ufeffhttps://example.com/',
    ...Array.from(`\u0000${tab}\n\u007f\u0085\u00a0\u200b\u202e\u2028\ud800"'<>\\^\`{|}`, (one) => `https://example.com/a${one}`),
  ],
  'encodings that hide something': [
    'https://example.com/%00',
    'https://example.com/%0A',
    'https://example.com/%1b[2J',
    'https://example.com/%7f',
    'https://example.com/%',
    'https://example.com/%4',
    'https://example.com/?q=%g1',
    'https://%65xample.com/',
    'https://example%2ecom/',
    'https://example.com%2f@evil.example/',
  ],
  'a user in the host': [
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://example.com:443@evil.example/',
    'https://@example.com/',
    'https://a@b@example.com/',
  ],
  'no public name': [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://192.168.0.1:8443/',
    'https://8.8.8.8/',
    'https://1.1.1.1./',
    'https://[2001:4860:4860::8888]/',
    'https://[v1.x]/',
    'https://256.1.1.1/',
    'https://LOCALHOST:7443/',
    'https://localhost./',
    'https://printer.local/',
    'https://intranet/',
  ],
  'names that are none': [
    'https://../',
    'https://.example.com/',
    'https://example..com/',
    'https://-example.com/',
    'https://example-.com/',
    'https://exa_mple.com/',
    'https://example.com,evil.example/',
    'https://*.example.com/',
    'https://example.com&calc/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(130)}example/`,
    'https://xn--/',
    'https://example.1/',
  ],
  'too long': [`https://example.com/${'a'.repeat(2_048)}`, `https://${'a'.repeat(100_000)}.example/`],
};

const allowed: readonly [address: string, opened: string, host: string][] = [
  ['https://example.com', 'https://example.com/', 'example.com'],
  ['https://example.com/', 'https://example.com/', 'example.com'],
  ['HTTPS://EXAMPLE.COM/Path', 'https://example.com/Path', 'example.com'],
  ['https://example.com:443/', 'https://example.com/', 'example.com'],
  ['https://example.com:8443/a', 'https://example.com:8443/a', 'example.com:8443'],
  ['https://example.com./', 'https://example.com./', 'example.com.'],
  ['https://a.b.c.example.co.uk/?q=1&r=2#f', 'https://a.b.c.example.co.uk/?q=1&r=2#f', 'a.b.c.example.co.uk'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['https://example.com/%20%C3%A4%F0%9F%98%80', 'https://example.com/%20%C3%A4%F0%9F%98%80', 'example.com'],
  ['https://example.com/a@b', 'https://example.com/a@b', 'example.com'],
  ['https://example.com/?next=http://evil.example', 'https://example.com/?next=http://evil.example', 'example.com'],
  ['https://1e100.net/', 'https://1e100.net/', '1e100.net'],
  ['https://example.com/../..//a/./b', 'https://example.com//a/b', 'example.com'],
];

describe('decideOpenOutside', () => {
  describe.each(Object.entries(hostile))('%s', (_, addresses) => {
    it.each(addresses.map((address) => [JSON.stringify(address)?.slice(0, 90), address]))('refuses %s', (_text, address) => {
      const decision = decideOpenOutside(address);
      expect(decision.allowed).toBe(false);
      expect(decision).toMatchObject({ reason: expect.stringMatching(/^[A-Z].*\.$/) as string });
    });
  });

  it.each(allowed)('opens %s', (address, url, host) => {
    expect(decideOpenOutside(address)).toEqual({ allowed: true, url, host });
  });

  it('opens what it allowed in the same spelling when it is asked again', () => {
    for (const [address] of allowed) {
      const first = decideOpenOutside(address);
      if (!first.allowed) throw new Error(first.reason);
      expect(decideOpenOutside(first.url)).toEqual(first);
    }
  });
});
