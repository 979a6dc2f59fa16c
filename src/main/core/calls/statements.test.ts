import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call, Environment, Input } from '#shared/ipc/index.ts';
import { validatePayload, contextOf, operationByName, operationNames, operations } from '#shared/provider/index.ts';
import { compareKeys } from '#shared/calls/compare-keys.ts';
import { describeSent } from '#shared/calls/sent-request.ts';
import { sentFact, sentProof } from '#shared/calls/sent-words.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { createRequestGenerator, type GeneratedRequest } from '#testing/generated-calls.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { createJsonGenerator } from '#testing/random-json.ts';
import { chooseSeed, seededRandom } from '#testing/seeded-random.ts';

// Screen and command line describe a call by these functions; here each is held against the bytes that arrived, with facts that a
// test knows by itself: the key, the zone, the URL.
const count = 200;
const seed = chooseSeed();
const random = seededRandom(seed);
const pick = <T>(options: readonly T[]): T => options[Math.floor(random() * options.length)] as T;
const generate = createRequestGenerator(random);
const json = createJsonGenerator(random);

interface Place {
  readonly environment: Environment;
  readonly key: string;
  readonly serialization: 'php' | 'php-unicode' | 'verbatim';
  readonly yearFirst: boolean;
  /** Path of its currency list, if it has one of its own. */
  readonly currencies: string | undefined;
  /** Host, port and path prefix at which its calls arrive, of the service and of the wallet. */
  readonly service: string;
  readonly wallet: string;
}

interface Arrived {
  readonly url: string;
  readonly body: Buffer;
  readonly answer: string;
}

interface Sent {
  readonly place: Place;
  readonly call: Call;
  readonly arrived: Arrived;
  readonly text: string;
  /** `hashed as` and `sent as` of the form, before it was sent. */
  readonly said: readonly { readonly how: string; readonly shown: string; readonly serialization: string }[];
}

const sandboxKey = 'K3y/"ë" 中';
const arrived: Arrived[] = [];
const sent: Sent[] = [];
let refused = 0;
let app: TestApp;
/** Another session on the same home: its fingerprints are its own. */
let other: TestApp;
let server: TestServer;
let places: Place[];

