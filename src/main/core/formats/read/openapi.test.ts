import { expect, it } from 'vitest';
import { formOf, openApiDocument, operationByName, operations } from '#shared/provider/index.ts';
import { createSchemaValidator } from '#testing/schema-validator.ts';
import { planFiles } from './plan-import.ts';

const plan = (name: string, text: string) =>
  planFiles({ files: [{ name, text }], target: { folder: '', names: [] }, environments: [] }).plan;

const json = String.raw`{
  "openapi": "3.0.3",
  "info": { "title": "Provider", "version": "1", "description": "The API." },
  "servers": [{ "url": "https://{region}.example/v1/", "variables": { "region": { "default": "eu" } } }, { "url": "https://other.example" }],
  "paths": {
    "/serviceApi.php": {
      "post": {
        "tags": ["Service"],
        "summary": "The service",
        "security": [{ "key": [] }],
        "requestBody": { "$ref": "#/components/requestBodies/Service" },
        "responses": {
          "200": { "description": "", "content": { "application/json": { "examples": { "round": { "value": { "code": 0, "data": [1.50] } } } } } }
        }
      }
    },
    "/bet": { "post": { "requestBody": { "content": { "application/json": { "example": "{\"externalToken\":\"{{x}}\", \"amount\": 0.10}" } } } } },
    "/pets": { "get": { "summary": "Pets" } }
  },
  "components": {
    "requestBodies": {
      "Service": {
        "content": {
          "application/json; charset=utf-8": {
            "examples": {
              "games": { "$ref": "#/components/examples/Games" },
              "round": { "value": {"action":"getGameRound","platform":1,"partnerId":42,"time":"20-11-2026 10:15:30","data":{"roundId":9007199254740993, "logMonth":0},"hash":"x"} }
            }
          }
        }
      }
    },
    "examples": { "Games": { "value": { "action": "gameList", "platform": 1, "partnerId": 42, "time": "t", "hash": "h", "currency": "EUR" } } }
  }
}`;

it('an API in JSON becomes requests: its examples byte for byte, with the responses of the same name', () => {
  const { requests, notes, notCarried } = plan('api.json', json);
  expect(requests.map(({ path }) => path)).toEqual([
    'Service/The service, games.yaml',
    'Service/The service, round.yaml',
    'bet.yaml',
  ]);
  const [games, round, bet] = requests.map(({ request }) => request);
  expect(games).toMatchObject({ operation: 'gameList', examples: [] });
  expect(round?.data).toBe('{"roundId":9007199254740993, "logMonth":0}');
  expect(round?.examples).toEqual([{ name: 'round', status: '200', body: '{ "code": 0, "data": [1.50] }' }]);
  expect(bet?.data).toBe('{"externalToken":"{{$braces}}x}}", "amount": 0.10}');
  expect(notes).toBe('The API.');
  const named = notCarried.map(({ where, what, why }) => `${where}: ${what}. ${why}`).join('\n');
  for (const part of [
    'GET /pets: the request GET https://eu.example/v1/pets. Its URL is not part of this API',
    'the server https://other.example',
    'security',
  ])
    expect(named).toContain(part);
});

it('an API in YAML keeps the digits of its examples', () => {
  const text = `openapi: 3.1.0
info: {title: A, version: '1'}
paths:
  /wallet/bet:
    post:
      operationId: takeBet
      requestBody:
        content:
          application/json:
            schema:
              example:
                externalToken: "1"
                amount: 0.10
                roundId: 9007199254740993
                last: true
`;
  const { requests } = plan('api.yaml', text);
  expect(requests.map(({ name, request }) => [name, request.data])).toEqual([
    ['takeBet', '{\n  "externalToken": "1",\n  "amount": 0.10,\n  "roundId": 9007199254740993,\n  "last": true\n}'],
  ]);
});

/** The payload of /bet that its schema gives, and the fields that the file has no example of; other parts of the file may be referred to. */
function betOf(schema: string, components = '{}', openapi = '3.1.0') {
  const body = `{"content": {"application/json": {"schema": ${schema}}}}`;
  const text = `{"openapi": "${openapi}", "paths": {"/bet": {"post": {"requestBody": ${body}}}}, "components": {"schemas": ${components}}}`;
  const { requests, notCarried } = plan('a.json', text);
  const given = JSON.parse(requests[0]?.request.data ?? '{}') as Record<string, unknown>;
  return { given, text: requests[0]?.request.data ?? '', lost: notCarried.filter(({ why }) => why.includes('no example')) };
}

