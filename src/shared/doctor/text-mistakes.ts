import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { encodeUtf8 } from '#shared/json/utf8.ts';
import { mapValues, type Value } from './value.ts';
import { compact, unicodeUnit, type Escapes, type Layout, type Style } from './write.ts';

const slash = mistakesOf('slash');
const unicode = mistakesOf('unicode');
const html = mistakesOf('html');
const layout = mistakesOf('layout');

const escaping = (change: (escapes: Escapes) => Partial<Escapes>) => (style: Style) => ({
  ...style,
  escapes: { ...style.escapes, ...change(style.escapes) },
});
const escapedSlashes = escaping(() => ({ slash: true }));

/** Slashes. */
export const slashMistakes: readonly DataMistake[] = [
  slash(
    'escaped',
    1,
    ['php'],
    [
      'Your backend escapes the slashes.',
      "PHP's json_encode does this unless JSON_UNESCAPED_SLASHES is set; Swift, lua-cjson, Android and SQL Server do it, too.",
    ],
    { style: escapedSlashes },
  ),
  slash(
    'first-only',
    3,
    ['node'],
    [
      'Your backend removes the backslash from the first slash only.',
      "JavaScript's replace with a text replaces once; replaceAll replaces each.",
    ],
    { style: escapedSlashes, after: (text) => text.replace('\\/', '/') },
  ),
  slash('closing-tags', 4, ['java'], ['Your backend escapes the slash after a <.', "Java's org.json does this."], {
    after: (text) => text.replaceAll('</', '<\\/'),
  }),
  slash('backslashes-removed', 4, ['php'], ['Your backend removes every backslash.', "PHP's stripslashes does this."], {
    after: (text) => text.replaceAll('\\', ''),
  }),
];

const isLine = (unit: number) => unit === 0x2028 || unit === 0x2029;
const upperUnit = (unit: number) => unicodeUnit(unit).slice(0, 2) + unicodeUnit(unit).slice(2).toUpperCase();
const beyond = (write: Escapes['beyond']) => escaping(() => ({ beyond: write }));
const bare = beyond(() => null);

/** Leaves characters as PHP does with JSON_UNESCAPED_UNICODE. */
export const bareButLines = beyond((unit) => (isLine(unit) ? unicodeUnit(unit) : null));

/** Characters beyond ASCII. */
export const unicodeMistakes: readonly DataMistake[] = [
  unicode(
    'bare',
    1,
    ['node', 'go', 'java', 'ruby', 'python'],
    [
      'Your backend leaves characters beyond ASCII as they are.',
      'JavaScript, Java and Ruby do this, and Python with ensure_ascii=False. The rule writes each as a lowercase escape.',
    ],
    { style: bare },
  ),
  unicode(
    'escaped',
    1,
    ['php', 'python'],
    [
      'Your backend escapes characters beyond ASCII.',
      'PHP does this unless JSON_UNESCAPED_UNICODE is set, and Python unless ensure_ascii is False.',
    ],
    { style: beyond((unit) => (unit < 0x80 ? null : unicodeUnit(unit))) },
  ),
  unicode(
    'bare-but-lines',
    2,
    ['php', 'go'],
    [
      'Your backend leaves characters beyond ASCII as they are, but escapes U+2028 and U+2029.',
      'PHP does this with JSON_UNESCAPED_UNICODE, and Go.',
    ],
    { style: bareButLines },
  ),
  unicode(
    'upper',
    3,
    ['csharp', 'java'],
    ['Your backend writes escapes in upper case.', "C#'s System.Text.Json and Jackson's ESCAPE_NON_ASCII do this."],
    { style: beyond((unit) => (unit < 0x80 ? null : upperUnit(unit))) },
  ),
  unicode(
    'delete-escaped',
    4,
    ['python', 'node'],
    ['Your backend escapes the character U+007F.', 'Python, jq and a copied snippet of JavaScript do this; PHP does not.'],
    { style: beyond((unit) => unicodeUnit(unit)) },
  ),
  unicode(
    'question-marks',
    3,
    ['csharp', 'java'],
    ['Your backend writes a question mark for each character beyond ASCII.', 'Encoding.ASCII does this.'],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]/g, '?') },
  ),
  unicode(
    'replaced',
    4,
    ['go', 'php'],
    [
      'Your backend writes the character U+FFFD for those that it cannot read.',
      "Go, and PHP's JSON_INVALID_UTF8_SUBSTITUTE do this.",
    ],
    { style: bare, after: (text) => text.replaceAll(/[\u0080-\uffff]+/g, '\ufffd') },
  ),
  unicode(
    'decomposed',
    3,
    [],
    ['Your backend splits letters from their accents (Unicode NFD).', 'Names of files on macOS are written so.'],
    {
      change: normalised('NFD'),
    },
  ),
  unicode('composed', 3, [], ['Your backend joins letters with their accents (Unicode NFC).'], { change: normalised('NFC') }),
  unicode(
    'decomposed-bare',
    4,
    [],
    ['Your backend splits letters from their accents (Unicode NFD) and leaves them as they are.'],
    { change: normalised('NFD'), style: bare },
  ),
  unicode(
    'latin-1',
    2,
    ['php', 'java'],
    ['Your backend hashes Latin-1 bytes.', 'Old databases, utf8_decode and getBytes without a charset give them.'],
    { style: bare, after: inLatin1 },
  ),
  unicode(
    'twice',
    2,
    ['php', 'node'],
    ['Your backend encodes characters as UTF-8 twice.', 'utf8_encode on a text that is UTF-8 already does this.'],
    { style: bare, after: (text) => readAsLatin1(text) },
  ),
  unicode('twice-escaped', 4, ['php'], ['Your backend encodes characters as UTF-8 twice before it writes their escapes.'], {
    change: (value) => mapTexts(value, readAsLatin1),
  }),
];

