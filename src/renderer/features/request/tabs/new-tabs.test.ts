import { describe, expect, it } from 'vitest';
import { Environment } from '#shared/model/environment.ts';
import type { RequestDraft } from '#shared/ipc/index.ts';
import { memberText } from '#shared/payload-text/edit.ts';
import { operationByName } from '#shared/provider/index.ts';
import { callOfDraft } from '#testing/fake-client.ts';
import { createNewTabs } from './new-tabs.ts';
import { createOpenTabs } from '#testing/open-tabs.ts';
import { createRequestTemplate } from './request-template.ts';

const environment = Environment.parse({
  id: 'staging',
  name: 'staging',
  baseUrl: 'https://provider.example',
  platform: 1,
  partnerId: 42,
  defaults: { currency: 'USD' },
});

function setUp() {
  const tabs = createOpenTabs();
  const template = (operation: { readonly name: string }, form: string) => `${operation.name} ${form}`;
  return { ...tabs, ...createNewTabs(tabs.list, { template, newId: tabs.newId }) };
}

describe('new tabs', () => {
  it('start from the template and count as clean', () => {
    const { openOperation, tab } = setUp();
    openOperation('gameList');
    expect(tab()).toMatchObject({ operation: 'gameList', text: 'gameList main', dirty: false, call: null, origin: null });
  });

  it('are not opened where the operation has one: the active one first, then the first; never one of a file', () => {
    const { openOperation, newTab, list, store, ids } = setUp();
    openOperation('gameList');
    newTab();
    openOperation('gameList');
    expect(store.getState().activeId).toBe('new-2');
    openOperation('bet');
    openOperation('gameList');
    expect(store.getState().activeId).toBe('new-1');
    const file = { collectionId: 'c', path: 'a.yaml', revision: '1', gone: false, theirs: null, problem: null };
    list.update('new-3', (tab) => ({ ...tab, file }));
    openOperation('bet');
    expect(ids()).toHaveLength(4);
  });

  it('are of the named operation, else of the active tab’s, else of gameList', () => {
    const { newTab, tab } = setUp();
    newTab();
    expect(tab().operation).toBe('gameList');
    newTab('win');
    newTab();
    expect(tab()).toMatchObject({ id: 'new-3', operation: 'win' });
  });

  it('take a draft as it is, with the call that it was made from', () => {
    const { openDraft, tab } = setUp();
    const draft: RequestDraft = {
      environmentId: 'staging',
      operation: 'bet',
      form: 'main',
      text: '{}',
      overrides: { hash: 'wrong' },
    };
    openDraft(draft);
    expect(tab()).toMatchObject({ text: '{}', overrides: { hash: 'wrong' }, origin: null, dirty: false });
    openDraft(draft, callOfDraft(7, draft, { environmentName: 'Staging' }));
    const origin = { callId: 7, environmentId: 'staging', environmentName: 'Staging' };
    expect(tab()).toMatchObject({ origin, callId: null, call: null });
  });
});

describe('the template', () => {
  const operation = operationByName('bet');
  const now = () => Date.UTC(2026, 10, 20, 10, 15, 30);

  it('has the defaults of the environment, and the values that its provider accepts now', () => {
    const template = createRequestTemplate({
      environment: () => environment,
      samples: () => ({ bet: { playerId: '"demo-1"' } }),
      now,
    });
    const text = template(operation, 'main');
    expect(memberText(text, 'currency')).toBe('"USD"');
    expect(memberText(text, 'playerId')).toBe('"demo-1"');
  });

  it('has those of no environment while none is loaded', () => {
    const template = createRequestTemplate({ environment: () => null, samples: () => ({ bet: { playerId: '"demo-1"' } }), now });
    expect(memberText(template(operation, 'main'), 'currency')).not.toBe('"USD"');
  });
});
