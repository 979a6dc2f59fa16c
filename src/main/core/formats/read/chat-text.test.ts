import { describe, expect, it } from 'vitest';
import { recognise } from '../pasted/recognise.ts';
import { readCurl } from './curl.ts';
import { createLosses } from './import-source.ts';
import { straightenCommand, straightenJson } from './chat-text.ts';

const url = 'https://api.example.com/serviceApi.php';
const json = '{"action":"getGameRound","data":{"roundId":1},"hash":"ab"}';
const plain = `curl '${url}' -H 'Content-Type: application/json' -d '${json}'`;
const spaced = json.replaceAll(',', ', ');
const [quotes, blanks, hidden] = ['typographic quotes', 'no-break or other wide spaces', 'invisible characters'];

/** Commands as a chat changed them, the body of each, and what is said. */
const commands: [string, string, string, string[]][] = [
  ['nothing', plain, json, []],
  ['‘single’ and “double” quotes', plain.replaceAll(/'([^']*)'/g, '‘$1’').replaceAll(/"([^"]*)"/g, '“$1”'), json, [quotes]],
  ['“double” quotes alone', plain.replaceAll(/"([^"]*)"/g, '“$1”'), json, [quotes]],
  ['‘single’ quotes alone', plain.replaceAll(/'([^']*)'/g, '‘$1’'), json, [quotes]],
  ['„low“ quotes', plain.replaceAll(/"([^"]*)"/g, '„$1“'), json, [quotes]],
  ['«guillemets»', plain.replaceAll(/"([^"]*)"/g, '«$1»'), json, [quotes]],
  ['quotes that all close', plain.replaceAll('"', '”').replaceAll("'", '’'), json, [quotes]],
  ['a word in “double” quotes', `curl “${url}” -d “${json.replaceAll('"', '\\“')}”`, json, [quotes]],
  ['a word in plain double quotes', `curl "${url}" -d "${json.replaceAll('"', '“')}"`, json, [quotes]],
  ['no-break spaces', plain.replaceAll(' ', '\u00a0'), json, [blanks]],
  ['narrow and wide spaces', plain.replaceAll(' -', '\u202f\u2003-'), json, [blanks]],
  ['no-break spaces in JSON', plain.replace(json, json.replaceAll(',', ',\u00a0')), spaced, [blanks]],
  ['invisible characters', `\u200b${plain.replaceAll(' -', ' \u200b-').replace('.php', '.php\u2060')}`, json, [hidden]],
  ['an en dash', plain.replaceAll(' -', ' –'), json, ['long dashes']],
  ['an em dash for two', plain.replace('-d', '—data-raw').replace('-H', '—header'), json, ['long dashes']],
  ['an en dash for two', plain.replace('-d', '–data'), json, ['long dashes']],
  ['a minus and letters together', plain.replace('-d', '−sSd'), json, ['long dashes']],
  ['a space after a backslash', plain.replaceAll(' -', ' \\ \n  -'), json, ['a space after a backslash']],
  ['a no-break space after a backslash', plain.replaceAll(' -', ' \\\u00a0\r\n  -'), json, ['a space after a backslash']],
  ['a prompt', `$ ${plain}`, json, ['a prompt']],
  ['prompts of continued lines', `% ${plain.replaceAll(' -', ' \\\n> -')}`, json, ['a prompt']],
  ['a page of HTML', plain.replaceAll('"', '&quot;').replaceAll("'", '&#39;'), json, ['HTML entities']],
  ['a page that escapes double quotes alone', plain.replaceAll('"', '&quot;'), json, ['HTML entities']],
  ['an escaped body alone', `curl "${url}" -d '${json.replaceAll('"', '&#34;')}'`, json, ['HTML entities']],
  ['an ellipsis', `curl … '${url}' -d '${json}'`, json, ['an ellipsis']],
  ['an apostrophe in a comment', `# don't\n${plain.replace('-d', '–d')}`, json, ['long dashes']],
  [
    'everything',
    `$ curl\u00a0“${url}” \\ \n–d ‘${json.replaceAll('"', '”')}’`,
    json,
    ['a prompt', blanks, quotes, 'a space after a backslash', 'long dashes'],
  ],
];

describe('a command that a chat changed', () => {
  it.each(commands)('is read: %s', (_, text, body, said) => {
    const losses = createLosses();
    const { requests } = readCurl(text, 'the text', losses);
    expect(requests.at(-1)).toMatchObject({ rawBody: body, address: url });
    expect(straightenCommand(text).replaced).toEqual(said);
    const note = losses.all().find(({ why }) => why === 'Croupier read them as the characters that a shell expects.');
    expect(note?.what).toBe(said.length === 0 ? undefined : said.join(', '));
    // What was replaced once is not replaced again.
    expect(straightenCommand(straightenCommand(text).text).replaced).toEqual([]);
    const [request] = recognise(text).requests;
    expect(request).toMatchObject({ action: 'getGameRound', dataText: '{"roundId":1}' });
    expect(request?.layers).toEqual([...(said.length === 0 ? [] : [`copied text (${said.join(', ')})`]), 'curl command']);
  });

  it.each([
    ['typographic quotes', '{"a":"“VIP” ‘x’ «y» „z“"}'],
    ['a quote before punctuation', '{"a":"”, “b”: ”}"}'],
    ['blanks and what shows nothing', '{"a\u00a0":"x\u00a0\u202fy\u200b\u2060z\ufeff"}'],
    ['dashes and an ellipsis', '{"a":"1–2 —data … –d"}'],
    ['HTML', '{"a":"Tom &amp; Jerry &quot;x&quot;"}'],
    ['a prompt and a backslash', '{"a":"$ curl \\\\ > -d"}'],
  ])('leaves data in plain quotes as it is: %s', (_, body) => {
    const text = `curl –X POST ${url} -d '${body}'`;
    expect(readCurl(text, 'the text', createLosses()).requests[0]?.rawBody).toBe(body);
  });

  it('leaves data in the strings of a body whose quotes were changed', () => {
    const body = '{“a”: “O’Brien – Zo\u00eb\u00a0“VIP” room…”, “b”: “say \\“hi\\””,\u00a0“c": "x"}';
    expect(straightenJson(body)).toEqual({
      text: '{"a": "O’Brien – Zo\u00eb\u00a0“VIP” room…", "b": "say \\"hi\\"", "c": "x"}',
      replaced: [quotes, blanks],
    });
  });
});
