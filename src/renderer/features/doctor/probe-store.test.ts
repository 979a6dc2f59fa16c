import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type ProbePlan, type ProbeReport, type ProbeStep } from '#shared/ipc/index.ts';
import { createFakeClient } from '#testing/fake-client.ts';
import { askedAboutBet, unconfirmed } from '../../../testing/production-question.ts';
import { createProbeStore } from './probe-store.ts';

const step = { id: 'right', callId: 4, operation: 'gameList', code: 0, answer: 'yes' } as ProbeStep;
const answer = { point: 'hash.reencode', value: 'arrays', label: 'arrays', note: 'Seen in call 4.', before: null };

function reportOf(change: Partial<ProbeReport> = {}): ProbeReport {
  return { environmentId: 'e1', state: 'done', message: null, steps: [step], findings: [], answers: [answer], ...change };
}

function setUp() {
  const fake = createFakeClient();
  fake.answer(
    'probes.plan',
    ({ environmentId }) => ({ environmentId, probes: [], calls: 3, callsMoved: 9 }) as unknown as ProbePlan,
  );
  fake.answer('probes.start', () => reportOf());
  const store = createProbeStore(fake.client, { newId: () => 't1' });
  return { ...fake, store };
}

describe('a plan of probes', () => {
  it('is shown before anything is sent, and stays while it is being sent', async () => {
    const { store, answer: reply, asked, emit } = setUp();
    await store.getState().enter('e1');
    expect(store.getState().plan).toMatchObject({ state: 'ready', plan: { environmentId: 'e1' } });
    expect(asked.map(({ name }) => name)).toEqual(['probes.plan']);
    const sending = Promise.withResolvers<ProbeReport>();
    reply('probes.start', () => sending.promise);
    store.getState().setMoved(true);
    const done = store.getState().start();
    await store.getState().start();
    expect(asked.filter(({ name }) => name === 'probes.start')).toEqual([
      { name: 'probes.start', input: { environmentId: 'e1', ticket: 't1', moved: true, confirmed: false } },
    ]);
    emit('probes.progressed', { ticket: 'another', calls: 3, step });
    emit('probes.progressed', { ticket: 't1', calls: 3, step });
    expect(store.getState().steps).toEqual([step]);
    await store.getState().enter('e2');
    expect(store.getState().environmentId).toBe('e1');
    reply('probes.cancel', () => ({ cancelled: true }));
    await store.getState().cancel();
    expect(asked.at(-1)).toEqual({ name: 'probes.cancel', input: { ticket: 't1' } });
    sending.resolve(reportOf({ state: 'cancelled' }));
    await done;
    expect(store.getState()).toMatchObject({ asking: { state: 'idle' }, report: { state: 'cancelled' } });
  });

  it('asks before production, and says why nothing was sent', async () => {
    const { store, answer: reply } = setUp();
    await store.getState().enter('e1');
    reply('probes.start', ({ confirmed }) => {
      if (!confirmed) throw unconfirmed;
      throw new AppError('key_missing', 'There is no key.');
    });
    await store.getState().start();
    const { asking } = store.getState();
    expect(asking).toMatchObject({ state: 'unconfirmed', question: askedAboutBet });
    if (asking.state === 'unconfirmed') await asking.again(true);
    expect(store.getState().asking).toMatchObject({ state: 'refused', message: 'There is no key.' });
    store.getState().dismiss();
    expect(store.getState().asking.state).toBe('idle');
  });

  it('records what it found in the environment as it is now', async () => {
    const { store, answer: reply, asked } = setUp();
    await store.getState().enter('e1');
    await store.getState().start();
    const environment = Environment.parse({ id: 'e1', name: 'E', baseUrl: 'https://a.example', platform: 1, partnerId: 2 });
    reply('environments.list', () => ({ environments: [environment] }));
    reply('environments.save', ({ environment: saved }) => saved as Environment);
    await store.getState().record();
    expect(store.getState().recording).toEqual({ state: 'recorded' });
    expect(asked.at(-1)?.input).toMatchObject({ environment: { answers: { 'hash.reencode': { value: 'arrays' } } } });
    reply('environments.list', () => ({ environments: [] }));
    await store.getState().record();
    expect(store.getState().recording).toMatchObject({ state: 'failed', message: expect.stringContaining('was removed') });
  });

  it('looks again at a plan that could not be made', async () => {
    const { store, answer: reply } = setUp();
    reply('probes.plan', () => {
      throw new AppError('not_found', 'It is gone.');
    });
    await store.getState().enter('e1');
    expect(store.getState().plan).toEqual({ state: 'failed', message: 'It is gone.' });
    reply('probes.plan', () => ({ environmentId: 'e1' }) as unknown as ProbePlan);
    await store.getState().enter('e1');
    await vi.waitFor(() => expect(store.getState().plan.state).toBe('ready'));
  });
});
