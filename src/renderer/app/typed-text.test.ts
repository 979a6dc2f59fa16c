import { expect, it } from 'vitest';
import { editedNew } from '#renderer/features/environments/environment-draft.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { typedText } from './typed-text.ts';

it('has each tab’s text as it was typed, and the forms that were not saved', () => {
  const tabs = [
    { operation: 'bet', file: null, text: '{ "amount":1.50 }' },
    { operation: 'win', file: { path: 'a/win.yaml' }, text: '{"roundId":9007199254740993' },
  ] as unknown as RequestTab[];
  const editing = { '': { edited: { ...editedNew(), name: 'Live' }, errors: {}, message: null, saving: false } };
  const text = typedText(tabs, editing);
  expect(text).toContain('===== bet =====\n{ "amount":1.50 }\n');
  expect(text).toContain('===== a/win.yaml (win) =====\n{"roundId":9007199254740993\n');
  expect(text).toContain('===== Environment Live, not saved =====\n{\n  "name": "Live",');
});
