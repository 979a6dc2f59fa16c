import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { AppError } from '#shared/errors.ts';
import { Environment, type NotCarried, type SecretChoices } from '#shared/ipc/index.ts';
import { ImportPlan } from '#shared/ipc/outputs/imports.ts';
import { planFiles, planImport } from './plan-import.ts';
import { readHash } from './signing-check.ts';
import { takeSecrets } from './take-secrets.ts';

const key = 'K3y/with "quotes" é';
const environment = Environment.parse({
  id: 'e',
  name: 'Staging',
  baseUrl: 'https://api.example.com',
  platform: 7,
  partnerId: 31,
});

const sign = (time: string, data: string, by = key) =>
  createHash('sha256')
    .update(by + time + data)
    .digest('hex');

/** Plans an import of these texts, with one environment whose key is stored. */
async function plan(
  files: Record<string, string>,
  more: { key?: string | null; choices?: SecretChoices } = {},
): Promise<ImportPlan> {
  const stored = more.key === undefined ? key : more.key;
  const { plan: made } = await planImport(
    Object.entries(files).map(([name, text]) => ({ name, text })),
    { folder: '', names: ['taken.yaml'] },
    { choices: more.choices ?? {}, remembered: { salt: '', choices: {} } },
    {
      environments: () => [environment],
      planFiles: async (input) => planFiles(input),
      readHash: async (body) => readHash(body),
      takeSecrets: async (input) => takeSecrets(input),
      at: () => undefined,
      digest: async (_, parts) => {
        if (stored === null) throw new AppError('key_missing', 'No key.');
        return sign('', Buffer.concat(parts).toString('utf8'), stored);
      },
      holdsKey: async (text) =>
        stored !== null &&
        (text.includes(stored) ||
          text.includes(JSON.stringify(stored).slice(1, -1)) ||
          text.includes(JSON.stringify(JSON.stringify(stored)).slice(3, -3))),
    },
  );
  return ImportPlan.parse(made);
}

const time = '20-11-2026 10:15:30';
/** Returns the body of an envelope around exactly this text of `data`. */
const body = (data: string, hash = sign(time, data), action = 'getGameRound') =>
  `{"action":"${action}","platform":7,"partnerId":31,"time":"${time}","data":${data},"hash":"${hash}"}`;
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const what = ({ notCarried }: ImportPlan) => notCarried.map((one) => one.what);

