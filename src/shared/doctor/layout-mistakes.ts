import { mistakesOf, type DataMistake } from './data-mistake.ts';
import { isWhole, pythonFloat } from './number-forms.ts';
import { bare, beyond } from './unicode-mistakes.ts';
import { compact, unicodeUnit, type Layout, type Style } from './write.ts';

const layout = mistakesOf('layout');

const laid = (changes: Partial<Layout>) => (style: Style) => ({ ...style, layout: { ...compact, ...changes } });
const pretty = (indent: string, changes: Partial<Layout> = {}) => laid({ colon: ': ', indent, ...changes });
const spaced = laid({ colon: ': ', comma: ', ' });
/** Python's floats and its U+007F. */
const pythonStyle = (style: Style): Style =>
  beyond((unit) => style.escapes.beyond(unit) ?? (unit === 0x7f ? unicodeUnit(unit) : null))({
    ...style,
    number: (text) => (isWhole(text) ? text : pythonFloat(Number(text))),
  });

/** White space between the tokens. */
export const layoutMistakes: readonly DataMistake[] = [
  layout(
    'spaced',
    1,
    ['python'],
    [
      'Your backend writes a space after each colon and comma.',
      "Python's json.dumps does this unless you set separators; MySQL and PostgreSQL's jsonb do too.",
    ],
    { style: spaced },
  ),
  layout(
    'python',
    1,
    ['python'],
    [
      'Your backend writes data as Python does: a space after each colon and comma, and floats as 1.0 and 1e-05.',
      "Python's json.dumps does this unless you set separators.",
    ],
    { style: (style) => spaced(pythonStyle(style)), unless: ['layout.spaced'] },
  ),
  layout(
    'python-bare',
    1,
    ['python'],
    [
      'Your backend writes a space after each colon and comma, and leaves non-ASCII characters unescaped.',
      "Python's json.dumps does this with ensure_ascii=False; MySQL and PostgreSQL's jsonb do too.",
    ],
    { style: (style) => spaced(bare(pythonStyle(style))), unless: ['layout.spaced', 'layout.python', 'unicode.bare'] },
  ),
  layout('spaced-colons', 3, ['python'], ['Your backend writes a space after each colon.'], { style: laid({ colon: ': ' }) }),
  layout('spaced-commas', 3, ['ruby'], ['Your backend writes a space after each comma.'], { style: laid({ comma: ', ' }) }),
  layout(
    'pretty-4',
    2,
    ['php', 'python'],
    ['Your backend pretty-prints data with 4 spaces.', "PHP's JSON_PRETTY_PRINT and Python's indent=4 do this."],
    {
      style: pretty('    '),
    },
  ),
  layout(
    'pretty-2',
    2,
    ['node', 'java', 'csharp'],
    ['Your backend pretty-prints data with 2 spaces.', 'JSON.stringify with 2, Gson and .NET do this.'],
    {
      style: pretty('  '),
    },
  ),
  layout('pretty-tab', 4, ['node', 'go'], ['Your backend pretty-prints data with tabs.'], {
    style: pretty('\t'),
  }),
  layout(
    'pretty-3',
    4,
    [],
    [
      'Your backend pretty-prints data with 3 spaces, spaces around each colon and a line break at the end.',
      "Perl's JSON::PP does this.",
    ],
    { style: pretty('   ', { colon: ' : ' }), after: (text) => `${text}\n` },
  ),
  layout(
    'pretty-ruby',
    4,
    ['ruby'],
    [
      'Your backend pretty-prints data, with line breaks even in empty arrays and objects.',
      "Older versions of Ruby's JSON.pretty_generate do this.",
    ],
    {
      style: pretty('  ', { emptyArray: (margin) => `[\n\n${margin}]`, emptyObject: (margin) => `{\n${margin}}` }),
      unless: ['layout.pretty-2'],
    },
  ),
  layout(
    'jackson',
    3,
    ['java'],
    ['Your backend pretty-prints data with spaces around each colon.', "Jackson's pretty printer does this."],
    {
      style: pretty('  ', { colon: ' : ', flatArrays: true, emptyArray: () => '[ ]', emptyObject: () => '{ }' }),
    },
  ),
  layout(
    'pretty-2-crlf',
    3,
    ['csharp'],
    ['Your backend pretty-prints data with 2 spaces and Windows line endings.', '.NET on Windows and editors do this.'],
    {
      style: pretty('  ', { lineEnd: '\r\n' }),
    },
  ),
  layout('pretty-4-crlf', 3, [], ['Your backend pretty-prints data with 4 spaces and Windows line endings.'], {
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
  layout('no-blanks', 5, [], ['Your backend removes all whitespace, even inside strings.'], {
    after: (text) => text.replaceAll(/\s/g, ''),
  }),
];
