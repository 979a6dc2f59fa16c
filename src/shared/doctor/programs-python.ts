import { isWhole, pythonFloat } from './number-forms.ts';
import {
  areFloats,
  isAmount,
  isBoolean,
  isEmptyList,
  isEmptyText,
  isFlat,
  isListOfOne,
  isShort,
  isNull,
  isNumber,
  isShallow,
  isTextOfNumber,
  namesOf,
  numbersIn,
  type About,
  type Code,
  type Concern,
  type Dialect,
  type Settings,
  type Wrong,
} from './programs.ts';

/** Forms of strftime, which mean the same in Python and in Ruby. */
export const timeFormats: Readonly<Record<string, string>> = {
  '12-hour': '%d-%m-%Y %I:%M:%S',
  'month-for-minutes': '%d-%m-%Y %H:%m:%S',
  '12-hour-month-for-minutes': '%d-%m-%Y %I:%m:%S',
  '12-hour-half': '%d-%m-%Y %I:%M:%S %p',
  iso: '%Y-%m-%dT%H:%M:%S',
  'iso-z': '%Y-%m-%dT%H:%M:%SZ',
  'dmy-t': '%d-%m-%YT%H:%M:%S',
  'dmy-z': '%d-%m-%Y %H:%M:%SZ',
  'utc-behind': '%d-%m-%Y %H:%M:%S UTC',
  'ymd-utc-behind': '%Y-%m-%d %H:%M:%S UTC',
  slashes: '%d/%m/%Y %H:%M:%S',
  dots: '%d.%m.%Y %H:%M:%S',
  'ymd-slashes': '%Y/%m/%d %H:%M:%S',
  'ymd-dots': '%Y.%m.%d %H:%M:%S',
  'month-first': '%m-%d-%Y %H:%M:%S',
  'month-first-slashes': '%m/%d/%Y %H:%M:%S',
  'year-day-month': '%Y-%d-%m %H:%M:%S',
  'two-digit-year': '%d-%m-%y %H:%M:%S',
  'ymd-two-digit-year': '%y-%m-%d %H:%M:%S',
  'week-year': '%d-%m-%G %H:%M:%S',
  comma: '%d/%m/%Y, %H:%M:%S',
  'dots-comma-zeros': '%d.%m.%Y, %H:%M:%S',
  'month-name': '%d-%b-%Y %H:%M:%S',
  http: '%a, %d %b %Y %H:%M:%S GMT',
  'rfc-2822': '%a, %d %b %Y %H:%M:%S +0000',
  'no-seconds': '%d-%m-%Y %H:%M',
  'zero-seconds': '%d-%m-%Y %H:%M:00',
  'date-only': '%d-%m-%Y',
  'ymd-date-only': '%Y-%m-%d',
  'clock-only': '%H:%M:%S',
  'clock-first': '%H:%M:%S %d-%m-%Y',
  dashes: '%d-%m-%Y %H-%M-%S',
  digits: '%d%m%Y%H%M%S',
  'ymd-digits': '%Y%m%d%H%M%S',
  'no-space': '%d-%m-%Y%H:%M:%S',
  'two-spaces': '%d-%m-%Y  %H:%M:%S',
  underscore: '%d-%m-%Y_%H:%M:%S',
};

const now = 'datetime.now()';
const own = (name: string) => `data[${quoted(name)}]`;
const merged = (names: readonly string[], code: (own: string) => string) =>
  `{**@, ${names.map((name) => `${quoted(name)}: ${code(own(name))}`).join(', ')}}`;
/** Members that came in another type, with the code that makes them right. */
const came =
  (concerns: Concern, code: (own: string) => string) =>
  (about: About): Wrong | null => {
    const names = namesOf(about, concerns);
    return names && { gets: 'data', right: { value: merged(names, code) } };
  };
const asNumber = came(isNumber, (one) => `json.loads(${one})`);
/** Returns whether whole amounts were sent with a fraction: as floats, which no dict has here. */
const hasFractions = ({ subject }: About) => /\d\.\d*0\b/.test(subject.dataText ?? '');
const shallow =
  (value: string): Code =>
  (about) =>
    isShallow(about) ? { value } : null;
