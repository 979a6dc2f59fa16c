import { describe, expect, it } from 'vitest';
import { isSecretName, secretLook } from './secret-names.ts';

describe('the name of a secret', () => {
  it('is known in every spelling', () => {
    const names = [
      'apiSecret',
      'client_secret',
      'password',
      'bearerToken',
      'merchantKey',
      'salt',
      'externalToken',
      'API-KEY',
      'dbPasswd',
      'userPwd',
      'Authorization',
      'signing_key',
      'privateKey',
      'jwt',
      'sessionId',
      'session',
      'x-player-session',
      'gameSession',
      'sid',
      'PHPSESSID',
      'x-auth',
    ];
    expect(names.filter((name) => !isSecretName(name))).toEqual([]);
  });

  it('is not that of what this API sends in clear', () => {
    const names = [
      'gameId',
      'playerId',
      'amount',
      'currency',
      'hash',
      'roundId',
      'freeSpins',
      'exitURL',
      'platform',
      'partnerId',
      'baseUrl',
      'keyboard',
      'monkey',
      'primaryKey',
      'author',
      'sessions',
      'inside',
    ];
    expect(names.filter(isSecretName)).toEqual([]);
  });
});

describe('the value of a secret', () => {
  it('is known by its form, whatever it is called', () => {
    const values = [
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
      ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'),
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
      'Bearer abcdefghijklmnop',
      '9f86d081884c7d659a2feaa0c55ad015',
      'q8Zt3Lx0Vn5Rk2Pw7Ys1Bd4',
      'AKIAIOSFODNN7EXAMPLE',
    ];
    expect(values.filter((value) => secretLook('x', value) !== 'value')).toEqual([]);
  });

  it('is not an id, a date, an address, a sentence, a digit or a variable', () => {
    const values = [
      '550e8400-e29b-41d4-a716-446655440000',
      '9007199254740993',
      'transaction-1-1795387535627',
      'bet-550e8400-e29b-41d4-a716-446655440000',
      '20-11-2026 10:15:30',
      'https://provider.example/serviceApi.php?x=1',
      'Takes ten cents from the player.',
      'tournament-win-2026-spring-campaign',
      '00000000000000000000000000000000',
      '{{token}}',
      'player-7',
      '1.50',
      '2026-11-20T10:15:30.000Z',
      'Europe/Berlin',
    ];
    expect(values.filter((value) => secretLook('x', value) !== null)).toEqual([]);
  });

  it('under the name of a secret is one, unless it is a variable or too short to be one', () => {
    expect(secretLook('password', 'hunter2')).toBe('name');
    expect(secretLook('password', '{{password}}')).toBeNull();
    expect(secretLook('token', 't')).toBeNull();
  });
});
