import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { DoctorReport, PastedRequest, Recognition } from '#shared/ipc/index.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { createDoctorStore } from './doctor-store.ts';

const hash = 'ab'.repeat(32);
const time = '22-11-2026 10:40:02';

function request(change: Partial<PastedRequest> = {}): PastedRequest {
  return {
    layers: ['log line'],
    language: null,
    fidelity: 'exact',
    action: 'getLauncherURL',
    operations: ['getLauncherURL'],
    platform: '7',
    partnerId: '11',
    time,
    currency: null,
    dataText: '{"a":1}',
    envelopeText: null,
    hash,
    url: null,
    code: null,
    missing: [],
    ...change,
  };
}

function report(change: Partial<DoctorReport> = {}): DoctorReport {
  const input = { text: `<PRIVATE_KEY>${time}{"a":1}`, time, data: '{"a":1}' };
  return {
    verdict: 'other',
    seen: [],
    says: 'Your backend escapes the slashes.',
    expected: { ...input, hash },
    problem: null,
    hashed: input,
    differsAt: null,
    ways: [[{ id: 'slash.escaped', says: 'Your backend escapes the slashes.', who: '' }]],
    leftOff: 0,
    advice: [],
    fixes: [],
    digits: 64,
    unseen: [],
    guesses: [],
    stages: [],
    keys: 1,
    ...change,
  };
}

function setUp(recognition: Partial<Recognition> = {}) {
  const fake = createFakeClient();
  let ids = 0;
  let timers: (() => void)[] = [];
  const selected = { id: 'e1' };
  const requests = [request()];
  fake.answer('doctor.recognise', () => ({ requests, leftOff: 0, hashes: [], problem: null, ...recognition }));
  fake.answer('doctor.cancel', () => ({ cancelled: true }));
  const store = createDoctorStore(fake.client, {
    newId: () => `t${(ids += 1)}`,
    later(run) {
      timers.push(run);
      return () => (timers = timers.filter((one) => one !== run));
    },
    selected: () => selected.id,
  });
  const searches = () => fake.asked.filter(({ name }) => name === 'doctor.search').map(({ input }) => input as SearchInput);
  const ended = (state: string) => vi.waitFor(() => expect(store.getState().searching.state).toBe(state));
  const waitForTimers = () => {
    const waiting = timers;
    timers = [];
    for (const run of waiting) run();
  };
  return { ...fake, store, selected, searches, ended, waitForTimers };
}

interface SearchInput {
  readonly environmentId: string;
  readonly ticket: string;
  readonly fidelity: string;
  readonly request: { readonly dataText: string | null; readonly hash: string; readonly action: string };
}