beforeAll(async () => {
  app = await createTestApp({ sandbox: { key: sandboxKey, platform: 7, partnerId: 12 } });
  other = await createTestApp({ home: app.home });
  server = await startHttpsServer(({ request, body }, response) => {
    const answer = pick([
      '{"code":0,"message":"ok","data":{}}',
      '{"code":8,"message":"hash not valid","data":null}',
      '{"code":404,"message":"Ungültig \\u4e2d 😀"}',
      '{"balance":1.10}',
      '{"code":"8","message":5}',
      '{"code":8.5}',
      '[0]',
      '',
      json.text(),
    ]);
    arrived.push({ url: `https://${request.headers.host ?? ''}${request.url ?? ''}`, body, answer });
    response.end(answer);
  });
  app.app.subscribe((name, payload) => {
    if (name !== 'sandbox.judged') return;
    const { path, bodyText, headers } = payload as { path: string; bodyText: string; headers: [string, string][] | null };
    const host = headers?.find(([header]) => header.toLowerCase() === 'host')?.[1] ?? '';
    arrived.push({ url: `https://${host}${path}`, body: Buffer.from(bodyText), answer: '' });
  });
  const { environments } = await app.client.call('environments.list', {});
  const sandbox = environments.find(({ id }) => id === 'sandbox') as Environment;
  const recorded = (answers: Record<string, string>) =>
    Object.fromEntries(
      Object.entries({ 'cancelFreeRounds.action': 'cancelRounds', 'currencyList.action': 'currencies', ...answers }).map(
        ([id, value]) => [id, { value, note: '' }],
      ),
    );
  type Settings = Partial<Input<'environments.create'>['environment']>;
  const own = { baseUrl: server.baseUrl, ca: `${server.ca}\n${sandbox.ca}` };
  const real = { baseUrl: sandbox.baseUrl, ca: own.ca };
  const make = async (
    at: { baseUrl: string; ca: string },
    key: string,
    serialization: Place['serialization'],
    settings: Settings,
    answers: Record<string, string> = {},
  ): Promise<Place> => {
    const draft = { platform: 7, partnerId: 12, ...settings, answers: recorded(answers) };
    const environment = await app.environment(at, draft, key);
    await other.app.useKey(environment.id, key);
    const currencies = /^\/currencies (\w+)$/.exec(answers['currencyList.action'] ?? '')?.[1];
    const wallet = environment.walletUrl === '' ? at.baseUrl : environment.walletUrl;
    return { environment, key, serialization, yearFirst: 'time.order' in answers, currencies, service: at.baseUrl, wallet };
  };
  let place: Place;
  const samples = sandbox.answers;
  const actions = {
    'cancelFreeRounds.action': samples['cancelFreeRounds.action']?.value ?? 'cancelRounds',
    'currencyList.action': samples['currencyList.action']?.value ?? 'currencies',
  };
  places = [
    await make(real, sandboxKey, 'php', { serialization: 'php' }, actions),
    await make(real, sandboxKey, 'php-unicode', { serialization: 'php-unicode', timeZone: 'Asia/Kolkata' }, actions),
    await make(real, sandboxKey, 'verbatim', { serialization: 'verbatim', walletUrl: `${server.baseUrl}/w` }, actions),
    await make(real, 'another key', 'php', { serialization: 'php' }, actions),
    await make(real, sandboxKey, 'php', { serialization: 'php', platform: 9, defaults: { playerId: 'Zoë/中' } }, actions),
    await make(
      own,
      'ключ',
      'php-unicode',
      { serialization: 'php', timeZone: 'Europe/Warsaw' },
      { 'hash.nonAscii': 'php-unicode', 'currencyList.action': '/currencies plain' },
    ),
    await make(
      own,
      ' k ',
      'verbatim',
      { serialization: 'verbatim', walletUrl: sandbox.baseUrl },
      { 'time.order': 'ymd', 'currencyList.action': '/currencies signed' },
    ),
    await make({ ...own, baseUrl: `${server.baseUrl}/base` }, 'k', 'php', { timeZone: 'America/St_Johns' }),
  ];
  for (let at = 0; sent.length < count - 6; at++) await sendOne(generate(at, (place = pick(places)).environment), place);
  // Equal hash inputs, of two sessions and of two keys.
  const draft = { operation: 'gameList' as const, form: 'main', text: '{"currency":"EUR"}', overrides: { time: 'noon' } };
  const probe = { operation: operationByName('gameList'), draft };
  for (const own of [0, 0, 3]) await sendOne(probe, places[own] as Place);
  await sendOne({ ...probe, draft: { ...draft, overrides: { omit: ['hash'] } } }, places[0] as Place);
  const round = {
    operation: operationByName('getGameRound'),
    draft: { ...draft, operation: 'getGameRound' as const, text: '{' },
  };
  await sendOne(round, places[0] as Place);
  // A path of its own, without and with an envelope.
  const list = { operation: 'currencyList' as const, form: 'open', text: '{ "a": "ë", "b": 1.10 }', overrides: {} };
  for (const own of [5, 6]) await sendOne({ operation: operationByName('currencyList'), draft: list }, places[own] as Place);
});
afterAll(async () => {
  await other.close();
  await app.close();
  await server.close();
});

async function sendOne({ operation, draft }: GeneratedRequest, place: Place): Promise<void> {
  const { environment } = place;
  const said = validatePayload(operation, draft.form, draft.text, contextOf(environment, draft.overrides, Date.now())).flatMap(
    ({ rule, message }) => {
      if (rule !== 'non-ascii') return [];
      const [, how = '', shown = '', serialization = ''] = /^(Hashed|Sent) as (.*) \(([\w-]+)\)\. /s.exec(message) ?? [];
      return [{ how, shown, serialization }];
    },
  );
  const before = arrived.length;
  try {
    const call = await (sent.length % 2 === 0 ? app : other).send({ ...draft, environmentId: environment.id });
    // The provider's log has the call once its response has left, which may be a moment after the request arrived.
    await vi.waitFor(() => expect(arrived.length).toBe(before + 1), { interval: 1, timeout: 5_000 });
    sent.push({ place, call, arrived: arrived[before] as Arrived, text: draft.text, said });
  } catch (error) {
    if ((error as { code?: string }).code !== 'invalid_input') throw error;
    expect(arrived.length).toBe(before);
    refused++;
  }
}

/** Holds a statement against every call, with what is needed to repeat a failure. */
function ofEach(check: (one: Sent, index: number) => void): void {
  expect(sent).toHaveLength(count);
  sent.forEach((one, index) => {
    try {
      check(one, index);
    } catch (error) {
      const what = `seed ${seed}, call ${one.call.id} (${one.call.operation}, ${one.place.serialization}): ${one.text.slice(0, 300)}`;
      throw new Error(`${what}\n${String(error)}`, { cause: error });
    }
  });
}

/** Returns whether a request is plain JSON, as a wallet method's body: the text as typed, without an envelope. */
const isPlain = ({ call, place }: Sent) =>
  operationByName(call.draft.operation).endpoint === 'wallet' ||
  (call.operation === 'currencyList' && place.currencies === 'plain');