const flat =
  (encode: string): Code =>
  (about) =>
    isShort(about) ? { encode } : null;
const filtered = (keep: string) => shallow(`{name: value for name, value in @.items() if ${keep}}`);
const renamed = (name: string) => shallow(`{${name}: value for name, value in @.items()}`);
const sorted = 'dict(sorted(@.items()))';
const pairs = "'&'.join(f'{name}={value}' for name, value in @.items())";
const joined = (between: string) => `'${between}'.join(str(value) for value in @.values())`;
/** Whole floats as integers again: Python writes 1.0 where PHP writes 1. */
const wholeFloats =
  '{name: int(value) if isinstance(value, float) and value.is_integer() else value for name, value in @.items()}';
/** Values that are printed where an encoder belongs. */
const printed =
  (encode: string): Code =>
  (about) => {
    if (!hasFractions(about)) return { encode };
    return isShallow(about) && areFloats(about) ? { gets: 'data', encode, right: { value: wholeFloats } } : null;
  };
const floats: Code = (about) => (isShallow(about) && areFloats(about) ? { gets: 'data', right: { value: wholeFloats } } : null);
const absent =
  (value: string): Code =>
  (about) => ({ value: about.value === null ? value : `data.get('data', ${value})` });
const envelope =
  (more: string): Code =>
  ({ value }) => ({
    value: `{'action': action, 'platform': platform, 'partnerId': partner_id, 'time': time_text${value === null ? '' : ", 'data': @"}${more}}`,
  });
const joinBytes = (parts: readonly string[]) =>
  parts.map((part) => (part === 'private_key' ? part : `${part}.encode()`)).join(' + ');
const bare = { ascii: false, beyond: false };
const floatsToo =
  (settings: Settings): Code =>
  (about) =>
    isShallow(about) ? { gets: 'data', settings, right: { value: wholeFloats } } : null;

