import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { sayResponses } from './said-responses.ts';

interface Tab {
  readonly id: string;
  readonly callId: number | null;
  readonly call: object | null;
  readonly sending: { readonly state: string; readonly left?: boolean };
}

const tab = (change: Partial<Tab> = {}): Tab => ({ id: 't', callId: null, call: null, sending: { state: 'idle' }, ...change });
const call = (id: number, state = 'answered') => ({
  id,
  state,
  operation: 'gameList',
  code: 0,
  codeMeaning: 'ok',
  durationMs: 12,
  repeats: null,
  failure: null,
  findings: [],
  response: { status: 200 },
});

function setUp(...tabs: Tab[]) {
  const requests = createStore<{ tabs: readonly Tab[] }>()(() => ({ tabs }));
  const results = createStore<{ checked: ReadonlyMap<number, object> }>()(() => ({ checked: new Map() }));
  const shell = createStore<{ area: string }>()(() => ({ area: 'requests' }));
  const said: string[] = [];
  sayResponses({ requests, results, shell } as unknown as Parameters<typeof sayResponses>[0], (text) => void said.push(text));
  return { said, shell, results, show: (...next: Tab[]) => requests.setState({ tabs: next }) };
}

describe('the responses that are said', () => {
  it('are those that come: the sending, the response, its checks, each once', () => {
    const { said, show, results } = setUp(tab());
    show(tab({ sending: { state: 'sending', left: false } }));
    expect(said).toEqual([]);
    show(tab({ sending: { state: 'sending', left: true } }));
    show(tab({ sending: { state: 'sending', left: true } }));
    show(tab({ callId: 1, call: call(1) }));
    show(tab({ callId: 1, call: call(1) }));
    const checked = new Map([[1, { state: 'ready', checks: [{ passed: true }, { passed: false }], taken: [] }]]);
    results.setState({ checked });
    results.setState({ checked: new Map(checked) });
    expect(said).toEqual(['Sending', expect.stringMatching(/^gameList answered code 0/), '1 of 2 checks failed']);
  });

  it.each(['refused', 'unconfirmed', 'keyAsked', 'idle'])('have no sending before them that ended %s: nothing left', (state) => {
    const { said, show } = setUp(tab());
    show(tab({ sending: { state: 'sending', left: false } }));
    show(tab({ sending: { state } }));
    expect(said).toEqual([]);
  });

  it('are not those that are opened, fetched for a tab or shown again', () => {
    const { said, show } = setUp(tab({ callId: 1 }));
    show(tab({ callId: 1, call: call(1) }));
    show(tab({ callId: 1, call: call(1) }), tab({ id: 'opened', callId: 2, call: call(2) }));
    show(tab({ id: 'opened', callId: 2, call: call(2) }));
    // Of an old run, in an open tab; and a sending that was refused beside it.
    show(tab({ id: 'opened', callId: 3, call: call(3) }));
    show(tab({ id: 'opened', callId: 3, call: call(3), sending: { state: 'sending', left: false } }));
    show(tab({ id: 'opened', callId: 3, call: call(3), sending: { state: 'refused' } }));
    expect(said).toEqual([]);
  });

  it('name their screen while another one is in sight', () => {
    const { said, show, shell } = setUp(tab({ callId: 1, call: call(1, 'pending') }));
    shell.setState({ area: 'history' });
    show(tab({ callId: 1, call: call(1) }));
    expect(said).toEqual([expect.stringMatching(/^In Requests: gameList answered/)]);
  });
});
