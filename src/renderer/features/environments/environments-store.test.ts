import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, EnvironmentDraft, type Client, type KeyStatus } from '#shared/ipc/index.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { copyName, draftFrom, editedFrom, editedNew, errorsIn } from './environment-draft.ts';
import { newId } from './environment-list.ts';
import { createEnvironmentsStore, currentEnvironment, hasUnsaved } from './environments-store.ts';
import { keptWords, keyLine, keyWords, placeWords } from './key-words.ts';

const environment = (id: string, change: Partial<Environment> = {}): Environment =>
  Environment.parse({ id, name: id, baseUrl: `https://${id}.example`, platform: 1, partnerId: 42, ...change });

const status = (environmentId: string, change: Partial<KeyStatus> = {}): KeyStatus => ({
  environmentId,
  state: 'present',
  storage: 'keychain',
  fingerprint: '7f3e-91',
  bytes: 32,
  setAt: null,
  message: null,
  pair: null,
  ...change,
});

function setUp() {
  let all = [environment('alpha'), environment('beta')];
  const asked: string[] = [];
  const inputs: unknown[] = [];
  const refusals = new Map<string, AppError>();
  const holds = new Map<string, PromiseWithResolvers<KeyStatus>>();
  /** Keeps the next response of a call until it is given here. */
  const held = (name: string) => {
    const waiting = Promise.withResolvers<KeyStatus>();
    holds.set(name, waiting);
    return waiting.resolve;
  };
  const notices: Parameters<Notify>[0][] = [];
  const client = {
    async call(name: string, input: { environment: Environment; id: string; environmentId: string }) {
      asked.push(name);
      inputs.push(input);
      const refusal = refusals.get(name);
      if (refusal !== undefined) throw refusal;
      const waiting = holds.get(name);
      holds.delete(name);
      if (waiting !== undefined) return waiting.promise;
      switch (name) {
        case 'environments.list':
          return { environments: all, broken: [] };
        case 'environments.create': {
          const made = Environment.parse({ ...input.environment, id: 'made' });
          all = [...all, made];
          return made;
        }
        case 'environments.save':
          all = [...all.filter(({ id }) => id !== input.environment.id), input.environment];
          return input.environment;
        case 'environments.remove': {
          const removed = all.find(({ id }) => id === input.id);
          all = all.filter(({ id }) => id !== input.id);
          return removed;
        }
        default:
          return status(input.environmentId, name === 'keys.remove' ? { state: 'absent', storage: null, fingerprint: null } : {});
      }
    },
    on: () => () => undefined,
  } as unknown as Client;
  const store = createEnvironmentsStore(client, { notify: (notice) => notices.push(notice), initialId: 'beta' });
  return {
    store,
    asked,
    inputs,
    refusals,
    held,
    notices,
    all: () => all,
    add: (more: Environment[]) => (all = [...all, ...more]),
  };
}

