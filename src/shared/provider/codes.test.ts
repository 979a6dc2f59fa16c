import { describe, expect, it } from 'vitest';
import { explainCode, providerCodes } from './codes.ts';
import { operationByName } from './operations.ts';

describe('explainCode', () => {
  it('knows the four codes of the spec with their messages as worded there', () => {
    expect(providerCodes.map(({ code, message }) => [code, message])).toEqual([
      [0, 'ok'],
      [8, 'hash not valid'],
      [9, 'platform not valid (partnerid or platform values are wrong'],
      [404, 'Invalid Token'],
    ]);
  });

  it('says what to do next about every rejection', () => {
    for (const { code } of providerCodes) expect(explainCode(code).next.length > 0).toBe(code !== 0);
  });

  it('says first what is special about the operation', () => {
    expect(explainCode(8, operationByName('gameList')).next[0]).toContain('no data');
    expect(explainCode(8, operationByName('bet')).next[0]).toContain('Wallet methods carry no hash');
    expect(explainCode(404, operationByName('getLauncherURL')).next[0]).toContain('externalToken');
    expect(explainCode(404, operationByName('getGameRound')).next[0]).toContain('no session token');
    expect(explainCode(8, operationByName('freeRounds')).next).toEqual(explainCode(8).next);
  });

  it('says of another code that the spec does not list it', () => {
    const unknown = explainCode(17);
    expect(unknown.known).toBe(false);
    expect(unknown.message).toBe('');
    expect(unknown.meaning).toContain('no code 17');
    expect(unknown.next).toHaveLength(1);
    expect(explainCode(0).known).toBe(true);
  });
});
