import { createHash, createHmac, hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { phpJson } from '#shared/json/php.ts';
import { someSubject } from '#testing/some-subject.ts';
import { createDataTexts } from './data-texts.ts';
import type { Digests, Subject } from './model.ts';
import { search, type Match, type Stage } from './search.ts';
import { tellMatch } from './tell.ts';

const digests: Digests = {
  hash: (algorithm, input) => hash(algorithm, input, 'hex'),
  hmac: (algorithm, key, input) => createHmac(algorithm, key).update(input).digest('hex'),
};
const key = 'tEst#Key+9=/abcdef';
const time = '09-03-2026 17:05:08';
/** As a backend sends it that keeps the rule. */
const dataText =
  '{"exitURL":"https://a.example/x/?a=1&b=2","name":"Jos\\u00e9 <\'+>","lang":"en","logMonth":0,"betAmount":1,"note":"","ids":[],"more":{},"none":null,"z":0.1}';

function search1(
  received: string,
  options: Partial<Subject> = {},
  wanted: readonly Stage[] = ['rule', 'singles', 'seconds', 'pairs', 'orders'],
  others: readonly string[] = [],
) {
  const written = options.dataText ?? dataText;
  const rule = phpJson(written, { unicode: false, assoc: false });
  const subject = someSubject({ time, dataText: written, ruleText: rule.ok ? rule.json : null, hash: received, ...options });
  const ended: Stage[] = [];
  let match: Match | null = null;
  const keys = [{ name: null, key }, ...others.map((other, at) => ({ name: `other ${at}`, key: other }))] as const;
  for (const step of search(subject, keys, digests, wanted)) {
    if (step.kind !== 'ended') continue;
    ended.push(step.stage);
    match = step.match ?? match;
  }
  return { match: match as Match | null, stage: ended.at(-1) ?? null };
}

/** The mistakes of all explanations. */
function ids(match: Match | null): string[] {
  return (match?.ways ?? []).map((way) => way.map(({ id }) => id).join(' + '));
}

const sha = (text: string | Uint8Array) => hash('sha256', text, 'hex');
const slashed = dataText.replaceAll('/', '\\/');
const bare = dataText.replace('\\u00e9', 'é');

describe('a hash that is right', () => {
  test('fits the rule, without a mistake', () => {
    const { match, stage } = search1(sha(key + time + dataText));
    expect([stage, match?.ways, match?.input]).toEqual(['rule', [[]], `<PRIVATE_KEY>${time}${dataText}`]);
  });

  test('cut to ten digits fits, and says how many were compared; with nine it does not count', () => {
    const right = sha(key + time + dataText);
    expect(search1(right.slice(0, 10)).match).toMatchObject({ digits: 10, ways: [[]] });
    expect(search1(`${right.slice(0, 6)}…${right.slice(-4)}`).match).toMatchObject({ digits: 10, ways: [[]] });
    expect(search1(right.slice(0, 9))).toEqual({ match: null, stage: null });
  });

  test('for an operation without data is key and time', () => {
    expect(search1(sha(key + time), { dataText: null, ruleText: null }).match?.ways).toEqual([[]]);
    expect(ids(search1(sha(`${key}${time}[]`), { dataText: null, ruleText: null }).match)).toContain('wrap.is:[]');
  });
});

describe('one mistake is named', () => {
  test.each([
    ['key.line-feed', `${key}\n${time}${dataText}`],
    ['key.carriage-return', `${key}\r\n${time}${dataText}`],
    ['key.space-behind', `${key} ${time}${dataText}`],
    ['key.quoted', `"${key}"${time}${dataText}`],
    ['key.byte-order-mark', `\ufeff${key}${time}${dataText}`],
    ['key.lower', `${key.toLowerCase()}${time}${dataText}`],
    ['key.upper', `${key.toUpperCase()}${time}${dataText}`],
    ['key.cut-at-hash', `tEst${time}${dataText}`],
    ['key.plus-to-space', `tEst#Key 9=/abcdef${time}${dataText}`],
    ['key.to-base64', `${Buffer.from(key).toString('base64')}${time}${dataText}`],
    ['key.is:undefined', `undefined${time}${dataText}`],
    ['key.partner-id', `11${time}${dataText}`],
    ['time.order', `${key}2026-03-09 17:05:08${dataText}`],
    ['time.12-hour', `${key}09-03-2026 05:05:08${dataText}`],
    ['time.java-letters', `${key}09-05-2026 05:05:08${dataText}`],
    ['time.month-for-minutes', `${key}09-03-2026 17:03:08${dataText}`],
    ['time.iso-ms-z', `${key}${new Date(Date.UTC(2026, 2, 9, 17, 5, 8)).toISOString()}${dataText}`],
    ['time.epoch-s', `${key}${Date.UTC(2026, 2, 9, 17, 5, 8) / 1_000}${dataText}`],
    ['time.epoch-ms', `${key}${Date.UTC(2026, 2, 9, 17, 5, 8)}${dataText}`],
    ['time.http', `${key}${new Date(Date.UTC(2026, 2, 9, 17, 5, 8)).toUTCString()}${dataText}`],
    ['time.two-digit-year', `${key}09-03-26 17:05:08${dataText}`],
    ['time.no-zeros', `${key}9-3-2026 17:5:8${dataText}`],
    ['time.slashes', `${key}09/03/2026 17:05:08${dataText}`],
    ['time.month-low', `${key}09-02-2026 17:05:08${dataText}`],
    ['clock.zone:-60', `${key}09-03-2026 16:05:08${dataText}`],
    ['clock.zone:330', `${key}09-03-2026 22:35:08${dataText}`],
    ['clock.seconds:1', `${key}09-03-2026 17:05:09${dataText}`],
    ['clock.seconds:-3599', `${key}09-03-2026 16:05:09${dataText}`],
    ['clock.seconds:1234', `${key}09-03-2026 17:25:42${dataText}`],
    ['slash.escaped', `${key}${time}${slashed}`],
    ['slash.first-only', `${key}${time}${slashed.replace('\\/', '/')}`],
    ['unicode.bare', `${key}${time}${bare}`],
    ['unicode.upper', `${key}${time}${dataText.replace('\\u00e9', '\\u00E9')}`],
    ['unicode.question-marks', `${key}${time}${bare.replace('é', '?')}`],
    ['unicode.decomposed', `${key}${time}${dataText.replace('\\u00e9', 'e\\u0301')}`],
    ['html.lower', `${key}${time}${dataText.replaceAll(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)}`],
    ['html.gson', `${key}${time}${dataText.replaceAll(/[<>&=']/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)}`],
    ['layout.pretty-2', `${key}${time}${JSON.stringify(JSON.parse(dataText), null, 2).replace('é', '\\u00e9')}`],
    [
      'order.sorted',
      `${key}${time}${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(dataText) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)))).replace('é', '\\u00e9')}`,
    ],
    ['numbers.as-text', `${key}${time}${dataText.replaceAll(/:(0\.1|0|1)(?=[,}])/g, ':"$1"')}`],
    ['numbers.as-text:betAmount', `${key}${time}${dataText.replace(':1,', ':"1",')}`],
    ['numbers.amounts-with-fraction', `${key}${time}${dataText.replace(':1,', ':1.0,')}`],
    ['members.falsy-dropped', `${key}${time}${dataText.replaceAll(/"(logMonth|note|ids|more|none)":[^,]+,/g, '')}`],
    ['members.null-dropped', `${key}${time}${dataText.replace('"none":null,', '')}`],
    ['members.object-to-list', `${key}${time}${dataText.replace('{},', '[],')}`],
    ['members.without:lang', `${key}${time}${dataText.replace('"lang":"en",', '')}`],
    ['wrap.line-feed', `${key}${time}${dataText}\n`],
    ['wrap.nothing', `${key}${time}`],
    ['wrap.twice', `${key}${time}${JSON.stringify(dataText)}`],
    ['wrap.base64', `${key}${time}${Buffer.from(dataText).toString('base64')}`],
    ['wrap.url-encoded', `${key}${time}${encodeURIComponent(dataText)}`],
    ['wrap.envelope', `${key}${time}{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"${time}","data":${dataText}}`],
    ['composition.kdt', `${key}${dataText}${time}`],
    ['composition.ktd:|', `${key}|${time}|${dataText}`],
    ['composition.td', `${time}${dataText}`],
    ['composition.akntd', `getLauncherURL${key}11${time}${dataText}`],
  ])('%s', (id, text) => {
    const { match, stage } = search1(sha(text));
    expect(['singles', 'seconds']).toContain(stage);
    expect(ids(match)).toContain(id);
    // What is shown is what was hashed, but for the key.
    if (!id.startsWith('key.')) expect(sha((match?.input ?? '').replace('<PRIVATE_KEY>', key))).toBe(sha(text));
  });

  test('a decoded key, by its bytes', () => {
    const hexKey = 'a1b2c3d4e5f60718';
    const bytes = Buffer.concat([Buffer.from(hexKey, 'hex'), Buffer.from(time + dataText)]);
    const found = search1(sha(bytes), {}, ['singles'], [hexKey]);
    expect(found.match).toBeNull();
    const subject = someSubject({ time, dataText, hash: sha(bytes) });
    const steps = [...search(subject, [{ name: null, key: hexKey }], digests, ['singles'])];
    expect(steps.at(-1)).toMatchObject({ kind: 'ended', match: { ways: [[{ id: 'key.from-hex' }]] } });
  });

  test('the key of another environment, by that name', () => {
    const { match } = search1(sha(`another${time}${dataText}`), {}, undefined, ['another']);
    expect(match?.ways[0]?.[0]?.says).toBe('Your backend uses the key of another environment: other 0.');
  });

  test.each([
    [
      'digest.hmac',
      createHmac('sha256', key)
        .update(time + dataText)
        .digest('hex'),
    ],
    [
      'digest.hmac-swapped',
      createHmac('sha256', time + dataText)
        .update(key)
        .digest('hex'),
    ],
    ['digest.twice', sha(sha(key + time + dataText))],
    ['digest.utf-16', sha(Buffer.from(key + time + dataText, 'utf16le'))],
    ['digest.md5', hash('md5', key + time + dataText)],
    ['digest.sha1', hash('sha1', key + time + dataText)],
    ['digest.sha512', hash('sha512', key + time + dataText)],
  ])('%s', (id, received) => {
    expect(ids(search1(received).match)).toEqual([id]);
  });

  test.each([
    ['spelling.upper', (hex: string) => hex.toUpperCase()],
    ['spelling.separated', (hex: string) => (hex.toUpperCase().match(/../g) ?? []).join('-')],
    ['spelling.base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64')],
    ['spelling.base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64url')],
    ['spelling.hex-of-hex', (hex: string) => Buffer.from(hex).toString('hex')],
    ['spelling.spaces', (hex: string) => ` ${hex}\n`],
    ['spelling.decorated', (hex: string) => `sha256=${hex}`],
    ['spelling.decorated', (hex: string) => `${hex}  -`],
    ['spelling.numbers', (hex: string) => JSON.stringify([...Buffer.from(hex, 'hex')])],
    ['spelling.inner-zeros-lost', (hex: string) => [...Buffer.from(hex, 'hex')].map((byte) => byte.toString(16)).join('')],
    [
      'spelling.signed',
      (hex: string) =>
        [...Buffer.from(hex, 'hex')].map((byte) => (byte > 127 ? `ffffff${byte.toString(16)}` : byte.toString(16))).join(''),
    ],
    ['spelling.one-digit', (hex: string) => hex.replace(/.$/, 'x')],
  ])('%s', (id, spell) => {
    const { match, stage } = search1(spell(sha(key + time + dataText)));
    expect(stage).toBe('rule');
    expect(ids(match).join()).toContain(id);
  });

  test('zeros that BigInteger loses, on a hash that has them', () => {
    const salt =
      Array.from({ length: 2_000 }, (_, at) => `{"n":${at}}`).find((text) => sha(key + time + text).startsWith('0')) ?? '';
    const received = sha(key + time + salt).replace(/^0+/, '');
    expect(ids(search1(received, { dataText: salt, ruleText: salt }).match)).toContain('spelling.zeros-lost');
  });
});

