import { expect, it } from 'vitest';
import { provenText, signerWords } from './key-words.ts';

const fingerprint = (digits: string) => `${digits} keychain 4c1d2e8f`;
const facts = { state: 'present', storage: 'keychain', bytes: 9, setAt: null } as const;

it('a call names its key by its own fingerprint, and which of two it was while there are two', () => {
  const other = { ...facts, fingerprint: fingerprint('12ab-cd') };
  const two = (signs: 'new' | 'older') => ({ fingerprint: fingerprint('7f3e-91'), pair: { signs, other } });
  expect(signerWords(fingerprint('7f3e-91'), two('new'))).toBe('new key, fingerprint 7f3e-91');
  expect(signerWords(fingerprint('12ab-cd'), two('new'))).toBe('older key, fingerprint 12ab-cd');
  expect(signerWords(fingerprint('7f3e-91'), two('older'))).toBe('older key, fingerprint 7f3e-91');
  expect(signerWords(fingerprint('12ab-cd'), two('older'))).toBe('new key, fingerprint 12ab-cd');
  expect(signerWords(fingerprint('0000-00'), two('new'))).toBe('key, fingerprint 0000-00');
  expect(signerWords('7f3e-91 session 00000000', two('new'))).toBe('key, fingerprint 7f3e-91 (session only)');
  expect(signerWords(fingerprint('7f3e-91'), { fingerprint: fingerprint('7f3e-91'), pair: null })).toBe(
    'key, fingerprint 7f3e-91',
  );
  expect(signerWords(fingerprint('7f3e-91'), null)).toBe('key, fingerprint 7f3e-91');
  expect(signerWords(null, two('new'))).toBeNull();
});

it('says which call ended the time of two keys', () => {
  expect(provenText(fingerprint('12ab-cd'), 1187, 'Live')).toBe(
    'The older key 12ab-cd of Live was removed: call 1187, signed with the new one, got code 0.',
  );
  expect(provenText(null, 7)).toBe('The older key was removed: call 7, signed with the new one, got code 0.');
});