describe('curl', () => {
  const data = '{ "roundId" : 9007199254740993, "note": "a\\/b \\u00e9 zażółć \'x\' {{y}}", "logMonth":0,"rate":1.50 }';

  it('keeps the text of data, and takes the envelope apart', async () => {
    const made = await plan({
      'calls.sh': `curl 'https://api.example.com/serviceApi.php' -H 'Content-Type: application/json' --data-raw ${shellQuoted(body(data))} --compressed`,
    });
    expect(made.requests).toEqual([
      {
        path: 'getGameRound.yaml',
        name: 'getGameRound',
        request: expect.objectContaining({
          operation: 'getGameRound',
          form: '',
          overrides: {},
          data: data.replace('{{', '{{$braces}}'),
        }),
        comment: '',
      },
    ]);
    expect(made.signing).toEqual([
      {
        path: 'getGameRound.yaml',
        outcome: 'match',
        environmentId: 'e',
        form: 'verbatim',
        message: expect.stringContaining('the key of Staging'),
      },
    ]);
    expect(made.notCarried).toEqual([
      { where: 'calls.sh, line 1', what: 'the header Content-Type', why: expect.any(String), at: ['line 1'] },
      { where: 'the envelopes', what: 'time and hash', why: expect.any(String), at: ['line 1'] },
      { where: 'the envelopes', what: 'platform 7 and partnerId 31', why: expect.stringContaining('Staging'), at: ['line 1'] },
      { where: 'the URLs', what: 'https://api.example.com', why: expect.stringContaining('Staging'), at: ['line 1'] },
    ]);
  });

  it('reads what browsers, Postman and people write', async () => {
    const wallet = '{"externalToken":"t","amount":0.10}';
    const made = await plan({
      a: [
        `$ curl 'https://w.example/bet' \\\n  -X 'POST' \\\n  -H 'accept: */*' \\\n  --data-raw $'{"externalToken":"t\\'\\u00e9\\ud83d\\ude00","amount":0.10}' --insecure ;`,
        `curl --location 'https://w.example/win' --header 'Content-Type: application/json' --data '${wallet}'`,
        `curl -sS -k --oops=hush -H hush%hush -XPOST -d'${wallet}' -u me:pass https://w.example/cancel > out.json`,
        `FOO=1 /usr/bin/curl --json '${wallet}' "https://w.example/promoWin?x=1#y"`,
        `curl https://w.example/playerInfo -d '{"externalToken":"'"$TOKEN"'"}' --next https://w.example/tournamentWin -d '${wallet}'`,
      ].join('\n'),
    });
    expect(made.requests.map(({ name, request }) => [name, request.data])).toEqual([
      // A token in a recorded call is of its session; one letter stands for a token.
      ['bet', '{"externalToken":"{{externalToken}}","amount":0.10}'],
      ['win', wallet],
      ['cancel', wallet],
      ['promoWin', wallet],
      ['playerInfo', '{"externalToken":"{{TOKEN}}"}'],
      ['tournamentWin', wallet],
    ]);
    for (const named of [
      'the option --insecure',
      'the option -k',
      'the option -u',
      'the option --location',
      'the header accept',
      'the redirection >',
      'the query or fragment of the URL',
      'the value of $TOKEN',
      'the text before curl: FOO=',
    ])
      expect(what(made)).toContain(named);
    expect(JSON.stringify(made)).not.toMatch(/me:pass|=hush|%hush/);
  });

  it('says why a request is not imported', async () => {
    const made = await plan({
      a: [
        'curl https://example.com/health',
        'curl -d @body.json https://w.example/bet',
        'curl -F a=b https://w.example/bet',
        'curl -d "$(cat x)" https://w.example/bet',
        `curl -d '{"orderId":1}' https://shop.example/cancel`,
        `curl -d '{"action":"nothing"}' https://a.example/serviceApi.php`,
        `curl -d '{"action":' https://a.example/serviceApi.php`,
        `curl -X PUT -d '{"externalToken":"t"}' https://w.example/bet`,
        'jq . out.json',
      ].join('\n'),
    });
    expect(made.requests).toEqual([]);
    expect(made.notCarried.map(({ what: name, why, at }) => `${at.join()}: ${name}: ${why}`)).toEqual([
      'line 9: the command jq: Croupier imports only curl commands.',
      'line 1: the request GET https://example.com/health: Its URL is not part of this API.',
      "line 2: the request POST https://w.example/bet: Its body is in the file body.json, which Croupier doesn't read. Pass the contents with --data-raw.",
      'line 3: the request POST https://w.example/bet: -F makes a form. This API accepts only JSON bodies.',
      'line 4: the request POST https://w.example/bet: It contains the expansion $(), which only a shell evaluates. Write its value instead.',
      'line 5: the request POST https://shop.example/cancel: Its URL ends like that of cancel, but its body has none of its fields. Also left out: its body.',
      'line 6: the request POST https://a.example/serviceApi.php: Unknown action "nothing". Also left out: its body.',
      expect.stringContaining('line 7: the request POST https://a.example/serviceApi.php: Its body is not JSON: '),
      'line 8: the request PUT https://w.example/bet: It uses PUT. Every call of this API is a POST. Also left out: its body.',
    ]);
    await expect(plan({ a: `curl 'https://a.example` })).rejects.toThrow(
      'a, line 1, column 6: This single quote is never closed.',
    );
  });

  it('keeps what was wrong on purpose, and says which form a payload has', async () => {
    const service = (members: string) => `curl -d ${shellQuoted(`{${members}}`)} https://a.example/serviceApi.php`;
    const usual = '"platform":7,"partnerId":31,"time":"x","hash":"y"';
    const made = await plan({
      a: [
        service(`"action":"getGameRound",${usual},"data":{"roundId":1}`),
        service(`"action":"getGameRound",${usual},"data":{"roundId":2}`),
        service('"action":"getGameRound","platform":"7","partnerId":31,"data":{"roundId":3}'),
        service(`"action":"gameList",${usual},"currency" : "EUR", "more":1.0`),
        service(
          `"action":"freeRounds",${usual},"data":{"playerIds":["a"],"externalReferenceIds":["b"],"numberOfFreeRounds":1,"amount":1}`,
        ),
        service(`"action":"getGameRound",${usual},"data":{"roundId":4},"extra":1`),
      ].join('\n'),
    });
    expect(made.requests.map(({ request: { overrides, data, form } }) => [overrides, data, form])).toEqual([
      [{}, '{"roundId":1}', ''],
      [{}, '{"roundId":2}', ''],
      [{ platform: '"7"', omit: ['time', 'hash'] }, '{"roundId":3}', ''],
      [{}, '{"currency" : "EUR", "more":1.0}', ''],
      [{}, expect.stringContaining('playerIds'), expect.not.stringMatching(/^$|single/)],
      [{}, '{"roundId":4}', ''],
    ]);
    expect(what(made)).toContain('the field extra of the envelope');
    expect(made.requests.map(({ path }) => path)).toContain('getGameRound 2.yaml');
  });
});

