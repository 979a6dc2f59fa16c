import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { draftOf } from '#testing/app.ts';
import type { RequestDraft } from '#shared/ipc/index.ts';
import { keyMark } from '#shared/secrets/key-mark.ts';
import type { HeldKey } from '../keys/keys.ts';
import type { MaskedRequest, OutgoingCall } from '../history/record.ts';
import { createCancellation } from './cancellation.ts';
import { unsearchedFailure } from './failures.ts';
import { keyRefusal, markRefusal, maskRequest, maskResponse, maskedFinding, textOf, unaskedRefusal } from './held-keys.ts';
import type { Transmitted } from './transmit.ts';

const key = 'private-key-4711';

const draftWith = (more: Partial<RequestDraft> = {}) => draftOf('a', { operation: 'bet', ...more });

/** Returns the positions of the secrets in bytes, as the keys of environments `a`, `b` and so on. */
function placesIn(text: Uint8Array, ...secrets: string[]): HeldKey[] {
  const bytes = Buffer.from(text);
  return secrets.flatMap((secret, index) => {
    const places: { start: number; end: number }[] = [];
    for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + 1))
      places.push({ start: at, end: at + Buffer.byteLength(secret) });
    return places.length === 0 ? [] : [{ environmentId: 'abc'.charAt(index), places }];
  });
}

const nameOf = (id: string) => `Environment ${id}`;

type Request = Pick<OutgoingCall, 'draft' | 'url' | 'body' | 'hashInput' | 'hash'>;

function requestOf(more: Partial<Request> = {}, body = '{"data":{"a":1}}'): Request {
  return {
    draft: draftWith({ text: '{"a":1}' }),
    url: 'https://a.example/bet',
    body: Buffer.from(body),
    hashInput: null,
    hash: 'the hash',
    ...more,
  };
}

const maskedOf = (request: Request, ...secrets: string[]) => maskRequest(request, placesIn(textOf(request), ...secrets), nameOf);

