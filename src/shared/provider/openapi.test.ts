import { describe, expect, it } from 'vitest';
import { fromJSONSchema } from 'zod';
import { defaultEnvironment } from '../model/default-environment.ts';
import { jsonSchemaDocument, openApiDocument, operations, templateText } from './index.ts';
import { schemaName } from './json-schemas.ts';
import type { Answers } from './model.ts';

type Json = Readonly<Record<string, unknown>>;

const open = openApiDocument({ answers: {}, baseUrl: 'https://api.example', walletUrl: 'https://wallet.example' }) as {
  paths: Json;
  servers: unknown;
  components: { schemas: Json };
};
const text = (value: unknown) => JSON.stringify(value);

/** Zod reads the schemas; it knows nothing of how they were made. */
const reader = (name: string, answers: Answers = {}) => {
  const { $defs } = jsonSchemaDocument(answers) as { $defs: Record<string, Json> };
  return fromJSONSchema($defs[name] as Parameters<typeof fromJSONSchema>[0]);
};

const envelope = (action: string, rest: Json) => ({
  action,
  platform: 7,
  partnerId: 11,
  time: '22-11-2026 10:40:02',
  hash: 'ab'.repeat(32),
  ...rest,
});

describe('the OpenAPI document', () => {
  it('has a path for each wallet method and one for the signed operations, whose references lead to a schema', () => {
    expect(Object.keys(open.paths)).toEqual([
      '/serviceApi.php',
      ...operations.filter(({ endpoint }) => endpoint === 'wallet').map(({ path }) => path),
    ]);
    const refs = [...text(open.paths).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(refs)).toEqual(new Set(Object.keys(open.components.schemas)));
    expect(refs).toHaveLength(2 * operations.length);
    expect(open.servers).toEqual([{ url: 'https://api.example' }]);
    expect(open.paths['/bet']).toMatchObject({ servers: [{ url: 'https://wallet.example' }] });
  });

  it('says what is open, and what was recorded in its place', () => {
    const { schemas } = open.components;
    expect(text(schemas['CurrencyListRequest'])).toContain('The specification does not show it (currencyList.request).');
    expect(text(schemas['CurrencyListRequest'])).not.toContain('"const"');
    const answers = { 'currencyList.action': { value: 'currencyList' }, 'gameList.status': { value: '{"1":"active"}' } };
    const recorded = jsonSchemaDocument(answers) as { $defs: Json };
    expect(recorded.$defs['CurrencyListRequest']).toMatchObject({ properties: { action: { const: 'currencyList' } } });
    expect(text(recorded.$defs['GameListRequest'])).toMatch(/Recorded: [^"]*active[^"]*\(gameList\.status\)/);
    expect(text(schemas['GameListRequest'])).toMatch(/Open: [^"]* \(gameList\.status\)/);
  });

  it('has no number that JSON cannot write exactly', () => {
    expect(text(open)).toBe(text(JSON.parse(text(open))));
    expect(text(open.components.schemas['GetGameRoundRequest'])).toContain('"type":"integer","format":"int64"');
  });
});

describe('the schemas', () => {
  it.each(operations.flatMap((operation) => operation.forms.map((form) => ({ name: operation.name, operation, form }))))(
    'take what Croupier sends: $name, $form.id',
    ({ operation, form }) => {
      // Zod's integers end at 2^53.
      const template = templateText(operation, form.id, defaultEnvironment.defaults, { now: 0 }).replaceAll(/\d{16,}/g, '42');
      const payload = JSON.parse(template) as Json;
      const action = operation.action ?? 'an action';
      const whole =
        operation.payload === 'body' ? payload : envelope(action, operation.payload === 'data' ? { data: payload } : payload);
      expect(reader(schemaName(operation, 'Request')).safeParse(whole)).toMatchObject({ success: true });
    },
  );

  it('refuse what breaks a rule of the specification', () => {
    const launch = {
      gameMode: 'fun',
      gameId: '1042',
      lang: 'en',
      externalToken: '',
      playerId: 'p',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: 'https://casino.example',
    };
    const takes = (changes: Json, envelopeChanges: Json = {}) =>
      reader('GetLauncherURLRequest').safeParse({
        ...envelope('getLauncherURL', { data: { ...launch, ...changes } }),
        ...envelopeChanges,
      }).success;
    expect(takes({})).toBe(true);
    expect(takes({ externalToken: undefined })).toBe(true);
    expect(takes({ gameMode: 'real', externalToken: 'token' })).toBe(true);
    expect(takes({ gameMode: 'real', externalToken: undefined })).toBe(false);
    expect(takes({ gameMode: 'demo' })).toBe(false);
    expect(takes({ lang: 'eng' })).toBe(false);
    expect(takes({ gameId: 1042 })).toBe(false);
    expect(takes({ playerId: undefined })).toBe(false);
    expect(takes({ externalToken: 'x'.repeat(256) })).toBe(false);
    expect(takes({}, { time: '2026-11-22 10:40:02' })).toBe(false);
    expect(takes({}, { hash: 'AB'.repeat(32) })).toBe(false);
    expect(takes({}, { platform: '7' })).toBe(false);
    expect(takes({}, { action: 'gameList' })).toBe(false);
  });

  it('take a success and a rejection, and no third', () => {
    const launched = reader('GetLauncherURLResponse');
    expect(launched.safeParse({ code: 8, message: 'hash not valid', data: null }).success).toBe(true);
    expect(launched.safeParse({ code: 8, message: 'hash not valid' }).success).toBe(false);
    const info = reader('PlayerInfoResponse');
    expect(info.safeParse({ country: 'DE', currency: 'EUR', balance: 1.5, playerId: 'p' }).success).toBe(true);
    expect(info.safeParse({ code: 404, message: 'Invalid Token' }).success).toBe(true);
    expect(info.safeParse({ country: 'DE' }).success).toBe(false);
  });
});