describe('the check of a hash', () => {
  const spaced = '{"a": "x/y", "é": [1, 2.50]}';
  const outcomes = async (data: string, hash: string) =>
    (await plan({ a: `curl -d ${shellQuoted(body(data, hash))} https://a.example/serviceApi.php` })).signing.map(
      ({ outcome, form, message }) => [outcome, form, message],
    );

  it('finds the key over every usual way of writing data', async () => {
    const forms: [string, string][] = [
      ['verbatim', spaced],
      ['php', '{"a":"x/y","\\u00e9":[1,2.5]}'],
      ['php-slashes', '{"a":"x\\/y","\\u00e9":[1,2.5]}'],
      ['php-unicode', '{"a":"x/y","é":[1,2.5]}'],
      ['compact', '{"a":"x/y","é":[1,2.50]}'],
      ['none', ''],
    ];
    for (const [form, hashed] of forms) {
      expect(await outcomes(spaced, sign(time, hashed))).toEqual([
        ['match', form, expect.stringContaining('It is signed with the key of Staging, over ')],
      ]);
    }
    expect(await outcomes('{"a":"x/y"}', sign(time, '{"a": "x/y"}'))).toMatchObject([['match', 'spaced', expect.any(String)]]);
    expect(await outcomes(spaced, sign(time, spaced).toUpperCase())).toMatchObject([
      ['match', 'verbatim', expect.stringContaining('capital letters')],
    ]);
  });

  it('is done for a text of megabytes too', async () => {
    const long = `{"a": "${'x'.repeat(4_000_000)}"}`;
    expect(await outcomes(long, sign(time, long.replace(' ', '')))).toMatchObject([['match', 'php', expect.any(String)]]);
    expect(await outcomes(long, sign(time, 'another'))).toMatchObject([['none', null, expect.any(String)]]);
  });

  it('is not done for a request that no file may hold: it is named, and the others are imported', async () => {
    const commands = ['{"a": 1}', `{"a": "${'x'.repeat(5_000_000)}"}`].map(
      (data) => `curl -d ${shellQuoted(body(data))} https://a.example/serviceApi.php`,
    );
    const made = await plan({ a: commands.join('\n') });
    expect(made.requests).toHaveLength(1);
    expect(made.notCarried).toContainEqual({
      where: 'a, line 2',
      what: 'the request',
      why: 'Its file would be larger than 5 MB.',
      at: ['line 2'],
    });
  });

  it('says that no key fits, and why that may be', async () => {
    expect(await outcomes(spaced, sign(time, spaced, 'another key'))).toEqual([
      ['none', null, expect.stringContaining('No stored key produces its hash.')],
    ]);
    expect(await outcomes(spaced, '{{hash}}'.replaceAll('{', '['))).toMatchObject([['unknown', null, expect.any(String)]]);
    const without = await plan({ a: `curl -d ${shellQuoted(body(spaced))} https://a.example/serviceApi.php` }, { key: null });
    expect(without.signing[0]).toMatchObject({ outcome: 'unknown', message: expect.stringContaining('There is no stored key') });
  });
});

