import { expect, it } from 'vitest';
import { openApiDocument, operations } from '#shared/provider/index.ts';
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
    'GET /pets: the request GET https://eu.example/v1/pets. Its URL is not one of this API',
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

it('what Croupier writes of the API comes in: a new request of each operation', () => {
  const document = openApiDocument({ answers: {}, baseUrl: 'https://api.example.com', walletUrl: 'https://w.example.com' });
  const { requests, notCarried } = plan('croupier.json', JSON.stringify(document));
  expect(requests.map(({ request }) => request.operation).sort()).toEqual(operations.map(({ name }) => name).sort());
  expect(requests.every(({ name, request }) => name === request.operation)).toBe(true);
  expect(requests.find(({ request }) => request.operation === 'bet')?.request.data).toContain('"externalToken"');
  expect(notCarried.filter(({ why }) => why.includes('those of a new request'))).toHaveLength(operations.length);
});

it('other versions are refused with what to do', () => {
  expect(() => plan('a.json', '{"swagger": "2.0", "paths": {}, "info": {}}')).toThrow('Convert it to OpenAPI 3');
  expect(() => plan('a.yaml', 'swagger: "2.0"\npaths: {}\n')).toThrow('Convert it to OpenAPI 3');
  expect(() => plan('a.yaml', 'openapi: 4.0.0\npaths: {}\n')).toThrow('of OpenAPI 4.0.0');
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
