import { describe, expect, it } from 'vitest';
import { compareLaunchResponse, compareLaunchUrl, checkReplayLink, readAddress } from './launcher-url.ts';

const requested: Readonly<Record<string, string>> = {
  partnerId: '42',
  platform: '1',
  gameId: '1042',
  gameMode: 'real',
  lang: 'en',
  externalToken: 'tok en/+&=ä',
  playerId: 'player-1',
  country: 'DE',
  ip: '203.0.113.9',
  exitURL: 'https://casino.example/lobby?a=1&b=2',
};

function urlOf(change: Record<string, string | null> = {}, base = 'https://games.example/play/golden'): string {
  const { playerId: _player, country: _country, ip: _ip, ...carried } = requested;
  const query = Object.entries({ ...carried, ...change })
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${base}?${query.join('&')}`;
}

function failedRules(url: string, change: Record<string, string> = {}): string[] {
  const values: Record<string, string> = { ...requested, ...change };
  const { checks } = compareLaunchUrl(url, (name) => values[name] ?? null);
  return checks.filter(({ passed }) => !passed).map(({ rule }) => rule);
}

function stateOf(url: string, name: string, change: Record<string, string> = {}): string | undefined {
  const values: Record<string, string> = { ...requested, ...change };
  return compareLaunchUrl(url, (wanted) => values[wanted] ?? null).parameters.find((row) => row.name === name)?.state;
}

const fun = { gameMode: 'fun', externalToken: '' };

describe('a launcher URL', () => {
  it('that carries what was asked for passes every check', () => {
    const { parameters, checks } = compareLaunchUrl(urlOf(), (name) => requested[name] ?? null);
    expect(parameters.map(({ name, state }) => [name, state])).toEqual([
      ['partnerId', 'equal'],
      ['gameId', 'equal'],
      ['gameMode', 'equal'],
      ['lang', 'equal'],
      ['platform', 'equal'],
      ['externalToken', 'equal'],
      ['exitURL', 'equal'],
    ]);
    expect(checks.every(({ passed }) => passed)).toBe(true);
    expect(checks.map(({ message }) => message)).toContain('7 of 7 parameters present');
  });

  it('of fun mode passes without a token, and only without', () => {
    expect(failedRules(urlOf({ gameMode: 'fun', externalToken: null }), fun)).toEqual([]);
    expect(failedRules(urlOf({ gameMode: 'fun', externalToken: 'x' }), fun)).toEqual(['token']);
    expect(failedRules(urlOf({ gameMode: 'fun', externalToken: '' }), fun)).toEqual(['token']);
    expect(stateOf(urlOf({ gameMode: 'fun', externalToken: 'x' }), 'externalToken', fun)).toBe('unexpected');
  });

  it.each([
    ['http', urlOf({}, 'http://games.example/x'), ['https']],
    ['a user name', urlOf({}, 'https://user@games.example/x'), ['https']],
    ['another game', urlOf({ gameId: '1043' }), ['equal']],
    ['another exit', urlOf({ exitURL: 'https://casino.example/lobby' }), ['equal']],
    ['another case', urlOf({ lang: 'EN' }), ['equal']],
    ['a parameter missing', urlOf({ platform: null }), ['present']],
    ['the token missing', urlOf({ externalToken: null }), ['present', 'token']],
    ['the token empty', urlOf({ externalToken: '' }), ['equal', 'token']],
    ['an unknown parameter', `${urlOf()}&debug=1`, ['unexpected']],
    ['a parameter twice', `${urlOf()}&lang=en`, ['equal']],
    ['an exit address that was not encoded', `${urlOf({ exitURL: null })}&exitURL=https://casino.example/lobby?a=1`, ['equal']],
    ['a broken escape', urlOf({ lang: null }).concat('&lang=%E4%'), ['equal', 'encoding']],
    ['raw characters outside ASCII', `${urlOf({ externalToken: null })}&externalToken=tok%20en/%2B%26%3Dä`, ['encoding']],
    ['no query', 'https://games.example/x', ['present', 'token']],
  ])('with %s fails', (_, url, rules) => {
    expect(failedRules(url)).toEqual(rules);
  });

  it('is measured where the spec says how long a value is', () => {
    const token = 'x'.repeat(256);
    expect(stateOf(urlOf({ externalToken: token }), 'externalToken', { externalToken: token })).toBe('malformed');
    expect(stateOf(urlOf({ lang: 'eng' }), 'lang', { lang: 'eng' })).toBe('malformed');
    expect(stateOf(urlOf({ gameId: 'golden' }), 'gameId', { gameId: 'golden' })).toBe('malformed');
    expect(failedRules(urlOf({ lang: 'eng' }), { lang: 'eng' })).toEqual(['form']);
  });

  it('may carry country, playerId and ip, which then have to be equal', () => {
    expect(failedRules(`${urlOf()}&country=DE&playerId=player-1&ip=203.0.113.9`)).toEqual([]);
    expect(failedRules(`${urlOf()}&country=FR`)).toEqual(['equal']);
  });

  it('may leave out an exit address that was empty', () => {
    expect(stateOf(urlOf({ exitURL: null }), 'exitURL', { exitURL: '' })).toBe('equal');
    expect(failedRules(urlOf({ exitURL: '' }), { exitURL: '' })).toEqual([]);
  });

  it('of a request without a known mode says nothing of the token', () => {
    for (const gameMode of [null, 'demo']) {
      const { checks } = compareLaunchUrl(urlOf({ externalToken: null }), (name) =>
        name === 'gameMode' ? gameMode : (requested[name] ?? null),
      );
      expect(checks.map(({ rule }) => rule)).not.toContain('token');
    }
  });

  it('says whose rule it breaks', () => {
    const messages = (url: string) =>
      compareLaunchUrl(url, (name) => requested[name] ?? null)
        .checks.filter(({ passed }) => !passed)
        .map(({ message }) => message);
    expect(messages(urlOf({}, 'http://games.example/x'))).toEqual(['The URL is http. The spec requires HTTPS.']);
    expect(messages(urlOf({}, 'https://user@games.example/x'))).toEqual([
      "The URL contains a user name or password. Croupier doesn't open such a URL; the spec doesn't mention them.",
    ]);
    expect(messages(`${urlOf({ externalToken: null })}&externalToken=tok%20en/%2B%26%3Dä`)).toEqual([
      'Not percent-encoded (RFC 3986): externalToken',
    ]);
  });

  it('never shows a token', () => {
    const shown = JSON.stringify(
      compareLaunchUrl(urlOf({ externalToken: 'another one' }), (name) => requested[name] ?? null).parameters,
    );
    expect(shown).not.toMatch(/tok en|another one/);
    expect(shown).toContain('[another token]');
  });

  it('that is not an address is said to be none', () => {
    for (const url of ['', 'games.example/x', 'javascript:alert(1)', 'https://', 'https://a b/'])
      expect(failedRules(url)).toEqual(['address']);
  });

  it('is read from the bodies with every digit of a number', () => {
    const request = '{"platform":1,"partnerId":9007199254740993,"data":{"gameMode":"fun","gameId":"7"}}';
    const answer =
      '{"code":0,"data":{"launcherURL":"https:\\/\\/g.example\\/?partnerId=9007199254740992&gameId=7&gameMode=fun&platform=1"}}';
    const check = compareLaunchResponse(request, answer);
    expect(check?.url).toBe('https://g.example/?partnerId=9007199254740992&gameId=7&gameMode=fun&platform=1');
    expect(check?.parameters[0]).toEqual({
      name: 'partnerId',
      state: 'different',
      requested: '9007199254740993',
      returned: '9007199254740992',
    });
    expect(compareLaunchResponse(request, '{"code":8,"data":null}')).toBeNull();
    expect(compareLaunchResponse(request, 'not JSON')).toBeNull();
  });
});

