import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type Client } from '#shared/ipc/index.ts';
import { allOpenPoints } from '#shared/provider/index.ts';
import { filterPoints, questionsText, type PointFilter } from './filter-points.ts';
import { createOpenPointsStore, draftKey } from './open-points-store.ts';

const base = Environment.parse({ id: 'alpha', name: 'alpha', baseUrl: 'https://a.example', platform: 1, partnerId: 2 });

function setUp(saved: Environment = base) {
  let kept = saved;
  let refuse = false;
  const notices: { text?: unknown; undo?: { run: () => Promise<boolean> } | undefined }[] = [];
  const client = {
    async call(name: string, input: { environment: Environment }) {
      if (name === 'environments.list') return { environments: [kept], broken: [] };
      if (refuse) throw new AppError('storage', 'The folder cannot be written.');
      kept = input.environment;
      return kept;
    },
  } as unknown as Client;
  const store = createOpenPointsStore(client, {
    notify: (notice) => notices.push(notice),
    now: () => Date.parse('2026-01-31T12:00:00Z'),
  });
  return { store, notices, kept: () => kept, refuse: () => (refuse = true) };
}

describe('open points store', () => {
  it('records an answer over the newest state of the environment and drops the draft', async () => {
    const elsewhere = { ...base, answers: { 'hash.nonAscii': { value: 'php', note: '' } } };
    const { store, kept } = setUp(elsewhere);
    store.getState().edit('alpha', 'time.order', { value: ' ymd ', note: ' by mail ' });
    await store.getState().save(base, 'time.order');
    expect(kept().answers).toEqual({ ...elsewhere.answers, 'time.order': { value: 'ymd', note: 'by mail', date: '2026-01-31' } });
    expect(store.getState()).toMatchObject({ drafts: {}, saving: false, failed: null });
    // Another note leaves the answer as old as it is.
    const old = { ...base, answers: { 'time.order': { value: 'ymd', note: '', date: '2025-12-01' } } };
    store.getState().edit('alpha', 'time.order', { value: 'ymd', note: 'by mail' });
    await store.getState().save(old, 'time.order');
    expect(kept().answers['time.order']).toEqual({ value: 'ymd', note: 'by mail', date: '2025-12-01' });
  });

  it('keeps what was typed where it could not be written', async () => {
    const { store, refuse } = setUp();
    refuse();
    store.getState().edit('alpha', 'time.order', { value: 'ymd', note: '' });
    await store.getState().save(base, 'time.order');
    expect(store.getState().failed).toBe('The folder cannot be written.');
    expect(store.getState().drafts[draftKey('alpha', 'time.order')]?.value).toBe('ymd');
  });

  it('records nothing without a value, and keeps drafts of environments apart', async () => {
    const { store, kept } = setUp();
    store.getState().edit('alpha', 'time.order', { value: '  ', note: 'asked' });
    store.getState().edit('beta', 'time.order', { value: 'dmy', note: '' });
    await store.getState().save(base, 'time.order');
    expect(kept()).toBe(base);
    store.getState().discard('alpha', 'time.order');
    expect(Object.keys(store.getState().drafts)).toEqual([draftKey('beta', 'time.order')]);
  });

  it('clears an answer with a notice that puts it back', async () => {
    const answered = { ...base, answers: { 'time.order': { value: 'ymd', note: '' } } };
    const { store, notices, kept } = setUp(answered);
    await store.getState().clear(answered, 'time.order');
    expect(kept().answers).toEqual({});
    expect(await notices[0]?.undo?.run()).toBe(true);
    expect(kept().answers).toEqual(answered.answers);
    // Now there is an answer, which a second undo would write over.
    expect(await notices[0]?.undo?.run()).toBe(false);
    expect(notices.at(-1)?.text).toBe(`The answer for ${base.name} was not restored. Another answer has been recorded.`);
  });
});

describe('filtering', () => {
  const answered = {
    answers: { 'time.order': { value: 'ymd', note: '' }, 'amounts.unit': { value: 'bananas', note: '' } },
    name: 'alpha',
  };

  it('tells points with and without an answer apart', () => {
    const ids = (filter: PointFilter, text = '') => filterPoints(allOpenPoints, filter, text, answered).map(({ id }) => id);
    expect(ids('answered')).toEqual(['time.order']);
    expect(ids('invalid')).toEqual(['amounts.unit']);
    expect(ids('open')).toHaveLength(allOpenPoints.length - 2);
    expect(ids('all')).toHaveLength(allOpenPoints.length);
    expect(ids('all', 'CURRENCYLIST action')).toContain('currencyList.action');
    expect(ids('all', 'no such words')).toEqual([]);
  });

  it('writes only open questions into the letter, numbered without gaps', () => {
    const text = questionsText(allOpenPoints, answered);
    const order = allOpenPoints.find(({ id }) => id === 'time.order');
    expect(text).not.toContain(order?.question);
    expect(text.match(/^\d+\. /gm)).toHaveLength(allOpenPoints.length - 1);
    expect(text.startsWith('1. ')).toBe(true);
  });
});
