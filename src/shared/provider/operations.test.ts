import { describe, expect, it } from 'vitest';
import { formatJson } from '#shared/json/format.ts';
import { parseJson } from '#shared/json/parse.ts';
import { validatePayload } from './validate-payload.ts';
import { commonRulesOf } from './common-rules.ts';
import { contextOf } from './request-context.ts';
import { requestEnvelope, responseEnvelope } from './envelope-fields.ts';
import { allOpenPoints } from './open-points.ts';
import { openPointIds } from './model.ts';
import { operationNames, serviceNames, walletNames } from '../model/operations.ts';
import { notShownOf } from './not-shown-in-spec.ts';
import { launchParameters } from './operations-launch.ts';
import { findOperation, formOf, operationByName, operations } from './operations.ts';
import { standingOf } from './field-standing.ts';
import { templateText } from './templates.ts';
import type { Operation, OperationFactsByName, Shape } from './model.ts';
import type { OperationName } from '../model/operations.ts';

const defaults = { currency: 'EUR', lang: 'en', country: 'DE', ip: '203.0.113.9', exitURL: '', playerId: 'player-1' };
const now = Date.UTC(2026, 10, 20, 10, 15, 30);
const everyForm = operations.flatMap((operation) =>
  operation.forms.map((form) => ({ operation, form, id: `${operation.name} ${form.id}` })),
);

/** The spec's facts once more, in the shortest form, read from the document independently of the data files. */
const facts: Record<string, { section: string; at: string; since: string; forms: Record<string, string> }> = {
  gameList: { section: '1', at: 'gameList', since: '1.0.0', forms: { main: 'currency:string' } },
  roundReplayInfo: { section: '2', at: 'roundReplayInfo', since: '1.0.0', forms: { main: 'roundId:bigint logMonth:integer' } },
  getGameRound: { section: '3', at: 'getGameRound', since: '1.0.0', forms: { main: 'roundId:bigint logMonth:integer' } },
  getLauncherURL: {
    section: '4',
    at: 'getLauncherURL',
    since: '1.0.0',
    forms: {
      main: 'gameMode:string gameId:string lang:string externalToken:string playerId:string country:string ip:string exitURL:string',
    },
  },
  freeRounds: {
    section: '5',
    at: 'freeRounds',
    since: '1.0.0',
    forms: {
      single:
        'playerId:string externalReferenceId:string freeRoundValidity:string numberOfFreeRounds:integer betLevel:integer gameIds:strings',
      multi:
        'playerIds:strings externalReferenceIds:strings freeRoundValidity:string numberOfFreeRounds:integer betLevel:integer gameIds:strings',
      multiAmount:
        'playerIds:strings externalReferenceIds:strings freeRoundValidity:string numberOfFreeRounds:integer amount:number currency:string gameIds:strings',
    },
  },
  freeRoundsByBet: {
    section: '6',
    at: 'freeRoundsByBet',
    since: '1.0.0',
    forms: {
      main: 'playerIds:strings externalReferenceIds:strings freeRoundValidity:string numberOfFreeRounds:integer betAmount:number currency:string gameId:string',
    },
  },
  cancelFreeRounds: { section: '7', at: '', since: '1.0.0', forms: { open: '' } },
  currencyList: { section: '8', at: '', since: '1.0.0', forms: { open: '' } },
  playerInfo: { section: '9', at: '/playerInfo', since: '1.0.0', forms: { main: 'externalToken:string' } },
  bet: {
    section: '10',
    at: '/bet',
    since: '1.0.0',
    forms: { main: 'externalToken:string playerId:string gameId:string transactionId:string amount:number currency:string' },
  },
  win: {
    section: '11',
    at: '/win',
    since: '1.0.0',
    forms: { main: 'externalToken:string playerId:string gameId:string transactionId:string amount:number currency:string' },
  },
  cancel: { section: '12', at: '/cancel', since: '1.0.0', forms: { open: '' } },
  tournamentWin: {
    section: '13',
    at: '/tournamentWin',
    since: '1.1.0',
    forms: { main: 'externalToken:string playerId:string gameId:string transactionId:string amount:number currency:string' },
  },
  promoWin: {
    section: '14',
    at: '/promoWin',
    since: '1.1.0',
    forms: {
      main: 'externalToken:string playerId:string gameId:string transactionId:string amount:number currency:string externalReferenceId:string',
    },
  },
  generateNewToken: {
    section: '15',
    at: '/generateNewToken',
    since: '1.1.0',
    forms: { main: 'token:string newGameId:string' },
  },
};

