import { describe, expect, it } from 'vitest';
import type { Environment } from '../model/environment.ts';
import { divideName, identitySent, namesOf, sharingWords, shortName, sinceCall } from './environment-words.ts';

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

it('an environment that shares says with whom, and why it cannot be where it cannot', () => {
  const all = [
    { id: 'a', name: 'A', kind: 'provider' },
    { id: 'b', name: 'B', kind: 'provider', sameProviderAs: 'a' },
    { id: 's', name: 'sandbox', kind: 'sandbox' },
  ] as Environment[];
  const words = (sameProviderAs: string) => sharingWords({ id: 'c', sameProviderAs }, all);
  expect(words('a')).toEqual({ words: 'A', possible: true });
  expect(words('b')).toEqual({ words: 'B, which itself uses the recorded answers of A', possible: false });
  expect(words('s')).toEqual({ words: 'sandbox, the built-in provider', possible: false });
  expect(words('x')).toEqual({ words: 'x, which no longer exists', possible: false });
  expect(sharingWords({ id: 'a', sameProviderAs: 'a' }, all)).toEqual({ words: 'A, which is this one', possible: false });
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

describe('a name where there is no room for it', () => {
  const names = ['Casino Europe, staging', 'Casino Europe, live', 'Casino Asia', 'live', 'x'.repeat(30), `${'x'.repeat(29)}y`];
  const divided = (name: string) => divideName(name, [...names, name]);

  it('keeps the word in which it differs from the name most like it', () => {
    expect(divided('Casino Europe, staging')).toEqual(['Casino Europe, ', 'staging']);
    expect(divided('Casino Europe, live')).toEqual(['Casino Europe, ', 'live']);
    expect(divided('Casino Europe, live 2')).toEqual(['Casino Europe, ', 'live 2']);
    expect(divided('x'.repeat(30))).toEqual(['x'.repeat(29), 'x']);
  });

  it('is one where it begins unlike the others, or is short', () => {
    for (const name of ['live', 'Casino Asia', 'lively']) expect(divided(name)).toEqual(['', name]);
  });

  it('is shortened in the middle where it cannot be divided', () => {
    const long = ['staging', 'live'].map((last) => `Casino Europe integration, ${last}`);
    expect(long.map((name) => shortName(name, long))).toEqual(['Casino E…staging', 'Casino E…live']);
    expect(shortName('Casino Europe', ['Casino Europa'])).toBe('Casino Europe');
  });

  it('keeps the last word of one that another one continues', () => {
    expect(divideName('Casino Europe', ['Casino Europe 2'])).toEqual(['Casino ', 'Europe']);
    expect(divideName('Casino Europe \u{1f600}', ['Casino Europe \u{1f601}'])).toEqual(['Casino Europe ', '\u{1f600}']);
  });
});

describe('many names', () => {
  const names = Array.from({ length: 2_050 }, (_, at) => `Casino ${at % 41} ${String.fromCodePoint(0x1f600 + (at % 7))} ${at}`);

  it('are divided as if each was compared with each', () => {
    const start = (one: string, other: string) => {
      const [left, right] = [Array.from(one), Array.from(other)];
      return one === other ? 0 : left.findIndex((letter, at) => letter !== right[at]);
    };
    for (const name of names.filter((_, at) => at % 97 === 0)) {
      const nearest = names.toSorted((a, b) => start(name, b) - start(name, a))[0] ?? '';
      expect(divideName(name, names)).toEqual(divideName(name, [nearest]));
    }
  });

  it('are read once for all of them', () => {
    let reads = 0;
    const counted = new Proxy(names, { get: (list, key) => ((reads += 1), Reflect.get(list, key) as unknown) });
    for (const name of names) divideName(name, counted);
    expect(reads).toBeLessThan(3 * names.length);
    // They are known again by the list that they are in.
    const environments = names.map((name) => ({ name }) as Environment);
    expect(namesOf(environments)).toEqual(names);
    expect(namesOf(environments)).toBe(namesOf(environments));
  });
});
