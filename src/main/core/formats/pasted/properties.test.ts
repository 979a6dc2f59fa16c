import { describe, expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { recognise } from './recognise.ts';
import { createWork } from './work.ts';

const hash = '5d0c7be19f02c8a4716be35d90f8127c3a4b5e6d7f8091a2b3c4d5e6f7e07b12';

/** Values that encoders escape in ways of their own. */
const value = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '/', 'é', '🎰', '<', '&', "'", '"', '\\', ' ', '=', '+', '\n', '\u2028', '%', '{', '}'),
    maxLength: 12,
  }),
  fc.integer(),
  fc.constantFrom('https://l.example/?a=1&b=2', ''),
);
const dataText = fc
  .record({ gameMode: value, gameId: value, lang: value, exitURL: value })
  .chain((data) =>
    fc.constantFrom(JSON.stringify(data), JSON.stringify(data).replaceAll('/', '\\/'), JSON.stringify(data, null, 2)),
  );

/** Layers that keep every byte. */
const layers: Readonly<Record<string, (text: string) => string>> = {
  'JSON string': (text) => JSON.stringify({ level: 'info', msg: 'sent', body: text }),
  'URL encoding': (text) => `body=${encodeURIComponent(text)}`,
  Base64: (text) => Buffer.from(text).toString('base64'),
  'nginx log': (text) =>
    `127.0.0.1 "${[...Buffer.from(text)].map((byte) => (byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte))).join('')}"`,
  var_export: (text) => `array (\n  'body' => '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}',\n)`,
  CSV: (text) => `2026-11-22,"${text.replaceAll('"', '""')}"\n`,
};

describe('an envelope in layers that keep every byte', () => {
  it('comes back as it was, whatever the layers', () => {
    fc.assert(
      fc.property(dataText, fc.array(fc.constantFrom(...Object.keys(layers)), { maxLength: 3 }), (data, names) => {
        const body = `{"action":"getLauncherURL","platform":7,"partnerId":11,"time":"22-11-2026 10:40:02","data":${data},"hash":"${hash}"}`;
        const pasted = names.reduce((text, name) => layers[name]?.(text) ?? text, body);
        const found = recognise(pasted).requests.map((request) => [request.envelopeText, request.dataText, request.fidelity]);
        expect(found).toContainEqual([body, data, 'exact']);
      }),
      { numRuns: 300 },
    );
  });
});

const pieces = [
  '{"action":"gameList","hash":"',
  '{',
  '}',
  '[',
  '{"',
  '"',
  '\\"',
  '\\\\',
  "'",
  "{'",
  "b'{",
  '{\\"',
  '{\\x22action',
  '%7B%22',
  'eyJhY3Rpb24iOiJ',
  'array (',
  "'data' => ",
  'Array\n(\n',
  '    [data] => ',
  'array(1) {\n',
  '["data"]=>\n',
  'string(9) "',
  'map[',
  'map[data:',
  '{data=',
  ', hash=',
  'Envelope(action=',
  '$VAR1 = {',
  "$'{",
  'curl -d ',
  '&quot;',
  '{&quot;action',
  '{""action"":',
  '“',
  '{\u00a0"action":',
  '0000: 7b 22 61',
  '=> Send data\n',
  '{"log":"',
  '2026-11-22T10:40:02Z stdout P ',
  '\n',
  ' ',
  ': ',
  ',',
  'time=',
  '22-11-2026 10:40:02',
  hash,
  '…',
  '***',
  '"data":',
  'é',
  '\ud83c',
  '<PRIVATE_KEY>',
  ':s:9:"',
  '`',
  '#',
  '7b22616374696f6e223a',
  '[123,34,97,',
];

describe('any text', () => {
  it('is read without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 60 }), (parts) => {
        const { requests, problem, hashes } = recognise(parts.join(''));
        expect(problem !== null || requests.length + hashes.length > 0).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(pieces)('made of %j alone takes steps in proportion to its length', (piece) => {
    const stepsOf = (length: number) => {
      const work = createWork(length);
      recognise(piece.repeat(Math.ceil(length / piece.length)), work);
      return work.spent;
    };
    // Beyond the bound a reader ends what it reads, which is at most the text for each of few layers.
    for (const length of [20_000, 80_000]) expect(stepsOf(length)).toBeLessThan(550_000 + 90 * length);
  });
});
