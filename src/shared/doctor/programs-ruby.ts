import { isWhole, rubyFloat } from './number-forms.ts';
import { timeFormats as sharedFormats } from './programs-python.ts';
import {
  areFloats,
  isAmount,
  isBoolean,
  isEmptyList,
  isEmptyText,
  isFilled,
  isFlat,
  isListOfOne,
  isShort,
  isNull,
  isNumber,
  isShallow,
  isTextOfNumber,
  namesOf,
  numbersIn,
  quoted,
  type About,
  type Code,
  type Concern,
  type Dialect,
  type Wrong,
} from './programs.ts';

/** Forms of strftime; those of Ruby have more parts than those of Python. */
const timeFormats: Readonly<Record<string, string>> = {
  ...sharedFormats,
  '12-hour-half-small': '%d-%m-%Y %I:%M:%S %P',
  'iso-offset': '%Y-%m-%dT%H:%M:%S%:z',
  'iso-offset-plain': '%Y-%m-%dT%H:%M:%S%z',
  'iso-space-offset': '%Y-%m-%d %H:%M:%S%:z',
  'iso-micro': '%Y-%m-%d %H:%M:%S.%6N',
  'iso-ms': '%Y-%m-%d %H:%M:%S.%L',
  'dmy-ms': '%d-%m-%Y %H:%M:%S.%L',
  'ymd-offset-behind': '%Y-%m-%d %H:%M:%S %z',
  'dmy-offset-behind': '%d-%m-%Y %H:%M:%S %z',
  'no-zeros': '%-d-%-m-%Y %-H:%-M:%-S',
  'no-zeros-date': '%-d-%-m-%Y %H:%M:%S',
  'no-zeros-day': '%-d-%m-%Y %H:%M:%S',
  'no-zeros-hour': '%d-%m-%Y %-H:%M:%S',
  'no-zeros-clock': '%d-%m-%Y %-H:%-M:%-S',
};

const now = 'Time.now';
const own = (name: string) => `data[${quoted(name)}]`;
const merged = (names: readonly string[], code: (own: string) => string) =>
  `@.merge(${names.map((name) => `${quoted(name)} => ${code(own(name))}`).join(', ')})`;
/** Members that came in another type, with the code that makes them right. */
const came =
  (concerns: Concern, code: (own: string) => string) =>
  (about: About): Wrong | null => {
    const names = namesOf(about, concerns);
    return names && { gets: 'data', right: { value: merged(names, code) } };
  };
/** Returns whether whole amounts were sent with a fraction: as floats, which no hash has here. */
const hasFractions = ({ subject }: About) => /\d\.\d*0\b/.test(subject.dataText ?? '');
const asNumber: Code = (about) => (hasFractions(about) ? null : came(isNumber, (one) => `JSON.parse(${one})`)(about));
const shallow =
  (value: string): Code =>
  (about) =>
    isShallow(about) ? { value } : null;
const flat =
  (encode: string): Code =>
  (about) =>
    isShort(about) ? { encode } : null;
const hasStar = ({ subject }: About) => (subject.ruleText ?? '').includes('*');
const rejected = (drop: string) => shallow(`@.reject { |_, value| ${drop} }`);
const renamed = (name: string) => shallow(`@.transform_keys { |name| ${name} }`);
const pairs = '@.map { |name, value| "#{name}=#{value}" }.join(\'&\')';
/** Whole floats as integers again: Ruby writes 1.0 where PHP writes 1. */
const wholeFloats = '@.transform_values { |value| value.is_a?(Float) && value % 1 == 0 ? value.to_i : value }';
const floats: Code = (about) => (isShallow(about) && areFloats(about) ? { gets: 'data', right: { value: wholeFloats } } : null);
/** Values that are printed where an encoder belongs. */
const printed =
  (encode: string): Code =>
  (about) => {
    if (!hasFractions(about)) return { encode };
    return isShallow(about) && areFloats(about) ? { gets: 'data', encode, right: { value: wholeFloats } } : null;
  };
const absent =
  (value: string): Code =>
  (about) => ({ value: about.value === null ? value : `data.fetch('data', ${value})` });
const envelope =
  (more: string): Code =>
  ({ value }) => ({
    value: `{ action: action, platform: platform, partnerId: partner_id, time: time${value === null ? '' : ', data: @'}${more} }`,
  });
