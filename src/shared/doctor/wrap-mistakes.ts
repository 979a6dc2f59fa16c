import { encodeUtf8 } from '#shared/json/utf8.ts';
import { base64, hexOf } from './bytes.ts';
import { mistakesOf, type DataMistake } from './data-mistake.ts';
import type { Subject } from './model.ts';
import { formEncode, starEncode } from './query-mistakes.ts';
import { ruleStyle, writeString } from './write.ts';

const wrap = mistakesOf('wrap');

const always = (text: string) => ({ after: () => text });
const around = (before: string, behind: string) => ({ after: (text: string) => before + text + behind });

/** Mistakes around the text of data: what stands beside it, or in its place. */
export const wrapMistakes: readonly DataMistake[] = [
  wrap(
    'nothing',
    1,
    ['php'],
    [
      'Your backend leaves data out of the hash.',
      "An encoder that fails returns nothing: PHP's json_encode returns false, which joins as an empty string.",
    ],
    always(''),
  ),
  wrap(
    'line-feed',
    1,
    ['go'],
    ['Your backend hashes a line break after data.', "Go's Encoder, jq, echo and editors end with one."],
    around('', '\n'),
  ),
  wrap('carriage-return', 3, [], ['Your backend hashes a Windows line break after data.'], around('', '\r\n')),
  wrap('space-behind', 4, [], ['Your backend hashes a space after data.'], around('', ' ')),
  wrap('space-before', 4, [], ['Your backend hashes a space before data.'], around(' ', '')),
  wrap('byte-order-mark', 4, ['csharp'], ['Your backend hashes a byte order mark before data.'], around('\ufeff', '')),
  wrap(
    'twice',
    2,
    ['node', 'go', 'php'],
    [
      'Your backend encodes data twice: it hashes a JSON string that contains JSON.',
      'The encoded text went through the encoder again.',
    ],
    {
      after: (text) => writeString(text, { ...ruleStyle.escapes, beyond: () => null }),
    },
  ),
  wrap('twice-php', 3, ['php'], ['Your backend encodes data twice, the second time with escaped slashes.'], {
    after: (text) => writeString(text, { ...ruleStyle.escapes, slash: true }),
  }),
  wrap('quoted', 4, [], ['Your backend hashes quotes around data.'], around('"', '"')),
  wrap(
    'backslashes-added',
    4,
    ['php'],
    ['Your backend hashes data with a backslash before each quote.', "PHP's addslashes does this."],
    {
      after: (text) => text.replaceAll(/["'\\]/g, (char) => `\\${char}`),
    },
  ),
  wrap(
    'entities',
    3,
    ['php'],
    ['Your backend hashes data with &quot; for each quote.', 'htmlspecialchars after the encoder does this.'],
    { after: (text) => withEntities(text).replaceAll("'", '&#039;') },
  ),
  wrap(
    'entities-double',
    4,
    ['php'],
    ['Your backend hashes data with &quot; for each double quote.', 'htmlspecialchars does this before PHP 8.1.'],
    { after: withEntities, unless: ['wrap.entities'] },
  ),
  wrap(
    'base64',
    2,
    ['php', 'go'],
    ['Your backend hashes the base64 of data.', 'Go does this for a []byte, and some gateways ask for it.'],
    {
      after: (text) => base64(encodeUtf8(text)),
    },
  ),
  wrap('hex', 4, [], ['Your backend hashes data in hexadecimal.'], {
    after: (text) => hexOf(encodeUtf8(text)),
  }),
  wrap('url-encoded', 3, ['node'], ['Your backend hashes data URL-encoded.', 'encodeURIComponent does this.'], {
    after: (text) => encodeURIComponent(text),
  }),
  wrap('raw-url-encoded', 3, ['php'], ['Your backend hashes data URL-encoded.', "PHP's rawurlencode does this."], {
    after: (text) => formEncode(text).replaceAll('+', '%20').replaceAll('%7E', '~'),
    unless: ['wrap.url-encoded'],
  }),
  wrap(
    'form-encoded',
    3,
    ['php', 'java'],
    ['Your backend hashes data form-encoded.', "PHP's urlencode and Java's URLEncoder do this."],
    { after: formEncode },
  ),
  wrap('form-encoded-java', 4, ['java'], ['Your backend hashes data form-encoded.', "Java's URLEncoder does this."], {
    after: starEncode,
    unless: ['wrap.form-encoded'],
  }),
  wrap('envelope', 2, [], ['Your backend hashes the whole envelope, without its hash, instead of data.'], {
    after: (text, { subject }) => envelope(text, subject, ''),
  }),
  wrap('envelope-with-hash', 2, [], ['Your backend hashes the whole envelope, with an empty hash, instead of data.'], {
    after: (text, { subject }) => envelope(text, subject, ',"hash":""'),
  }),
  wrap('envelope-null-hash', 4, [], ['Your backend hashes the whole envelope, with a null hash, instead of data.'], {
    after: (text, { subject }) => envelope(text, subject, ',"hash":null'),
  }),
  wrap('named', 3, [], ['Your backend hashes {"data":…} instead of the value of data.'], around('{"data":', '}')),
  wrap('named-part', 4, [], ['Your backend hashes "data": before the value of data.'], around('"data":', '')),
  wrap('assigned', 4, [], ['Your backend hashes data= before the value of data.'], around('data=', '')),
  ...['null', '[]', '{}', '""', 'undefined', 'None', 'false', 'nil', '0'].map((text) =>
    wrap(
      `is:${text}`,
      3,
      [],
      [`Your backend hashes ${text} instead of data.`, 'The encoder got an empty value or failed.'],
      always(text),
    ),
  ),
];

/** Writes what htmlspecialchars makes of a text, but for single quotes. */
export function withEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function envelope(text: string, { action, platform, partnerId, time }: Subject, behind: string): string | null {
  if (action === '') return null;
  const data = text === '' ? '' : `,"data":${text}`;
  const numbers = `${platform === '' ? '' : `,"platform":${platform}`}${partnerId === '' ? '' : `,"partnerId":${partnerId}`}`;
  return `{"action":${JSON.stringify(action)}${numbers},"time":${JSON.stringify(time)}${data}${behind}}`;
}