const amount = (schema: string) => `{"type": "object", "properties": {"amount": ${schema}}}`;

const kinds: readonly (readonly [what: string, schema: string, amount: unknown, components?: string, version?: string])[] = [
  ['example', amount('{"type": "number", "example": 2.5}'), 2.5, '{}', '3.0.3'],
  ['examples', amount('{"type": "number", "examples": [2.5, 3]}'), 2.5],
  ['default', amount('{"default": 2.5}'), 2.5, '{}', '3.0.3'],
  ['enum', amount('{"enum": [2.5, 5]}'), 2.5, '{}', '3.0.3'],
  ['const', amount('{"const": 2.5}'), 2.5],
  ['example before default before enum', amount('{"enum": [1, 2.5], "default": 1, "example": 2.5}'), 2.5],
  ['no value by null', amount('{"example": null, "default": 2.5}'), 2.5],
  ['a false and a 0 are values', amount('{"default": 0, "enum": [1]}'), 0],
  ['of a reference', amount('{"$ref": "#/components/schemas/Amount"}'), 2.5, '{"Amount": {"default": 2.5}}'],
  [
    'beside a reference',
    amount('{"allOf": [{"$ref": "#/components/schemas/A"}], "default": 2.5}'),
    2.5,
    '{"A": {"type": "number"}}',
  ],
  ['of a part of allOf', amount('{"allOf": [{"type": "number"}, {"example": 2.5}]}'), 2.5],
  ['of the first branch of oneOf', amount('{"oneOf": [{"example": 2.5}, {"example": 3}]}'), 2.5],
  ['of a later branch, if the first has none', amount('{"anyOf": [{"type": "null"}, {"example": 2.5}]}'), 2.5],
  ['of the items of an array', amount('{"type": "array", "items": {"example": 2.5}}'), [2.5]],
  ['of nested properties', amount('{"properties": {"a": {"properties": {"b": {"enum": ["x"]}}}}}'), { a: { b: 'x' } }],
  ['an object as example', amount('{"example": {"a": 1}, "properties": {"a": {"default": 2}}}'), { a: 1 }],
  ['a schema in allOf of the body', `{"allOf": [{"type": "object"}, ${amount('{"default": 2.5}')}]}`, 2.5],
  ['a schema in oneOf of the body', `{"oneOf": [${amount('{"default": 2.5}')}, ${amount('{"default": 3}')}]}`, 2.5],
  [
    'a schema behind references',
    '{"$ref": "#/components/schemas/A"}',
    2.5,
    `{"A": {"$ref": "#/components/schemas/B"}, "B": ${amount('{"const": 2.5}')}}`,
  ],
  [
    'an example of a part of the body',
    `{"allOf": [{"properties": {"amount": {}}, "example": {"amount": 2.5}}, {"properties": {"currency": {"default": "USD"}}}]}`,
    2.5,
  ],
  ['not of a property that only a response has', amount('{"readOnly": true, "example": 2.5}'), 1],
  [
    'a schema in a circle',
    '{"$ref": "#/components/schemas/A"}',
    2.5,
    '{"A": {"properties": {"amount": {"default": 2.5}, "bet": {"$ref": "#/components/schemas/A"}}}}',
  ],
];

for (const [what, schema, expected, components, version] of kinds) {
  it(`a value of a property: ${what}`, () => {
    const { given, lost } = betOf(schema, components, version);
    expect(given['amount']).toEqual(expected);
    // The others are those of a new request, and it is said of them alone.
    expect(given).toMatchObject({ playerId: expect.any(String) as string, externalToken: 'session-token' });
    const isGiven = !schema.includes('readOnly');
    expect(lost.map(({ what }) => what.split(/, | of /).includes('amount'))).toEqual([false]);
    expect(lost[0]?.what.startsWith('externalToken, playerId, gameId, transactionId')).toBe(isGiven);
  });
}

