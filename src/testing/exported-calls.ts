import { Environment } from '#shared/ipc/index.ts';
import type { RecordedCall } from '#core/formats/write/recorded-call.ts';
import { seededRandom } from './seeded-random.ts';
import { someCall } from './some-call.ts';

/** Environments of `exportedCalls`; the second has its own time zone and authority. */
export const exportedEnvironments: readonly Environment[] = [
  { id: 'plain', name: 'plain', baseUrl: 'https://p.example', platform: 1, partnerId: 42 },
  {
    id: 'own',
    name: 'own',
    baseUrl: 'https://q.example',
    platform: 2,
    partnerId: 7,
    timeZone: 'Europe/Berlin',
    ca: '-----BEGIN CERTIFICATE-----',
  },
].map((one) => Environment.parse(one));

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Returns calls like those of a history, the same for the same seed: tokens of every length and in every place and spelling that a
 * mask knows, some the beginning of others and many repeated by other calls; bodies that are neither JSON nor text; calls without a
 * response.
 */
export function exportedCalls(seed: number, count: number): RecordedCall[] {
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const word = (length: number) => Array.from({ length }, () => alphabet[below(36)]).join('');
  const tokens: string[] = [
    'ab12',
    'abcdef',
    'tok-4711',
    'tok-4711-long',
    'a/b"c\\dé😀z',
    'with space & more',
    `${word(60)}${word(60)}`,
  ];

  function token(): string {
    const kind = below(10);
    if (kind < 3) return pick(tokens);
    const made =
      kind < 6
        ? word(8 + below(40))
        : kind === 6
          ? pick(tokens) + word(1 + below(6))
          : kind === 7
            ? word(4 + below(4))
            : kind === 8
              ? `eyJhbGciOiJIUzI1NiJ9.${word(30)}.${word(43)}`
              : `${word(5)}/${word(5)}+é${word(3)}`;
    tokens.push(made);
    return made;
  }

  const address = (value: string) =>
    pick([
      `https://g.example/play?token=${encodeURIComponent(value)}&game=7`,
      `https://g.example/?to=${encodeURIComponent(`https://h.example/?sessionToken=${encodeURIComponent(value)}&x=1`)}`,
      `https://g.example/#id=1&token=${encodeURIComponent(value)}`,
    ]);
  const spelled = (value: string) =>
    pick([
      JSON.stringify(value),
      JSON.stringify(value).replaceAll('/', '\\/'),
      JSON.stringify(value).replace(/[a-f]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    ]);

  function body(): string {
    const value = token();
    return pick([
      () => `{"externalToken":${spelled(value)},"exitURL":${JSON.stringify(address(token()))},"n":9007199254740993}`,
      () => `{"data":{"password":"${word(9)}","list":[1,2,${below(99)}],"note":${JSON.stringify(`It was ${value}.`)}}}`,
      () => `{"token":${1_000_000 + below(9_000_000)},"again":${1_000_000 + below(9_000_000)},"text":"plain"}`,
      () => `{"inner":${JSON.stringify(JSON.stringify({ token: value, n: 1 }))}}`,
      () => `{'token': '${word(9)}', broken`,
      () => `a=1&token=${word(12)}&b=2`,
      () => `{"slots":[${Array.from({ length: 5 }, (_, at) => `{"id":"${at}","gameName":"Book of ${word(4)}"}`).join(',')}]}`,
      () => `[${spelled(value)},${JSON.stringify(address(value))},{"sid":"${word(8)}"}]`,
      () => `<html>${value} and ${address(token())}</html>`,
    ])();
  }

  function answer(): Uint8Array {
    const kind = below(12);
    if (kind === 0) return Buffer.from([0xff, 0x00, below(256), 0xfe]);
    if (kind === 1) return Buffer.concat([Buffer.from(`token=${pick(tokens)} `), Buffer.from([0xff, 0xfe])]);
    return Buffer.from(body());
  }

  return Array.from({ length: count }, (_, at): RecordedCall => {
    const signed = below(3) > 0;
    const environment = pick(exportedEnvironments);
    const data = body();
    const time = '20-11-2026 10:15:30';
    const before = '{"action":"getGameRound","platform":1,"time":"20-11-2026 10:15:30","data":';
    const text = signed ? `${before}${data},"hash":"${'ab'.repeat(32)}"}` : data;
    const failed = below(8) === 0;
    const response = failed ? Buffer.alloc(0) : answer();
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['set-cookie', `id=${pick(tokens)}; Path=/`],
      ['location', address(token())],
    ];
    const call = someCall({
      id: at + 1,
      environmentId: environment.id,
      environmentName: `${environment.name} ${below(5) === 0 ? pick(tokens) : ''}`,
      operation: signed ? 'getGameRound' : 'bet',
      url: below(3) === 0 ? address(token()) : `${environment.baseUrl}/serviceApi.php`,
      sentAt: 1_790_000_000_000 + at * 10_000,
      state: failed ? 'failed' : 'answered',
      status: failed ? null : 200,
      code: failed ? null : below(3),
      message: failed ? null : pick(['ok', `token ${pick(tokens)} is not valid`]),
      failure: failed
        ? { kind: 'timeout', phase: 'headers', message: `No response for ${pick(tokens)}.`, hint: 'Look it up.' }
        : null,
      requestBytes: Buffer.byteLength(text),
      responseBytes: failed ? null : response.length,
      repeats: below(9) === 0 ? 1 : null,
      draft: {
        environmentId: environment.id,
        operation: signed ? 'getGameRound' : 'bet',
        form: 'data',
        text: data,
        overrides: below(6) === 0 ? { time: pick(tokens), omit: ['platform'] } : {},
      },
      request: {
        headers: [
          ['content-type', 'application/json'],
          ['x-session', pick(tokens)],
        ],
        bodyText: text,
        hashInput: signed
          ? { time, dataJson: data, dataOffset: Buffer.byteLength(before), dataLength: Buffer.byteLength(data) }
          : null,
        hash: signed ? 'ab'.repeat(32) : null,
        keyFingerprint: null,
      },
      response: failed ? null : { status: 200, headers, bodyBytes: response.length, truncated: below(9) === 0 },
      timings: failed ? null : { dns: 1, connect: 2.5, tls: 3, firstByte: 4, download: 0.25, total: 12, reused: false },
      findings:
        below(4) === 0
          ? [{ rule: 'r', severity: 'warning', path: '/token', message: `It is \u201c${pick(tokens).slice(0, 79)}\u201d.` }]
          : [],
    });
    return { call, body: response, raw: new Uint8Array(), sentRaw: new Uint8Array() };
  });
}
