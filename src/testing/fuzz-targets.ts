import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#shared/errors.ts';
import { parseJson } from '#shared/json/parse.ts';
import { phpJson } from '#shared/json/php.ts';
import { lineProtocol, offeredProtocols, offeredSession } from '#shared/page-socket.ts';
import { compareLaunchResponse } from '#shared/provider/launcher-url.ts';
import { maskUrlTokens } from '#shared/provider/tokens.ts';
import { requestForm, settingsForm, type FileForm } from '../main/core/collections/collection-file.ts';
import { environmentForm } from '../main/core/collections/environment-form.ts';
import { readFiles } from '../main/core/formats/read/read-files.ts';
import { createLosses } from '../main/core/formats/read/import-source.ts';
import { recognise } from '../main/core/formats/pasted/recognise.ts';
import { createWork } from '../main/core/formats/pasted/work.ts';
import { phpDecode, phpEncode } from '../main/sandbox/php-json.ts';
import type { FuzzTarget } from './fuzz.ts';

function demand(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(promise);
}

/** Runs a reader that may refuse only by an `AppError`. */
function refusing(read: () => void): 'refused' | 'through' {
  try {
    read();
    return 'through';
  } catch (error) {
    if (error instanceof AppError) return 'refused';
    throw error;
  }
}

const jsonWords = ['{', '}', '[', ']', ',', ':', '"', 'null', 'true', '-', '.', 'e', 'E+1', '0', '\\u', '\\ud83d', '"a":', '1.0'];
const jsonTexts = [
  '{"code":0,"message":"ok","data":{"slots":[{"id":1,"bets":[0.1,1.0,10],"gameName":"A\\u00e4\\/"}]}}',
  '{"data":{"roundId":9007199254740993,"logMonth":0,"a":1,"a":2,"10":1,"9":[]},"x":1e400,"y":-0,"z":"\\ud83d\\ude00"}',
  '[1,2.50,-0.0,1E5,"\\"\\\\\\b\\f\\n\\r\\t",{},[],null,true,false]',
  ' "text" ',
];