it('values keep their text, and a file with all of them lacks none', () => {
  const all =
    '"externalToken": {"example": "{{t}}"}, "playerId": {"default": "p"}, "gameId": {"enum": ["7"]}, "transactionId": {"const": "t"}';
  const { text, lost } = betOf(
    `{"properties": {${all}, "amount": {"example": 1.50}, "currency": {"default": "EUR"}, "roundId": {"example": 9007199254740993}}}`,
  );
  expect(text).toContain('"amount": 1.50');
  expect(text).toContain('"roundId": 9007199254740993');
  expect(text).toContain('"externalToken": "{{$braces}}t}}"');
  expect(lost).toEqual([]);
});

it('the values of each operation are those of its branch, whatever names the operation', () => {
  const branch = (action: string, data: string) => `{"properties": {"action": ${action}, "data": {"properties": ${data}}}}`;
  const schema = `{"discriminator": {"propertyName": "action", "mapping": {"getLauncherURL": "#/components/schemas/L"}}, "oneOf": [
    ${branch('{"const": "getGameRound"}', '{"roundId": {"example": 9007199254740993}, "logMonth": {"default": 2}}')},
    ${branch('{"enum": ["roundReplayInfo"]}', '{"roundId": {"example": 5}}')},
    {"$ref": "#/components/schemas/L"},
    ${branch('{"default": "freeRounds"}', '{"playerIds": {"items": {"example": "p"}}, "externalReferenceIds": {}, "amount": {"example": 0.10}, "currency": {}}')}
  ]}`;
  const envelope = '"action": {"type": "string", "enum": ["getGameRound", "getLauncherURL"]}, "platform": {"example": 7}';
  const launch = `{"allOf": [{"properties": {${envelope}}}, {"properties": {"action": {"const": "getLauncherURL"}, "data": {"example": {"gameMode": "real"}}}}]}`;
  const text = `{"openapi": "3.1.0", "paths": {"/serviceApi.php": {"post": {"requestBody": {"content": {"application/json": {"schema": ${schema}}}}}}}, "components": {"schemas": {"L": ${launch}}}}`;
  const { requests } = plan('a.json', text);
  const of = (name: string) => requests.find(({ request }) => request.operation === name)?.request;
  expect(requests).toHaveLength(4);
  expect(of('getGameRound')?.data).toBe('{\n  "roundId": 9007199254740993,\n  "logMonth": 2\n}');
  expect(of('roundReplayInfo')?.data).toContain('"roundId": 5,');
  expect(of('getLauncherURL')?.data).toBe('{"gameMode": "real"}');
  expect(of('freeRounds')).toMatchObject({
    form: 'multiAmount',
    data: expect.stringMatching(/"playerIds": \["p"\][^]*"amount": 0\.10/) as string,
  });
});

it('schemas that refer to each other lose no operation', () => {
  const body = (name: string) =>
    `{"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/${name}"}}}}}}`;
  const sub = (action: string) =>
    `{"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"action": {"const": "${action}"}, "data": {"default": {"roundId": 5}}}}]}`;
  const base = '{"oneOf": [{"$ref": "#/components/schemas/Round"}, {"$ref": "#/components/schemas/Replay"}]}';
  const text = `{"openapi": "3.1.0", "paths": {"/a/serviceApi.php": ${body('Round')}, "/b/serviceApi.php": ${body('Base')}},
    "components": {"schemas": {"Base": ${base}, "Round": ${sub('getGameRound')}, "Replay": ${sub('roundReplayInfo')}}}}`;
  const { requests } = plan('a.json', text);
  expect(requests.map(({ request }) => [request.operation, request.data])).toEqual(
    ['getGameRound', 'getGameRound', 'roundReplayInfo'].map((name) => [name, '{"roundId": 5}']),
  );
});

it('an example of a branch is a request of its own, and a parameter of the path has its value', () => {
  const whole = '{"example": {"externalToken": "t", "amount": 0.10}}';
  const path =
    '"/{version}/{method}": {"parameters": [{"name": "version", "in": "path", "example": "v1"}], "post": {"parameters": [{"name": "method", "in": "path", "schema": {"enum": ["bet", "win"]}}, {"name": "X-Id", "in": "header"}]';
  const text = `{"openapi": "3.0.3", "paths": {${path}, "requestBody": {"content": {"application/json": {"schema": {"oneOf": [${whole}, ${whole}]}}}}}}}}`;
  const { requests, notCarried } = plan('a.json', text);
  expect(requests.map(({ request }) => [request.operation, request.data])).toEqual([
    ['bet', '{"externalToken": "t", "amount": 0.10}'],
    ['bet', '{"externalToken": "t", "amount": 0.10}'],
  ]);
  expect(notCarried.filter(({ what }) => what === 'parameters').map(({ at }) => at)).toEqual([
    ['/paths/~1{version}~1{method}/post/parameters/1'],
  ]);
  expect(notCarried.some(({ why }) => why.includes('no example'))).toBe(false);
});