describe('a replay link', () => {
  const link = 'https://games.example/replay?replayToken=abc&tableM=2026_11&lang=en';
  const failed = (url: string) =>
    checkReplayLink(url)
      .filter(({ passed }) => !passed)
      .map(({ rule }) => rule);
  it.each([
    [link, []],
    [link.replace('https', 'http'), ['https']],
    [link.replace('replayToken=abc&', ''), ['replayToken']],
    [link.replace('2026_11', ''), ['tableM']],
    [`${link}&lang=de`, ['lang']],
    ['https://games.example/replay', ['replayToken', 'tableM', 'lang']],
    ['nothing', ['address']],
  ])('%s', (url, rules) => expect(failed(url)).toEqual(rules));

  it('that is http breaks a custom, and is said to', () => {
    expect(checkReplayLink(link.replace('https', 'http'))[0]).toEqual({
      rule: 'https',
      passed: false,
      message: "The link is http. HTTPS is customary, but the spec doesn't require it here.",
    });
  });
});

it('reads an address as a browser does where it needs no repair', () => {
  const text = 'https://Games.Example:8443/a%20b?x=1+2&y=%C3%A4&z#frag';
  const url = new URL(text);
  const address = readAddress(text);
  expect(address).toMatchObject({ scheme: 'https', host: url.host, path: url.pathname, hasCredentials: false });
  expect(address?.parameters.map(({ name, value }) => [name, value])).toEqual([...url.searchParams]);
});