function deepest(text: string): number {
  let [depth, most] = [0, 0];
  for (const character of text) {
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

/** Returns a reader of a file of another tool. */
const imported = (name: string) => (text: string) => refusing(() => void readFiles([{ name, text }], createLosses()));

const curlTexts = [
  `curl 'https://api.example/serviceApi.php' -H 'Content-Type: application/json' --data-raw '{"action":"gameList","hash":"x"}'`,
  `curl -X POST https://api.example/bet \\\n  -d @file --compressed -u a:b -k --url x\ncurl -F a=b $'\\x41' "$HOME"`,
];
const curlWords = ['curl ', '-d ', '--data-binary ', '-H ', "'", '"', '\\\n', '$(', '`', '|', '#', ';', "$'", '--json ', '-G '];

const harTexts = [
  JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        {
          startedDateTime: '2026-11-22T10:00:00Z',
          request: {
            method: 'POST',
            url: 'https://api.example/serviceApi.php',
            headers: [{ name: 'Content-Type', value: 'application/json' }],
            postData: { mimeType: 'application/json', text: '{"action":"gameList","time":"22-11-2026 10:00:00"}' },
          },
          response: { status: 200, content: { mimeType: 'application/json', text: '{"code":0}', encoding: 'base64' } },
        },
      ],
    },
  }),
];
const postmanTexts = [
  JSON.stringify({
    info: { name: 'C', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: [{ key: 'a', value: '1' }],
    item: [
      {
        name: 'F',
        item: [
          {
            name: 'R',
            event: [{ listen: 'test', script: { exec: ['pm.test("x", () => pm.expect(pm.response.json().code).to.eql(0));'] } }],
            request: {
              method: 'POST',
              url: { raw: '{{base}}/serviceApi.php' },
              body: { mode: 'raw', raw: '{"action":"gameList","currency":"{{currency}}"}' },
            },
            response: [{ name: 'E', code: 200, body: '{"code":0}' }],
          },
        ],
      },
    ],
  }),
  JSON.stringify({ name: 'Env', values: [{ key: 'base', value: 'https://x', enabled: true, type: 'secret' }] }),
];
const brunoTexts = [
  'meta {\n  name: R\n  type: http\n  seq: 1\n}\n\npost {\n  url: {{base}}/serviceApi.php\n  body: json\n}\n\nbody:json {\n  {\n    "action": "gameList"\n  }\n}\n\nassert {\n  res.body.code: eq 0\n}\n\nvars:pre-request {\n  a: 1\n  ~b: 2\n}\n',
  'vars {\n  base: https://x\n}\nvars:secret [\n  key\n]\n',
];
const yamlTexts = [
  '# a comment\noperation: bet\nform: "short"\ndata: |-\n  {"amount": 0.10}\noverrides:\n  hash: wrong\n  omit: [time, hash]\ntake:\n  id: /data/0/id\nexpect:\n  - code: 0\n  - path: $.data[*]\n    present: true\n    count: 3\n  - {balance: {before: 5, change: "-1"}}\nnotes: \'n\'\nowner: me',
  'operation: gameList\ndata: >-\n  {"currency": "EUR"}\nexpect:\n  - code: 0\n# a comment\nnotes: "a\\u00e4"\n',
];
const launchTexts = [
  JSON.stringify({
    code: 0,
    message: 'ok',
    data: {
      launcherURL:
        'https://games.example/play?partnerId=1&gameId=2&gameMode=real&lang=en&platform=3&externalToken=t%2Bo&exitURL=https%3A%2F%2Fx',
    },
  }),
  '{"data":{"launcherURL":"http://127.1/?gameId=%zz&gameId=1#x"}}',
];
const pastedEnvelope =
  '{"action":"getGameRound","platform":7,"partnerId":11,"time":"22-11-2026 10:40:02","data":{"roundId":1,"logMonth":0},"hash":"5d0c7be19f02c8a4716be35d90f8127c3a4b5e6d7f8091a2b3c4d5e6f7e07b12"}';
const pastedTexts = [
  JSON.stringify({ level: 'info', msg: 'sent', body: pastedEnvelope, res: { code: 8, message: 'hash not valid', data: null } }),
  `body=${encodeURIComponent(pastedEnvelope)}\n${Buffer.from(pastedEnvelope).toString('base64')}`,
  pastedEnvelope.replaceAll('"', '\\x22'),
  "array (\n  'action' => 'getGameRound',\n  'time' => '22-11-2026 10:40:02',\n  'data' => \n  array (\n    'roundId' => 1,\n  ),\n)",
  'Array\n(\n    [action] => getGameRound\n    [hash] => ***\n    [data] => Array\n        (\n            [roundId] => 1\n        )\n\n)\n',
  '{action=getGameRound, hash=null, data={roundId=1}} map[action:getGameRound data:map[roundId:1] hash:]',
  'time=22-11-2026 10:40:02 data={"roundId":1,"logMonth":0} hash=5d0c7be19f...',
];
const launchRequest = JSON.stringify({
  platform: 3,
  partnerId: 1,
  data: { gameId: '2', gameMode: 'real', lang: 'en', externalToken: 't+o', exitURL: 'https://x' },
});

const yamlWords = [
  '&a ',
  '*a',
  '<<: ',
  '!!binary ',
  '!x ',
  '- ',
  ': ',
  '|+2\n',
  '>\n',
  '? ',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '#',
  '{',
  '[',
];
const environmentTexts = [
  'baseUrl: https://api.example\nwalletUrl: https://wallet.example # w\nplatform: 1\npartnerId: "42"\nproduction: false\ntimeZone: Europe/Malta\nserialization: php\ndefaults:\n  currency: EUR\nlaunchRules:\n  readyWithin: 40\n  noise:\n    - fonts.example\nanswers:\n  amounts.unit:\n    value: minor\n    date: 2026-11-26\n    evidence: |\n      Their mail\n',
  '{baseUrl: "https://api.example", platform: 1, partnerId: 2, production: true, ca: "a.pem", sameProviderAs: A}\n',
];

/** Returns a reader of a file of a collection, which is edited and printed as it was read, or refused with its line. */
function formRead<T>(form: FileForm<T>): FuzzTarget['read'] {
  return (changed) => {
    // A file, which is UTF-8, has no half of a character.
    const text = changed.toWellFormed();
    let value: T;
    try {
      value = form.read(text).value;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      const { line, column } = error.details as { readonly line?: number; readonly column?: number };
      const lines = text.split('\n').length;
      demand(line !== undefined && line >= 1 && line <= lines, 'What is refused has its line.');
      demand(column !== undefined && column >= 1, 'What is refused has its column.');
      return 'refused';
    }
    demand(form.edit(text, value) === text, 'A file without a change stays as it is.');
    demand(isDeepStrictEqual(form.read(form.print(value)).value, value), 'What is printed is read again.');
    return 'through';
  };
}

/** Every reader of outside texts, with its promises for any text. */
export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'JSON',
    corpus: jsonTexts,
    words: jsonWords,
    read(text) {
      const parsed = parseJson(text);
      try {
        JSON.parse(text);
      } catch {
        demand(!parsed.ok, 'What is not JSON is refused.');
        return 'refused';
      }
      if (deepest(text) > 1_000) return parsed.ok ? 'through' : 'refused';
      demand(parsed.ok, 'What is JSON is read.');
      return 'through';
    },
  },
  {
    name: 'PHP JSON',
    corpus: jsonTexts,
    words: jsonWords,
    read(changed) {
      // Text from UTF-8 has no half of a character.
      const text = changed.toWellFormed();
      // The signer and the built-in provider each have their own parser.
      const signer = phpJson(text, { unicode: false, assoc: false });
      const decoded = phpDecode(text);
      const provider = decoded.ok ? phpEncode(decoded.value) : null;
      demand(signer.ok === (provider !== null), 'Signer and provider agree on what PHP reads.');
      if (!signer.ok || provider === null) return 'refused';
      demand(signer.json === provider, 'Signer and provider agree on what PHP prints.');
      return 'through';
    },
  },
  { name: 'curl', corpus: curlTexts, words: curlWords, read: imported('a.txt') },
  { name: 'HAR', corpus: harTexts, words: jsonWords, read: imported('a.har') },
  { name: 'Postman', corpus: postmanTexts, words: jsonWords, read: imported('a.json') },
  {
    name: 'Bruno',
    corpus: brunoTexts,
    words: ['meta {', '}', '\n', 'body:json {', "'''", ': ', '~', '@', '[', 'vars {'],
    read: imported('a.bru'),
  },
  {
    name: 'YAML',
    corpus: yamlTexts,
    words: yamlWords,
    read: formRead(requestForm),
  },
  {
    name: 'folder settings',
    corpus: ['variables:\n  a: "1"\n  b: 0.10\norder: [a.yaml, f]\nnotes: |\n  n\n', ...yamlTexts],
    words: [...yamlWords, 'variables:', '__proto__: ', '~', '|+9', '\u001f'],
    read: formRead(settingsForm),
  },
  {
    name: 'environment file',
    corpus: environmentTexts,
    words: [
      ...yamlWords,
      'answers:',
      '  ',
      'production: ',
      'baseUrl: https://',
      'sameProviderAs: ',
      'playerId',
      '\u200b',
      'Bearer ',
    ],
    read: formRead(environmentForm),
  },
  {
    name: 'pasted text',
    corpus: pastedTexts,
    words: [
      '{',
      '}',
      '"',
      "'",
      '\\',
      '\\"',
      '\\x22',
      '%7B',
      '&quot;',
      '""',
      '=>',
      '=',
      ': ',
      '\n',
      '(',
      ')',
      '[',
      ']',
      'map[',
      '{\\"',
      '…',
      '***',
    ],
    read(text) {
      const work = createWork(text.length);
      const { requests, hashes, problem } = recognise(text, work);
      demand(problem !== null || requests.length + hashes.length > 0, 'It says if nothing was recognised.');
      demand(work.spent < 550_000 + 90 * text.length, 'It takes steps in proportion to the text.');
      for (const { fidelity, envelopeText, dataText } of requests) {
        demand(envelopeText === null || fidelity === 'exact', 'Only exact bytes are an envelope.');
        demand(envelopeText === null || dataText === null || parseJson(envelopeText).ok, 'An envelope is JSON.');
      }
      return problem === null ? 'through' : 'refused';
    },
  },
  {
    name: 'launcher URL',
    corpus: launchTexts,
    words: [...jsonWords, '&gameId=', '%', '#', '?', 'https://', '@', '[::1]', '\\', '..', 'exitURL='],
    read(text) {
      const check = compareLaunchResponse(launchRequest, text);
      if (check === null) return 'refused';
      demand(check.checks.length > 0, 'An address has its checks.');
      const url = URL.parse(check.url);
      const shown = maskUrlTokens(check.url);
      // A character that a URL cannot hold as it is ends the URL in a text.
      const query = url === null || /[\s"'<>;]/.test(check.url) ? '' : (/^[^?#]*\?([^#]*)/.exec(check.url)?.[1] ?? '');
      for (const [name, value] of new URLSearchParams(query)) {
        if (!/token/i.test(name) || value.length < 3) continue;
        demand(
          new URLSearchParams(/\?([^#]*)/.exec(shown)?.[1] ?? '').getAll(name).every((one) => one !== value),
          'A token is masked.',
        );
      }
      return 'through';
    },
  },
  {
    name: 'protocols of a line',
    corpus: [
      offeredProtocols('aZ-_'.repeat(10)).join(', '),
      'croupier.line',
      'croupier.session.a,croupier.session.b, croupier.line',
    ],
    words: ['croupier.line', 'croupier.session.', ', ', ',', ' ', '\t'],
    read(text) {
      const session = offeredSession(text);
      demand(!/[\s,]/.test(session), 'A session is one word of what was offered.');
      if (session === '') return 'refused';
      const offered = text.split(',').map((name) => name.trim());
      demand(offered.includes(lineProtocol), 'There is no session without the protocol.');
      demand(offered.filter((name) => name.startsWith('croupier.session.')).length === 1, 'There is one session.');
      return 'through';
    },
  },
];
