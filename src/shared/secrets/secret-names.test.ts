import { describe, expect, it } from 'vitest';
import { isSecretName, maskSecretForms, secretFormsIn, secretPart } from './secret-names.ts';

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
    expect(values.filter((value) => secretPart('x', value) !== 'value')).toEqual([]);
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
    expect(values.filter((value) => secretPart('x', value) !== null)).toEqual([]);
  });

  it('under the name of a secret is one, unless it is a variable or too short to be one', () => {
    expect(secretPart('password', 'hunter2')).toBe('name');
    expect(secretPart('password', '{{password}}')).toBeNull();
    expect(secretPart('token', 't')).toBeNull();
  });
});

describe('a secret with a recognisable form in a text', () => {
  const claims = 'eyJzdWIiOiIx';
  const part = (length: number) => 'a'.repeat(length);
  it.each<[what: string, text: string, masked: string]>([
    ['a JWT', `a eyJ${part(8)}.${claims}.c-_9 b`, 'a [secret] b'],
    ['without a signature', `eyJ${part(8)}.${claims}.`, '[secret]'],
    ['without its second dot', `eyJ${part(8)}.${claims} .`, `eyJ${part(8)}.${claims} .`],
    ['behind other letters', `xeyJ${part(8)}.${claims}.c`, 'x[secret]'],
    ['whose first part is too short', `eyJ${part(7)}.${claims}.c`, `eyJ${part(7)}.${claims}.c`],
    ['whose first part is as long as may be', `eyJ${part(400)}.${claims}.c`, '[secret]'],
    ['whose first part begins again where it is short enough', `eyJeyJ${part(398)}.${claims}.c`, 'eyJ[secret]'],
    ['whose first part is too long', `eyJ${part(401)}.${claims}.c`, `eyJ${part(401)}.${claims}.c`],
    ['whose second part is too short', `eyJ${part(8)}.${part(7)}.c`, `eyJ${part(8)}.${part(7)}.c`],
    ['whose second part is as long as may be', `eyJ${part(8)}.${part(4_000)}.c`, '[secret]'],
    ['whose second part is too long', `eyJ${part(8)}.${part(4_001)}.c`, `eyJ${part(8)}.${part(4_001)}.c`],
    ['of which the second part is the first of another', `eyJ${part(7)}.${claims}.${part(8)}.c`, `eyJ${part(7)}.[secret]`],
    ['and another', `eyJ${part(8)}.${claims}.c eyJ${part(8)}.${claims}.c`, '[secret] [secret]'],
    ['within a header', `Bearer eyJ${part(8)}.${claims}.c, ghp_${part(20)}`, '[secret], [secret]'],
    ['that holds another form', `eyJ${part(8)}.${claims}.-ghp_${part(20)} ghp_${part(20)}`, '[secret] [secret]'],
    ['dots at the start', `..eyJ.${claims}`, `..eyJ.${claims}`],
  ])('%s', (_, text, masked) => {
    expect(maskSecretForms(text)).toBe(masked);
    expect(secretFormsIn(text)).toHaveLength(masked.split('[secret]').length - 1);
  });
});