const code: Readonly<Record<string, Code>> = {
  'key.from-hex': { key: 'bytes.fromhex(@)', join: joinBytes },
  'key.from-base64': { key: 'base64.b64decode(@)', join: joinBytes },
  'key.to-hex': { key: '@.encode().hex()' },
  'key.to-base64': { key: 'base64.b64encode(@.encode()).decode()' },
  'key.bytes-literal': { key: 'str(@.encode())' },
  'key.upper': { key: '@.upper()' },
  'key.lower': { key: '@.lower()' },
  'key.plus-to-space': { key: 'unquote_plus(@)' },
  'key.url-encoded': { key: "quote(@, safe='')" },
  'key.url-decoded': { key: 'unquote(@)' },
  ...Object.fromEntries(
    Object.entries(timeFormats).map(([name, format]) => [`time.${name}`, { time: `${now}.strftime('${format}')` }]),
  ),
  'time.order': ({ subject }) => ({
    time: `${now}.strftime('${/^\d{4}/.test(subject.time) ? '%d-%m-%Y' : '%Y-%m-%d'} %H:%M:%S')`,
  }),
  'time.iso': { time: `${now}.isoformat()` },
  'time.iso-offset': { time: 'datetime.now(timezone.utc).isoformat()' },
  'time.iso-space-offset': { time: 'datetime.now(timezone.utc)' },
  'time.iso-micro': { time: `${now}.strftime('%Y-%m-%d %H:%M:%S.%f')` },
  'time.epoch-s': { time: 'int(time.time())' },
  'time.epoch-ms': { time: 'int(time.time() * 1000)' },
  'time.epoch-float': { time: 'time.time()' },
  'time.quoted': { time: 'json.dumps(@)' },
  'time.plus': { time: 'quote_plus(@)' },
  'time.url-encoded': { time: 'quote(@)' },
  'time.line-feed': { time: "@ + '\\n'" },
  'time.space-behind': { time: "@ + ' '" },
  'time.space-before': { time: "' ' + @" },
  'time.is:None': { time: "{'Time': @}.get('time')" },
  'time.literal:': ({ detail }) => (detail === '%d-%m-%Y %H:%M:%S' ? { time: `'${detail}'` } : null),

  'slash.escaped': { text: "@.replace('/', '\\\\/')" },
  'slash.first-escaped': { text: "@.replace('/', '\\\\/', 1)" },
  'slash.first-only': { text: "@.replace('/', '\\\\/').replace('\\\\/', '/', 1)" },
  'unicode.bare': { settings: bare },
  'unicode.escaped': { settings: { ascii: true } },
  'unicode.delete-escaped': { settings: { ascii: true, beyond: false } },
  'unicode.decomposed': { value: "json.loads(unicodedata.normalize('NFD', json.dumps(@, ensure_ascii=False)))" },
  'unicode.composed': { value: "json.loads(unicodedata.normalize('NFC', json.dumps(@, ensure_ascii=False)))" },
  'unicode.decomposed-bare': { settings: bare, text: "unicodedata.normalize('NFD', @)" },
  'unicode.latin-1': { settings: bare, bytes: "@.encode('latin-1', 'replace')" },
  'unicode.question-marks': { settings: bare, bytes: "@.encode('ascii', 'replace')" },
  'unicode.twice': { settings: bare, text: "@.encode().decode('latin-1')" },
  'unicode.twice-escaped': { value: "json.loads(json.dumps(@, ensure_ascii=False).encode().decode('latin-1'))" },
  'html.lower': { text: "@.replace('<', '\\\\u003c').replace('>', '\\\\u003e').replace('&', '\\\\u0026')" },
  'html.lower-quote': {
    text: "@.replace('<', '\\\\u003c').replace('>', '\\\\u003e').replace('&', '\\\\u0026').replace(\"'\", '\\\\u0027')",
  },
  'html.upper': {
    text: "@.replace('<', '\\\\u003C').replace('>', '\\\\u003E').replace('&', '\\\\u0026').replace(\"'\", '\\\\u0027')",
  },
  'html.entities': { value: 'json.loads(html.escape(json.dumps(@), quote=False))' },
  'layout.spaced': { settings: { separators: '' } },
  'layout.python': floatsToo({ separators: '', ascii: true, beyond: false }),
  'layout.python-bare': floatsToo({ separators: '', ...bare }),
  'layout.spaced-colons': { settings: { separators: "(',', ': ')" } },
  'layout.spaced-commas': { settings: { separators: "(', ', ':')" } },
  'layout.pretty-2': { settings: { separators: '', indent: '2' } },
  'layout.pretty-4': { settings: { separators: '', indent: '4' } },
  'layout.pretty-tab': { settings: { separators: '', indent: "'\\t'" } },
  'layout.pretty-2-crlf': { settings: { separators: '', indent: '2' }, text: "@.replace('\\n', '\\r\\n')" },
  'layout.pretty-4-crlf': { settings: { separators: '', indent: '4' }, text: "@.replace('\\n', '\\r\\n')" },
  'layout.no-blanks': { text: "''.join(@.split())" },

  'numbers.as-typed': floats,
  'numbers.python': floats,
  'numbers.whole-with-fraction': floats,
  'numbers.amounts-with-fraction': floats,
  'numbers.fraction:': floats,
  'numbers.two-decimals-text': (about) => {
    const names = namesOf(about, isAmount);
    return names && { value: merged(names, (one) => `f'{${one.replaceAll("'", '"')}:.2f}'`) };
  },
  'numbers.amounts-text': came(isAmount, (one) => `json.loads(${one})`),
  'numbers.as-text': (about) => (hasFractions(about) ? null : asNumber(about)),
  'numbers.as-text:': (about) => (hasFractions(about) ? null : asNumber(about)),
  'numbers.from-text': came(isTextOfNumber, (one) => `str(${one})`),
  'numbers.from-text:': came(isTextOfNumber, (one) => `str(${one})`),
  'numbers.words-as-numbers': came(isBoolean, (one) => `bool(${one})`),
  'numbers.words-as-text': came(isBoolean, (one) => `${one} == 'true'`),

  'members.falsy-dropped': filtered('value'),
  'members.empty-text-dropped': filtered("value != ''"),
  'members.zero-dropped': filtered('value != 0 or value is False'),
  'members.null-dropped': filtered('value is not None'),
  'members.list-of-one': came(isListOfOne, (one) => `[${one}]`),
  'members.empty-to-null': came(isEmptyList, (one) => `${one} or []`),
  'members.empty-text-to-null': came(isEmptyText, (one) => `${one} or ''`),
  'members.null-to-empty-text': came(isNull, (one) => `${one} or None`),
  'members.trimmed': shallow('{name: value.strip() if isinstance(value, str) else value for name, value in @.items()}'),
  'members.pascal-case': renamed('name[0].upper() + name[1:]'),
  'members.camel-case': renamed('name[0].lower() + name[1:]'),
  'members.lower-case': renamed('name.lower()'),
  'members.snake-case': renamed("re.sub(r'(?<=[a-z\\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])', r'_\\g<0>', name).lower()"),
  'members.without:': ({ detail }) => ({ value: `{name: value for name, value in @.items() if name != ${quoted(detail)}}` }),
  'order.sorted': { settings: { sorts: true } },
  'order.sorted-outside': { value: sorted },
  'order.reversed': shallow('dict(reversed(@.items()))'),
  'order.any': ({ value }) => ({
    gets: 'data',
    right: { value: `{name: data[name] for name in (${(value?.members ?? []).map(({ name }) => quoted(name)).join(', ')})}` },
  }),

  'wrap.line-feed': { text: "@ + '\\n'" },
  'wrap.carriage-return': { text: "@ + '\\r\\n'" },
  'wrap.space-behind': { text: "@ + ' '" },
  'wrap.space-before': { text: "' ' + @" },
  'wrap.byte-order-mark': { text: "'\\ufeff' + @" },
  'wrap.twice': ({ subject }) => ({
    text: /[^\0-~]/.test(subject.ruleText ?? '') ? 'json.dumps(@, ensure_ascii=False)' : 'json.dumps(@)',
  }),
  'wrap.quoted': { text: "'\"' + @ + '\"'" },
  'wrap.base64': { text: 'base64.b64encode(@.encode()).decode()' },
  'wrap.hex': { text: '@.encode().hex()' },
  'wrap.raw-url-encoded': { text: "quote(@, safe='')" },
  'wrap.url-encoded': { text: 'quote(@, safe="!\'()*")' },
  'wrap.form-encoded': { text: 'quote_plus(@)' },
  'wrap.envelope': envelope(''),
  'wrap.envelope-with-hash': envelope(", 'hash': ''"),
  'wrap.envelope-null-hash': envelope(", 'hash': None"),
  'wrap.named': { text: "'{\"data\":' + @ + '}'" },
  'wrap.named-part': { text: '\'"data":\' + @' },
  'wrap.assigned': { text: "'data=' + @" },
  'wrap.is:null': absent('None'),
  'wrap.is:[]': absent('[]'),
  'wrap.is:{}': absent('{}'),
  'wrap.is:""': absent("''"),
  'wrap.is:None': ({ value }) => ({ encode: value === null ? 'None' : "data.get('data')" }),
  'wrap.is:false': absent('False'),
  'wrap.is:0': absent('0'),
  'wrap.python-dict': printed('str(@)'),
  'wrap.python-dict-quotes': printed('str(@).replace("\'", \'"\')'),
  'wrap.query': flat(pairs),
  'wrap.query-sorted': flat(pairs.replace('@.items()', 'sorted(@.items())')),
  'wrap.query-encoded': flat('urlencode(@)'),
  'wrap.query-encoded-python': printed('urlencode(@)'),
  'wrap.values:': (about) => (isFlat(about) ? { encode: joined(about.detail) } : null),
  'wrap.values-sorted': flat("''.join(str(value) for name, value in sorted(@.items()))"),

  'digest.utf-16': { bytes: "@.encode('utf-16-le')" },
  'digest.utf-16-big': { bytes: "@.encode('utf-16-be')" },
  'digest.upper': { input: '@.upper()' },
  'digest.lower': { input: '@.lower()' },
  'spelling.upper': { spell: '@.upper()' },
  'spelling.spaces': { spell: "@ + '\\n'" },
  'spelling.decorated': { spell: "'sha256=' + @" },
  'spelling.separated': { spell: "@raw.hex('-')" },
  'spelling.base64': { spell: 'base64.b64encode(@raw).decode()' },
  'spelling.base64-of-hex': { spell: 'base64.b64encode(@.encode()).decode()' },
  'spelling.hex-of-hex': { spell: '@.encode().hex()' },
  'spelling.numbers': { spell: 'str(list(@raw))' },
  'spelling.zeros-lost': { spell: "format(int(@, 16), 'x')" },
  'spelling.inner-zeros-lost': { spell: "''.join(f'{byte:x}' for byte in @raw)" },
  'spelling.raw': { spell: "@raw.decode('latin-1')" },
};

