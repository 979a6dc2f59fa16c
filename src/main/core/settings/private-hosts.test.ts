import { describe, expect, it } from 'vitest';
import { createPrivateHosts } from './private-hosts.ts';

function stored(first?: string) {
  const values: Record<string, string> = first === undefined ? {} : { privateHosts: first };
  const hosts = createPrivateHosts({
    read: () => values,
    async write(name, value) {
      values[name] = value;
      return { masked: false };
    },
  });
  return { hosts, values };
}

describe('private hosts', () => {
  it('are those of one environment, as a URL writes them, until they are taken back', async () => {
    const { hosts, values } = stored();
    await hosts.set('a', [' Games.Corp.example ', 'games.corp.example', '10.1.2.3', '[FD00::1]', '198.18.3.4', 'intranet']);
    await hosts.set('b', ['100.64.0.1']);
    expect(hosts.of('a')).toEqual(['games.corp.example', '10.1.2.3', '[fd00::1]', '198.18.3.4', 'intranet']);
    expect([hosts.of('b'), hosts.of('toString')]).toEqual([['100.64.0.1'], []]);
    await hosts.set('a', []);
    expect(hosts.of('a')).toEqual([]);
    expect(values['privateHosts']).toBe('{"b":["100.64.0.1"]}');
  });

  it.each(['https://a.example', 'a.example/x', 'a.example:8443', 'u@a.example', '', 'a b', 'a?b'])(
    'are hosts alone: %j is refused',
    async (text) => {
      await expect(stored().hosts.set('a', [text])).rejects.toThrow(/is not a host/);
    },
  );

  it.each([
    ['127.0.0.1', 'an address of this computer'],
    ['2130706433', 'an address of this computer'],
    ['169.254.169.254', 'a link-local address'],
    ['93.184.216.34', 'a public address'],
    ['0.0.0.0', 'unspecified'],
  ])('never lead to %s', async (host, words) => {
    await expect(stored().hosts.set('a', [host])).rejects.toThrow(words);
  });

  it.each(['[]', 'null', '{"a":"b.example"}', 'x'])('are none where the settings have %s', async (text) => {
    expect(stored(text).hosts.of('a')).toEqual([]);
  });
});
