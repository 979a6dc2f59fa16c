import {
  areFloats,
  isAmount,
  isBoolean,
  isEmptyList,
  isEmptyText,
  isFilled,
  isListOfOne,
  isNull,
  isNumber,
  isShallow,
  isTextOfNumber,
  isShort,
  namesOf,
  quoted,
  type About,
  type Change,
  type Code,
  type Concern,
  type Dialect,
} from './programs.ts';
import { associative, type Value } from './value.ts';

const flags = ['JSON_UNESCAPED_SLASHES', 'JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_LINE_TERMINATORS'] as const;
const dates: Readonly<Record<string, string>> = {
  '12-hour': 'd-m-Y h:i:s',
  'month-for-minutes': 'd-m-Y H:m:s',
  '12-hour-month-for-minutes': 'd-m-Y h:m:s',
  '12-hour-half': 'd-m-Y h:i:s A',
  '12-hour-half-small': 'd-m-Y h:i:s a',
  iso: 'Y-m-d\\TH:i:s',
  'iso-z': 'Y-m-d\\TH:i:s\\Z',
  'iso-offset': 'c',
  'iso-offset-plain': 'Y-m-d\\TH:i:sO',
  'iso-space-offset': 'Y-m-d H:i:sP',
  'iso-micro': 'Y-m-d H:i:s.u',
  'iso-ms': 'Y-m-d H:i:s.v',
  'iso-ms-z': 'Y-m-d\\TH:i:s.v\\Z',
  'dmy-ms': 'd-m-Y H:i:s.v',
  'dmy-t': 'd-m-Y\\TH:i:s',
  'dmy-z': 'd-m-Y H:i:s\\Z',
  'utc-behind': 'd-m-Y H:i:s T',
  'ymd-utc-behind': 'Y-m-d H:i:s T',
  'ymd-offset-behind': 'Y-m-d H:i:s O',
  'dmy-offset-behind': 'd-m-Y H:i:s O',
  slashes: 'd/m/Y H:i:s',
  dots: 'd.m.Y H:i:s',
  'ymd-slashes': 'Y/m/d H:i:s',
  'ymd-dots': 'Y.m.d H:i:s',
  'month-first': 'm-d-Y H:i:s',
  'month-first-slashes': 'm/d/Y H:i:s',
  'year-day-month': 'Y-d-m H:i:s',
  'two-digit-year': 'd-m-y H:i:s',
  'ymd-two-digit-year': 'y-m-d H:i:s',
  'no-zeros-date': 'j-n-Y H:i:s',
  'no-zeros-day': 'j-m-Y H:i:s',
  'no-zeros-hour': 'd-m-Y G:i:s',
  'week-year': 'd-m-o H:i:s',
  comma: 'd/m/Y, H:i:s',
  'dots-comma': 'j.n.Y, H:i:s',
  'dots-comma-zeros': 'd.m.Y, H:i:s',
  'us-locale': 'n/j/Y, g:i:s A',
  'us-locale-plain': 'n/j/Y g:i:s A',
  'month-name': 'd-M-Y H:i:s',
  http: 'D, d M Y H:i:s \\G\\M\\T',
  'rfc-2822': 'r',
  'no-seconds': 'd-m-Y H:i',
  'zero-seconds': 'd-m-Y H:i:00',
  'date-only': 'd-m-Y',
  'ymd-date-only': 'Y-m-d',
  'clock-only': 'H:i:s',
  'clock-first': 'H:i:s d-m-Y',
  dashes: 'd-m-Y H-i-s',
  digits: 'dmYHis',
  'ymd-digits': 'YmdHis',
  'no-space': 'd-m-YH:i:s',
  'two-spaces': 'd-m-Y  H:i:s',
  underscore: 'd-m-Y_H:i:s',
};

const on = (...names: readonly string[]): Change => ({ settings: Object.fromEntries(names.map((name) => [name, true])) });
const escaping = { settings: { JSON_UNESCAPED_SLASHES: false } };
const replaced = (names: readonly string[], code: (own: string) => string) =>
  `array_replace(@, [${names.map((name) => `${quoted(name)} => ${code(`$data[${quoted(name)}]`)}`).join(', ')}])`;
/** Members that came in another type, with the code that makes them right. */
const came =
  (concerns: Concern, code: (own: string) => string): Code =>
  (about) => {
    const names = namesOf(about, concerns);
    return names && { gets: 'data', right: { value: replaced(names, code) } };
  };
const filtered =
  (keep: string): Code =>
  (about) =>
    isShallow(about) ? { value: `array_filter(@${keep})` } : null;
const named =
  (code: string): Code =>
  (about) =>
    isShallow(about) ? { value: code } : null;