/** Usual code in Python. Data is a dict. */
export const python: Dialect = {
  language: 'python',
  assign: '# = @',
  names: { key: 'private_key', time: 'time_text', signed: 'signed_time', json: 'json_text', hash: 'hash_text' },
  key: "os.environ['PRIVATE_KEY']",
  time: { dmy: `${now}.strftime('%d-%m-%Y %H:%M:%S')`, ymd: `${now}.strftime('%Y-%m-%d %H:%M:%S')` },
  utc: (text) => text.replaceAll('datetime.now()', 'datetime.now(timezone.utc)'),
  clean: { breaks: "@.rstrip('\\r\\n')", blanks: '@.strip()', quotes: "@.strip('\"\\'')", mark: "@.removeprefix('\\ufeff')" },
  data: ({ value, subject: { form, ruleText } }) => {
    const keepsLines = form.unicode === 'bare' && /\\u202[89]/.test(ruleText ?? '');
    return value !== null && numbersIn(value).every(isWritten) && !keepsLines ? 'data' : null;
  },
  settings: ({ subject: { form, ruleText } }) => {
    const isEscaped = form.unicode === 'escaped';
    // Python escapes U+007F, which the rule leaves.
    const beyond = isEscaped && (ruleText ?? '').includes('\u007f');
    return { separators: "(',', ':')", ascii: isEscaped && !beyond, indent: '', sorts: false, beyond };
  },
  encode({ separators, ascii, indent, sorts, beyond }) {
    const options = [
      ...(separators === '' ? [] : [`separators=${String(separators)}`]),
      ...(ascii === true ? [] : ['ensure_ascii=False']),
      ...(indent === '' ? [] : [`indent=${String(indent)}`]),
      ...(sorts === true ? ['sort_keys=True'] : []),
    ];
    const written = `json.dumps(${['@', ...options].join(', ')})`;
    if (beyond !== true) return { code: written };
    return { code: `''.join(char if char < '\\x80' else json.dumps(char)[1:-1] for char in ${written})` };
  },
  literal: quoted,
  join: (parts) => `f'${parts.map((part) => (part.startsWith("'") ? part.slice(1, -1) : `{${part}}`)).join('')}'`,
  bytes: '@.encode()',
  digest: (algorithm, bytes, form) => `hashlib.${algorithm}(${bytes}).${form === 'raw' ? 'digest' : 'hexdigest'}()`,
  hmac: (algorithm, key, bytes, form) =>
    `hmac.new(${key}, ${bytes}, '${algorithm}').${form === 'raw' ? 'digest' : 'hexdigest'}()`,
  upper: '@.upper()',
  code,
};

/** Returns whether json.dumps writes a number as PHP does. */
function isWritten(text: string): boolean {
  return isWhole(text) || pythonFloat(Number(text)) === text;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
