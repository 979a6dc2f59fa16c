import { expect, it } from 'vitest';
import { createUnknownFiles, unknownText } from './unknown-files.ts';

it('names each file once, and not again after the notice was closed', () => {
  const store = createUnknownFiles();
  const { add, dismiss } = store.getState();
  const names = () => store.getState().names;
  add([]);
  expect(names()).toEqual([]);
  add(['settings.json', 'settings.json']);
  add(['collections.json', 'settings.json']);
  expect(names()).toEqual(['settings.json', 'collections.json']);
  expect(unknownText(names())).toMatch(/^settings\.json and collections\.json have fields/);
  expect(unknownText(['a', 'b', 'c'])).toMatch(/^a, b and c have/);
  expect(unknownText(['a'])).toMatch(/^a has/);
  dismiss();
  add(['settings.json']);
  expect(names()).toEqual([]);
});