describe('a request', () => {
  it('without a key is not masked', () => {
    expect(maskedOf(requestOf(), key)).toBeNull();
  });

  it('is masked in each text that a person typed, and in its body', () => {
    const overrides = { hash: `x${key}`, time: `${key}y`, platform: `"${key}"`, partnerId: `[${key}]` };
    const draft = draftWith({ text: `{"a":"é ${key}"}`, form: key, overrides });
    const request = requestOf({ draft, url: `https://a.example/${key}/bet` }, `{"data":{"a":"é ${key}"},"b":"${key}"}`);
    expect(maskedOf(request, key)).toEqual({
      keys: ['Environment a'],
      where: ['the payload', 'hash', 'time', 'platform', 'partnerId', 'the form', 'the URL'],
      draft: {
        ...draft,
        text: `{"a":"é ${keyMark}"}`,
        form: keyMark,
        overrides: { hash: `x${keyMark}`, time: `${keyMark}y`, platform: `"${keyMark}"`, partnerId: `["${keyMark}"]` },
      },
      url: `https://a.example/${keyMark}/bet`,
      body: Buffer.from(`{"data":{"a":"é ${keyMark}"},"b":"${keyMark}"}`),
      hashInput: null,
      hash: `x${keyMark}`,
    });
  });

  it.each([
    ['hash', { hash: key }, { hash: keyMark }, keyMark],
    ['time', { time: key }, { time: keyMark }, 'the hash'],
    ['platform', { platform: `"${key}"` }, { platform: `"${keyMark}"` }, 'the hash'],
    ['partnerId', { partnerId: `"${key}"` }, { partnerId: `"${keyMark}"` }, 'the hash'],
  ])('is masked in %s alone, and gets no text that nobody typed', (name, overrides, shown, hash) => {
    const found = maskedOf(requestOf({ draft: draftWith({ text: '{}', overrides }) }), key);
    expect(found).toMatchObject({ where: [name], hash, url: 'https://a.example/bet', draft: { text: '{}' } });
    expect(found?.draft.overrides).toEqual(shown);
  });

  it('of numbers stays JSON where it is JSON, and a text where it is one', () => {
    const digits = '1234567812345678';
    const overrides = { time: `1${digits}`, platform: digits };
    const found = maskedOf(requestOf({ draft: draftWith({ text: `{"a":${digits}}`, overrides }) }), digits);
    expect(found?.draft).toMatchObject({
      text: `{"a":"${keyMark}"}`,
      overrides: { time: `1${keyMark}`, platform: `"${keyMark}"` },
    });
  });

  it('that holds a key only in what was made of it names the body', () => {
    expect(maskedOf(requestOf({}, `{"data":{"a":"${key}"}}`), key)?.where).toEqual(['the body']);
    const both = requestOf({ draft: draftWith({ text: key }) }, key);
    expect(maskedOf(both, key)?.where).toEqual(['the payload']);
  });

  it('is masked where a place ends at the very end of its text, or begins there', () => {
    const draft = draftWith({ text: `{"a":1}${key}`, overrides: { time: `${key}` } });
    const found = maskedOf(requestOf({ draft }), key);
    expect(found).toMatchObject({
      where: ['the payload', 'time'],
      draft: { text: `{"a":1}"${keyMark}"`, overrides: { time: keyMark } },
    });
    const after = requestOf({ draft: draftWith({ text: 'x', overrides: { hash: 'two y' } }) });
    expect(maskedOf(after, '\ntwo')?.where).toEqual(['hash']);
    const before = requestOf({ draft: draftWith({ text: 'x one', overrides: { hash: 'y' } }) });
    expect(maskedOf(before, 'one\n')?.where).toEqual(['the payload']);
    // A key may hold a line's end: half of it is in the one text, half in the next.
    const broken = requestOf({ draft: draftWith({ text: 'x one', overrides: { hash: 'two y' } }) });
    expect(maskedOf(broken, 'one\ntwo')).toMatchObject({
      where: ['the payload', 'hash'],
      draft: { text: `x ${keyMark}`, overrides: { hash: `${keyMark} y` } },
    });
  });

  it('keeps a hash that was made, right or wrong, and the places of what was hashed', () => {
    const body = `{"x":"${key}","data":{"a":"${key}"},"z":"${key}"}`;
    const dataOffset = body.indexOf('{"a"');
    const hashInput = { time: 'now', hasData: true, dataOffset, dataLength: `{"a":"${key}"}`.length };
    for (const overrides of [{}, { hash: 'wrong' }] as const) {
      const found = maskedOf(requestOf({ draft: draftWith({ text: key, overrides }), hashInput }, body), key);
      expect(found?.hash).toBe('the hash');
      expect(found?.hashInput).toMatchObject({ time: 'now', hasData: true });
      const { dataOffset: at = 0, dataLength = 0 } = found?.hashInput ?? {};
      expect(found?.body.subarray(at, at + dataLength).toString()).toBe(`{"a":"${keyMark}"}`);
    }
    const timed = requestOf({ draft: draftWith({ text: '{}', overrides: { time: `t ${key}` } }), hashInput }, body);
    expect(maskedOf(timed, key)?.hashInput?.time).toBe(`t ${keyMark}`);
  });

  it('names every key that it holds, also where one stands in another', () => {
    const found = maskedOf(
      requestOf({ draft: draftWith({ text: `${key} key-4711 other-key-1` }) }),
      key,
      'key-4711',
      'other-key-1',
    );
    expect(found).toMatchObject({
      keys: ['Environment a', 'Environment b', 'Environment c'],
      draft: { text: `${keyMark} ${keyMark} ${keyMark}` },
    });
  });
});