const lower = (chars: string) => new Map(Array.from(chars, (char) => [char, unicodeUnit(char.charCodeAt(0))]));
const upper = (chars: string) => new Map(Array.from(chars, (char) => [char, upperUnit(char.charCodeAt(0))]));
const others = (map: ReadonlyMap<string, string>) => escaping(() => ({ others: map }));
const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** Characters that have a meaning in HTML. */
export const htmlMistakes: readonly DataMistake[] = [
  html(
    'lower',
    1,
    ['go', 'ruby'],
    [
      'Your backend escapes <, > and &.',
      "Go's json.Marshal and Rails' to_json do this, in lower case: \\u003c, \\u003e, \\u0026.",
    ],
    { style: others(lower('<>&')) },
  ),
  html(
    'gson',
    2,
    ['java'],
    [
      "Your backend escapes <, >, &, = and '.",
      'Gson does this unless disableHtmlEscaping is called; each URL with a query has an =.',
    ],
    { style: others(lower("<>&='")) },
  ),
  html('lower-quote', 4, [], ["Your backend escapes <, >, & and ' in lower case."], { style: others(lower("<>&'")) }),
  html(
    'upper',
    2,
    ['php'],
    ["Your backend escapes <, >, & and ' in upper case.", "PHP's JSON_HEX_TAG, JSON_HEX_AMP and JSON_HEX_APOS do this."],
    { style: others(upper("<>&'")) },
  ),
  html(
    'upper-quotes',
    3,
    ['php'],
    [
      'Your backend escapes <, >, &, \' and " in upper case.',
      "PHP does this with all JSON_HEX flags, and Symfony's JsonResponse.",
    ],
    { style: others(upper('<>&\'"')) },
  ),
  html(
    'dotnet',
    2,
    ['csharp'],
    ['Your backend escapes <, >, &, \', + and " in upper case.', "C#'s System.Text.Json does this by default."],
    { style: others(upper('<>&\'+"`')) },
  ),
  html(
    'dotnet-all',
    1,
    ['csharp'],
    [
      'Your backend escapes <, >, &, \', + and ", and characters beyond ASCII, in upper case.',
      "C#'s System.Text.Json does this by default.",
    ],
    { style: (style) => others(upper('<>&\'+"`'))(beyond((unit) => upperUnit(unit))(style)) },
  ),
  html(
    'entities',
    3,
    ['php'],
    ['Your backend writes &amp;, &lt; and &gt; in texts.', 'htmlspecialchars before the encoder does this.'],
    {
      change: (value) => mapTexts(value, (text) => text.replaceAll(/[&<>]/g, (char) => entities.get(char) ?? char)),
    },
  ),
  html(
    'entities-quotes',
    3,
    ['php'],
    [
      'Your backend writes &amp;, &lt;, &gt;, &quot; and &#039; in texts.',
      "PHP's htmlspecialchars before the encoder does this.",
    ],
    {
      change: (value) =>
        mapTexts(value, (text) =>
          text
            .replaceAll(/[&<>]/g, (char) => entities.get(char) ?? char)
            .replaceAll('"', '&quot;')
            .replaceAll("'", '&#039;'),
        ),
    },
  ),
];

