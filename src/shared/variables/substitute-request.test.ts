import { describe, expect, it } from 'vitest';
import { CollectionRequest } from '../collections/model.ts';
import { Environment } from '../model/environment.ts';
import { prepareRequest } from '../request/envelope.ts';
import { createGenerated } from './generated.ts';
import { substituteRequest } from './substitute-request.ts';
import { createScopes, type ScopeParts } from './scopes.ts';
import { inputPlace } from './substitute.ts';

const now = Date.UTC(2026, 10, 20, 10, 15, 30);
const environment = Environment.parse({
  id: 'test',
  name: 'Test',
  baseUrl: 'https://provider.example',
  platform: 7,
  partnerId: 42,
  timeZone: 'Europe/Berlin',
  answers: { 'time.order.roundReplayInfo': { value: 'ymd' } },
});

function run(input: object, scopes: ScopeParts = {}) {
  let count = 0;
  const request = CollectionRequest.parse(input);
  const generated = createGenerated({ environment, now, newId: () => `id-${++count}` });
  return substituteRequest(request, createScopes({ environment, ...scopes }), generated);
}

describe('a request', () => {
  it('is ready to be signed with the values in place', () => {
    const result = run(
      {
        operation: 'freeRounds',
        form: 'single',
        data: '{"playerId": "{{playerId}}", "externalReferenceId": "{{$uniqueId:grant}}", "freeRoundValidity": "{{$now+7d}}", "numberOfFreeRounds": {{rounds}}, "betLevel": 0, "gameIds": ["{{gameId}}"]}',
        overrides: { partnerId: '{{partner}}', omit: ['hash'] },
        take: { reference: '/data/referenceId' },
        expect: [{ path: '/data/referenceId', equals: '{{$uniqueId:grant}}', present: true }, { code: '0' }],
      },
      { run: { rounds: '10', partner: '"4/2"' }, answer: { gameId: '1042' } },
    );
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.draft).toEqual({
      operation: 'freeRounds',
      form: 'single',
      text: '{"playerId": "player-1", "externalReferenceId": "id-1", "freeRoundValidity": "27-11-2026 11:15:30", "numberOfFreeRounds": 10, "betLevel": 0, "gameIds": ["1042"]}',
      overrides: { partnerId: '"4/2"', omit: ['hash'] },
    });
    expect(result.take).toEqual({ reference: '/data/referenceId' });
    expect(result.expect).toEqual([{ path: '/data/referenceId', equals: 'id-1', present: true }, { code: '0' }]);
    expect(result.uses.map(({ field, name, source }) => `${field} ${name} ${source}`)).toEqual([
      '/data playerId environment',
      '/data $uniqueId:grant generated',
      '/data $now+7d generated',
      '/data rounds run',
      '/data gameId answer',
      '/overrides/partnerId partner run',
      '/expect/0/equals $uniqueId:grant generated',
    ]);

    const prepared = prepareRequest({ environmentId: environment.id, ...result.draft }, environment, now);
    if (!prepared.ok) throw new Error(prepared.error.message);
    expect(prepared.request.dataJson).toBe(
      '{"playerId":"player-1","externalReferenceId":"id-1","freeRoundValidity":"27-11-2026 11:15:30","numberOfFreeRounds":10,"betLevel":0,"gameIds":["1042"]}',
    );
    expect(prepared.request.before).toContain('"partnerId":"4/2",');
  });

  it('shows an error of its JSON in what was typed', () => {
    const data = '{"roundId": {{round}},\n "name": "{{name}}",\n "logMonth": x}';
    const result = run({ operation: 'getGameRound', data }, { run: { round: '9007199254740993', name: 'a\nb' } });
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    const prepared = prepareRequest({ environmentId: environment.id, ...result.draft }, environment, now);
    if (prepared.ok) throw new Error('prepared');
    const uses = result.uses.filter(({ field }) => field === '/data');
    expect(inputPlace(data, uses, prepared.error.offset ?? 0)).toEqual({ offset: data.indexOf('x}'), line: 3, column: 14 });
  });

  it('shows a lone surrogate of a value at its variable', () => {
    const data = '{"a": "{{name}}"}';
    const result = run({ operation: 'getGameRound', data }, { run: { name: 'x\ud83d' } });
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    const prepared = prepareRequest({ environmentId: environment.id, ...result.draft }, environment, now);
    if (prepared.ok) throw new Error('prepared');
    expect(prepared.error.message).toContain('Unpaired surrogate');
    expect(inputPlace(data, result.uses, prepared.error.offset ?? 0)).toMatchObject({ offset: data.indexOf('{{name') });
  });

  it('puts variables of any place in: each text of a check, the paths, the overrides', () => {
    const result = run(
      {
        operation: 'bet',
        data: '',
        overrides: { hash: '{{a}}', time: '{{a}}', platform: '{{n}}' },
        take: { x: '/data/{{n}}' },
        expect: [{ balance: { before: '{{n}}', change: '-{{n}}' } }, { path: '/{{a}}', matches: '^{{a}}$', type: 'string' }],
        notes: '{{a}}',
      },
      { collection: { a: 'va"l', n: '5' } },
    );
    expect(result).toMatchObject({
      ok: true,
      draft: { text: '', overrides: { hash: 'va"l', time: 'va"l', platform: '5' } },
      take: { x: '/data/5' },
      expect: [{ balance: { before: '5', change: '-5' } }, { path: '/va"l', matches: '^va"l$', type: 'string' }],
    });
  });

  it('writes the time that it overrides in the order of the operation, and dates of data day first', () => {
    const input = { data: '{"a": "{{$now-2h}}"}', overrides: { time: '{{$now-2h}}' } };
    const timeOf = (operation: string) => run({ operation, ...input });
    expect(timeOf('roundReplayInfo')).toMatchObject({
      draft: { text: '{"a": "20-11-2026 09:15:30"}', overrides: { time: '2026-11-20 09:15:30' } },
    });
    expect(timeOf('getGameRound')).toMatchObject({ draft: { overrides: { time: '20-11-2026 09:15:30' } } });
  });

  it('gives the errors of all its texts', () => {
    const result = run({
      operation: 'bet',
      data: '{"a": "{{lost}}"}',
      overrides: { platform: '{{environmentName}}', time: 'x {{privateKey}}' },
      expect: [{ code: '0' }, { path: '/x', equals: '{{' }],
    });
    expect(result.ok ? [] : result.errors.map(({ field, name, column }) => [field, name, column])).toEqual([
      ['/data', 'lost', 8],
      ['/overrides/time', 'privateKey', 3],
      ['/overrides/platform', 'environmentName', 1],
      ['/expect/1/equals', '', 1],
    ]);
  });

  it('keeps within the limits of a draft', () => {
    const result = run({ operation: 'bet', overrides: { hash: '{{x}}' } }, { run: { x: 'y'.repeat(1_001) } });
    expect(result.ok ? [] : result.errors).toMatchObject([{ field: '/overrides/hash', name: 'x' }]);
  });

  it('survives values and texts of every size', () => {
    const long = 'x"'.repeat(10_000);
    const items = Array.from({ length: 30 }, () => '"{{long}}"').join(',');
    const result = run({ operation: 'bet', data: `[${items}]` }, { run: { long } });
    expect(result.ok && result.draft.text.length).toBe(30 * 30_000 + 30 * 3 + 1);
    const padded = (size: number) => run({ operation: 'bet', data: `["${'y'.repeat(size)}","{{long}}"]` }, { run: { long } });
    expect(padded(960_000).ok).toBe(true);
    expect(padded(980_000).ok).toBe(false);
  });
});