describe('a response', () => {
  function cameOf(body: string | Buffer, headers: [string, string][] = [['a', 'b']]): Transmitted {
    const response = { status: 200, headers, body: Buffer.from(body), truncated: false };
    return { response, raw: null, findings: [], failure: null, timings: null, unseenMs: 0, respondedAt: null };
  }

  /** Returns what is kept of a response, the keys that it held, and the lengths of the texts that were searched. */
  async function kept(came: Transmitted, ...secrets: string[]) {
    const inspected: number[] = [];
    const find = async (text: Uint8Array) => {
      inspected.push(text.length);
      return placesIn(text, ...secrets);
    };
    const { transmitted, keys } = await maskResponse(came, find, nameOf, createCancellation());
    const { headers = [], body = Buffer.alloc(0) } = transmitted.response ?? {};
    return { transmitted, keys, inspected, headers, text: body.toString('utf8') };
  }

  describe('whose bytes are kept as they came', () => {
    const whole = `{"a":"${key}"}`;
    const inPieces = `4\r\n{"a"\r\n10\r\n:"${key.slice(0, 14)}\r\n`;
    it.each<[what: string, came: Transmitted, raw: string | null, keys: string[]]>([
      ['without a key', { ...cameOf('{}'), raw: Buffer.from('HTTP/1.1 200 OK\n\n{}') }, 'HTTP/1.1 200 OK\n\n{}', []],
      ['no response', { ...cameOf(''), response: null, raw: Buffer.from(`SSH ${key}`) }, `SSH ${keyMark}`, ['Environment a']],
      ['a key behind the end', { ...cameOf('{}'), raw: Buffer.from(`{} ${key}`) }, `{} ${keyMark}`, ['Environment a']],
      ['a key in the body, in pieces', { ...cameOf(whole), raw: Buffer.from(inPieces) }, null, ['Environment a']],
      ['a key in a header', { ...cameOf('{}', [['x', key]]), raw: Buffer.from(`x : ${key}`) }, null, ['Environment a']],
    ])('%s: they hold no key, or are not kept', async (_, came, raw, keys) => {
      const found = await kept(came, key);
      expect(found.transmitted.raw?.toString() ?? null).toBe(raw);
      expect(found.keys).toEqual(keys);
    });

    it('keeps nothing if the search is stopped', async () => {
      const stopped = createCancellation();
      const came = { ...cameOf('{}'), raw: Buffer.from(`raw ${key}`) };
      const find = (text: Uint8Array) =>
        Buffer.from(text).includes('raw') ? new Promise<never>(() => undefined) : Promise.resolve([]);
      const masking = maskResponse(came, find, nameOf, stopped);
      // The search of the bytes begins when that of the response is over.
      await new Promise(setImmediate);
      stopped.request();
      const { transmitted } = await masking;
      expect(transmitted).toMatchObject({ raw: null, failure: unsearchedFailure() });
      expect(transmitted.response?.body).toHaveLength(0);
    });
  });

  it('is masked where a finding quotes what was read past', async () => {
    const quote = (text: string) => ({
      rule: 'answer.php',
      severity: 'warning' as const,
      path: '',
      message: `in /${text}.php é`,
    });
    const found = await kept({ ...cameOf('{}'), findings: [quote('a'), quote(key)] }, key);
    expect(found.transmitted.findings).toEqual([quote('a'), quote(keyMark)]);
    expect(found.keys).toEqual(['Environment a']);
  });

  it('that did not come holds nothing', async () => {
    const none: Transmitted = { ...cameOf(''), response: null };
    const found = await kept(none, key);
    expect([found.transmitted, found.keys, found.inspected]).toEqual([none, [], []]);
  });

  it('without a key is what it was, and looked at once with its headers', async () => {
    const came = cameOf('{"a":1}');
    const found = await kept(came, key);
    expect(found.transmitted).toEqual(came);
    expect([found.keys, found.inspected]).toEqual([[], [4 + 7]]);
  });

  it('is masked in names and values of headers and in its body', async () => {
    const found = await kept(
      cameOf(`{"a":"${key}","b":"${key}"}`, [
        ['x', key],
        [`y-${key}`, `1 ${key} 2`],
      ]),
      key,
    );
    expect(found.text).toBe(`{"a":"${keyMark}","b":"${keyMark}"}`);
    expect(found.headers).toEqual([
      ['x', keyMark],
      [`y-${keyMark}`, `1 ${keyMark} 2`],
    ]);
    expect(found.keys).toEqual(['Environment a']);
    expect(found.transmitted.response).toMatchObject({ status: 200, truncated: false });
  });

  it.each([65_536, 65_537])('of %i bytes is masked at its beginning and its end', async (length) => {
    const body = `"${key}${' '.repeat(length - 2 * key.length - 2)}${key}"`;
    const found = await kept(cameOf(body, [['x', key]]), key);
    expect(found.text).toBe(body.replaceAll(key, keyMark));
    expect(found.headers).toEqual([['x', keyMark]]);
    const heads = 3 + key.length;
    expect(found.inspected).toEqual(length > 65_536 ? [length, heads] : [heads + length]);
    expect(found.keys).toEqual(['Environment a']);
  });

  it('that is not UTF-8 is looked at apart from its headers', async () => {
    const body = Buffer.concat([Buffer.from([0xff]), Buffer.from(key)]);
    const found = await kept(cameOf(body), key);
    expect(found.transmitted.response?.body).toEqual(Buffer.concat([Buffer.from([0xff]), Buffer.from(keyMark)]));
    expect(found.inspected).toEqual([body.length, 4]);
  });

  it('has characters of one byte each in its headers: a key beyond ASCII is found among them', async () => {
    const secret = 'schlüssel-4711';
    const asBytes = Buffer.from(secret).toString('latin1');
    const headers: [string, string][] = [
      ['a', `é ${asBytes}`],
      ['b', `${asBytes}!`],
    ];
    const found = await kept(cameOf('{}', headers), secret);
    expect(found.headers).toEqual([
      ['a', `é ${keyMark}`],
      ['b', `${keyMark}!`],
    ]);
    expect(found.keys).toEqual(['Environment a']);
    expect((await kept(cameOf('{}', [['a', 'é']]), key)).inspected).toHaveLength(2);
  });

  it('keeps a key of fewer than eight bytes', async () => {
    const found = await kept(cameOf('{"a":"key-471","b":"key-4711"}'), 'key-471', 'key-4711');
    expect(found.text).toBe(`{"a":"key-471","b":"${keyMark}"}`);
    expect(found.keys).toEqual(['Environment b']);
  });

  it('says each environment once', async () => {
    const came = cameOf(`${' '.repeat(70_000)}${key}`, [['x', key]]);
    expect((await kept(came, key)).keys).toEqual(['Environment a']);
  });

  it('whose search is stopped is dropped, and one that was stopped on its way is shown as far as it came', async () => {
    const long = `${' '.repeat(70_000)}${key}`;
    const stopped = createCancellation();
    const never = maskResponse(
      cameOf(long, [['x', key]]),
      (text) => (text.length > 1_000 ? new Promise(() => undefined) : Promise.resolve(placesIn(text, key))),
      nameOf,
      stopped,
    );
    stopped.request();
    const { transmitted, keys } = await never;
    expect(transmitted).toMatchObject({ failure: unsearchedFailure(), response: { headers: [['x', keyMark]] } });
    expect(transmitted.response?.body).toHaveLength(0);
    expect(keys).toEqual(['Environment a']);
    const before = createCancellation();
    before.request();
    const shown = await maskResponse(cameOf(long), async (text) => placesIn(text, key), nameOf, before);
    expect(shown.transmitted).toMatchObject({ failure: null });
    expect(shown.transmitted.response?.body.toString()).toBe(`${' '.repeat(70_000)}${keyMark}`);
  });
});