describe('more than one', () => {
  test.each([
    ['slash.escaped + time.order', `${key}2026-03-09 17:05:08${slashed}`],
    ['slash.escaped + key.line-feed', `${key}\n${time}${slashed}`],
    [
      'layout.spaced + unicode.upper',
      `${key}${time}${dataText
        .replace('\\u00e9', '\\u00E9')
        .replaceAll(/(?<=[\]}"\d l]),"/g, ', "')
        .replaceAll(/":(?=["\d[{n])/g, '": ')}`,
    ],
    ['composition.tdk + slash.escaped', `${time}${slashed}${key}`],
  ])('%s', (pair, text) => {
    const { match, stage } = search1(sha(text));
    expect(stage).toBe('pairs');
    expect(ids(match).map((way) => way.split(' + ').toSorted().join())).toContain(pair.split(' + ').toSorted().join());
  });

  test('an unusual order of members', () => {
    const text = '{"c":1,"a":"x/y","b":2,"d":"q"}';
    const { match, stage } = search1(sha(`${key}${time}{"a":"x/y","d":"q","c":1,"b":2}`), { dataText: text, ruleText: text });
    expect([stage, match?.ways[0]?.[0]?.says]).toEqual([
      'orders',
      'Your backend writes the fields of data in the order a, d, c, b.',
    ]);
  });

  test('a hash of something else ends without a match, after all that was asked for', () => {
    expect(search1(sha('something else'), {}, ['rule', 'singles', 'seconds', 'pairs'])).toEqual({ match: null, stage: 'pairs' });
    expect(search1('not a hash')).toEqual({ match: null, stage: null });
  });
});