describe('environments store', () => {
  it('asks for the keys of those that are seen, each once', async () => {
    const { store, asked, add } = setUp();
    add(Array.from({ length: 2_050 }, (_, at) => environment(`one-${at}`)));
    await store.getState().load();
    const statusReads = () => asked.filter((name) => name === 'keys.status').length;
    expect(statusReads()).toBe(1);
    for (const id of ['one-7', 'one-7', 'beta']) store.getState().seeKey(id);
    store.getState().select('one-8');
    store.getState().open('one-9');
    expect(statusReads()).toBe(4);
  });

  it('keeps the chosen environment, and takes the first where it is gone', async () => {
    const { store } = setUp();
    await store.getState().load();
    expect(currentEnvironment(store.getState())?.id).toBe('beta');
    expect(store.getState().keys['beta']).toEqual({ state: 'known', status: status('beta') });
    store.setState({ currentId: 'gone' });
    await store.getState().load();
    expect(currentEnvironment(store.getState())?.id).toBe('alpha');
  });

  it('keeps what was typed in one form while another is open, and knows when nothing differs', async () => {
    const { store } = setUp();
    await store.getState().load();
    const { change, open } = store.getState();
    change('alpha', { name: 'Alpha two' });
    open('beta');
    change('beta', { platform: 'x' });
    expect(store.getState().editing['alpha']?.edited.name).toBe('Alpha two');
    expect(hasUnsaved(store.getState())).toBe(true);
    change('alpha', { name: 'alpha' });
    store.getState().discard('beta');
    expect(hasUnsaved(store.getState())).toBe(false);
  });

  it('brings forms that were not saved back, with their marks and without anything secret', async () => {
    const before = setUp();
    await before.store.getState().load();
    const { change, startNew } = before.store.getState();
    change('alpha', { partnerId: '4x', baseUrl: 'https://me:secret@alpha.example/', ca: 'PEM PRIVATE KEY' });
    startNew();
    change(newId, { name: 'Half', production: true });
    const remembered = before.store.getState().exportForms();
    expect(remembered).not.toContain('secret');
    expect(remembered).not.toContain('PRIVATE KEY');

    const after = setUp();
    await after.store.getState().load();
    after.store.getState().restoreForms(remembered);
    const { editing, openId } = after.store.getState();
    expect(openId).toBe(newId);
    expect(editing['alpha']?.edited).toMatchObject({ partnerId: '4x', baseUrl: 'https://alpha.example/', ca: '' });
    expect(editing[newId]?.edited).toMatchObject({ name: 'Half', production: true, platform: '' });
    expect(hasUnsaved(after.store.getState())).toBe(true);
    expect(after.store.getState().exportForms()).toBe(remembered);
  });

  it('brings back no form of an environment that is gone, was saved meanwhile, or is not understood', async () => {
    const { store } = setUp();
    await store.getState().load();
    const edited = editedFrom(environment('alpha'));
    const forms = [
      { id: 'alpha', edited },
      { id: 'gone', edited },
      { id: 'beta', edited: { ...edited, platform: 7 } },
      'form',
      { id: newId, edited: { ...edited, name: 'Kept' } },
    ];
    store.getState().restoreForms(JSON.stringify({ open: 'gone', forms }));
    expect(Object.keys(store.getState().editing)).toEqual([newId]);
    for (const text of [undefined, '', '[]', '{"forms":3}']) store.getState().restoreForms(text);
    expect(store.getState().openId).toBe('beta');
  });

  it('says at the field what is wrong before and after asking core', async () => {
    const { store, asked, refusals } = setUp();
    await store.getState().load();
    store.getState().change('alpha', { platform: '1.5', partnerId: '', baseUrl: 'http://plain.example' });
    expect(await store.getState().save('alpha')).toBeNull();
    expect(store.getState().editing['alpha']?.errors).toEqual({
      platform: 'The platform must be a whole number.',
      partnerId: 'The partner ID is missing.',
      baseUrl: 'The base URL must begin with https://.',
    });
    expect(asked).not.toContain('environments.save');
    store.getState().change('alpha', { platform: '7', partnerId: '42', baseUrl: 'https://refused.example' });
    refusals.set('environments.save', new AppError('invalid_input', 'Use https.', { field: 'baseUrl' }));
    expect(await store.getState().save('alpha')).toBeNull();
    expect(store.getState().editing['alpha']).toMatchObject({ errors: { baseUrl: 'Use https.' }, message: null, saving: false });
    store.getState().change('alpha', { baseUrl: 'https://ok.example' });
    expect(store.getState().editing['alpha']?.errors).toEqual({});
    refusals.delete('environments.save');
    expect(await store.getState().save('alpha')).toBe('alpha');
    expect(store.getState().editing).toEqual({});
    expect(store.getState().list).toMatchObject({ environments: [{ id: 'alpha', platform: 7 }, { id: 'beta' }] });
  });

  it('shows of a key what was asked last, whatever overtakes it', async () => {
    const { store, held } = setUp();
    await store.getState().load();
    const older = held('keys.status');
    const loaded = store.getState().loadKey('alpha');
    expect(await store.getState().setKey('alpha', 'the key')).toBeNull();
    older(status('alpha', { state: 'absent', fingerprint: null }));
    await loaded;
    expect(store.getState().keys['alpha']).toEqual({ state: 'known', status: status('alpha') });
  });

  it('gives a new one the key that was entered with it, and opens its field where that was refused', async () => {
    for (const refusal of [null, new AppError('key_unavailable', 'The keychain is locked.')]) {
      const { store, inputs, refusals, notices } = setUp();
      await store.getState().load();
      store.getState().startNew();
      store
        .getState()
        .change(newId, { baseUrl: 'https://Live.example:8443/x', platform: '3', partnerId: '9', production: false });
      store.setState({ newKey: () => 'the key' });
      if (refusal !== null) refusals.set('keys.set', refusal);
      expect(await store.getState().save(newId)).toBe('made');
      expect(inputs).toContainEqual({ environmentId: 'made', key: 'the key' });
      expect(currentEnvironment({ ...store.getState(), currentId: 'made' })?.name).toBe('live.example:8443');
      expect(store.getState().keys['made']?.state).toBe('known');
      expect(store.getState().keyWanted).toBe(refusal === null ? null : 'made');
      expect(notices.map(({ text }) => text)).toEqual(
        refusal === null ? [] : ['The key of live.example:8443 was not saved. The keychain is locked. Enter it again.'],
      );
    }
  });

  it('lets another one stay open that was opened while the new one was made', async () => {
    const { store, held } = setUp();
    await store.getState().load();
    store.getState().startNew();
    store.getState().change(newId, { baseUrl: 'https://live.example', platform: '3', partnerId: '9', production: false });
    const keyStatus = held('keys.status');
    const made = store.getState().save(newId);
    store.getState().open('alpha');
    keyStatus(status('made'));
    expect(await made).toBe('made');
    expect(store.getState().openId).toBe('alpha');
  });

  it('makes a new one from the form and opens it', async () => {
    const { store, inputs, notices } = setUp();
    await store.getState().load();
    store.getState().startNew();
    store.getState().change(newId, { name: ' live ', baseUrl: 'https://live.example', platform: '3', partnerId: '9' });
    expect(await store.getState().save(newId)).toBeNull();
    expect(store.getState().editing[newId]?.errors).toEqual({ production: 'Choose whether this environment is production.' });
    store.getState().change(newId, { production: true });
    expect(await store.getState().save(newId)).toBe('made');
    const made = inputs.find((input) => (input as { environment?: { name: string } }).environment?.name === 'live');
    expect(made).toMatchObject({ environment: { production: true } });
    expect(store.getState().openId).toBe('made');
    expect(store.getState().keys['made']?.state).toBe('known');
    expect(notices).toEqual([]);
  });

  it('removes with a notice that brings it back', async () => {
    const { store, notices, all } = setUp();
    await store.getState().load();
    await store.getState().remove('beta');
    expect(all().map(({ id }) => id)).toEqual(['alpha']);
    expect(store.getState().currentId).toBe('alpha');
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(all().map(({ id }) => id)).toEqual(['alpha', 'beta']);
    // It may have been changed since it is back.
    expect(await notices[0]?.undo?.run()).toBe(false);
    expect(notices.at(-1)?.text).toBe('beta could not be restored. Another window has already restored it.');
  });

  it('passes a key on, holds nothing of it, and gives back why it was refused', async () => {
    const { store, inputs, refusals } = setUp();
    await store.getState().load();
    expect(await store.getState().setKey('alpha', 'k3y-recognisable')).toBeNull();
    expect(inputs.at(-1)).toEqual({ environmentId: 'alpha', key: 'k3y-recognisable' });
    expect(JSON.stringify(store.getState())).not.toContain('recognisable');
    refusals.set('keys.set', new AppError('key_unavailable', 'The keychain is locked.'));
    expect(await store.getState().setKey('alpha', 'k3y-recognisable')).toBe('The keychain is locked.');
    expect(JSON.stringify(store.getState())).not.toContain('recognisable');
  });

  it('chooses and discards one of two keys, says so, and looks again where that was refused', async () => {
    const { store, asked, inputs, refusals, notices } = setUp();
    await store.getState().load();
    await store.getState().chooseKey('alpha', 'older');
    await store.getState().discardKey('alpha', 'new');
    expect(inputs.slice(-2)).toEqual(['older', 'new'].map((key) => ({ environmentId: 'alpha', key })));
    refusals.set('keys.discard', new AppError('conflict', 'Not two.'));
    refusals.set('keys.choose', new AppError('conflict', 'Not two.'));
    await store.getState().discardKey('alpha', 'new');
    await store.getState().chooseKey('alpha', 'new');
    expect(notices.map(({ text }) => text)).toEqual([
      'alpha now signs with the older key.',
      'The new key of alpha was removed. The other one signs.',
      'The key was not removed. Not two.',
      'Nothing was changed. Not two.',
    ]);
    expect(asked.filter((name) => name === 'keys.status').length).toBeGreaterThan(0);
  });

  it('shows why the list could not be read, but not over a list that is shown', async () => {
    const { store, refusals } = setUp();
    refusals.set('environments.list', new AppError('storage', 'No access.'));
    await store.getState().load();
    expect(store.getState().list).toEqual({ state: 'failed', message: 'No access.' });
    refusals.clear();
    await store.getState().load();
    refusals.set('environments.list', new AppError('storage', 'No access.'));
    await store.getState().load();
    expect(store.getState().list.state).toBe('ready');
  });
});