const laid = (changes: Partial<Layout>) => (style: Style) => ({ ...style, layout: { ...compact, ...changes } });
const pretty = (indent: string, changes: Partial<Layout> = {}) => laid({ colon: ': ', indent, ...changes });

/** White space between the tokens. */
export const layoutMistakes: readonly DataMistake[] = [
  layout(
    'spaced',
    1,
    ['python'],
    [
      'Your backend writes a space after each : and each comma.',
      "Python's json.dumps does this unless separators are given; MySQL and PostgreSQL's jsonb do, too.",
    ],
    { style: laid({ colon: ': ', comma: ', ' }) },
  ),
  layout('spaced-colons', 3, ['python'], ['Your backend writes a space after each colon.'], { style: laid({ colon: ': ' }) }),
  layout('spaced-commas', 3, ['ruby'], ['Your backend writes a space after each comma.'], { style: laid({ comma: ', ' }) }),
  layout(
    'pretty-4',
    2,
    ['php', 'python'],
    [
      'Your backend writes data over several lines, indented by 4 spaces.',
      "PHP's JSON_PRETTY_PRINT and Python's indent=4 do this.",
    ],
    {
      style: pretty('    '),
    },
  ),
  layout(
    'pretty-2',
    2,
    ['node', 'java', 'csharp'],
    ['Your backend writes data over several lines, indented by 2 spaces.', 'JSON.stringify with 2, Gson and .NET do this.'],
    {
      style: pretty('  '),
    },
  ),
  layout('pretty-tab', 4, ['node', 'go'], ['Your backend writes data over several lines, indented by tabs.'], {
    style: pretty('\t'),
  }),
  layout(
    'pretty-3',
    4,
    [],
    ['Your backend writes data over several lines, indented by 3 spaces.', "Perl's JSON::PP does this."],
    {
      style: pretty('   ', { colon: ' : ' }),
    },
  ),
  layout(
    'jackson',
    3,
    ['java'],
    ['Your backend writes data over several lines, with spaces around each colon.', "Jackson's pretty printer does this."],
    {
      style: pretty('  ', { colon: ' : ', flatArrays: true, emptyArray: '[ ]', emptyObject: '{ }' }),
    },
  ),
  layout(
    'pretty-2-crlf',
    3,
    ['csharp'],
    [
      'Your backend writes data over several lines with Windows line ends, indented by 2 spaces.',
      '.NET on Windows and editors do this.',
    ],
    {
      style: pretty('  ', { lineEnd: '\r\n' }),
    },
  ),
  layout('pretty-4-crlf', 3, [], ['Your backend writes data over several lines with Windows line ends, indented by 4 spaces.'], {
    style: pretty('    ', { lineEnd: '\r\n' }),
  }),
  layout(
    'postgres',
    4,
    [],
    ['Your backend writes spaces around each colon and after each comma.', "PostgreSQL's json_build_object does this."],
    {
      style: laid({ colon: ' : ', comma: ', ' }),
    },
  ),
  layout('no-blanks', 5, [], ['Your backend removes all white space, inside texts, too.'], {
    after: (text) => text.replaceAll(/\s/g, ''),
  }),
];

function normalised(form: 'NFC' | 'NFD') {
  return (value: Value) => mapTexts(value, (text) => text.normalize(form));
}

function mapTexts(value: Value, change: (text: string) => string): Value {
  return mapValues(value, (one) => (one.kind === 'string' ? { kind: 'string', text: change(one.text) } : one));
}

/** Returns the Latin-1 bytes of a text; null if it has other characters. */
function inLatin1(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0xff) return null;
    bytes[at] = unit;
  }
  return bytes;
}

/** Reads the UTF-8 bytes of a text as if they were Latin-1. */
function readAsLatin1(text: string): string {
  return Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('');
}