describe('a step is short', () => {
  test('however long data is: its texts are made in pieces, and fewer of them are hashed at a time', () => {
    const long = JSON.stringify({ a: 'x/'.repeat(2_000) });
    const subject = (text: string) => someSubject({ time, dataText: text, hash: sha('something else') });
    const between = (text: string) => {
      const texts = createDataTexts(subject(text));
      let pieces = 1;
      for (const work = texts.prepare(2); work.next().done !== true;) pieces += 1;
      const steps = [...search(subject(text), [{ name: null, key }], digests, ['seconds'])].filter(
        ({ kind }) => kind === 'tried',
      );
      return { texts: texts.level(2).length / pieces, inputs: 7_196 / steps.length };
    };
    const [short, longer] = [between('{"a":"x/"}'), between(long)];
    expect([short.inputs < 1_100, longer.inputs < 110]).toEqual([true, true]);
    expect([short.texts < 500, longer.texts < 25]).toEqual([true, true]);
  });
});

test('a match is told before its stage has ended', () => {
  const subject = someSubject({ time, dataText, hash: sha(key + time + slashed.replace('\\u00e9', 'é')) });
  const told = [...search(subject, [{ name: null, key }], digests, ['pairs'])].find(
    (step) => step.kind === 'tried' && step.match !== null,
  );
  expect(told?.kind === 'tried' ? ids(told.match) : []).toContain('slash.escaped + unicode.bare');
});