describe('a stored key', () => {
  it('stands in nothing that an import makes', async () => {
    const value = JSON.stringify(key);
    const collection = {
      info: {
        name: `of ${key}`,
        description: `Use ${key}.`,
        schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      },
      variable: [
        { key: 'kept', value: 'x' },
        { key: 'leaking', value: `a${key}b` },
      ],
      item: [
        {
          name: 'one',
          request: {
            method: 'POST',
            url: 'https://w.example/bet',
            body: { mode: 'raw', raw: `{"externalToken": ${value}, "amount": 1}` },
            description: `also ${key}`,
          },
        },
        { name: `two ${key}`, request: { method: 'GET', url: `https://w.example/${key}` } },
      ],
    };
    const made = await plan({ a: JSON.stringify(collection) });
    expect(JSON.stringify(made)).not.toContain(JSON.stringify(key).slice(1, -1));
    expect(made.requests).toMatchObject([
      { name: 'one', request: { data: '{"externalToken": "[removed key]", "amount": 1}', notes: '' } },
    ]);
    expect(made.variables).toEqual({ kept: 'x' });
    expect(made.notes).toBe('');
    expect(what(made)).toEqual(expect.arrayContaining(['a text in its data', 'its notes', 'the variable leaking']));
  });
});

/** Returns whether the position or one around it is named. */
function isNamed(notCarried: readonly NotCarried[], place: string): boolean {
  return notCarried.some(({ at }) => at.some((named) => named !== '' && (place === named || place.startsWith(`${named}/`))));
}

/** Returns the position of a field of that name, as a JSON Pointer. */
function pointerOf(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const below = key === name ? '' : pointerOf(inner, name);
    if (below !== null) return `/${key}${below}`;
  }
  return null;
}

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

