import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Confirmed } from '#shared/ipc/index.ts';
import { someRun } from '#testing/some-run.ts';
import { inputOf, problemsOf } from './run-form.ts';
import { createRunStartStore } from './run-start-store.ts';
import { unconfirmed } from '../../../testing/production-question.ts';

const opened = { id: 'c1', directory: '/work/wallet', name: 'wallet', problem: null };

const ran = someRun({
  runId: 'old',
  collectionId: 'c1',
  collection: 'wallet/Bet',
  path: 'Bet.yaml',
  environmentId: 'staging',
  environment: 'staging',
});

function setUp() {
  const inputs: unknown[] = [];
  const started: string[] = [];
  const said: string[] = [];
  const answers: Record<string, (input: never) => unknown> = {
    'collections.list': () => ({ collections: [opened] }),
    'collections.tree': () => ({ collection: opened, nodes: [], problem: null, notices: [] }),
    'runs.start': () => ({ runId: `run${inputs.length}`, planned: 2, notes: [] }),
  };
  const client = {
    async call(name: string, input: unknown) {
      if (name === 'runs.start') inputs.push(input);
      return answers[name]?.(input as never);
    },
    on: () => () => undefined,
  } as unknown as Parameters<typeof createRunStartStore>[0];
  const store = createRunStartStore(client, {
    notify: ({ text }) => void said.push(typeof text === 'string' ? text : ''),
    environmentId: () => 'sandbox',
    onStarted: (runId) => void started.push(runId),
  });
  return { store, answers, inputs, started, said };
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function form(store: ReturnType<typeof setUp>['store']) {
  const shown = store.getState().form;
  if (shown === null) throw new Error('No dialog is open.');
  return shown;
}

describe('run start store', () => {
  it('opens for what it was asked, and runs it with what was typed', async () => {
    const { store, inputs, started } = setUp();
    store.getState().startRun('c1', 'wallet/Bet.yaml');
    await settled();
    store.getState().addVariable();
    const [line] = form(store).variables;
    store.getState().change({
      tags: 'smoke, wallet',
      repeat: '3',
      delay: '10',
      parallel: '2',
      bail: true,
      variables: [{ id: line?.id ?? 0, name: 'stake', value: '1.50' }],
      data: 'text',
      dataText: 'a\n1',
    });
    await store.getState().submit();
    expect(inputs).toEqual([
      {
        collectionId: 'c1',
        path: 'wallet/Bet.yaml',
        environmentId: 'sandbox',
        options: {
          repeat: 3,
          delayMs: 10,
          parallel: 2,
          tags: ['smoke', 'wallet'],
          excludeTags: [],
          bail: true,
          unreadable: 'refuse',
          unknownChecks: 'fail',
          variables: { stake: '1.50' },
          data: { format: 'csv', text: 'a\n1' },
          failedOf: null,
        },
        confirmed: false,
      },
    ]);
    expect(started).toEqual(['run1']);
    expect(store.getState().form).toBeNull();
  });

  it('begins with the first collection that is open, and with a directory where none is', async () => {
    const { store, answers } = setUp();
    store.getState().startRun();
    await settled();
    expect(form(store).collectionId).toBe('c1');
    answers['collections.list'] = () => ({ collections: [] });
    store.getState().startRun();
    await settled();
    expect(form(store).collectionId).toBe('');
    expect(problemsOf(form(store))).toHaveProperty('collection');
    store.getState().change({ directory: '/work/first-call' });
    expect(inputOf(form(store))).toMatchObject({ directory: '/work/first-call', path: '' });
  });

  it('says what is wrong and keeps the dialog, until something is changed', async () => {
    const { store, answers, started } = setUp();
    answers['runs.start'] = () => {
      throw new AppError('invalid_input', 'Bet.yaml, line 3: this is not a YAML.');
    };
    store.getState().startRun('c1');
    await settled();
    await store.getState().submit();
    expect(store.getState().asking).toMatchObject({ state: 'refused', message: 'Bet.yaml, line 3: this is not a YAML.' });
    store.getState().change({ reportUnreadable: true });
    expect(store.getState().asking.state).toBe('idle');
    expect(started).toEqual([]);
  });

  it('asks before production, and sends that it was confirmed', async () => {
    const { store, answers, inputs, started, said } = setUp();
    answers['runs.start'] = ({ confirmed }: { confirmed?: Confirmed }) => {
      if (confirmed !== false && confirmed !== undefined) return { runId: 'r', planned: 1, notes: ['A.', 'B.'] };
      throw unconfirmed;
    };
    store.getState().startRun('c1');
    await settled();
    await store.getState().submit();
    expect(store.getState().asking.state).toBe('unconfirmed');
    store.getState().dismiss();
    expect(store.getState().form).not.toBeNull();
    await store.getState().submit();
    const { asking } = store.getState();
    if (asking.state === 'unconfirmed') await asking.again('tenMinutes');
    expect(inputs.at(-1)).toMatchObject({ confirmed: 'tenMinutes' });
    expect(started).toEqual(['r']);
    expect(said).toEqual(['A. B.']);
  });

  it('runs again at once what this page started, all of it or what did not pass', async () => {
    const { store, inputs } = setUp();
    store.getState().startRun('c1');
    await settled();
    store.getState().change({ repeat: '7' });
    await store.getState().submit();
    await store.getState().runAgain({ ...ran, runId: 'run1' }, true);
    expect(inputs[1]).toMatchObject({ collectionId: 'c1', options: { repeat: 7, failedOf: 'run1' } });
    await store.getState().runAgain({ ...ran, runId: 'run2' }, false);
    expect(inputs[2]).toMatchObject({ options: { repeat: 7, failedOf: null } });
  });

  it('asks with what the report tells where another page or program started it', async () => {
    const { store, inputs } = setUp();
    await store.getState().runAgain(ran, true);
    await settled();
    expect(form(store)).toMatchObject({
      collectionId: 'c1',
      path: 'Bet.yaml',
      environmentId: 'staging',
      failedOf: { runId: 'old' },
    });
    await store.getState().runAgain({ ...ran, collectionId: 'not opened' }, false);
    await settled();
    expect(form(store)).toMatchObject({ collectionId: '', path: 'Bet.yaml' });
    expect(inputs).toEqual([]);
  });

  it('refuses names and numbers that cannot be', async () => {
    const { store } = setUp();
    store.getState().startRun('c1');
    await settled();
    const twice = [
      { id: 1, name: 'a', value: '' },
      { id: 2, name: 'a', value: '' },
      { id: 3, name: '$now', value: '' },
    ];
    store.getState().change({ repeat: '0', delay: '-1', parallel: '101', variables: twice, data: 'file' });
    expect(Object.keys(problemsOf(form(store)))).toEqual(['repeat', 'delay', 'parallel', 'data', 'variable 2', 'variable 3']);
    expect(inputOf(form(store))).toBeNull();
  });
});