describe('environment form', () => {
  it('gives back what it was made from', () => {
    const full = environment('alpha', { walletUrl: 'https://w.example', timeZone: 'Europe/Malta', ca: 'PEM', production: true });
    const read = draftFrom(EnvironmentDraft, editedFrom(full), full.answers);
    expect(read).toMatchObject({ ok: true });
    if (read.ok) expect(Environment.parse({ ...read.draft, id: full.id })).toEqual(full);
  });

  it('starts a new one from the defaults of the contract', () => {
    const standard = Environment.parse({ id: 'new', name: 'new', baseUrl: '', platform: 0, partnerId: 0 });
    const unsaid = { name: '', platform: '', partnerId: '', production: null };
    expect(editedNew()).toEqual({ ...editedFrom(standard), ...unsaid });
  });

  it('names every field of a new one that is missing, and limits that are out of bounds', () => {
    const fresh = draftFrom(EnvironmentDraft, editedNew(), {});
    expect(fresh).toMatchObject({ ok: false });
    if (!fresh.ok) expect(Object.keys(fresh.errors).sort()).toEqual(['baseUrl', 'name', 'partnerId', 'platform', 'production']);
    const edited = editedFrom(environment('alpha'));
    const late = draftFrom(EnvironmentDraft, { ...edited, timeouts: { ...edited.timeouts, total: '900000' } }, {});
    if (late.ok) throw new Error('The limit was not checked.');
    expect(Object.keys(late.errors)).toEqual(['timeouts.total']);
  });

  it('reads the field out of a refusal', () => {
    expect(errorsIn({ field: 'ca' }, 'Not PEM.')).toEqual({ ca: 'Not PEM.' });
    expect(errorsIn({ issues: [{ path: ['environment', 'defaults', 'lang'], message: 'Too long' }] }, '')).toEqual({
      'defaults.lang': 'Too long',
    });
    for (const details of [null, undefined, 'x', { issues: 3 }, { field: 3 }]) expect(errorsIn(details, 'm')).toEqual({});
  });

  it('finds a free name for a copy', () => {
    expect(copyName('live', ['live'])).toBe('live copy');
    expect(copyName('live', ['live', 'live copy', 'live copy 2'])).toBe('live copy 3');
  });
});

