import { describe, expect, it } from 'vitest';
import { fingerprintText, flipLastDigit, readFingerprint, writeFingerprint, type Fingerprint } from './fingerprint.ts';

describe('a fingerprint', () => {
  it.each<[string, Fingerprint, string]>([
    ['7f3e-91 keychain 4c1d2e8f', { digits: '7f3e-91', kind: 'keychain', maker: '4c1d2e8f' }, '7f3e-91'],
    ['7f3e-91 session 4c1d2e8f', { digits: '7f3e-91', kind: 'session', maker: '4c1d2e8f' }, '7f3e-91 (session only)'],
    ['7f3e-91', { digits: '7f3e-91', kind: 'unknown', maker: null }, '7f3e-91'],
    ['', { digits: '', kind: 'unknown', maker: null }, ''],
  ])('is read, written and shown: %s', (text, fingerprint, shown) => {
    expect(readFingerprint(text)).toEqual(fingerprint);
    expect(writeFingerprint(fingerprint)).toBe(text);
    expect(fingerprintText(text)).toBe(shown);
  });

  it.each([
    '7f3e-91 keychain ',
    '7f3e-91 keychain 4c1d2e8f!',
    '7f3e-91 keychain 4c1d 2e8f',
    '7f3e-91 keychain',
    '7f3e-91 session 4G',
    '7f3e-91 other 4c1d2e8f',
    ' 7f3e-91 session 4c1d2e8f',
    'x 7f3e-91 session 4c1d2e8f',
    ' session 4c1d2e8f',
  ])('of an unknown kind is its text: %j', (text) => {
    expect(readFingerprint(text)).toEqual({ digits: text, kind: 'unknown', maker: null });
    expect(fingerprintText(text)).toBe(text);
  });

  it('has no kind without a maker, and no maker without a kind', () => {
    expect(writeFingerprint({ digits: '7f3e-91', kind: 'keychain', maker: null })).toBe('7f3e-91');
    expect(writeFingerprint({ digits: '7f3e-91', kind: 'unknown', maker: '4c1d' })).toBe('7f3e-91');
  });
});

it('another last digit is one of the sixteen, and twice is none', () => {
  expect(['ab0', 'ab1', 'ab9', 'abe', 'abf'].map(flipLastDigit)).toEqual(['ab1', 'ab0', 'ab8', 'abf', 'abe']);
});