function filesIn(name: string): Record<string, string> {
  const folder = join(fixtures, name);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return Object.fromEntries(names.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

describe('Bruno', () => {
  const roundData =
    '{\n  "roundId": 9007199254740993 ,\n    "logMonth": 0, "note": "a\\/b zażółć \\u00e9 {{name_with_space}}", "rate": 1.50\n}';

  for (const format of ['bruno', 'opencollection'] as const) {
    it(`reads what its own tools write as ${format}`, async () => {
      const made = await plan(filesIn(format));
      expect(made.formats).toEqual([format]);
      const round = made.requests.find(({ name }) => name === 'one round');
      expect(made.requests.map(({ path }) => path)).toEqual(['The rounds/bet-first.yaml', 'The rounds/one round.yaml']);
      expect(round?.request).toMatchObject({
        operation: 'getGameRound',
        data: roundData,
        notes: 'Words about\nthe round.',
        take: { first_round: '$.data[0].id' },
        expect: [{ status: '200' }, { code: '0' }, { path: '$.data', type: 'array' }, { path: '$.message', matches: '^o' }],
      });
      expect(made.variables).toEqual({ token: '{{player_token}}', baseUrl: 'https://api.example.com', platform: '7' });
      expect(made.folders).toEqual([{ path: 'The rounds', variables: { round: '9007199254740993' }, notes: 'About rounds.' }]);
      expect(made.notes).toBe('About all.');
      const named = what(made).join('\n');
      for (const part of [
        'x-off',
        'x-all',
        'local one',
        'script',
        'tests',
        'res.body.data[0].bet',
        'the variable other',
        'apiSecret',
        'privateKey',
        'the variable off',
        '{{$isoTimestamp}}',
        'settings',
      ])
        expect(named, part).toContain(part);
      expect(named).toContain('the request GET https://example.com/health');
      expect(named).toContain('the request POST {{baseUrl}}/serviceApi.php');
      expect(JSON.stringify(made)).not.toContain('secret-bearer');
    });
  }
});

describe('HAR', () => {
  it('makes a response an example, without its tokens, and takes names from the paths of our own', async () => {
    const entry = (comment: string, content: object) => ({
      request: { method: 'POST', url: 'https://w.example/playerInfo', postData: { text: '{"externalToken": "t-1"}' } },
      response: { status: 200, statusText: 'OK', content },
      comment,
    });
    const text = '{"token":"secret-token-1","balance":0.10}';
    const entries = [
      entry('a/b.yaml', { text }),
      entry('x', { text: Buffer.from(text).toString('base64'), encoding: 'base64' }),
      entry('y', { text: '/w==', encoding: 'base64' }),
    ];
    const made = await plan({ 'x.har': JSON.stringify({ log: { creator: { name: 'Croupier' }, entries } }) });
    expect(made.requests.map(({ path }) => path)).toEqual(['a/b.yaml', 'playerInfo.yaml', 'playerInfo 2.yaml']);
    const example = { name: 'HTTP 200', status: '200', body: '{\n  "token": "[token]",\n  "balance": 0.10\n}' };
    expect(made.requests.map(({ request }) => request.examples)).toEqual([[example], [example], []]);
    expect(what(made)).toContain('its response');
  });
});

describe('Postman', () => {
  const sample = readFileSync(join(import.meta.dirname, 'fixtures/postman-collection.json'), 'utf8');

  it('reads a body with comments, which the file keeps', async () => {
    const raw = `{\n  // the round\n  "action": "getGameRound", /* of 7 */ "platform": 7, "partnerId": 31,\n  "data": {"roundId": 1, "url": "http://x//y"}\n}`;
    const request = { method: 'POST', url: 'https://api.example.com/serviceApi.php', body: { mode: 'raw', raw } };
    const made = await plan({ 'x.json': JSON.stringify({ info: { name: 'x' }, item: [{ name: 'a', request }] }) });
    expect(made.requests[0]).toMatchObject({
      request: { data: '{"roundId": 1, "url": "http://x//y"}' },
      comment: '// the round\n/* of 7 */',
    });
    expect(what(made)).toContain('2 comments in its body');
  });

  it('reads what its own library writes', async () => {
    const made = await plan({ 'sample.json': sample });
    expect(made.requests.map(({ path, request }) => [path, request.operation])).toEqual([
      ['Rounds - replay/one- round.yaml', 'getGameRound'],
      ['taken 2.yaml', 'bet'],
    ]);
    expect(made.requests[0]?.request).toMatchObject({
      data: '{\n  "roundId": 9007199254740993 ,\n "note": "a\\/b \\u00e9 {{a_name}} {{$uniqueId}} {{$timestamp}}", "rate": {{rate}}\n}',
      overrides: {},
      notes: 'Words.',
      expect: [{ status: '200' }],
      examples: [{ name: 'an answer', status: '200', body: '{"code":0,"data":{"token":"[token]","amount":0.10}}' }],
    });
    expect(made.requests[0]?.comment).toBe('Not imported from the test script:\na: pm.response.to.be.ok;');
    expect(made.variables).toEqual({ baseUrl: 'https://api.example.com', a_name: '{{other}}', n: '7' });
    expect(made.folders).toEqual([{ path: 'Rounds - replay', variables: { rate: '0.50' }, notes: 'About rounds.' }]);
    expect(what(made)).toEqual(
      expect.arrayContaining([
        'the name of the variable a name',
        'the generated value {{$timestamp}}',
        'the variable off',
        'the value of the variable hidden',
        'the pre-request script',
        'the authorization bearer',
        'the authorization noauth',
        'the header X-A',
        'the header X-Off, disabled',
        'the saved response nothing',
        '1 token in its saved responses',
        'the request POST {{baseUrl}}/serviceApi.php',
        'the request GET https://postman-echo.com/get',
        'its name',
        'the missing time, hash in the body',
        'query',
      ]),
    );
    expect(JSON.stringify(made)).not.toMatch(/secret-bearer|"s"|tok-of-the-file/);
    expect(what(made).join()).toContain('header');
  });

  it('reads an environment, without its secrets', async () => {
    const made = await plan({
      'env.json': JSON.stringify({
        id: 'x',
        name: 'Test',
        values: [
          { key: 'a', value: 'b', type: 'default', enabled: true },
          { key: 'k', value: 'hush', type: 'secret', enabled: true },
          { key: 'private_key', value: 'hush' },
        ],
        _postman_variable_scope: 'environment',
      }),
    });
    expect(made).toMatchObject({ formats: ['postman-environment'], variables: { a: 'b' }, requests: [] });
    expect(JSON.stringify(made)).not.toContain('hush');
    expect(what(made)).toEqual(['the value of the variable k', 'the variable private_key', 'id, _postman_variable_scope']);
  });

  it('refuses an older format with what to do', async () => {
    await expect(
      plan({ a: '{"info":{"schema":"https://schema.getpostman.com/json/collection/v1.0.0/collection.json"},"item":[]}' }),
    ).rejects.toThrow('Export it as Collection v2.1');
  });

  const har = {
    log: {
      version: '1.2',
      creator: { name: 'a browser', version: '1' },
      pages: [{ id: 'p' }],
      entries: [
        {
          startedDateTime: '2026-01-01T00:00:00Z',
          time: 1,
          request: {
            method: 'POST',
            url: 'https://api.example.com/serviceApi.php',
            httpVersion: 'h2',
            headers: [{ name: 'cookie', value: 'x' }],
            cookies: [{ name: 'a', value: 'b' }],
            queryString: [{ name: 'q', value: '1' }],
            postData: { mimeType: 'application/json', text: body('{"roundId":9007199254740993}') },
            headersSize: 1,
            bodySize: 2,
          },
          response: { status: 200 },
          cache: {},
          timings: { wait: 1 },
          comment: 'Mine.',
        },
        { request: { method: 'GET', url: 'https://user:pass@cdn.example/x.js?token=1' } },
      ],
    },
  };

  it('reads HAR', async () => {
    const made = await plan({ 'a.har': JSON.stringify(har) });
    expect(made.requests).toMatchObject([
      { path: 'getGameRound.yaml', request: { data: '{"roundId":9007199254740993}', notes: 'Mine.' } },
    ]);
    expect(made.signing).toMatchObject([{ outcome: 'match' }]);
    expect(what(made)).toContain('the request GET https://cdn.example/x.js');
  });

  /** Visits every object and every text of a JSON value, by JSON Pointer. */
  function* walk(value: unknown, at = ''): Generator<{ at: string; value: unknown; set: (next: unknown) => void }> {
    if (typeof value !== 'object' || value === null) return;
    yield { at, value, set: () => undefined };
    for (const [name, inner] of Object.entries(value)) {
      const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (typeof inner === 'string') yield { at: place, value: inner, set: (next) => Reflect.set(value, name, next) };
      else yield* walk(inner, place);
    }
  }

  for (const [name, file] of [
    ['a collection of Postman', JSON.parse(sample) as object],
    ['a HAR file', har],
  ] as const) {
    it(`loses nothing of ${name} without a word`, async () => {
      const places = [...walk(structuredClone(file))].map(({ at }) => at);
      expect(places.length).toBeGreaterThan(30);
      for (const place of places) {
        const copy = structuredClone(file);
        const found = [...walk(copy)].find(({ at }) => at === place);
        const mark = `mark${places.indexOf(place)}x`;
        // An unknown field in each object, and another text in place of each text.
        if (typeof found?.value === 'string') found.set(mark);
        else if (Array.isArray(found?.value)) continue;
        else Reflect.set(found?.value as object, mark, mark);
        const made = await plan({ 'a.json': JSON.stringify(copy) }).catch((error: unknown) => error as AppError);
        if (made instanceof AppError) continue;
        const unknown = typeof found?.value === 'string' ? place : `${place}/${mark}`;
        expect(JSON.stringify(made).includes(mark) || isNamed(made.notCarried, unknown), `${place} (${unknown})`).toBe(true);
      }
    });
  }
});

describe('tags of Bruno', () => {
  const files = {
    'bruno.json': '{"version": "1", "name": "t", "type": "collection"}',
    'a.bru':
      'meta {\n  name: a\n  type: http\n  seq: 1\n  tags: [\n    smoke\n    slow-1\n    _x\n    -y\n  ]\n}\n\npost {\n  url: https://a.example/playerInfo\n  body: json\n  auth: none\n}\n\nbody:json {\n  {"externalToken": "abc"}\n}\n',
  };
  const openCollection = {
    'opencollection.yml': 'opencollection: 1.0.0\ninfo:\n  name: t\n',
    'a.yml':
      'info:\n  name: a\n  type: http\n  seq: 1\n  tags:\n    - smoke\n    - slow-1\n    - _x\n    - -y\nhttp:\n  method: POST\n  url: https://a.example/playerInfo\n  body:\n    type: json\n    data: \'{"externalToken": "abc"}\'\n',
  };

  it.each([
    ['bruno', files],
    ['opencollection', openCollection],
  ])('are tags here, and what is none here is named: %s', async (_, given) => {
    const made = await plan(given);
    expect(made.requests[0]?.request.tags).toEqual(['smoke', 'slow-1', '_x']);
    expect(what(made).join('\n')).toContain('the tag -y');
  });
});

describe('files of Bruno', () => {
  for (const format of ['bruno', 'opencollection'] as const) {
    it(`lose nothing without a word as ${format}`, async () => {
      const files = filesIn(format);
      let tried = 0;
      for (const [name, text] of Object.entries(files)) {
        if (name.endsWith('.json')) continue;
        const lines = text.split('\n');
        // Before each field of a block or of a mapping, another one that nobody knows; not within texts.
        let textIndent = -1;
        let inText = false;
        for (const [index, line] of lines.entries()) {
          const indent = line.search(/\S|$/);
          if (format === 'bruno' && /^\S/.test(line)) inText = /^(?:body:json|script|tests|docs)/.test(line);
          if (textIndent !== -1 && line.trim() !== '' && indent <= textIndent) textIndent = -1;
          if (inText || textIndent !== -1) continue;
          if (/: \|-?$/.test(line)) textIndent = indent;
          if (!(format === 'bruno' ? /^  [\w~]/ : /^\s*\w+:/).test(line) || /^\s*apiSecret$/.test(line)) continue;
          const mark = `mark${index}x`;
          const changed = lines.toSpliced(index, 0, `${' '.repeat(indent)}${mark}: ${mark}`).join('\n');
          const made = await plan({ ...files, [name]: changed });
          const block = `line ${lines.findLastIndex((one, at) => at < index && /^\S/.test(one)) + 1}`;
          const place = format === 'bruno' ? null : pointerOf(parseYaml(changed), mark);
          const named =
            made.notCarried.some(({ at }) => at.includes(block)) || (place !== null && isNamed(made.notCarried, place));
          const whole = made.notCarried.some(
            ({ where, what: words }) => where.startsWith(name) && words.startsWith('the request '),
          );
          expect(JSON.stringify(made).includes(mark) || named || whole, `${name}, line ${index + 1}: ${line}`).toBe(true);
          tried++;
        }
      }
      expect(tried).toBeGreaterThan(30);
    });
  }
});

describe('broken files', () => {
  it('are refused in words, or what can be read of them is: never a fault', async () => {
    const good = [
      `curl 'https://api.example.com/serviceApi.php' --data-raw $'${body('{"a":"\\\\u00e9"}')}' -H "a: $B"`,
      JSON.stringify({
        info: { name: 'a', schema: 'v2.1.0' },
        item: [
          {
            name: 'b',
            item: [
              {
                name: 'c',
                event: [{ listen: 'test', script: { exec: ['x'] } }],
                request: {
                  method: 'POST',
                  url: { raw: 'https://w/bet', query: [{ key: 'a' }] },
                  body: { mode: 'raw', raw: '{"amount":1}' },
                },
              },
            ],
          },
        ],
        variable: [{ key: 'a', value: 1 }],
      }),
      JSON.stringify({
        log: { entries: [{ request: { method: 'POST', url: 'https://w/bet', postData: { text: '{"amount":1}', params: [] } } }] },
      }),
      ...Object.values(filesIn('bruno')),
      ...Object.values(filesIn('opencollection')),
    ];
    const names = ['a.sh', 'a.json', 'a.har', 'a.bru', 'a.yml', ''];
    const junk = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '\\',
      '$',
      '`',
      '\n',
      ':',
      '{{',
      '}}',
      '\0',
      '\ud800',
      'null',
      '-',
      '&a ',
      '*a',
      '!!binary ',
      '<<',
      '\ufeff',
      '1e999',
      '\u2028',
      "'''",
      '~',
      '@x(',
    );
    const edit = fc.record({ at: fc.nat(), remove: fc.nat(20), put: fc.oneof(junk, fc.string({ maxLength: 5 })) });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...good),
        fc.constantFrom(...names),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        async (text, name, edits) => {
          let broken = text;
          for (const { at, remove, put } of edits) {
            const place = at % (broken.length + 1);
            broken = broken.slice(0, place) + put + broken.slice(place + remove);
          }
          try {
            await plan({ [name]: broken });
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            expect(error.code).toBe('invalid_input');
            expect(error.message).toMatch(/[.]$/);
            refused++;
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('of YAML with tags, references, a million names or none are refused with their place', async () => {
    const cases: [text: string, words: RegExp][] = [
      ['opencollection: !!js/function "function () {}"', /^a\.yml, line 1, column 17: Tags/],
      ['opencollection: 1\nitems: !!set {a, b}', /^a\.yml, line 2, column 8: Tags/],
      ['opencollection: !!str 1', /^a\.yml, line 1, column 17: Tags/],
      ['opencollection: &a 1\nitems: *a', /^a\.yml, line 1, column 17: Anchors/],
      [
        `opencollection: 1\nitems:\n${Array.from({ length: 100_000 }, (_, at) => `  a${at}: 1`).join('\n')}`,
        /has more than 100,000 lines/,
      ],
      ['opencollection: 1\n---\n'.repeat(40_000), /line \d, column 1: A second document/],
      ['opencollection:\n  - [a\n', /^a\.yml, line \d, column \d: This is not valid YAML/],
    ];
    for (const [text, words] of cases) await expect(plan({ 'a.yml': text }), text.slice(0, 60)).rejects.toThrow(words);
  });

  it('of other programs are not taken for those of Bruno or Postman', async () => {
    const chart = 'apiVersion: v2\ninfo:\n  title: Wallet\n';
    for (const text of [chart, 'services:\n  web:\n    image: nginx\n', 'name: CI\non: push\njobs: {}\n'])
      await expect(plan({ 'a.yml': text })).rejects.toThrow(/^a\.yml is YAML in an unknown format\. Croupier imports cURL/);
    const { notCarried } = await plan({ 'opencollection.yml': 'opencollection: 1.0.0\nitems: []\n', 'ci.yml': 'on: push\n' });
    expect(notCarried).toEqual([{ where: 'ci.yml', what: 'the file', why: 'It is not a collection file.', at: [] }]);
    await expect(plan({ 'a.json': '{"id":"1","name":"Old","order":["2"],"requests":[{"id":"2"}]}' })).rejects.toThrow(
      'a.json is a Postman 1 collection. Export it as Collection v2.1 and import that.',
    );
  });

  it('of a shape that nobody writes are refused too', async () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
    for (const text of [
      '',
      ' ',
      '\ufeff',
      '{}',
      '[]',
      'null',
      'words',
      deep('[', ']'),
      deep('{"a":', '}'),
      `opencollection: ${deep('[', ']')}`,
      `a: &a [${'*a,'.repeat(10)}]\nhttp: {}`,
      'meta {',
      '{"item":{}}',
      '{"item":[],"info":[]}',
      '{"log":{"entries":{}}}',
      '{"item":[1,null,"x",[],{"item":5},{"request":{"url":5}}]}',
      `{"info":{"schema":"v2"},"item":${'[{"item":'.repeat(300)}[]${'}]'.repeat(300)}}`,
    ]) {
      const made = await plan({ a: text }).catch((error: unknown) => error);
      if (made instanceof AppError) expect(made.code).toBe('invalid_input');
      else expect(made, text.slice(0, 50)).toMatchObject({ requests: [] });
    }
  });
});
