import { expect, it } from 'vitest';
import { nearestName, suggestion } from './suggestion.ts';

it('names the nearest name', () => {
  const names = ['externalToken', 'playerId', 'ip', '$now'];
  expect(suggestion('externalTokn', names)).toBe(' Did you mean externalToken?');
  expect(suggestion('PLAYERID', names)).toBe(' Did you mean playerId?');
  expect(suggestion('lpayerId', names)).toBe(' Did you mean playerId?');
  expect(suggestion('now', names)).toBe(' Did you mean $now?');
});

it('says nothing where none is near', () => {
  expect(suggestion('balance', ['externalToken', 'ip'])).toBe('');
  expect(suggestion('xy', ['ip'])).toBe('');
  expect(suggestion('x', [])).toBe('');
  expect(suggestion('a'.repeat(1_000_000), ['a'.repeat(64)])).toBe('');
});

it('takes two swapped letters for one slip, also in a short name', () => {
  const names = ['field', 'text', 'name', 'env', 'history'];
  expect(nearestName('feild', names)).toBe('field');
  expect(nearestName('etxt', names)).toBe('text');
  expect(nearestName('nev', names)).toBe('env');
  expect(nearestName('fxxld', names)).toBeNull();
});