describe('the doctor', () => {
  it('searches by itself what was pasted, with the key of the selected environment', async () => {
    const { store, answer, searches, ended } = setUp();
    answer('doctor.search', () => report());
    store.getState().paste('a line');
    await ended('done');
    expect(searches()).toEqual([
      {
        environmentId: 'e1',
        ticket: 't1',
        fidelity: 'exact',
        missing: [],
        deep: false,
        language: null,
        request: { action: 'getLauncherURL', platform: '7', partnerId: '11', time, dataText: '{"a":1}', hash },
      },
    ]);
  });

  it('begins with the rejected request of several, and searches the one that is chosen', async () => {
    const { store, answer, searches, ended } = setUp({
      requests: [request({ code: 0 }), request({ code: 8, dataText: '{"b":2}', hash: 'cd'.repeat(32) })],
    });
    answer('doctor.search', () => report());
    store.getState().paste('two lines');
    await ended('done');
    expect(store.getState().chosen).toBe(1);
    store.getState().setLanguage('php');
    expect(store.getState().language).toBe('php');
    store.getState().choose(0);
    await ended('done');
    // Another request has another likeliest one.
    expect(store.getState().language).toBeNull();
    expect(searches().map((input) => input.request.dataText)).toEqual(['{"b":2}', '{"a":1}']);
  });

  it('waits for a time and a hash, and takes typed data for nobody’s exact bytes', async () => {
    const { store, answer, searches, ended, waitForTimers } = setUp({ requests: [request({ hash: null, time: null })] });
    answer('doctor.search', () => report());
    store.getState().paste('a body');
    await vi.waitFor(() => expect(store.getState().reading.state).toBe('read'));
    store.getState().setField('time', time);
    waitForTimers();
    expect(store.getState().searching.state).toBe('idle');
    store.getState().setField('hash', ` ${hash}\n`);
    store.getState().setField('dataText', '');
    waitForTimers();
    await ended('done');
    expect(searches()).toHaveLength(1);
    expect(searches()[0]).toMatchObject({ fidelity: 'reencoded', request: { dataText: null, hash } });
  });

  it('compares with the rule before there is a hash or a key, and shows nothing of an older request', async () => {
    const { store, answer, waitForTimers } = setUp({ requests: [request({ hash: null })] });
    const input = (data: string | null) => ({ text: `<PRIVATE_KEY>${time}${data}`, time, data });
    const slow = Promise.withResolvers<void>();
    answer('doctor.compare', async ({ request: { dataText } }) => {
      if (dataText === '{"a":1}') await slow.promise;
      return { expected: input(dataText), problem: null, sent: input(dataText), differsAt: null };
    });
    store.getState().paste('a body');
    await vi.waitFor(() => expect(store.getState().reading.state).toBe('read'));
    store.getState().setField('dataText', '{"b":2}');
    waitForTimers();
    await vi.waitFor(() => expect(store.getState().comparison?.expected.data).toBe('{"b":2}'));
    slow.resolve();
    await slow.promise;
    expect(store.getState()).toMatchObject({ comparison: { expected: { data: '{"b":2}' } }, searching: { state: 'idle' } });
    store.getState().setField('time', '');
    waitForTimers();
    expect(store.getState().comparison).toBeNull();
  });

  it('takes a digest that stands beside a request for its hash', async () => {
    const { store, answer, searches, ended } = setUp({ requests: [request({ hash: null })], hashes: ['ef'.repeat(32)] });
    answer('doctor.search', () => report());
    store.getState().paste('a body and a digest');
    await ended('done');
    expect(searches()[0]?.request.hash).toBe('ef'.repeat(32));
  });

  it('cancels the search of what was there before, and shows nothing of it', async () => {
    const { store, answer, asked, ended } = setUp();
    const first = Promise.withResolvers<DoctorReport>();
    answer('doctor.search', ({ ticket }) => (ticket === 't1' ? first.promise : report({ says: 'second' })));
    store.getState().paste('one');
    await ended('searching');
    store.getState().paste('two');
    expect(asked.at(-2)).toEqual({ name: 'doctor.cancel', input: { ticket: 't1' } });
    await ended('done');
    first.resolve(report({ says: 'first' }));
    await first.promise;
    expect(store.getState().searching).toMatchObject({ state: 'done', report: { says: 'second' } });
  });

  it('shows how far it is, and what the report of a cancelled search says', async () => {
    const { store, answer, asked, emit, ended } = setUp();
    const search = Promise.withResolvers<DoctorReport>();
    answer('doctor.search', () => search.promise);
    store.getState().paste('one');
    await ended('searching');
    const stages = [{ stage: 'pairs', state: 'unfinished', tried: 10, total: 20, took: 5 }] as const;
    const guesses = [[{ id: 'slash.escaped', says: 'Your backend escapes the slashes.', who: '' }]];
    emit('doctor.progressed', { ticket: 'another', stages: [], perSecond: 1, guesses: [] });
    emit('doctor.progressed', { ticket: 't1', stages, perSecond: 2_000, guesses });
    expect(store.getState().searching).toMatchObject({ stages, perSecond: 2_000, guesses });
    store.getState().cancel();
    expect(asked.at(-1)).toEqual({ name: 'doctor.cancel', input: { ticket: 't1' } });
    search.resolve(report({ verdict: 'cancelled' }));
    await ended('done');
    expect(store.getState().searching).toMatchObject({ report: { verdict: 'cancelled' } });
  });

  it('lets the hash decide between two readings of one request', async () => {
    const readings = [request({ dataText: String.raw`{"u":"\\/"}` }), request({ dataText: String.raw`{"u":"\/"}` })];
    const { store, answer, emit, searches, ended } = setUp({ requests: readings });
    const cancels = new Map<string, () => void>();
    answer('doctor.search', ({ ticket, request: asked }) => {
      if (asked.dataText === readings[1]?.dataText) return report();
      const search = Promise.withResolvers<DoctorReport>();
      cancels.set(ticket, () => search.resolve(report({ verdict: 'cancelled', ways: [] })));
      // The single mistakes are through.
      queueMicrotask(() =>
        emit('doctor.progressed', {
          ticket,
          stages: [{ stage: 'seconds', state: 'unfinished', tried: 0, total: 9, took: 0 }],
          perSecond: 1,
          guesses: [],
        }),
      );
      return search.promise;
    });
    answer('doctor.cancel', ({ ticket }) => {
      cancels.get(ticket)?.();
      return { cancelled: true };
    });
    store.getState().paste('a line');
    await ended('done');
    expect(store.getState()).toMatchObject({ chosen: 1, searching: { report: { verdict: 'other' } } });
    expect(searches().map((input) => input.request.dataText)).toEqual(readings.map(({ dataText }) => dataText));
  });

  it('searches again with the key that was missing, and with that of another environment', async () => {
    const { store, answer, emit, selected, searches, ended } = setUp();
    answer('doctor.search', () => {
      throw new AppError('key_missing', 'There is no key.');
    });
    store.getState().paste('a line');
    await ended('failed');
    answer('doctor.search', () => report());
    emit('keys.changed', { environmentId: 'e1' });
    await ended('done');
    // The key comes while core refuses for want of it.
    answer('doctor.search', () => {
      answer('doctor.search', () => report());
      emit('keys.changed', { environmentId: 'e1' });
      throw new AppError('key_missing', 'There is no key.');
    });
    store.getState().search();
    await ended('done');
    selected.id = 'e2';
    store.getState().refresh();
    await ended('done');
    store.getState().setEnvironment('e1');
    await ended('done');
    expect(searches().map(({ environmentId }) => environmentId)).toEqual(['e1', 'e1', 'e1', 'e1', 'e2', 'e1']);
  });

  it('examines a call with the environment that it was sent in, and forgets that with the next paste', async () => {
    const { store, answer, searches, ended } = setUp();
    answer('doctor.search', () => report());
    const sent = { headers: [], bodyText: '{"action":"…"}', hashInput: null, hash, keyFingerprint: null };
    store.getState().openCall({ id: 7, environmentId: 'e9', request: sent });
    await ended('done');
    expect(store.getState()).toMatchObject({ source: 'Call 7', text: '{"action":"…"}', environmentId: 'e9' });
    store.getState().paste('a line');
    await ended('done');
    expect(searches().map(({ environmentId }) => environmentId)).toEqual(['e9', 'e1']);
  });

  it('examines a call of a support pack with the selected environment, and names the pack', async () => {
    const { store, answer, searches, ended } = setUp();
    answer('doctor.search', () => report());
    const sent = { headers: [], bodyText: '{"action":"…"}', hashInput: null, hash, keyFingerprint: null };
    const pack = { id: 'p', name: 'theirs.json', number: 12 };
    store.getState().openCall({ id: -3, environmentId: 'pack:Stage', request: sent, pack });
    await ended('done');
    expect(store.getState()).toMatchObject({ source: 'Call 12 of theirs.json', environmentId: null });
    expect(searches().map(({ environmentId }) => environmentId)).toEqual(['e1']);
  });

  it('reads a typed text, whatever key is chosen and whatever field is typed in before', async () => {
    for (const meanwhile of [
      (store: ReturnType<typeof setUp>['store']) => store.getState().setEnvironment('e2'),
      (store: ReturnType<typeof setUp>['store']) => store.getState().setField('hash', hash),
    ]) {
      const { store, answer, searches, ended, waitForTimers } = setUp();
      answer('doctor.search', () => report());
      store.getState().type('a line');
      meanwhile(store);
      waitForTimers();
      await ended('done');
      expect(store.getState().reading.state).toBe('read');
      expect(searches()).toHaveLength(1);
    }
  });

  it('reads a typed text a moment after the last key, and refuses a file that is too large', async () => {
    const { store, answer, asked, waitForTimers, ended } = setUp();
    answer('doctor.search', () => report());
    store.getState().type('a');
    store.getState().type('a line');
    expect(asked).toEqual([]);
    waitForTimers();
    await ended('done');
    expect(asked.filter(({ name }) => name === 'doctor.recognise')).toEqual([
      { name: 'doctor.recognise', input: { text: 'a line' } },
    ]);
    await store
      .getState()
      .addFile({ name: 'all.log', size: 1e9, arrayBuffer: () => Promise.reject(new Error('It is not read.')) });
    expect(store.getState()).toMatchObject({ searching: { state: 'idle' }, reading: { state: 'failed' } });
    store.getState().clear();
    expect(store.getState()).toMatchObject({ text: '', source: '', reading: { state: 'empty' } });
  });
});
