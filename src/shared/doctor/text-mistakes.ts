import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { bareButLines, escaping, upperUnit } from './unicode-mistakes.ts';
import { mapTexts } from './value.ts';
import { unicodeUnit } from './write.ts';

const slash = mistakesOf('slash');
const html = mistakesOf('html');

const escapedSlashes = escaping(() => ({ slash: true }));

/** Slashes. */
export const slashMistakes: readonly DataMistake[] = [
  slash(
    'escaped',
    1,
    ['php'],
    [
      'Your backend escapes the slashes.',
      "PHP's json_encode does this unless JSON_UNESCAPED_SLASHES is set; Swift, lua-cjson, Android and SQL Server do too.",
    ],
    { style: escapedSlashes },
  ),
  slash(
    'first-only',
    3,
    ['node'],
    [
      'Your backend removes the backslash only from the first slash.',
      "JavaScript's replace with a string replaces once; replaceAll replaces all.",
    ],
    { style: escapedSlashes, after: (text) => text.replace('\\/', '/') },
  ),
  slash(
    'first-escaped',
    3,
    ['node'],
    [
      'Your backend escapes only the first slash.',
      "Code that imitates PHP does this: JavaScript's replace with a string replaces once.",
    ],
    { after: (text) => text.replace('/', '\\/'), unless: ['slash.escaped'] },
  ),
  slash('closing-tags', 4, ['java'], ['Your backend escapes the slash after a <.', "Java's org.json does this."], {
    after: (text) => text.replaceAll('</', '<\\/'),
  }),
  slash('backslashes-removed', 4, ['php'], ['Your backend removes every backslash.', "PHP's stripslashes does this."], {
    after: (text) => text.replaceAll(/\\(.?)/gs, '$1'),
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
      "Go's json.Marshal and Rails' to_json do this, in lowercase: \\u003c, \\u003e, \\u0026.",
    ],
    { style: others(lower('<>&')) },
  ),
  html(
    'gson',
    2,
    ['java'],
    [
      "Your backend escapes <, >, &, = and '.",
      'Gson does this unless you call disableHtmlEscaping; every URL with a query has an =.',
    ],
    { style: others(lower("<>&='")) },
  ),
  html(
    'lower-bare',
    1,
    ['go', 'ruby'],
    [
      'Your backend escapes <, > and &, and leaves non-ASCII characters unescaped.',
      "Go's json.Marshal and Rails' to_json do this.",
    ],
    { style: (style) => others(lower('<>&'))(bareButLines(style)), unless: ['html.lower', 'unicode.bare-but-lines'] },
  ),
  html(
    'gson-bare',
    2,
    ['java'],
    [
      "Your backend escapes <, >, &, = and ', and leaves non-ASCII characters unescaped.",
      'Gson does this unless you call disableHtmlEscaping.',
    ],
    {
      style: (style) => others(lower("<>&='"))(bareButLines(style)),
      unless: ['html.gson', 'unicode.bare-but-lines', 'html.lower-bare'],
    },
  ),
  html('lower-quote', 4, [], ["Your backend escapes <, >, & and ' in lowercase."], { style: others(lower("<>&'")) }),
  html(
    'upper',
    2,
    ['php'],
    ["Your backend escapes <, >, & and ' in uppercase.", "PHP's JSON_HEX_TAG, JSON_HEX_AMP and JSON_HEX_APOS do this."],
    { style: others(upper("<>&'")) },
  ),
  html(
    'upper-quotes',
    3,
    ['php'],
    ['Your backend escapes <, >, &, \' and " in uppercase.', "PHP with all JSON_HEX flags and Symfony's JsonResponse do this."],
    { style: others(upper('<>&\'"')) },
  ),
  html(
    'dotnet',
    2,
    ['csharp'],
    ['Your backend escapes <, >, &, \', + and " in uppercase.', "C#'s System.Text.Json does this by default."],
    { style: others(upper('<>&\'+"`')) },
  ),
  html(
    'dotnet-all',
    1,
    ['csharp'],
    [
      'Your backend escapes <, >, &, \', +, " and non-ASCII characters in uppercase.',
      "C#'s System.Text.Json does this by default.",
    ],
    {
      style: (style) => others(upper('<>&\'+"`'))(escaping(() => ({ beyond: upperUnit, control: upperUnit }))(style)),
      unless: ['html.dotnet', 'unicode.upper'],
    },
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
