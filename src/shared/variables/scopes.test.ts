import { describe, expect, it } from 'vitest';
import { Environment } from '../model/environment.ts';
import { createScopes, environmentVariables } from './scopes.ts';
import { meansKey } from '../secrets/secret-names.ts';

const environment = Environment.parse({
  id: 'test',
  name: 'Test',
  baseUrl: 'https://provider.example',
  platform: 7,
  partnerId: 42,
});

describe('scopes', () => {
  const parts = {
    answer: { a: 'answer' },
    run: { a: 'run', b: 'run' },
    folders: [
      { a: 'outer', b: 'outer', c: 'outer', d: 'outer' },
      { a: 'inner', b: 'inner', c: 'inner' },
    ],
    collection: { a: 'x', b: 'x', c: 'x', d: 'x', e: 'collection', currency: 'USD' },
    environment,
  };

  it('are asked from near to far', () => {
    const scopes = createScopes(parts);
    const seen = ['a', 'b', 'c', 'd', 'e', 'currency', 'lang', 'f'].map((name) => {
      const variable = scopes.find(name);
      return variable === null ? null : `${variable.source} ${variable.value}`;
    });
    expect(seen).toEqual([
      'answer answer',
      'run run',
      'folder inner',
      'folder outer',
      'collection collection',
      'collection USD',
      'environment en',
      null,
    ]);
  });

  it('list each name once', () => {
    const names = createScopes(parts)
      .all()
      .map(({ name }) => name);
    expect(names.slice(0, 6)).toEqual(['a', 'b', 'c', 'd', 'e', 'currency']);
    expect(new Set(names).size).toBe(names.length);
  });

  it('see what is taken later', () => {
    const answer: Record<string, string> = {};
    const scopes = createScopes({ answer });
    expect(scopes.find('token')).toBeNull();
    answer['token'] = 't';
    expect(scopes.find('token')).toMatchObject({ value: 't', source: 'answer' });
  });

  it('know only their own names', () => {
    const scopes = createScopes({ run: {}, environment });
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) expect(scopes.find(name)).toBeNull();
  });

  it('let only files of the collection be made of other variables', () => {
    const scopes = createScopes({ ...parts, folders: [{ g: '{{a}}' }], collection: { e: '' } });
    const made = ['a', 'b', 'g', 'e', 'lang'].map((name) => scopes.find(name)?.mayHoldVariables);
    expect(made).toEqual([false, false, true, true, false]);
  });
});

describe('the environment', () => {
  it('gives its values as text, and its wallet URL even where it is that of the service', () => {
    expect(environmentVariables(environment)).toEqual({
      platform: '7',
      partnerId: '42',
      currency: 'EUR',
      lang: 'en',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: '',
      playerId: 'player-1',
      baseUrl: 'https://provider.example',
      walletUrl: 'https://provider.example',
      environmentName: 'Test',
    });
    expect(environmentVariables({ ...environment, walletUrl: 'https://w.example' })['walletUrl']).toBe('https://w.example');
  });

  it('has no key under any name', () => {
    for (const name of Object.keys(environmentVariables(environment))) expect(meansKey(name), name).toBe(false);
    for (const name of ['privateKey', 'key', 'KEY', 'secret', 'private_key', 'api-key', 'secretKey']) {
      expect(meansKey(name), name).toBe(true);
      expect(createScopes({ environment }).find(name)).toBeNull();
    }
    for (const name of ['keyword', 'monkey', 'secretary', 'turkey']) expect(meansKey(name), name).toBe(false);
  });

  it('lets nobody bring a private key in by a file or a run', () => {
    const scopes = createScopes({ run: { privateKey: 'x' }, collection: { private_key: 'x', key: 'name of a member' } });
    expect(scopes.find('privateKey')).toBeNull();
    expect(scopes.find('private_key')).toBeNull();
    expect(scopes.find('key')).toMatchObject({ value: 'name of a member' });
    expect(scopes.all().map(({ name }) => name)).toEqual(['key']);
  });
});
