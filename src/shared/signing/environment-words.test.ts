import { describe, expect, it } from 'vitest';
import type { Environment } from '../ipc/environments.ts';
import { identitySent, sinceCall } from './environment-words.ts';

const hashInput = { time: 't', dataJson: null, dataOffset: 0, dataLength: 0 };
const sent = (bodyText: string, signed = true) =>
  identitySent({ request: { headers: [], bodyText, hashInput: signed ? hashInput : null, hash: null, keyFingerprint: null } });

describe('the identity that a call was sent with', () => {
  it('is that of its body, with what was overridden or left out', () => {
    expect(sent('{"action":"gameList","platform":7,"partnerId":31,"time":"t"}')).toBe('platform 7, partner 31');
    expect(sent('{"platform":"x","time":"t"}')).toBe('platform "x", partner left out');
    expect(sent('{"platform":1,"partnerId":2,"partnerId":3}')).toBe('platform 1, partner 3');
  });

  it('is not known of a body that holds none', () => {
    expect(sent('{"platform":7,"partnerId":31}', false)).toBeNull();
    expect(sent('no JSON')).toBeNull();
  });
});

describe('what became of the environment of a call', () => {
  const environments = [{ id: 'a-1', name: 'asia' } as Environment];
  const of = (environmentId: string, environmentName: string, file = '/home/x/environments/b-2.json') =>
    sinceCall({ environmentId, environmentName }, { environments, broken: [{ file }] });

  it('is said where its name could be that of another one', () => {
    expect([of('a-1', 'asia'), of('a-1', 'europe'), of('c-3', 'asia')]).toEqual(['', ' (now asia)', ' (removed)']);
  });

  it('is not said of one whose file cannot be read', () => {
    expect([of('b-2', 'live'), of('b-2', 'live', 'C:\\home\\b-2.json')]).toEqual(['', '']);
  });
});