const ksort = { first: 'ksort($data);' };
const absent =
  (value: string): Code =>
  (about) => ({ value: about.value === null ? value : `$data['data'] ?? ${value}` });
const envelope =
  (more: string): Code =>
  ({ value }) => ({
    value: `['action' => $action, 'platform' => $platform, 'partnerId' => $partnerId, 'time' => $time${value === null ? '' : ", 'data' => @"}${more}]`,
  });

const fraction: Code = (about) => (areFloats(about) ? { gets: 'data', ...on('JSON_PRESERVE_ZERO_FRACTION') } : null);

const code: Readonly<Record<string, Code>> = {
  'key.from-hex': { key: 'hex2bin(@)' },
  'key.from-base64': { key: 'base64_decode(@)' },
  'key.to-hex': { key: 'bin2hex(@)' },
  'key.to-base64': { key: 'base64_encode(@)' },
  'key.upper': { key: 'strtoupper(@)' },
  'key.lower': { key: 'strtolower(@)' },
  'key.plus-to-space': { key: 'urldecode(@)' },
  'key.url-encoded': { key: 'rawurlencode(@)' },
  'key.url-decoded': { key: 'rawurldecode(@)' },
  'key.entities': { key: 'htmlspecialchars(@, ENT_COMPAT)' },
  'key.backslashes-gone': { key: 'stripslashes(@)' },

  ...Object.fromEntries(Object.entries(dates).map(([name, format]) => [`time.${name}`, { time: `date('${format}')` }])),
  'time.order': ({ subject }) => ({ time: `date('${/^\d{4}/.test(subject.time) ? 'd-m-Y' : 'Y-m-d'} H:i:s')` }),
  'time.epoch-s': { time: 'time()' },
  'time.epoch-ms': { time: 'time() * 1000' },
  'time.quoted': { time: 'json_encode(@)' },
  'time.plus': { time: 'urlencode(@)' },
  'time.url-encoded': { time: 'rawurlencode(@)' },
  'time.space-escaped': { time: "str_replace(' ', '%20', @)" },
  'time.line-feed': { time: '@ . "\\n"' },
  'time.space-behind': { time: "@ . ' '" },
  'time.space-before': { time: "' ' . @" },
  'time.literal:': ({ detail }) => (detail === 'd-m-Y H:i:s' ? { time: `'${detail}'` } : null),

  'slash.escaped': escaping,
  'slash.first-only': { ...escaping, text: "preg_replace('#\\\\\\\\/#', '/', @, 1)" },
  'slash.first-escaped': { text: "preg_replace('#/#', '\\\\\\\\/', @, 1)" },
  'slash.backslashes-removed': { text: 'stripslashes(@)' },
  'unicode.escaped': { settings: { JSON_UNESCAPED_UNICODE: false } },
  'unicode.bare-but-lines': on('JSON_UNESCAPED_UNICODE'),
  'unicode.bare': on('JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_LINE_TERMINATORS'),
  'unicode.latin-1': { ...on('JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_LINE_TERMINATORS'), text: 'utf8_decode(@)' },
  'unicode.twice': { ...on('JSON_UNESCAPED_UNICODE', 'JSON_UNESCAPED_LINE_TERMINATORS'), text: 'utf8_encode(@)' },
  'unicode.twice-escaped': {
    value: 'json_decode(utf8_encode(json_encode(@, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS)))',
  },
  'html.upper': on('JSON_HEX_TAG', 'JSON_HEX_AMP', 'JSON_HEX_APOS'),
  'html.upper-quotes': on('JSON_HEX_TAG', 'JSON_HEX_AMP', 'JSON_HEX_APOS', 'JSON_HEX_QUOT'),
  'html.entities': { value: 'json_decode(htmlspecialchars(json_encode(@), ENT_NOQUOTES))' },
  'html.entities-quotes': (about) =>
    isShallow(about)
      ? { value: 'array_map(fn ($value) => is_string($value) ? htmlspecialchars($value, ENT_QUOTES) : $value, @)' }
      : null,
  'layout.pretty-4': on('JSON_PRETTY_PRINT'),
  'layout.pretty-4-crlf': { ...on('JSON_PRETTY_PRINT'), text: 'str_replace("\\n", "\\r\\n", @)' },
  'layout.no-blanks': { text: "preg_replace('/\\s/', '', @)" },

  'numbers.as-typed': fraction,
  'numbers.amounts-with-fraction': fraction,
  'numbers.whole-with-fraction': fraction,
  'numbers.fraction:': fraction,
  'numbers.two-decimals-text': (about) => {
    const names = namesOf(about, isAmount);
    return names && { value: replaced(names, (own) => `number_format(${own}, 2, '.', '')`) };
  },
  'numbers.amounts-text': came(isAmount, (own) => `${own} + 0`),
  'numbers.as-text': came(isNumber, (own) => `${own} + 0`),
  'numbers.as-text:': came(isNumber, (own) => `${own} + 0`),
  'numbers.from-text': on('JSON_NUMERIC_CHECK'),
  'numbers.from-text:': came(isTextOfNumber, (own) => `(string) ${own}`),
  'numbers.precision-17': {
    first: "ini_set('serialize_precision', '17');",
    right: { first: "ini_set('serialize_precision', '-1');" },
  },
  'numbers.precision-14': {
    first: "ini_set('serialize_precision', '14');",
    right: { first: "ini_set('serialize_precision', '-1');" },
  },
  'numbers.words-as-numbers': came(isBoolean, (own) => `(bool) ${own}`),
  'numbers.words-as-text': came(isBoolean, (own) => `${own} === 'true'`),

  'members.falsy-dropped': (about) => (isFilled(about) ? { value: 'array_filter(@)' } : null),
  'members.empty-text-dropped': filtered(", fn ($value) => $value !== ''"),
  'members.zero-dropped': filtered(', fn ($value) => $value !== 0'),
  'members.null-dropped': filtered(', fn ($value) => $value !== null'),
  'members.object-to-list': { value: 'json_decode(json_encode(@), true)' },
  'members.list-to-object': (about) => (isShallow(about) && !hasFullList(about) ? on('JSON_FORCE_OBJECT') : null),
  'members.lists-to-objects': on('JSON_FORCE_OBJECT'),
  'members.list-of-one': came(isListOfOne, (own) => `[${own}]`),
  'members.empty-to-null': came(isEmptyList, (own) => `${own} ?? []`),
  'members.empty-text-to-null': came(isEmptyText, (own) => `${own} ?? ''`),
  'members.null-to-empty-text': came(isNull, (own) => `${own} === '' ? null : ${own}`),
  'members.trimmed': named('array_map(fn ($value) => is_string($value) ? trim($value) : $value, @)'),
  'members.pascal-case': named("array_combine(array_map('ucfirst', array_keys(@)), @)"),
  'members.camel-case': named("array_combine(array_map('lcfirst', array_keys(@)), @)"),
  'members.lower-case': named('array_change_key_case(@)'),
  'members.gap:': ({ detail }) => {
    const name = detail.slice(0, detail.lastIndexOf(':'));
    return { gets: 'data', right: { value: replaced([name], (own) => `array_values(${own})`) } };
  },
  // Without any member an array is a list.
  'members.without:': ({ detail, value }) =>
    value?.members.length === 1 ? null : { value: `array_diff_key(@, [${quoted(detail)} => 0])` },
  'order.sorted': (about) => (isShallow(about) ? ksort : null),
  'order.sorted-outside': ksort,
  'order.reversed': named('array_reverse(@)'),
  'order.any': ({ value }) => ({
    gets: 'data',
    right: { value: `array_replace(array_flip([${(value?.members ?? []).map(({ name }) => quoted(name)).join(', ')}]), @)` },
  }),

  'wrap.line-feed': { text: '@ . "\\n"' },
  'wrap.carriage-return': { text: '@ . "\\r\\n"' },
  'wrap.space-behind': { text: "@ . ' '" },
  'wrap.space-before': { text: "' ' . @" },
  'wrap.byte-order-mark': { text: '"\\u{feff}" . @' },
  'wrap.twice': { text: 'json_encode(@, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)' },
  'wrap.twice-php': { text: 'json_encode(@)' },
  'wrap.quoted': { text: "'\"' . @ . '\"'" },
  'wrap.backslashes-added': { text: 'addslashes(@)' },
  'wrap.entities': { text: 'htmlspecialchars(@, ENT_QUOTES)' },
  'wrap.entities-double': { text: 'htmlspecialchars(@, ENT_COMPAT)' },
  'wrap.base64': { text: 'base64_encode(@)' },
  'wrap.hex': { text: 'bin2hex(@)' },
  'wrap.raw-url-encoded': { text: 'rawurlencode(@)' },
  'wrap.form-encoded': { text: 'urlencode(@)' },
  'wrap.envelope': envelope(''),
  'wrap.envelope-with-hash': envelope(", 'hash' => ''"),
  'wrap.envelope-null-hash': envelope(", 'hash' => null"),
  'wrap.named': { text: "'{\"data\":' . @ . '}'" },
  'wrap.named-part': { text: '\'"data":\' . @' },
  'wrap.assigned': { text: "'data=' . @" },
  'wrap.is:null': absent('null'),
  'wrap.is:[]': absent('[]'),
  'wrap.is:{}': absent('new stdClass'),
  'wrap.is:""': absent("''"),
  'wrap.is:false': absent('false'),
  'wrap.is:0': absent('0'),
  'wrap.array': { encode: '(string) @' },
  'wrap.query': { encode: 'urldecode(http_build_query(@))' },
  'wrap.query-sorted': { ...ksort, encode: 'urldecode(http_build_query(@))' },
  'wrap.query-encoded': { encode: 'http_build_query(@)' },
  'wrap.query-encoded-sorted': { ...ksort, encode: 'http_build_query(@)' },
  'wrap.values:': (about) => (isShort(about) ? { encode: `implode('${about.detail}', @)` } : null),
  'wrap.values-php:': (about) => (isFilled(about) ? { encode: `implode('${about.detail}', @)` } : null),
  'wrap.values-sorted': (about) => (isShort(about) ? { ...ksort, encode: "implode('', @)" } : null),

  'digest.utf-16': { input: "iconv('UTF-8', 'UTF-16LE', @)" },
  'digest.utf-16-big': { input: "iconv('UTF-8', 'UTF-16BE', @)" },
  'digest.upper': { input: 'strtoupper(@)' },
  'digest.lower': { input: 'strtolower(@)' },
  'spelling.upper': { spell: 'strtoupper(@)' },
  'spelling.spaces': { spell: '@ . "\\n"' },
  'spelling.decorated': { spell: "'sha256=' . @" },
  'spelling.separated': { spell: "implode('-', str_split(@, 2))" },
  'spelling.base64': { spell: 'base64_encode(@raw)' },
  'spelling.base64-of-hex': { spell: 'base64_encode(@)' },
  'spelling.hex-of-hex': { spell: 'bin2hex(@)' },
  'spelling.numbers': { spell: "implode(',', unpack('C*', @raw))" },
  'spelling.zeros-lost': { spell: "ltrim(@, '0')" },
  'spelling.inner-zeros-lost': { spell: "implode('', array_map('dechex', unpack('C*', @raw)))" },
  'spelling.raw': { spell: '@raw' },
};