describe('what is said', () => {
  const masked = {
    keys: ['Live', 'Staging'],
    where: ['the payload', 'time'],
    url: 'https://masked.example',
  } as unknown as MaskedRequest;

  it('of a response, with advice where the request did not hold the key', () => {
    expect(maskedFinding(['Live', 'Staging'], true, false)).toMatchObject({ rule: 'answer.key', severity: 'warning', path: '' });
    expect(maskedFinding(['Live', 'Staging'], true, false).message).toMatch(/Live and Staging.*\[private key\]/);
    expect(maskedFinding(['Live'], true, false).message).not.toContain('ask the provider for a new one');
    expect(maskedFinding(['Live'], false, false).message).toContain('ask the provider for a new one');
    expect(maskedFinding(['Live'], false, true).message).toContain("raw bytes weren't kept");
  });

  it('of a request that is refused', () => {
    expect(markRefusal()).toMatchObject({ code: 'refused', details: { reason: 'key_held' } });
    expect(markRefusal().message).toContain(keyMark);
    expect(unaskedRefusal(masked)).toMatchObject({ code: 'refused', details: { reason: 'key_held' } });
    expect(unaskedRefusal(masked).message).toMatch(/the payload and time.*Live and Staging/);
    const outgoing = { environment: { name: 'Live' }, draft: draftWith(), url: 'https://key.example' };
    const refusal = keyRefusal(outgoing as unknown as OutgoingCall, masked);
    const question = {
      environment: 'Live',
      operation: 'bet',
      url: 'https://masked.example',
      keys: masked.keys,
      where: masked.where,
    };
    expect(refusal).toMatchObject({ code: 'refused', details: { reason: 'key_unconfirmed', question } });
    expect(refusal.message).toMatch(/^Send the private key of Live and Staging\? .*the payload and time.*Nothing was sent\.$/);
  });
});