const joinBytes = (parts: readonly string[]) => parts.map((part) => (part === 'private_key' ? part : `${part}.b`)).join(' + ');
const bare = { ascii: false };
const indented = (indent: string) => ({ settings: { call: 'pretty_generate', indent } });
const crlf = { text: '@.gsub("\\n", "\\r\\n")' };
/** A mistake of several lines: for long Ruby wrote empty lists and objects over several lines, too. */
const pretty: Code = (about) =>
  isFilled(about) && !/\[\]/.test(about.subject.ruleText ?? '') ? { settings: { call: 'pretty_generate' } } : null;

const code: Readonly<Record<string, Code>> = {
  'key.from-hex': { key: "[@].pack('H*')", join: joinBytes },
  'key.from-base64': { key: 'Base64.decode64(@)', join: joinBytes },
  'key.to-hex': { key: "@.unpack1('H*')" },
  'key.to-base64': { key: 'Base64.strict_encode64(@)' },
  'key.upper': { key: '@.upcase' },
  'key.lower': { key: '@.downcase' },
  'key.plus-to-space': { key: 'CGI.unescape(@)' },
  'key.url-encoded': { key: 'ERB::Util.url_encode(@)' },
  'key.url-decoded': { key: 'URI::DEFAULT_PARSER.unescape(@)' },
  ...Object.fromEntries(
    Object.entries(timeFormats).map(([name, format]) => [`time.${name}`, { time: `${now}.strftime('${format}')` }]),
  ),
  'time.order': ({ subject }) => ({
    time: `${now}.strftime('${/^\d{4}/.test(subject.time) ? '%d-%m-%Y' : '%Y-%m-%d'} %H:%M:%S')`,
  }),
  'time.iso-z': { time: `${now}.utc.iso8601` },
  'time.iso-ms-z': { time: `${now}.utc.iso8601(3)` },
  'time.iso-ms-z-quoted': { time: `${now}.utc.iso8601(3).to_json` },
  'time.ymd-utc-behind': { time: `${now}.utc.to_s` },
  'time.epoch-s': { time: `${now}.to_i` },
  'time.epoch-ms': { time: `(${now}.to_f * 1000).to_i` },
  'time.epoch-float': { time: `${now}.to_f` },
  'time.quoted': { time: '@.to_json' },
  'time.plus': { time: 'CGI.escape(@)' },
  'time.url-encoded': { time: 'ERB::Util.url_encode(@)' },
  'time.space-escaped': { time: 'URI::DEFAULT_PARSER.escape(@)' },
  'time.line-feed': { time: '@ + "\\n"' },
  'time.space-behind': { time: "@ + ' '" },
  'time.space-before': { time: "' ' + @" },
  'time.literal:': ({ detail }) => (detail === '%d-%m-%Y %H:%M:%S' ? { time: `'${detail}'` } : null),

  'slash.escaped': { settings: { slash: true } },
  'slash.first-escaped': { text: "@.sub('/', '\\/')" },
  'unicode.bare': { settings: bare },
  'unicode.escaped': { settings: { ascii: true } },
  'unicode.decomposed': { value: 'JSON.parse(JSON.generate(@).unicode_normalize(:nfd))' },
  'unicode.composed': { value: 'JSON.parse(JSON.generate(@).unicode_normalize(:nfc))' },
  'unicode.decomposed-bare': { settings: bare, text: '@.unicode_normalize(:nfd)' },
  'unicode.latin-1': { settings: bare, bytes: "@.encode('ISO-8859-1', undef: :replace)" },
  'unicode.question-marks': { settings: bare, bytes: "@.encode('US-ASCII', undef: :replace)" },
  'unicode.twice': { settings: bare, text: "@.force_encoding('ISO-8859-1').encode('UTF-8')" },
  'unicode.twice-escaped': { value: "JSON.parse(JSON.generate(@).force_encoding('ISO-8859-1').encode('UTF-8'))" },
  'html.lower': { text: "@.gsub(/[<>&]/) { |char| format('\\u%04x', char.ord) }" },
  'html.lower-bare': { settings: bare, text: "@.gsub(/[<>&\\u2028\\u2029]/) { |char| format('\\u%04x', char.ord) }" },
  'layout.spaced-colons': { settings: { space: ' ' } },
  'layout.pretty-2': pretty,
  'layout.pretty-ruby': indented(''),
  'layout.pretty-4': (about) => pretty(about) && indented('    '),
  'layout.pretty-tab': (about) => pretty(about) && indented('\\t'),
  'layout.pretty-2-crlf': (about) => pretty(about) && { ...indented(''), ...crlf },
  'layout.no-blanks': { text: "@.gsub(/[[:space:]]/, '')" },

  'numbers.as-typed': floats,
  'numbers.ruby': floats,
  'numbers.whole-with-fraction': floats,
  'numbers.amounts-with-fraction': floats,
  'numbers.fraction:': floats,
  'numbers.two-decimals-text': (about) => {
    const names = namesOf(about, isAmount);
    return names && { value: merged(names, (one) => `format('%.2f', ${one})`) };
  },
  'numbers.amounts-text': came(isAmount, (one) => `JSON.parse(${one})`),
  'numbers.amounts-text-float': came(isAmount, (one) => `${one}.to_f % 1 == 0 ? ${one}.to_i : ${one}.to_f`),
  'numbers.as-text': asNumber,
  'numbers.as-text:': asNumber,
  'numbers.from-text': came(isTextOfNumber, (one) => `${one}.to_s`),
  'numbers.from-text:': came(isTextOfNumber, (one) => `${one}.to_s`),
  'numbers.words-as-text': came(isBoolean, (one) => `${one} == 'true'`),

  'members.empty-text-dropped': rejected("value == ''"),
  'members.zero-dropped': rejected('value == 0'),
  'members.null-dropped': shallow('@.compact'),
  'members.list-of-one': came(isListOfOne, (one) => `[${one}]`),
  'members.empty-to-null': came(isEmptyList, (one) => `${one} || []`),
  'members.empty-text-to-null': came(isEmptyText, (one) => `${one} || ''`),
  'members.null-to-empty-text': came(isNull, (one) => `${one} == '' ? nil : ${one}`),
  'members.trimmed': shallow('@.transform_values { |value| value.is_a?(String) ? value.strip : value }'),
  'members.pascal-case': renamed('name[0].upcase + name[1..]'),
  'members.camel-case': renamed('name[0].downcase + name[1..]'),
  'members.lower-case': shallow('@.transform_keys(&:downcase)'),
  'members.snake-case': renamed("name.gsub(/(?<=[a-z\\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/, '_\\0').downcase"),
  'members.without:': ({ detail }) => ({ value: `@.except(${quoted(detail)})` }),
  'order.sorted': shallow('@.sort.to_h'),
  'order.sorted-outside': { value: '@.sort.to_h' },
  'order.reversed': shallow('@.to_a.reverse.to_h'),
  'order.any': ({ value }) => ({
    gets: 'data',
    right: { value: `@.slice(${(value?.members ?? []).map(({ name }) => quoted(name)).join(', ')})` },
  }),

  'wrap.line-feed': { text: '@ + "\\n"' },
  'wrap.carriage-return': { text: '@ + "\\r\\n"' },
  'wrap.space-behind': { text: "@ + ' '" },
  'wrap.space-before': { text: "' ' + @" },
  'wrap.byte-order-mark': { text: '"\\ufeff" + @' },
  'wrap.twice': { text: 'JSON.generate(@)' },
  'wrap.quoted': { text: "'\"' + @ + '\"'" },
  'wrap.base64': { text: 'Base64.strict_encode64(@)' },
  'wrap.hex': { text: "@.unpack1('H*')" },
  'wrap.raw-url-encoded': { text: 'ERB::Util.url_encode(@)' },
  'wrap.form-encoded': (about) => (hasStar(about) ? null : { text: 'URI.encode_www_form_component(@)' }),
  'wrap.envelope': envelope(''),
  'wrap.envelope-with-hash': envelope(", hash: ''"),
  'wrap.envelope-null-hash': envelope(', hash: nil'),
  'wrap.named': { text: "'{\"data\":' + @ + '}'" },
  'wrap.named-part': { text: '\'"data":\' + @' },
  'wrap.assigned': { text: "'data=' + @" },
  'wrap.is:null': absent('nil'),
  'wrap.is:[]': absent('[]'),
  'wrap.is:{}': absent('{}'),
  'wrap.is:""': absent("''"),
  'wrap.is:nil': ({ value }) => ({ encode: value === null ? 'nil.inspect' : "data['data'].inspect" }),
  'wrap.is:false': absent('false'),
  'wrap.is:0': absent('0'),
  'wrap.ruby-hash': printed('@'),
  'wrap.query': flat(pairs),
  'wrap.query-sorted': flat(pairs.replace('@', '@.sort')),
  'wrap.query-encoded': (about) => (isShort(about) && !hasStar(about) ? { encode: 'URI.encode_www_form(@)' } : null),
  'wrap.query-encoded-ruby': printed('URI.encode_www_form(@)'),
  'wrap.values:': (about) => (isFlat(about) ? { encode: `@.values.join('${about.detail}')` } : null),
  'wrap.values-sorted': flat('@.sort.map(&:last).join'),

  'digest.utf-16': { bytes: "@.encode('UTF-16LE')" },
  'digest.utf-16-big': { bytes: "@.encode('UTF-16BE')" },
  'digest.upper': { input: '@.upcase' },
  'digest.lower': { input: '@.downcase' },
  'spelling.upper': { spell: '@.upcase' },
  'spelling.spaces': { spell: '@ + "\\n"' },
  'spelling.decorated': { spell: "'sha256=' + @" },
  'spelling.separated': { spell: "@.scan(/../).join('-')" },
  'spelling.base64': { spell: 'Base64.strict_encode64(@raw)' },
  'spelling.base64-of-hex': { spell: 'Base64.strict_encode64(@)' },
  'spelling.hex-of-hex': { spell: "@.unpack1('H*')" },
  'spelling.numbers': { spell: '@raw.bytes.to_s' },
  'spelling.zeros-lost': { spell: '@.to_i(16).to_s(16)' },
  'spelling.inner-zeros-lost': { spell: '@raw.bytes.map { |byte| byte.to_s(16) }.join' },
  'spelling.raw': { spell: '@raw' },
};