describe('words for a key', () => {
  it('say where it is, or what is wrong', () => {
    const known = (change: Partial<KeyStatus>) => ({ state: 'known' as const, status: status('a', change) });
    expect(keyLine(known({}))).toBe('Key in the keychain, fingerprint 7f3e-91');
    expect(keyLine(known({ storage: 'session' }))).toBe('Key held for this session only, fingerprint 7f3e-91');
    expect(keyLine(known({ storage: 'session', fingerprint: '7f3e-91 session 02' }))).toBe('Key 7f3e-91 (session only)');
    expect(keyLine(known({ state: 'absent', storage: null, fingerprint: null }))).toBe('No key');
    const other = { state: 'present', storage: 'keychain', fingerprint: '12ab-cd', bytes: 8, setAt: null } as const;
    expect(keyLine(known({ pair: { signs: 'new', other } }))).toBe('New key signs, fingerprint 7f3e-91; the older one is kept');
    const older = known({ pair: { signs: 'older', other } });
    expect(keyLine(older)).toBe('Older key signs, fingerprint 7f3e-91; the new one is not proven');
    expect(keyWords(older)).toMatchObject({ tone: 'note', short: 'Two keys' });
    const gone = known({ state: 'absent', storage: null, fingerprint: null, pair: { signs: 'new', other } });
    expect(keyWords(gone)).toMatchObject({ tone: 'warn', short: 'Signing key is gone' });
    expect(keptWords({ storage: 'keychain' }, { storage: 'keychain' })).toContain('gets code 0');
    expect(keptWords({ storage: 'session' }, { storage: 'keychain' })).toContain('stays in the keychain');
    expect(['present', 'locked', 'absent'].map((state) => placeWords(state as KeyStatus['state'], 'keychain'))).toEqual([
      'in the keychain',
      'unavailable in the keychain',
      'gone',
    ]);
    expect(keyWords(known({ state: 'locked' }))).toMatchObject({ tone: 'bad', short: 'Key unavailable' });
    expect(keyWords(known({ bytes: 8 }))).toEqual({ tone: 'good', short: 'In the keychain', detail: null });
    const short = "The key has fewer than 8 bytes: Croupier doesn't mask it in responses.";
    expect(keyWords(known({ bytes: 7 }))).toEqual({ tone: 'note', short: 'In the keychain', detail: short });
    expect(keyWords(known({ bytes: 7, storage: 'session', message: 'No keychain.' })).detail).toBe(`No keychain. ${short}`);
    expect(keyWords({ state: 'failed', message: 'No answer.' })).toMatchObject({ tone: 'bad', detail: 'No answer.' });
  });
});
