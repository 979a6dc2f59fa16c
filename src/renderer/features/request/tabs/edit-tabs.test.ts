import { describe, expect, it } from 'vitest';
import { memberText } from '#shared/payload-text/edit.ts';
import { createEditTabs } from './edit-tabs.ts';
import { createOpenTabs } from '#testing/open-tabs.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { startedTab } from './request-tab.ts';
import { createRequestTemplate } from './request-template.ts';

const template = createRequestTemplate({ environment: () => null, samples: () => ({}), now: () => 0 });

function setUp() {
  const tabs = createOpenTabs('a', 'b');
  const notices: Parameters<Notify>[0][] = [];
  return { ...tabs, notices, edits: createEditTabs(tabs.list, template, (notice) => void notices.push(notice)) };
}

describe('editing a tab', () => {
  it.each([
    ['expect', 'check 2', [{ code: '0' }, { path: '/data', present: true }, { status: '200' }]],
    ['take', 'variable two', { one: '/a', two: '/b', three: '/c' }],
  ] as const)('removes an entry of %s, which its notice puts back where it was', async (of, name, entries) => {
    const { edits, notices, tab } = setUp();
    const now = () => JSON.stringify(tab('a').extras[of]);
    edits.setExtras('a', { ...tab('a').extras, [of]: entries });
    edits.removeEntry('a', of, 1);
    expect(now()).not.toBe(JSON.stringify(entries));
    expect(notices).toMatchObject([{ text: `Removed ${name}.`, undo: { what: `removed ${name}` } }]);
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(now()).toBe(JSON.stringify(entries));
    edits.removeEntry('a', of, 7);
    expect(notices).toHaveLength(1);
  });

  it('is dirty exactly while it differs from where it began', () => {
    const { edits, tab } = setUp();
    edits.setText('a', 'a ');
    expect(tab('a').dirty).toBe(true);
    expect(tab('b').dirty).toBe(false);
    edits.setText('a', 'a');
    expect(tab('a').dirty).toBe(false);
    edits.setOverride('a', 'hash', 'wrong');
    expect(tab('a').dirty).toBe(true);
    edits.setOverride('a', 'hash', undefined);
    expect(tab('a')).toMatchObject({ dirty: false, overrides: {} });
    edits.setExtras('a', { ...tab('a').extras, notes: 'mine' });
    expect(tab('a').dirty).toBe(true);
  });

  it('stays dirty where nothing counts as clean', () => {
    const { edits, list, tab } = setUp();
    list.update('a', (one) => ({ ...one, clean: null }));
    edits.setText('a', 'b');
    edits.setText('a', 'a');
    expect(tab('a').dirty).toBe(true);
  });

  it('shows a refusal until the next edit, which the same text is not; a question stays', () => {
    const { edits, list, tab } = setUp();
    const refused = { state: 'refused', message: 'No key.', code: 'key_missing', details: null } as const;
    list.update('a', (one) => ({ ...one, sending: refused }));
    edits.setText('a', 'a');
    expect(tab('a').sending).toBe(refused);
    edits.setView('a', 'checks');
    expect(tab('a')).toMatchObject({ sending: refused, view: 'checks', dirty: false });
    edits.setText('a', 'b');
    expect(tab('a').sending).toEqual({ state: 'idle' });
    const sending = { state: 'sending', ticket: 't', startedAt: 0, left: false, cancelled: false } as const;
    list.update('a', (one) => ({ ...one, sending }));
    edits.setText('a', 'c');
    expect(tab('a').sending).toBe(sending);
  });

  it('drops an empty list of left-out fields, and all overrides at once', () => {
    const { edits, tab } = setUp();
    edits.setOverride('a', 'omit', ['hash']);
    edits.setOverride('a', 'platform', '7');
    expect(tab('a').overrides).toEqual({ omit: ['hash'], platform: '7' });
    edits.setOverride('a', 'omit', []);
    expect(tab('a').overrides).toEqual({ platform: '7' });
    edits.clearOverrides('a');
    expect(tab('a')).toMatchObject({ overrides: {}, dirty: false });
  });

  it('keeps the values of common fields when the form changes', () => {
    const { edits, list, tab } = setUp();
    const text = '{"playerId":"Zo\\u00eb","numberOfFreeRounds":25,"own":1}';
    list.add(startedTab('rounds', { operation: 'freeRounds', form: 'single', text, overrides: {} }));
    edits.setForm('rounds', 'single');
    expect(tab().text).toBe(text);
    edits.setForm('rounds', 'multi');
    expect(memberText(tab().text, 'numberOfFreeRounds')).toBe('25');
    expect(memberText(tab().text, 'playerIds')).toBe('["Zo\\u00eb"]');
    expect(memberText(tab().text, 'own')).toBeNull();
    expect(tab()).toMatchObject({ form: 'multi', dirty: true });
    edits.setForm('rounds', 'single');
    expect(memberText(tab().text, 'playerId')).toBe('"Zo\\u00eb"');
  });
});
