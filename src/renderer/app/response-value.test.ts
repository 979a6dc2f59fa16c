import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noExtras, type TabExtras, type TabFile } from '#renderer/features/request/tabs/tab-file.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import { checkValue, takeValue } from './response-value.ts';
import type { Workbench } from './workbench.ts';

const text = '{\n  "code": 0,\n  "data": {\n    "roundId": 9007199254740993,\n    "token": "secret"\n  }\n}';
const file: TabFile = { collectionId: 'c', path: 'bet.yaml', revision: 'r', gone: false, theirs: null, problem: null };

let extras: TabExtras;
let notices: string[];
let said: string[];
beforeEach(() => {
  [extras, notices, said] = [noExtras, [], []];
  vi.spyOn(announcer, 'say').mockImplementation((words) => void said.push(words));
});

function at(
  part: string | null,
  change: { readonly file?: TabFile | null; readonly whole?: boolean; readonly isJson?: boolean } = {},
) {
  const { whole = true, isJson = true } = change;
  const tab = { id: 't', callId: 7, call: { code: 0 }, extras, file: change.file === undefined ? file : change.file };
  const ready = { state: 'ready', pretty: { text, whole }, body: { isJson } };
  return {
    requests: {
      getState: () => ({
        tabs: [tab],
        activeId: 't',
        setExtras: (_: string, next: TabExtras) => (extras = next),
        setView: () => undefined,
      }),
    },
    responses: {
      getState: () => ({
        bodies: new Map([[7, ready]]),
        cursor: part === null ? null : { callId: 7, offset: text.indexOf(part) },
      }),
    },
    environments: { getState: () => ({ list: { state: 'loading' }, currentId: null }) },
    shell: { getState: () => ({ notify: ({ text: words }: { text: string }) => notices.push(words) }) },
  } as unknown as Workbench;
}

describe('a value of the response', () => {
  it('becomes a check beside the usual one, once', () => {
    checkValue(at('roundId'));
    const round = { path: '/data/roundId', equals: '9007199254740993' };
    expect(extras.expect).toEqual([{ code: '0' }, round]);
    expect(said).toEqual(['Added check 2: /data/roundId is 9007199254740993.']);
    checkValue(at('roundId'));
    expect(extras.expect).toHaveLength(2);
    expect(notices).toEqual(['Check 2 already demands this.']);
  });

  it('that is a token stays out of the check', () => {
    checkValue(at('secret'));
    expect(extras.expect).toEqual([{ code: '0' }, { path: '/data/token', type: 'string' }]);
    expect(said).toEqual([
      'Added check 2: /data/token is of type string. Croupier saves no tokens in files, so the check tests the type only.',
    ]);
  });

  it('becomes a variable, named once', () => {
    takeValue(at('roundId'));
    takeValue(at('roundId'));
    expect(extras.take).toEqual({ roundId: '/data/roundId' });
    expect([said, notices]).toEqual([['/data/roundId is taken as {{roundId}}.'], ['roundId already takes this value.']]);
  });

  it('of a request without a file is kept in the tab, and that is said', () => {
    checkValue(at('"code"', { file: null }));
    expect(extras.expect).toEqual([{ code: '0' }]);
    expect(notices).toEqual(['Added check 1: code is 0. It applies once the request is saved in a collection.']);
  });

  it('has to be pointed at, in a body that is shown as a whole', () => {
    checkValue(at(null));
    checkValue(at('code', { whole: false }));
    takeValue(at('code', { isJson: false }));
    expect(extras).toBe(noExtras);
    expect(notices).toEqual([
      expect.stringContaining('Put the cursor on a value'),
      expect.stringContaining('Only the beginning'),
      expect.stringContaining('not shown as JSON'),
    ]);
  });
});
