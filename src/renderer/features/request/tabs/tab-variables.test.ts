import { takersIn } from '#shared/variables/takers.ts';
import { describe, expect, it } from 'vitest';
import { Environment } from '#shared/model/environment.ts';
import { noExtras, type TabFile } from './tab-file.ts';
import { createTabVariables, type TabVariablesDeps, type VariableSubject } from './tab-variables.ts';

const environment = Environment.parse({
  id: 'staging',
  name: 'staging',
  baseUrl: 'https://provider.example',
  platform: 1,
  partnerId: 42,
});
const file: TabFile = { collectionId: 'c', path: 'wallet/bet.yaml', revision: 'r', gone: false, theirs: null, problem: null };

function setUp(
  around: TabVariablesDeps['around'] = () => ({
    collection: { a: 'team' },
    folders: [{ b: 'folder' }],
    problems: [],
    takers: undefined,
  }),
  taken: Record<string, string> = {},
) {
  let ids = 0;
  return createTabVariables({
    newId: () => `id-${++ids}`,
    around,
    read: () => Promise.resolve(),
    taken: () => taken,
    session: () => ({ externalToken: 'session' }),
  });
}

function tab(text: string, change: Partial<VariableSubject> = {}): VariableSubject {
  return { id: 't', operation: 'bet', form: '', text, overrides: {}, extras: noExtras, file, run: null, ...change };
}