/** Usual code in Ruby. Data is a hash. */
export const ruby: Dialect = {
  language: 'ruby',
  assign: '# = @',
  names: { key: 'private_key', time: 'time', signed: 'signed_time', json: 'json', hash: 'hash' },
  key: "ENV['PRIVATE_KEY']",
  time: { dmy: `${now}.strftime('%d-%m-%Y %H:%M:%S')`, ymd: `${now}.strftime('%Y-%m-%d %H:%M:%S')` },
  utc: (text) => text.replaceAll(now, `${now}.utc`),
  clean: { breaks: '@.chomp', blanks: '@.strip', quotes: `@.gsub(/\\A["']|["']\\z/, '')`, mark: '@.delete_prefix("\\ufeff")' },
  data: ({ value, subject: { form, ruleText } }) => {
    const keepsLines = form.unicode === 'bare' && /\\u202[89]/.test(ruleText ?? '');
    return value !== null && numbersIn(value).every(isWritten) && !keepsLines ? 'data' : null;
  },
  settings: ({ subject: { form } }) => ({
    call: 'generate',
    ascii: form.unicode === 'escaped',
    slash: false,
    indent: '',
    space: '',
  }),
  encode({ call, ascii, slash, indent, space }) {
    const options = [
      ...(ascii === true ? ['ascii_only: true'] : []),
      ...(slash === true ? ['escape_slash: true'] : []),
      ...(indent === '' ? [] : [`indent: "${String(indent)}"`]),
      ...(space === '' ? [] : [`space: '${String(space)}'`]),
    ];
    return { code: `JSON.${String(call)}(${['@', ...options].join(', ')})` };
  },
  literal: (text) => JSON.stringify(text),
  join: (parts) => `"${parts.map((part) => (part.startsWith('"') ? part.slice(1, -1) : `#{${part}}`)).join('')}"`,
  bytes: '@',
  // Digest has no SHA-224.
  digest: (algorithm, bytes, form) =>
    algorithm === 'sha224'
      ? `OpenSSL::Digest.${form === 'raw' ? '' : 'hex'}digest('SHA224', ${bytes})`
      : `Digest::${algorithm.toUpperCase()}.${form === 'raw' ? '' : 'hex'}digest(${bytes})`,
  hmac: (algorithm, key, bytes, form) =>
    `OpenSSL::HMAC.${form === 'raw' ? '' : 'hex'}digest('${algorithm.toUpperCase()}', ${key}, ${bytes})`,
  upper: '@.upcase',
  code,
};

/** Returns whether JSON.generate writes a number as PHP does. */
function isWritten(text: string): boolean {
  return isWhole(text) || rubyFloat(Number(text)) === text;
}