/** Usual code in PHP. Data is an array, in which only an empty object is one. */
export const php: Dialect = {
  language: 'php',
  assign: '# = @;',
  names: { key: '$privateKey', time: '$time', signed: '$signedTime', json: '$json', hash: '$hash' },
  key: "getenv('PRIVATE_KEY')",
  time: { dmy: "date('d-m-Y H:i:s')", ymd: "date('Y-m-d H:i:s')" },
  utc: (text) => text.replaceAll('date(', 'gmdate('),
  clean: {
    breaks: 'rtrim(@, "\\r\\n")',
    blanks: 'trim(@)',
    quotes: "trim(@, '\"\\'')",
    mark: "preg_replace('/^\\xEF\\xBB\\xBF/', '', @)",
  },
  data: ({ value }) => (value !== null && isArrays(value) ? '$data' : null),
  settings: ({ subject }) => ({ JSON_UNESCAPED_SLASHES: true, JSON_UNESCAPED_UNICODE: subject.form.unicode === 'bare' }),
  encode(settings) {
    const names = [...flags, ...Object.keys(settings).filter((name) => !(flags as readonly string[]).includes(name))];
    const set = names.filter((name) => settings[name] === true);
    return { code: set.length === 0 ? 'json_encode(@)' : `json_encode(@, ${set.join(' | ')})` };
  },
  literal: (text) => (/[\r\n\t]/.test(text) ? JSON.stringify(text) : quoted(text)),
  join: (parts) => parts.join(' . '),
  bytes: '@',
  digest: (algorithm, bytes, form) => `hash('${algorithm}', ${bytes}${form === 'raw' ? ', true' : ''})`,
  hmac: (algorithm, key, bytes, form) => `hash_hmac('${algorithm}', ${bytes}, ${key}${form === 'raw' ? ', true' : ''})`,
  upper: 'strtoupper(@)',
  code,
};

/** Returns whether arrays hold the values as they are: objects whose names are 0, 1, 2 become lists. */
function isArrays(value: Value): boolean {
  if (value.kind === 'array') return value.items.every(isArrays);
  if (value.kind !== 'object' || value.members.length === 0) return true;
  return associative(value).kind === 'object' && value.members.every((one) => isArrays(one.value));
}

function hasFullList({ value }: About): boolean {
  return value !== null && value.members.some(({ value: own }) => own.kind === 'array' && own.items.length > 0);
}