describe('the variables of a tab', () => {
  it('are left alone where there are none', () => {
    expect(setUp().substitute(tab('{"a": 1}'), environment, 0)).toBeNull();
  });

  it('come from the files around it, the environment and its session', () => {
    const filled = setUp().substitute(tab('["{{a}}", "{{b}}", "{{playerId}}", "{{externalToken}}"]'), environment, 0);
    expect(filled).toMatchObject({ ok: true, draft: { text: '["team", "folder", "player-1", "session"]' } });
  });

  it('come without a file from the environment alone', () => {
    const variables = setUp();
    expect(variables.substitute(tab('{{platform}}', { file: null }), environment, 0)).toMatchObject({ draft: { text: '1' } });
    expect(variables.substitute(tab('"{{a}}"', { file: null }), environment, 0)).toMatchObject({ ok: false });
  });

  it('keep their ids until the tab is sent, each tab its own', () => {
    const variables = setUp();
    const text = (one: VariableSubject) => {
      const filled = variables.substitute(one, environment, 0);
      return filled?.ok === true ? filled.draft.text : null;
    };
    const first = text(tab('["{{$uniqueId}}", "{{$uniqueId:bet}}", "{{$uniqueId:bet}}"]'));
    expect(first).toBe('["id-1", "id-2", "id-2"]');
    expect(text(tab('["{{$uniqueId}}", "{{$uniqueId:bet}}", "{{$uniqueId:bet}}"]'))).toBe(first);
    expect(text(tab('["{{$uniqueId}}"]', { id: 'other' }))).toBe('["id-3"]');
    variables.renew('t');
    expect(text(tab('["{{$uniqueId}}"]'))).toBe('["id-4"]');
  });

  it('do not count what only checks need', () => {
    const extras = { ...noExtras, expect: [{ code: '{{unknown}}' }], take: { x: '/{{unknown}}' } };
    expect(setUp().substitute(tab('"{{a}}"', { extras }), environment, 0)).toMatchObject({ ok: true });
  });

  it('come from earlier answers before all else, where the tab is of a collection', () => {
    const variables = setUp(undefined, { a: 'taken', token: 'tok' });
    expect(variables.substitute(tab('["{{a}}", "{{token}}"]'), environment, 0)).toMatchObject({
      draft: { text: '["taken", "tok"]' },
    });
    expect(variables.substitute(tab('"{{token}}"', { file: null }), environment, 0)).toMatchObject({ ok: false });
    expect(variables.known(tab(''), environment)[0]).toEqual({ name: 'a', value: 'taken', source: 'an earlier response' });
  });

  it('fill the checks with what the data got, and name what they lack', () => {
    const variables = setUp(undefined, { balance: '5.00' });
    const extras = {
      ...noExtras,
      expect: [
        { balance: { before: '{{balance}}', change: '-1' } },
        { path: '/id', equals: '{{$uniqueId:bet}}' },
        { code: '{{x}}' },
      ],
      take: { next: '/{{x}}', id: '/id' },
    };
    const one = tab('["{{$uniqueId}}", "{{$uniqueId:bet}}"]', { extras });
    expect(variables.substitute(one, environment, 0)).toMatchObject({ draft: { text: '["id-1", "id-2"]' } });
    const { take, expect: filled, unresolved } = variables.checks(one, environment, 0);
    expect(filled).toEqual([{ balance: { before: '5.00', change: '-1' } }, { path: '/id', equals: 'id-2' }, { code: '{{x}}' }]);
    expect(take).toEqual({ next: '/{{x}}', id: '/id' });
    expect(unresolved.map(({ text }) => text).sort()).toEqual(['/{{x}}', '{{x}}']);
    expect(unresolved[0]?.message).toMatch(/no variable x/);
  });

  it('miss nothing while the files are being read, and say which could not be', () => {
    expect(setUp(() => null).substitute(tab('"{{a}}"'), environment, 0)).toEqual({ ok: false, errors: [] });
    const broken = setUp(() => ({
      collection: {},
      folders: [],
      problems: ['The variables of wallet could not be read.'],
      takers: undefined,
    }));
    const filled = broken.substitute(tab('"{{a}}"'), environment, 0);
    expect(filled).toMatchObject({ ok: false, errors: [{ line: 1, column: 2, field: '/data' }] });
    expect(filled?.ok === false ? filled.errors[0]?.message : '').toMatch(/no variable a\..* The variables of wallet/);
  });

  it('name the other requests of the collection that take one that is missing', () => {
    const requests = [
      { path: 'wallet/bet.yaml', takes: ['round', 'own'] },
      { path: 'wallet/place.yaml', takes: ['round'] },
    ];
    const variables = setUp(({ path }) => ({ collection: {}, folders: [], problems: [], takers: takersIn(requests, path) }));
    const filled = variables.substitute(tab('["{{round}}", "{{own}}"]'), environment, 0);
    expect(filled?.ok === false ? filled.errors.map(({ message, missing }) => [missing, message]) : []).toEqual([
      ['round', 'There is no variable round yet. wallet/place.yaml sets it from its response. Run it first.'],
      ['own', expect.stringMatching(/^There is no variable own\. No other readable request in the collection/)],
    ]);
    expect(variables.takers(tab(''))?.('round')).toEqual(['wallet/place.yaml']);
    expect(variables.takers(tab('', { file: null }))).toBeUndefined();
  });

  it('are those of the run that it was opened from, but for one that a file makes of others', () => {
    const around = { collection: { a: 'team', id: 'x-{{$uniqueId}}' }, folders: [], problems: [], takers: undefined };
    const variables = setUp(() => around, { round: '1' });
    const run = { values: { round: '9007199254740993', a: 'row', id: 'x-old' } };
    const one = tab('["{{round}}", "{{a}}", "{{id}}"]', { run });
    expect(variables.substitute(one, environment, 0)).toMatchObject({
      draft: { text: '["9007199254740993", "row", "x-id-1"]' },
      uses: [{ source: 'run' }, { source: 'run' }, { source: 'collection' }],
    });
    expect(variables.substitute({ ...one, run: null }, environment, 0)).toMatchObject({
      draft: { text: '["1", "team", "x-id-1"]' },
    });
  });

  it('are offered by name, nearest first', () => {
    const known = setUp().known(tab(''), environment);
    expect(known.slice(0, 2).map(({ name, source }) => [name, source])).toEqual([
      ['b', 'the folder'],
      ['a', 'the collection'],
    ]);
    expect(known.map(({ name }) => name)).toContain('$uniqueId');
  });
});