describe('which explanation comes first', () => {
  test('equal bytes have all their explanations, the usual one first', () => {
    const text = '{"a":"1 & 2"}';
    const { match } = search1(sha(`${key}${time}{"a":"1 \\u0026 2"}`), { dataText: text, ruleText: text });
    expect(ids(match)[0]).toBe('html.lower');
    expect(ids(match)).toEqual(expect.arrayContaining(['html.gson', 'html.upper', 'html.dotnet']));
  });

  test('a text that was hashed as it was sent says that, and how it differs', () => {
    const { match } = search1(sha(key + time + slashed), { dataText: slashed });
    expect(match?.isSent).toBe(true);
    expect(tellMatch(match as Match)).toBe(
      'The hash matches data as it was sent, but the signing rule requires another form. Your backend escapes the slashes.',
    );
    expect(search1(sha(key + time + slashed)).match?.isSent).toBe(false);
    const twice = slashed.replace('\\u00e9', 'é');
    expect(ids(search1(sha(key + time + twice), { dataText: twice }).match)).toContain('slash.escaped + unicode.bare');
  });

  test('a text of two mistakes is none that one makes', () => {
    const texts = createDataTexts(someSubject({ time, dataText, hash: '' }));
    const single = new Set(texts.level(1).map(({ text }) => text));
    expect(texts.level(2).filter(({ text }) => single.has(text))).toEqual([]);
  });

  test('data that is not JSON is searched as a text', () => {
    const broken = '{"a":"b/c"';
    expect(ids(search1(sha(`${key}${time}${broken}\n`), { dataText: broken, ruleText: null }).match)).toContain('wrap.line-feed');
  });
});

test('the digests are those of Node', () => {
  expect(digests.hash('sha256', 'é')).toBe(createHash('sha256').update('é').digest('hex'));
});