const limits = {
  'gameList main currency': 'currency',
  'roundReplayInfo main logMonth': 'min 0',
  'getGameRound main logMonth': 'min 0',
  'getLauncherURL main gameMode': 'real|fun',
  'getLauncherURL main lang': 'exactly 2 language',
  'getLauncherURL main externalToken': 'up to 255 may be empty',
  'getLauncherURL main country': 'exactly 2 country',
  'getLauncherURL main ip': 'ip',
  'getLauncherURL main exitURL': 'may be empty url',
  'freeRounds single playerId': 'up to 100',
  'freeRounds single externalReferenceId': 'up to 100',
  'freeRounds single freeRoundValidity': 'dateTime',
  'freeRounds single numberOfFreeRounds': 'min 0',
  'freeRounds single betLevel': 'min 0',
  'freeRounds multi freeRoundValidity': 'dateTime',
  'freeRounds multi numberOfFreeRounds': 'min 0',
  'freeRounds multi betLevel': 'min 0',
  'freeRounds multiAmount freeRoundValidity': 'dateTime',
  'freeRounds multiAmount numberOfFreeRounds': 'min 0',
  'freeRounds multiAmount currency': 'currency',
  'freeRoundsByBet main freeRoundValidity': 'dateTime',
  'freeRoundsByBet main numberOfFreeRounds': 'min 0',
  'freeRoundsByBet main currency': 'currency',
  'playerInfo main externalToken': 'up to 255',
  'bet main externalToken': 'up to 255',
  'bet main currency': 'currency',
  'win main externalToken': 'up to 255',
  'win main currency': 'currency',
  'tournamentWin main externalToken': 'up to 255',
  'tournamentWin main currency': 'currency',
  'promoWin main externalToken': 'up to 255',
  'promoWin main currency': 'currency',
};

/** The shape in one line: {name:kind}, [item] for a list. */
function shapeText(shape: Shape | null): string {
  if (shape === null) return 'not shown';
  if (shape.kind === 'array') return `[${shapeText(shape.items)}]`;
  if (shape.kind !== 'object') return shape.format === undefined ? shape.kind : `${shape.kind}(${shape.format})`;
  return `{${Object.entries(shape.fields)
    .map(([name, field]) => `${name}:${shapeText(field)}`)
    .join(' ')}}`;
}

const responses: Partial<Record<string, string>> = {
  gameList: '{slots:[{id:integer gameName:string bets:numbers thumbnail:string(url) status:integer}]}',
  roundReplayInfo:
    '{start:string(dateTime) end:string(dateTime) betAmount:number winAmount:number currency:string replayLink:string(url)}',
  getGameRound:
    '[{id:integer gameId:integer action:string bet:number win:number currencyName:string roundId:integer actionTime:string(dateTime) source:integer url:string(url)}]',
  getLauncherURL: '{launcherURL:string(url)}',
  freeRounds: '{referenceId:string}',
  playerInfo: '{country:string currency:string balance:number playerId:string}',
  bet: '{transactionId:string externalTrxId:string balance:number}',
};

