import { describe, expect, it } from 'vitest';
import { noExtras } from './tab-file.ts';
import { readWorkspace, writeWorkspace } from './workspace-text.ts';

type State = Parameters<typeof writeWorkspace>[0];

function state(tabs: readonly { text: string; dirty: boolean }[]): State {
  return {
    activeId: 'tab-1',
    orientation: 'side',
    shares: { panes: 50, hash: 70 },
    hashPane: true,
    comments: false,
    about: true,
    tabs: tabs.map(({ text, dirty }, at) => ({
      id: `tab-${at}`,
      operation: 'gameList',
      form: 'main',
      text,
      overrides: {},
      extras: noExtras,
      file: null,
      view: 'form',
      dirty,
      clean: null,
      callId: dirty ? null : at,
      call: null,
      origin: null,
      sending: { state: 'idle' },
    })),
  };
}

describe('the workspace as text', () => {
  it('stays within what settings take: sent texts go before typed ones', () => {
    const long = 'x'.repeat(1_500_000);
    const text = writeWorkspace(
      state([
        { text: long, dirty: false },
        { text: long, dirty: true },
        { text: '{}', dirty: false },
      ]),
    );
    expect(text.length).toBeLessThanOrEqual(2_097_152);
    expect(readWorkspace(text)?.tabs.map((tab) => [tab.text.length, tab.dirty])).toEqual([
      [1_500_000, true],
      [2, false],
    ]);
  });

  it('leaves out a tab of an operation that is gone and keeps the others', () => {
    const text = writeWorkspace(
      state([
        { text: 'a', dirty: true },
        { text: 'b', dirty: true },
      ]),
    ).replace('"gameList"', '"gone"');
    expect(readWorkspace(text)?.tabs.map((tab) => tab.text)).toEqual(['b']);
  });

  it('takes the usual value for a size that makes no sense', () => {
    const text = writeWorkspace(state([])).replace('"panes":50', '"panes":5000');
    expect(readWorkspace(text)?.shares).toEqual({ panes: 50, hash: 70 });
  });
});
