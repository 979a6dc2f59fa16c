import { describe, expect, it } from 'vitest';
import { createSchemaValidator } from '#testing/schema-validator.ts';
import { defaultEnvironment } from '../model/default-environment.ts';
import { jsonSchemaDocument, openApiDocument, operations, templateText } from './index.ts';
import { schemaName } from './json-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const open = openApiDocument({ answers: {}, baseUrl: 'https://api.example', walletUrl: 'https://wallet.example' }) as {
  paths: Json;
  servers: unknown;
  components: { schemas: Json };
};
const text = (value: unknown) => JSON.stringify(value);

describe('the OpenAPI document', () => {
  it('has a path for each wallet method and one for the signed operations, whose references lead to a schema', () => {
    expect(Object.keys(open.paths)).toEqual([
      '/serviceApi.php',
      ...operations.filter(({ endpoint }) => endpoint === 'wallet').map(({ path }) => path),
    ]);
    const refs = [...text(open).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(refs)).toEqual(new Set(Object.keys(open.components.schemas)));
    expect(open.servers).toEqual([{ url: 'https://api.example' }]);
    expect(open.paths['/bet']).toMatchObject({ servers: [{ url: 'https://wallet.example' }] });
  });

  it('leaves out an operation whose action is not known, and names it', () => {
    const service = open.paths['/serviceApi.php'];
    expect(text(service)).toContain('cancelFreeRounds (cancelFreeRounds.action), currencyList (currencyList.action)');
    const names = (document: Json) =>
      Object.keys((document['components'] as { schemas: Json }).schemas).filter((name) => /^(Cancel|Currency)/.test(name));
    expect(names(open)).toEqual(['CancelRequest', 'CancelResponse']);
    const answers = { 'currencyList.action': { value: 'currencies' } };
    const recorded = openApiDocument({ answers, baseUrl: 'https://api.example', walletUrl: '' });
    expect(names(recorded)).toEqual(['CurrencyListRequest', 'CurrencyListResponse', 'CancelRequest', 'CancelResponse']);
    expect(text(recorded)).toContain('"currencies":"#/components/schemas/CurrencyListRequest"');
  });

  it('says what is open, and what was recorded in its place', () => {
    const { $defs } = jsonSchemaDocument({}) as { $defs: Json };
    expect(text($defs['CurrencyListRequest'])).toContain('The specification does not show it (currencyList.request).');
    expect(text($defs['CurrencyListResponse'])).toMatch(/Open: [^"]*\? \(currencyList\.response\)/);
    const answers = { 'currencyList.response': { value: '["currency"]' }, 'gameList.status': { value: '{"1":"active"}' } };
    const recorded = jsonSchemaDocument(answers) as { $defs: Json };
    expect(text(recorded.$defs['CurrencyListResponse'])).not.toContain('Open: What is the shape');
    expect(text(recorded.$defs['GameListRequest'])).toMatch(/Recorded: [^"]*active[^"]*\(gameList\.status\)/);
    expect(text($defs['GameListRequest'])).toMatch(/Open: [^"]* \(gameList\.status\)/);
  });

  it('has no number that JSON cannot write exactly', () => {
    expect(text(open)).toBe(text(JSON.parse(text(open))));
    expect(text(open.components.schemas['GetGameRoundRequest'])).toContain('"type":"integer","format":"int64"');
  });
});

describe('the schemas', () => {
  const schemas = createSchemaValidator();

  it.each(operations.flatMap((operation) => operation.forms.map((form) => ({ name: operation.name, operation, form }))))(
    'take what Croupier sends: $name, $form.id',
    ({ operation, form }) => {
      const payload = templateText(operation, form.id, defaultEnvironment.defaults, { now: 0 });
      const head = text({ platform: 7, partnerId: 11, time: '22-11-2026 10:40:02', hash: 'ab'.repeat(32) });
      const action = text({ action: operation.action ?? 'an action' });
      const members = operation.payload === 'data' ? `{"data":${payload}}` : payload;
      const body =
        operation.payload === 'body' ? payload : [action, head, members].map((one) => one.trim().slice(1, -1)).join(',');
      const whole = operation.payload === 'body' ? body : `{${body}}`;
      expect(schemas.named(schemaName(operation, 'Request'), whole)).toEqual([]);
    },
  );
});