const sha256 = (...parts: readonly (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

/** Returns the bytes of `data` as they arrived, by the record's position; null if the call has none. */
function dataOf({ call, arrived: { body } }: Sent): Buffer | null {
  const { hashInput } = call.request;
  if (hashInput === null || hashInput.dataJson === null) return null;
  return body.subarray(hashInput.dataOffset, hashInput.dataOffset + hashInput.dataLength);
}

/** Returns whether the hash comes from the key: as it is, or with a digit changed. */
function computes({ draft: { overrides } }: Call): boolean {
  return overrides.omit?.includes('hash') !== true && (overrides.hash === undefined || overrides.hash === 'wrong');
}

describe(`what is said of ${count} generated calls`, () => {
  it('is said of every operation, serialization and kind of hash', () => {
    expect(new Set(sent.map(({ call }) => call.operation))).toEqual(new Set(operationNames));
    expect(new Set(sent.map(({ place }) => place))).toEqual(new Set(places));
    expect(new Set(sent.map(({ call }) => call.draft.form)).size).toBe(
      new Set(operations.flatMap((o) => o.forms.map((f) => f.id))).size,
    );
    expect(new Set(sent.map(({ call }) => describeSent(call).hashOrigin)).size).toBe(5);
    expect(sent.filter(({ said }) => said.length > 0).length).toBeGreaterThan(count / 10);
    expect(sent.filter(({ call }) => call.code === 0).length).toBeGreaterThan(2);
    expect(refused).toBeGreaterThan(0);
    expect([...app.faults, ...other.faults]).toEqual([]);
  });

  it('its body is the bytes that arrived; a wallet body is the text as typed', () => {
    ofEach((one) => {
      const {
        call,
        arrived: { body },
      } = one;
      expect(call.request.bodyText).toBe(body.toString('utf8'));
      expect(call.requestBytes).toBe(body.length);
      if (isPlain(one)) expect(body.toString('utf8')).toBe(/^[ \t\r\n]*$/.test(one.text) ? '' : one.text);
      else if (one.place.serialization === 'verbatim') expect(dataOf(one)?.toString('utf8') ?? one.text).toBe(one.text);
      expect(call.request.hashInput?.dataJson ?? null).toBe(dataOf(one)?.toString('utf8') ?? null);
    });
  });

  it('"hashed as" stands in the bytes that are hashed, and nowhere else', () => {
    ofEach((one) => {
      const data = dataOf(one)?.toString('utf8') ?? null;
      for (const { how, shown, serialization } of one.said) {
        expect(how).toBe(computes(one.call) ? 'Hashed' : 'Sent');
        expect(serialization).toBe(one.place.serialization);
        expect(data).toContain(shown.endsWith('…') ? shown.slice(0, -1) : shown);
      }
      if (data === null) expect(one.said).toEqual([]);
      else if (one.place.serialization === 'php') expect(data).toMatch(/^[\0-\x7f]*$/);
      else if (one.place.serialization === 'php-unicode') expect(data.replaceAll('\\\\', '')).not.toMatch(/\\u(?!00|202[89])/);
      // Another reader finds here whether anything is beyond ASCII.
      const members = Object.entries(objectOf(data) ?? {});
      const beyond = members.filter((member) => /[^\0-\x7f]/.test(JSON.stringify(member)));
      if (one.place.serialization !== 'verbatim') expect(one.said).toHaveLength(beyond.length);
      // A name that is there twice has one statement about both.
      else expect(one.said.length).toBeGreaterThanOrEqual(beyond.length);
    });
  });

  it('its hash is that of the key, the time and the bytes of data', () => {
    ofEach((one) => {
      const { call, place } = one;
      const { hashInput, hash } = call.request;
      const { overrides } = call.draft;
      if (hashInput === null || overrides.omit?.includes('hash') === true) return expect(hash).toBeNull();
      const digest = sha256(place.key, hashInput.time, dataOf(one) ?? '');
      if (overrides.hash === undefined) expect(hash).toBe(digest);
      else if (overrides.hash !== 'wrong') expect(hash).toBe(overrides.hash);
      else {
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
        expect(Array.from(digest).filter((digit, at) => digit !== hash?.charAt(at))).toHaveLength(1);
      }
      expect(one.arrived.body.toString('utf8')).toContain(`"hash":${JSON.stringify(hash)}`);
    });
  });

  it('its time is that of its sending in the zone and the order of its environment', () => {
    ofEach(({ call, place }) => {
      const { hashInput } = call.request;
      if (hashInput === null) return;
      const at = new Date(call.sentAt).toLocaleString('sv-SE', { timeZone: place.environment.timeZone });
      const [year = '', month = '', day = '', clock = ''] = at.split(/[- ]/);
      const own = place.yearFirst ? at : `${day}-${month}-${year} ${clock}`;
      expect(hashInput.time).toBe(call.draft.overrides.time ?? own);
    });
  });

  it('"signed = sent" holds at the bytes that it names, and is said where it holds', () => {
    ofEach((one) => {
      const {
        call,
        arrived: { body },
      } = one;
      const described = describeSent(call);
      const fact = sentFact(described).text;
      const proof = sentProof(described).join(' ');
      if (isPlain(one)) return expect([fact, body.toString('utf8').trim()]).toEqual(['not signed', one.text.trim()]);
      const { time = '', dataJson = null } = call.request.hashInput ?? {};
      // Verbatim data need not be JSON: its own bytes are compared below, and the rest is read without them.
      const { dataOffset = 0, dataLength = 0 } = call.request.hashInput ?? {};
      const frame = [body.subarray(0, dataOffset), dataJson === null ? '' : 'null', body.subarray(dataOffset + dataLength)];
      const parsed = objectOf(frame.map(String).join(''));
      const raw = body.toString('utf8').includes(`"time":"${time}"`);
      const holds = parsed?.['time'] === time && raw && (dataJson === null) === !Object.hasOwn(parsed, 'data');
      const origin = call.draft.overrides.omit?.includes('hash') === true ? 'sent without a hash' : call.draft.overrides.hash;
      if (origin === undefined) expect(fact.startsWith('signed = sent')).toBe(holds);
      else if (origin === 'wrong') expect(fact).toBe(holds ? 'hash digit changed' : 'signed and sent differ');
      else expect(fact).toBe(origin === 'sent without a hash' ? origin : 'custom hash');
      for (const [, first = '', last = '', kind] of proof.matchAll(/([\d,]+)(?: to ([\d,]+))? \((time|data)\)/g)) {
        const from = Number(first.replaceAll(',', ''));
        const until = last === '' ? from : Number(last.replaceAll(',', ''));
        expect(body.subarray(from, until + 1).toString('utf8')).toBe(kind === 'time' ? time : dataJson);
      }
      expect(/\(time\)/.test(proof)).toBe(holds && time !== '');
      expect(/\(data\)/.test(proof)).toBe(holds && dataJson !== null);
    });
  });

  it('its key is another or the same where that can be told, and only there', () => {
    const seen = new Set<string>();
    ofEach((one, index) => {
      for (let back = 1; back <= Math.min(index, 12); back++) {
        const before = sent[index - back] as Sent;
        const { verdict, proof } = compareKeys(before.call, one.call);
        seen.add(`${verdict} ${proof}`);
        const both = [before.call, one.call].every((call) => call.request.hashInput !== null && computes(call));
        if (!both) expect({ verdict, proof }).toEqual({ verdict: 'cannot be compared', proof: 'missing' });
        else if (verdict === 'cannot be compared') expect([proof, back % 2]).toEqual(['sessions', 1]);
        else expect(verdict).toBe(before.place.key === one.place.key ? 'same' : 'different');
        // Two keys of one session can always be compared.
        if (both && back % 2 === 0) expect(verdict).not.toBe('cannot be compared');
      }
    });
    expect([...seen].sort()).toEqual([
      'cannot be compared missing',
      'cannot be compared sessions',
      'different fingerprint',
      'different hash',
      'same fingerprint',
      'same hash',
    ]);
  });

  it('its code and message are those of the body that came', async () => {
    const bodies = await Promise.all(sent.map(({ call }) => app.client.body(call.id)));
    ofEach(({ call, arrived: { answer } }, index) => {
      const text = Buffer.from(bodies[index] ?? []).toString('utf8');
      if (answer !== '') expect(text).toBe(answer);
      const { code = null, message = null } = objectOf(text) ?? {};
      expect(call.code).toBe(Number.isSafeInteger(code) ? code : null);
      expect(call.message).toBe(typeof message === 'string' ? message : null);
      expect(call.responseBytes).toBe(bodies[index]?.length);
    });
  });

  it('its environment and URL are those that it was sent to', () => {
    ofEach((one) => {
      const { call, place } = one;
      expect(call.environmentId).toBe(place.environment.id);
      expect(call.environmentName).toBe(place.environment.name);
      const path = call.operation === 'currencyList' && place.currencies !== undefined ? 'currencies' : 'serviceApi.php';
      const isWallet = operationByName(call.draft.operation).endpoint === 'wallet';
      expect(call.url).toBe(isWallet ? `${place.wallet}/${call.operation}` : `${place.service}/${path}`);
      expect(one.arrived.url).toBe(call.url);
    });
  });

  it('is the same when the history is asked later', async () => {
    for (const { call } of sent) {
      const { request, code, message, url, environmentId } = await app.client.call('calls.get', { id: call.id });
      expect({ request, code, message, url, environmentId }).toEqual({
        request: call.request,
        code: call.code,
        message: call.message,
        url: call.url,
        environmentId: call.environmentId,
      });
    }
  });
});

/** The object of a JSON text, read by JavaScript; null for another text. */
function objectOf(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