it('"no example" is said of an operation only if its schema gives no value', () => {
  expect(betOf('{"type": "object", "properties": {"amount": {"type": "number"}}}').lost.map(({ what }) => what)).toEqual([
    'the values of bet',
  ]);
  const text =
    '{"openapi": "3.0.3", "paths": {"/serviceApi.php": {"post": {"requestBody": {"content": {"application/json": {"schema": {"properties": {"data": {"default": 1}}}}}}}}}}';
  expect(plan('a.json', text).notCarried.map(({ why }) => why)).toEqual([expect.stringMatching(/^Its body has no action\./)]);
});

it('what Croupier writes of the API comes in: a new request of each operation that it can send', () => {
  const answers = { 'currencyList.action': { value: 'currencies' } };
  const document = openApiDocument({ answers, baseUrl: 'https://api.example.com', walletUrl: 'https://w.example.com' });
  const { requests, notCarried } = plan('croupier.json', JSON.stringify(document));
  const sendable = operations.filter(({ name }) => name !== 'cancelFreeRounds').map(({ name }) => name);
  expect(requests.map(({ request }) => request.operation).sort()).toEqual(sendable.sort());
  expect(requests.every(({ name, request }) => name === request.operation)).toBe(true);
  const schemas = createSchemaValidator(answers);
  for (const { request } of requests) {
    const { payload, action, endpoint } = operationByName(request.operation);
    const data = JSON.parse(request.data) as object;
    const body = {
      action: action ?? 'currencies',
      platform: 7,
      partnerId: 12,
      time: '20-11-2026 10:15:30',
      hash: 'ab'.repeat(32),
      ...(payload === 'data' ? { data } : data),
    };
    const text = JSON.stringify(endpoint === 'wallet' ? data : body);
    expect(schemas.sent(endpoint === 'wallet' ? `/${request.operation}` : '/serviceApi.php', text), text).toEqual([]);
    // A form that the specification shows comes with each of its fields.
    expect(Object.keys(data)).toEqual(formOf(operationByName(request.operation), request.form).fields.map(({ name }) => name));
  }
  const launch = requests.find(({ request }) => request.operation === 'getLauncherURL')?.request.data ?? '';
  expect(JSON.parse(launch)).toMatchObject({ gameMode: 'fun', gameId: '1042', externalToken: '', country: 'DE' });
  // Values that are new each time, and digits that a double does not hold.
  const lacking = notCarried.filter(({ why }) => why.includes('no example')).map(({ what }) => what);
  expect(lacking).toContain('transactionId of bet');
  expect(lacking).toContain('roundId of getGameRound');
  expect(lacking.join()).not.toMatch(/getLauncherURL|gameList|playerInfo/);
});

it('other versions are refused with what to do', () => {
  expect(() => plan('a.json', '{"swagger": "2.0", "paths": {}, "info": {}}')).toThrow('Convert it to OpenAPI 3');
  expect(() => plan('a.yaml', 'swagger: "2.0"\npaths: {}\n')).toThrow('Convert it to OpenAPI 3');
  expect(() => plan('a.yaml', 'openapi: 4.0.0\npaths: {}\n')).toThrow('uses OpenAPI 4.0.0');
});

it('references in a circle and to other files end', () => {
  const text = JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/serviceApi.php': { post: { requestBody: { $ref: '#/components/requestBodies/A' } } },
      '/bet': { $ref: 'other.yaml#/paths/bet' },
    },
    components: { requestBodies: { A: { $ref: '#/components/requestBodies/B' }, B: { $ref: '#/components/requestBodies/A' } } },
  });
  const { requests, notCarried } = plan('a.json', text);
  expect(requests).toEqual([]);
  expect(notCarried.map(({ what }) => what)).toEqual(['the path /bet', 'the request POST /serviceApi.php']);
});