describe('the operations as data', () => {
  it('are the fifteen of the spec, in its order, each once', () => {
    expect(operations.map((operation) => operation.name)).toEqual([...operationNames]);
    expect(Object.keys(facts)).toEqual([...operationNames]);
    expect(new Set(operations.map((operation) => operation.section)).size).toBe(15);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s agrees with the document',
    (name, operation) => {
      const fact = facts[name];
      expect(operation.section).toBe(fact?.section);
      expect(operation.since).toBe(fact?.since);
      expect(operation.endpoint === 'wallet' ? operation.path : (operation.action ?? '')).toBe(fact?.at);
      expect(operation.endpoint).toBe(Number(operation.section) <= 8 ? 'service' : 'wallet');
      expect(operation.path).toBe(operation.endpoint === 'service' ? '/serviceApi.php' : `/${name}`);
      expect(
        Object.fromEntries(
          operation.forms.map((form) => [form.id, form.fields.map((field) => `${field.name}:${field.type}`).join(' ')]),
        ),
      ).toEqual(fact?.forms);
      expect(shapeText(operation.response)).toBe(responses[name] ?? 'not shown');
    },
  );

  it('bound exactly the fields that the spec bounds', () => {
    const found = everyForm.flatMap(({ id, form }) =>
      form.fields.flatMap((field) => {
        const parts = [
          field.values?.join('|'),
          field.exactLength === undefined ? undefined : `exactly ${field.exactLength}`,
          field.maxLength === undefined ? undefined : `up to ${field.maxLength}`,
          field.mayBeEmpty === true ? 'may be empty' : undefined,
          field.format,
          field.minimum === undefined ? undefined : `min ${field.minimum}`,
        ].filter((part) => part !== undefined);
        return parts.length === 0 ? [] : [[`${id} ${field.name}`, parts.join(' ')] as const];
      }),
    );
    expect(Object.fromEntries(found)).toEqual(limits);
  });

  it('say what is required where the spec does', () => {
    const required = (name: OperationName) =>
      Object.fromEntries(operationByName(name).forms[0]?.fields.map((field) => [field.name, field.required]) ?? []);
    expect(required('getLauncherURL')).toEqual({
      gameMode: 'yes',
      gameId: 'yes',
      lang: 'yes',
      externalToken: 'realMode',
      playerId: 'yes',
      country: 'yes',
      ip: 'yes',
      exitURL: 'yes',
    });
    expect(required('gameList')).toEqual({ currency: 'yes' });
    expect(new Set(Object.values(required('freeRoundsByBet')))).toEqual(new Set(['unstated']));
  });

  it('have the combined limit in the forms for many players alone', () => {
    const combined = everyForm.filter(({ form }) => form.combined !== undefined);
    expect(combined.map(({ id }) => id)).toEqual(['freeRounds multi', 'freeRounds multiAmount', 'freeRoundsByBet main']);
    for (const { form } of combined) expect(form.combined).toEqual(['playerIds', 'externalReferenceIds']);
  });

  it('mark every amount of money, so that a recorded unit reaches it', () => {
    const money = everyForm.flatMap(({ id, form }) =>
      form.fields.filter((field) => field.money).map((field) => `${id} ${field.name}`),
    );
    expect(money).toEqual([
      'freeRounds multiAmount amount',
      'freeRoundsByBet main betAmount',
      'bet main amount',
      'win main amount',
      'tournamentWin main amount',
      'promoWin main amount',
    ]);
  });

  it('carry a payload where the spec has one', () => {
    const payloads = Object.groupBy(operations, (operation) => operation.payload);
    expect(payloads.envelope?.map((operation) => operation.name)).toEqual(['gameList']);
    expect(payloads.body?.every((operation) => operation.endpoint === 'wallet')).toBe(true);
    expect(payloads.body).toHaveLength(7);
  });

  it('name every field once, explain it, and have ids that are unique', () => {
    for (const { id, operation, form } of everyForm) {
      const names = form.fields.map((field) => field.name);
      expect(new Set(names).size, id).toBe(names.length);
      for (const field of form.fields) expect(field.notes, `${id} ${field.name}`).toMatch(/^[A-Za-z0-9].*\.$/);
      expect(new Set(operation.forms.map((candidate) => candidate.id)).size).toBe(operation.forms.length);
      expect(form.open === true, id).toBe(form.fields.length === 0);
    }
  });

  it('refer to points that refer to them', () => {
    for (const operation of operations) {
      for (const id of operation.openPoints) {
        expect(allOpenPoints.find((point) => point.id === id)?.operations, `${operation.name} ${id}`).toContain(operation.name);
      }
    }
    const referred = new Set(operations.flatMap((operation) => operation.openPoints));
    expect(openPointIds.filter((id) => !referred.has(id))).toEqual([]);
    for (const point of allOpenPoints) {
      for (const name of point.operations) expect(operationByName(name).openPoints, point.id).toContain(point.id);
    }
  });

  it('have a point for every response and every request that is not shown', () => {
    for (const operation of operations) {
      if (operation.response === null)
        expect(
          operation.openPoints.some((id) => id.endsWith('.response')),
          operation.name,
        ).toBe(true);
      if (operation.forms.some((form) => form.open))
        expect(
          operation.openPoints.some((id) => id.endsWith('.request')),
          operation.name,
        ).toBe(true);
      if (operation.endpoint === 'service' && operation.action === null) {
        expect(
          operation.openPoints.some((id) => id.endsWith('.action')),
          operation.name,
        ).toBe(true);
      }
    }
  });

  it.each(everyForm.map((entry) => [entry.id, entry] as const))(
    '%s: every example stands the check of its own form',
    (_, { operation, form }) => {
      for (const field of form.fields) expect(parseJson(field.example).ok, field.name).toBe(true);
      for (const text of [
        templateText(operation, form.id, defaults),
        templateText(operation, form.id, defaults, { now }),
        `{${form.fields.map((field) => `"${field.name}":${field.example}`).join(',')}}`,
      ]) {
        const findings = validatePayload(
          operation,
          form.id,
          text,
          contextOf({ answers: {}, serialization: 'php', timeZone: 'UTC', walletUrl: '' }, {}, now),
        );
        expect(findings.filter((finding) => finding.rule !== 'shape-not-shown')).toEqual([]);
      }
    },
  );
});

describe('finding an operation and a form', () => {
  it('takes the name as it is written, and only names of operations', () => {
    expect(operationByName('gameList').section).toBe('1');
    expect(findOperation('gameList')).toBe(operationByName('gameList'));
    expect(findOperation('gamelist')).toBeNull();
    expect(findOperation('constructor')).toBeNull();
  });

  it('knows every name: a map without one of them does not compile', () => {
    type Optional<Name extends OperationName> = Omit<OperationFactsByName, Name> extends OperationFactsByName ? Name : never;
    const total: [{ [Name in OperationName]: Optional<Name> }[OperationName]] extends [never] ? true : false = true;
    expect(total).toBe(true);
    expect(operations.map(({ name }) => name)).toEqual([...serviceNames, ...walletNames]);
    for (const name of operationNames) expect(operationByName(name).name).toBe(name);
  });

  it('falls back to the first form', () => {
    const operation: Operation = operationByName('freeRounds');
    expect(formOf(operation, 'multiAmount').title).toContain('amount');
    expect(formOf(operation, 'nothing').id).toBe('single');
  });
});

describe('the envelope and the launcher URL', () => {
  it('have the fields of the spec in its order', () => {
    expect(requestEnvelope.map((field) => field.name)).toEqual([
      'action',
      'platform',
      'partnerId',
      'time',
      'data',
      'hash',
      'currency',
    ]);
    expect(responseEnvelope.map((field) => field.name)).toEqual(['code', 'message', 'data']);
    expect(launchParameters.map((parameter) => parameter.name).join(' ')).toBe(
      'partnerId gameId gameMode lang country playerId ip platform externalToken exitURL',
    );
    expect(launchParameters.find((parameter) => parameter.name === 'externalToken')?.maxLength).toBe(255);
  });
});

describe('templateText', () => {
  it('has the keys in the order of the spec, formatted as Format leaves it', () => {
    for (const { operation, form, id } of everyForm) {
      const text = templateText(operation, form.id, defaults, { now });
      expect(Object.keys(JSON.parse(text)), id).toEqual(form.fields.map((field) => field.name));
      expect(formatJson(text), id).toBe(text);
    }
  });

  it('takes the defaults of the environment, whatever they hold', () => {
    const text = templateText(operationByName('getLauncherURL'), 'main', {
      ...defaults,
      playerId: 'Zoë "7"',
      lang: 'de',
      exitURL: 'https://a.example/b',
    });
    expect(JSON.parse(text)).toMatchObject({ playerId: 'Zoë "7"', lang: 'de', country: 'DE', exitURL: 'https://a.example/b' });
  });

  it('puts the expiry seven days ahead in the zone that was given', () => {
    const at = (timeZone?: string) =>
      JSON.parse(
        templateText(operationByName('freeRounds'), 'single', defaults, timeZone === undefined ? { now } : { now, timeZone }),
      ).freeRoundValidity;
    expect(at()).toBe('27-11-2026 10:15:30');
    expect(at('Asia/Tokyo')).toBe('27-11-2026 19:15:30');
    expect(at('Nowhere/Known')).toBe('27-11-2026 10:15:30');
  });

  it('makes fresh references and transaction ids, equal in number to the players', () => {
    const multi = (playerId: string) =>
      JSON.parse(templateText(operationByName('freeRounds'), 'multi', { ...defaults, playerId }, { now }));
    expect(multi('player-1').playerIds).toEqual(['player-1', 'player-2']);
    expect(multi('player-2').playerIds).toEqual(['player-2', 'player-1']);
    expect(multi('x').playerIds).toEqual(['x', 'player-1']);
    expect(multi('x').externalReferenceIds).toEqual([`reference-1-${now}`, `reference-2-${now}`]);
    const bet = JSON.parse(templateText(operationByName('bet'), 'main', defaults, { now }));
    expect(bet.transactionId).toBe(`transaction-1-${now}`);
  });
});

describe('the rules of the spec', () => {
  const said: Readonly<Record<OperationName, readonly RegExp[]>> = {
    gameList: [/no data object/, /betLevel/],
    roundReplayInfo: [/year first/, /replayToken, tableM and lang/],
    getGameRound: [/bet transaction/, /list of round records/],
    getLauncherURL: [/never hardcode it/, /gameMode fun and without externalToken/, /iframe/],
    freeRounds: [/launched first/, /unique per platform/, /20,000/, /since 1\.1\.0/],
    freeRoundsByBet: [/20,000/, /one game/, /since 1\.1\.0/],
    cancelFreeRounds: [/doesn't show its action name, request or response/],
    currencyList: [/ISO 4217/, /doesn't show its path or action name, its request or its response/],
    playerInfo: [/valid session token/],
    bet: [/finalized with a win/],
    win: [/finalized with a win/, /fields of \/bet/],
    cancel: [/POST to \{base_url\}\/cancel/, /doesn't show its request or response/],
    tournamentWin: [/balance/, /validated/, /1\.0\.0's method table/],
    promoWin: [/unique per transaction/, /same structure as that of \/win/, /1\.0\.0's method table/],
    generateNewToken: [/inherits the session context/, /old token stops working/],
  };

  it.each(operationNames)('%s says its own', (name) => {
    const rules = operationByName(name).rules.join('\n');
    for (const rule of said[name]) expect(rules).toMatch(rule);
  });

  it('say what every call shares, by the way it is sent', () => {
    const shared = (name: OperationName) => commonRulesOf(operationByName(name)).join('\n');
    for (const rule of [/HTTPS only: a POST of application\/json/, /SHA-256/, /one endpoint/, /dd-mm-yyyy/]) {
      expect(shared('freeRounds')).toMatch(rule);
    }
    for (const rule of [/HTTPS only: a POST of application\/json/, /without the hash envelope/, /player's session/]) {
      expect(shared('cancel')).toMatch(rule);
    }
    expect(shared('cancel')).not.toMatch(/SHA-256/);
  });

  it('lead from what is not shown of a request to the open points of exactly that', () => {
    const points = (name: OperationName) => notShownOf(operationByName(name)).map(({ part, point }) => `${part}: ${point}`);
    expect(points('cancel')).toEqual(['request: cancel.request', 'response: cancel.response']);
    expect(points('cancelFreeRounds')).toEqual([
      'action name: cancelFreeRounds.action',
      'request: cancelFreeRounds.request',
      'response: cancelFreeRounds.response',
    ]);
    expect(points('currencyList')).toEqual([
      'path or action name: currencyList.action',
      'request: currencyList.request',
      'response: currencyList.response',
    ]);
  });

  it('have one word for the standing of each field', () => {
    const standings = (name: OperationName) =>
      Object.fromEntries(formOf(operationByName(name), '').fields.map((field) => [field.name, standingOf(field)]));
    expect(standings('getLauncherURL')).toMatchObject({ gameMode: 'required', externalToken: 'required in real mode' });
    expect(new Set(Object.values(standings('freeRounds')))).toEqual(new Set(['not stated']));
  });
});
