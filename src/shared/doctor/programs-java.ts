import { isWhole, javaDouble } from './number-forms.ts';
import {
  areFloats,
  hasControls,
  isAmount,
  isBoolean,
  isEmptyList,
  isEmptyText,
  isFlat,
  isNull,
  isNumber,
  isShallow,
  isShort,
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
import type { Algorithm } from './model.ts';
import { nullWord } from './value.ts';

/** Patterns of DateTimeFormatter. Those with a zone take a time that has one. */
const patterns: Readonly<Record<string, string>> = {
  '12-hour': 'dd-MM-yyyy hh:mm:ss',
  'java-letters': 'dd-mm-yyyy hh:mm:ss',
  'java-letters-24': 'dd-mm-yyyy HH:mm:ss',
  'month-for-minutes': 'dd-MM-yyyy HH:MM:ss',
  '12-hour-month-for-minutes': 'dd-MM-yyyy hh:MM:ss',
  '12-hour-half': 'dd-MM-yyyy hh:mm:ss a',
  iso: "yyyy-MM-dd'T'HH:mm:ss",
  'iso-z': "yyyy-MM-dd'T'HH:mm:ss'Z'",
  'iso-ms-z': "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'",
  'iso-offset': "yyyy-MM-dd'T'HH:mm:ssxxx",
  'iso-offset-plain': "yyyy-MM-dd'T'HH:mm:ssZ",
  'iso-space-offset': 'yyyy-MM-dd HH:mm:ssxxx',
  'iso-micro': 'yyyy-MM-dd HH:mm:ss.SSSSSS',
  'iso-ms': 'yyyy-MM-dd HH:mm:ss.SSS',
  'dmy-ms': 'dd-MM-yyyy HH:mm:ss.SSS',
  'dmy-t': "dd-MM-yyyy'T'HH:mm:ss",
  'dmy-z': "dd-MM-yyyy HH:mm:ss'Z'",
  'utc-behind': 'dd-MM-yyyy HH:mm:ss z',
  'ymd-utc-behind': 'yyyy-MM-dd HH:mm:ss z',
  'ymd-offset-behind': 'yyyy-MM-dd HH:mm:ss Z',
  'dmy-offset-behind': 'dd-MM-yyyy HH:mm:ss Z',
  slashes: 'dd/MM/yyyy HH:mm:ss',
  dots: 'dd.MM.yyyy HH:mm:ss',
  'ymd-slashes': 'yyyy/MM/dd HH:mm:ss',
  'ymd-dots': 'yyyy.MM.dd HH:mm:ss',
  'month-first': 'MM-dd-yyyy HH:mm:ss',
  'month-first-slashes': 'MM/dd/yyyy HH:mm:ss',
  'year-day-month': 'yyyy-dd-MM HH:mm:ss',
  'two-digit-year': 'dd-MM-yy HH:mm:ss',
  'ymd-two-digit-year': 'yy-MM-dd HH:mm:ss',
  'no-zeros': 'd-M-yyyy H:m:s',
  'no-zeros-date': 'd-M-yyyy HH:mm:ss',
  'no-zeros-day': 'd-MM-yyyy HH:mm:ss',
  'no-zeros-hour': 'dd-MM-yyyy H:mm:ss',
  'no-zeros-clock': 'dd-MM-yyyy H:m:s',
  'week-year-us': 'dd-MM-YYYY HH:mm:ss',
  comma: 'dd/MM/yyyy, HH:mm:ss',
  'dots-comma': 'd.M.yyyy, HH:mm:ss',
  'dots-comma-zeros': 'dd.MM.yyyy, HH:mm:ss',
  'us-locale': 'M/d/yyyy, h:mm:ss a',
  'us-locale-plain': 'M/d/yyyy h:mm:ss a',
  'month-name': 'dd-MMM-yyyy HH:mm:ss',
  http: "EEE, dd MMM yyyy HH:mm:ss 'GMT'",
  'rfc-2822': 'EEE, dd MMM yyyy HH:mm:ss Z',
  'no-seconds': 'dd-MM-yyyy HH:mm',
  'zero-seconds': 'dd-MM-yyyy HH:mm:00',
  'date-only': 'dd-MM-yyyy',
  'ymd-date-only': 'yyyy-MM-dd',
  'clock-only': 'HH:mm:ss',
  'clock-first': 'HH:mm:ss dd-MM-yyyy',
  dashes: 'dd-MM-yyyy HH-mm-ss',
  digits: 'ddMMyyyyHHmmss',
  'ymd-digits': 'yyyyMMddHHmmss',
  'no-space': 'dd-MM-yyyyHH:mm:ss',
  'two-spaces': 'dd-MM-yyyy  HH:mm:ss',
  underscore: 'dd-MM-yyyy_HH:mm:ss',
};

const quoted = (text: string) => JSON.stringify(text);
const inPattern = (pattern: string, locale = '') =>
  `${/[xzZ]$/.test(pattern) ? 'ZonedDateTime' : 'LocalDateTime'}.now().format(DateTimeFormatter.ofPattern(${quoted(pattern)}${locale}))`;
const utf8 = 'StandardCharsets.UTF_8';
const base64 = (bytes: string) => `Base64.getEncoder().encodeToString(${bytes})`;
const hex = (bytes: string) => `HexFormat.of().formatHex(${bytes})`;
const formEncoded = `URLEncoder.encode(@, ${utf8})`;

/** Statements that set members. */
const put = (names: readonly string[], code: (own: string) => string) =>
  names.map((name) => `data.put(${quoted(name)}, ${code(`data.get(${quoted(name)})`)});`);
/** Members that came in another type, with the code that makes them right. */
const came =
  (concerns: Concern, code: (own: string) => string) =>
  (about: About): Wrong | null => {
    const names = namesOf(about, concerns);
    return names && { gets: 'data', right: { first: put(names, code) } };
  };
/** Members that came as null, which Gson leaves out unless it is told. */
const cameAsNull =
  (concerns: Concern, instead: string): Code =>
  (about) => {
    const wrong = came(concerns, (own) => `Objects.requireNonNullElse(${own}, ${instead})`)(about);
    return wrong && { ...wrong, settings: { nulls: true } };
  };
/** Members that are changed on the way. */
const made =
  (concerns: Concern, code: (own: string) => string): Code =>
  (about) => {
    const names = namesOf(about, concerns);
    return names && numbersIn(about.value ?? nullWord).every((text) => /^-?\d+(\.\d\d?)?$/.test(text))
      ? { first: put(names, code) }
      : null;
  };
const decimal = (own: string) => `new BigDecimal(${own}.toString())`;
const isBig: Concern = (one) => one.kind === 'number' && isWhole(one.text) && !Number.isSafeInteger(Number(one.text));
/** Returns whether whole amounts were sent with a fraction: as doubles, which are none in the map. */
const hasFractions = ({ subject }: About) => /\d\.\d*0\b/.test(subject.dataText ?? '');
const asText: Code = (about) => (hasFractions(about) ? null : came(isNumber, decimal)(about));

/** Whole doubles as integers again: Java writes 1.0 where PHP writes 1, and 1.0E7 from ten million up. */
const doubles =
  (below: number): Code =>
  (about) => {
    const { value, subject } = about;
    const isOutside = value?.members.filter((one) => one.value.kind === 'number').length === numbersIn(value ?? nullWord).length;
    const isSmall = numbersIn(value ?? nullWord).every((text) => !isWhole(text) || Math.abs(Number(text)) < below);
    if (!isOutside || !isSmall || !areFloats(about) || /\.\d+0(?!\d)/.test(subject.dataText ?? '')) return null;
    const integers = 'value instanceof Double number && number % 1 == 0 ? number.longValue() : value';
    return { gets: 'data', right: { first: `data.replaceAll((name, value) -> ${integers});` } };
  };
const smallDoubles = doubles(1e7);

const shallow =
  (first: string): Code =>
  (about) =>
    isShallow(about) ? { first } : null;
/** Changes the outermost texts, if there are no others. */
const texts =
  (code: string): Code =>
  ({ value }) =>
    value?.members.some(({ value: own }) => own.kind === 'array' || (own.kind === 'object' && own.members.length > 0)) === false
      ? { first: `data.replaceAll((name, value) -> value instanceof String text ? ${code} : value);` }
      : null;
const normalized = (text: string, form: string) => `Normalizer.normalize(${text}, Normalizer.Form.${form})`;
const latin1 = (text: string) => `new String(${text}.getBytes(${utf8}), StandardCharsets.ISO_8859_1)`;

const bare = (about: About) => ({
  ascii: false,
  upper: !hasControls(about),
  ...(/\\u202[89]/.test(about.subject.ruleText ?? '') ? { jackson: true } : {}),
});
const byJackson = (settings: Settings) => ({ settings: { jackson: true, ...settings } });
const byGson = (settings: Settings) => ({ settings: { gson: true, ...settings }, right: { settings: { gson: true } } });
const inCharset =
  (name: string): Code =>
  (about) => ({ settings: bare(about), bytes: `@.getBytes(StandardCharsets.${name})` });
const bareWith =
  (text: string): Code =>
  (about) => ({ settings: bare(about), text });

const flat =
  (encode: string) =>
  (about: About): Wrong | null =>
    isShort(about) ? { encode } : null;
/** Data as a form has it: URLEncoder leaves * as it is. */
const form =
  (map: string): Code =>
  (about) =>
    about.value?.members.every(({ name }) => /^\w+$/.test(name)) === true && !about.subject.ruleText?.includes('*')
      ? flat(pairs(map, `URLEncoder.encode(entry.getValue().toString(), ${utf8})`))(about)
      : null;
const pairs = (map: string, value: string) =>
  `${map}.entrySet().stream().map(entry -> entry.getKey() + "=" + ${value}).collect(Collectors.joining("&"))`;
const values = (map: string, between: string) =>
  `${map}.values().stream().map(String::valueOf).collect(Collectors.joining(${quoted(between)}))`;
const sorted = 'new TreeMap<>(@)';
/** A map that is filled member by member, as code fills it: of its size depends the order of a HashMap. */
const copied = (type: string) => ({
  first: [`var members = new ${type}<String, Object>();`, 'data.forEach(members::put);'],
  value: 'members',
});
const absent =
  (value: string): Code =>
  (about) => ({ value: about.value === null ? value : `data.getOrDefault("data", ${value})` });
const envelope =
  (type = '', hash = ''): Code =>
  ({ value }) => ({
    first: `record Envelope(String action, int platform, int partnerId, String time${value === null ? '' : ', Object data'}${type}) {}`,
    value: `new Envelope(action, platform, partnerId, time${value === null ? '' : ', @'}${hash})`,
    settings: { hash: type !== '' },
  });
const looped = (digits: string) => [
  'var digits = new StringBuilder();',
  `for (byte one : @raw) digits.append(Integer.toHexString(${digits}));`,
  'digits.toString()',
];
const literal: Code = ({ detail }) => (/^dd-mm-yyyy hh:mm:ss$/i.test(detail) ? { time: quoted(detail) } : null);

const code: Readonly<Record<string, Code>> = {
  'key.to-hex': { key: hex(`@.getBytes(${utf8})`) },
  'key.to-base64': { key: base64(`@.getBytes(${utf8})`) },
  'key.upper': { key: '@.toUpperCase()' },
  'key.lower': { key: '@.toLowerCase()' },
  'key.plus-to-space': { key: `URLDecoder.decode(@, ${utf8})` },
  'key.url-encoded': { key: `${formEncoded}.replace("+", "%20")` },
  'key.url-decoded': { key: `URLDecoder.decode(@.replace("+", "%2B"), ${utf8})` },

  ...Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [`time.${name}`, { time: inPattern(pattern) }])),
  'time.order': ({ subject }) => ({
    time: inPattern(`${/^\d{4}/.test(subject.time) ? 'dd-MM-yyyy' : 'yyyy-MM-dd'} HH:mm:ss`),
  }),
  'time.week-year': { time: inPattern('dd-MM-YYYY HH:mm:ss', ', Locale.UK') },
  'time.day-of-year': { time: 'new SimpleDateFormat("DD-MM-yyyy HH:mm:ss").format(new Date())' },
  'time.epoch-s': { time: 'String.valueOf(System.currentTimeMillis() / 1000)' },
  'time.epoch-ms': { time: 'String.valueOf(System.currentTimeMillis())' },
  'time.quoted': { time: 'new ObjectMapper().writeValueAsString(@)' },
  'time.plus': { time: formEncoded },
  'time.url-encoded': { time: `${formEncoded}.replace("+", "%20")` },
  'time.space-escaped': { time: '@.replace(" ", "%20")' },
  'time.line-feed': { time: '@ + "\\n"' },
  'time.space-behind': { time: '@ + " "' },
  'time.space-before': { time: '" " + @' },
  'time.is:null': { time: 'String.valueOf(Map.of("Time", @).get("time"))' },
  'time.literal:': literal,

  'slash.escaped': { text: '@.replace("/", "\\\\/")' },
  'slash.first-escaped': { text: '@.replaceFirst("/", "\\\\\\\\/")' },
  'slash.first-only': { text: '@.replace("/", "\\\\/").replaceFirst("\\\\\\\\/", "/")' },
  'slash.closing-tags': { text: '@.replace("</", "<\\\\/")' },
  'unicode.bare': (about) => ({ settings: bare(about) }),
  'unicode.bare-upper-control': byJackson({ ascii: false, upper: true }),
  'unicode.bare-but-lines': byGson({ ascii: false }),
  'unicode.escaped': { settings: { ascii: true, upper: false } },
  'unicode.upper': byJackson({ ascii: true, upper: true }),
  'unicode.decomposed': texts(normalized('text', 'NFD')),
  'unicode.composed': texts(normalized('text', 'NFC')),
  'unicode.decomposed-bare': bareWith(normalized('@', 'NFD')),
  'unicode.latin-1': inCharset('ISO_8859_1'),
  'unicode.question-marks': inCharset('US_ASCII'),
  'unicode.twice': bareWith(latin1('@')),
  'unicode.twice-escaped': texts(latin1('text')),
  'html.gson': byGson({ html: true }),
  'html.gson-bare': byGson({ html: true, ascii: false }),
  'layout.pretty-2': byGson({ pretty: true }),
  'layout.jackson': byJackson({ pretty: true }),
  'layout.no-blanks': { text: '@.replaceAll("\\\\s", "")' },

  'numbers.as-typed': smallDoubles,
  'numbers.java': doubles(2 ** 53),
  'numbers.all-floats': doubles(2 ** 53),
  'numbers.whole-with-fraction': smallDoubles,
  'numbers.amounts-with-fraction': smallDoubles,
  'numbers.fraction:': smallDoubles,
  'numbers.double': (about) => {
    const names = namesOf(about, isBig);
    return names && { first: put(names, (own) => `Math.round(((Number) ${own}).doubleValue())`) };
  },
  'numbers.two-decimals': made(isAmount, (own) => `${decimal(own)}.setScale(2, RoundingMode.HALF_UP)`),
  'numbers.two-decimals-text': made(isAmount, (own) => `${decimal(own)}.setScale(2, RoundingMode.HALF_UP).toString()`),
  'numbers.amounts-text': made(isAmount, (own) => `${own}.toString()`),
  'numbers.as-text': asText,
  'numbers.as-text:': asText,
  'numbers.from-text': came(isTextOfNumber, (own) => `${own}.toString()`),
  'numbers.from-text:': came(isTextOfNumber, (own) => `${own}.toString()`),
  'numbers.words-as-numbers': came(isBoolean, (own) => `!${own}.equals(0)`),
  'numbers.words-as-text': came(isBoolean, (own) => `Boolean.valueOf(${own}.toString())`),

  'members.null-dropped': byGson({ drops: true }),
  'members.empties-dropped': byJackson({ drops: true }),
  'members.empty-text-dropped': shallow('data.values().removeIf(""::equals);'),
  'members.zero-dropped': shallow(
    'data.values().removeIf(value -> value instanceof Number number && number.doubleValue() == 0);',
  ),
  'members.list-of-one': byJackson({ unwraps: true }),
  'members.empty-to-null': cameAsNull(isEmptyList, 'List.of()'),
  'members.empty-text-to-null': cameAsNull(isEmptyText, '""'),
  'members.null-to-empty-text': came(isNull, (own) => `"".equals(${own}) ? null : ${own}`),
  'members.trimmed': texts('text.strip()'),
  'members.without:': ({ detail }) => ({ first: `data.remove(${quoted(detail)});` }),
  'order.sorted': byJackson({ sorts: true }),
  'order.sorted-outside': { value: sorted },
  'order.hash-map': (about) => (isShallow(about) ? { ...copied('HashMap'), right: copied('LinkedHashMap') } : null),
  'order.any': ({ value }) => ({
    gets: 'data',
    right: {
      first: [
        'var ordered = new LinkedHashMap<String, Object>();',
        `for (var name : List.of(${(value?.members ?? []).map(({ name }) => quoted(name)).join(', ')})) ordered.put(name, data.get(name));`,
      ],
      value: 'ordered',
    },
  }),

  'wrap.line-feed': { text: '@ + "\\n"' },
  'wrap.carriage-return': { text: '@ + "\\r\\n"' },
  'wrap.space-behind': { text: '@ + " "' },
  'wrap.space-before': { text: '" " + @' },
  'wrap.byte-order-mark': { text: '"\\ufeff" + @' },
  'wrap.twice': { text: 'new ObjectMapper().writeValueAsString(@)' },
  'wrap.quoted': { text: '"\\"" + @ + "\\""' },
  'wrap.base64': { text: base64(`@.getBytes(${utf8})`) },
  'wrap.hex': { text: hex(`@.getBytes(${utf8})`) },
  'wrap.form-encoded': ({ subject }) => (subject.ruleText?.includes('*') === true ? null : { text: formEncoded }),
  'wrap.form-encoded-java': { text: formEncoded },
  'wrap.url-encoded': ({ subject }) =>
    /[!'()~]/.test(subject.ruleText ?? '') ? null : { text: `${formEncoded}.replace("+", "%20")` },
  'wrap.envelope': envelope(),
  'wrap.envelope-with-hash': envelope(', String hash', ', ""'),
  'wrap.envelope-null-hash': envelope(', String hash', ', null'),
  'wrap.named': { text: '"{\\"data\\":" + @ + "}"' },
  'wrap.named-part': { text: '"\\"data\\":" + @' },
  'wrap.assigned': { text: '"data=" + @' },
  'wrap.is:null': ({ value }) => ({ value: value === null ? 'null' : 'data.get("data")' }),
  'wrap.is:[]': absent('List.of()'),
  'wrap.is:{}': absent('Map.of()'),
  'wrap.is:""': absent('""'),
  'wrap.is:false': absent('false'),
  'wrap.is:0': absent('0'),
  'wrap.to-string': (about) => (hasFractions(about) ? null : { encode: '@.toString()' }),
  'wrap.query': flat(pairs('@', 'entry.getValue()')),
  'wrap.query-sorted': flat(pairs(sorted, 'entry.getValue()')),
  'wrap.query-encoded': form('@'),
  'wrap.query-encoded-sorted': form(sorted),
  'wrap.values:': (about) => (isFlat(about) ? { encode: values('@', about.detail) } : null),
  'wrap.values-sorted': flat(values(sorted, '')),

  'digest.utf-16': { bytes: '@.getBytes(StandardCharsets.UTF_16LE)' },
  'digest.utf-16-big': { bytes: '@.getBytes(StandardCharsets.UTF_16BE)' },
  'digest.upper': { input: '@.toUpperCase()' },
  'digest.lower': { input: '@.toLowerCase()' },
  'spelling.upper': { spell: '@.toUpperCase()' },
  'spelling.spaces': { spell: '@ + "\\n"' },
  'spelling.decorated': { spell: '"sha256=" + @' },
  'spelling.separated': { spell: 'HexFormat.ofDelimiter("-").formatHex(@raw)' },
  'spelling.base64': { spell: base64('@raw') },
  'spelling.base64-of-hex': { spell: base64(`@.getBytes(${utf8})`) },
  'spelling.hex-of-hex': { spell: hex(`@.getBytes(${utf8})`) },
  'spelling.numbers': { spell: 'Arrays.toString(@raw)' },
  'spelling.zeros-lost': { spell: 'new BigInteger(1, @raw).toString(16)' },
  'spelling.inner-zeros-lost': { spell: looped('one & 0xff') },
  'spelling.signed': { spell: looped('one') },
  'spelling.raw': { spell: 'new String(@raw, StandardCharsets.ISO_8859_1)' },
};

/** Usual code in Java 17 with Jackson, and with Gson where that makes the mistake. Data is a LinkedHashMap. */
export const java: Dialect = {
  language: 'java',
  assign: 'var # = @;',
  names: { key: 'privateKey', time: 'time', signed: 'signedTime', json: 'json', hash: 'hash' },
  key: 'System.getenv("PRIVATE_KEY")',
  time: { dmy: inPattern('dd-MM-yyyy HH:mm:ss'), ymd: inPattern('yyyy-MM-dd HH:mm:ss') },
  utc: (text) =>
    text
      .replaceAll('DateTime.now()', 'DateTime.now(ZoneId.of("UTC"))')
      .replace('ss").format(', 'ss") {{ setTimeZone(TimeZone.getTimeZone("UTC")); }}.format('),
  clean: {
    breaks: '@.replaceAll("[\\\\r\\\\n]+$", "")',
    blanks: '@.strip()',
    quotes: '@.replaceAll("^[\'\\"]|[\'\\"]$", "")',
    mark: '@.replaceFirst("^\\\\x{feff}", "")',
  },
  data: ({ value, subject: { form: own, ruleText } }) => {
    const keepsLines = own.unicode === 'bare' && /\\u202[89]/.test(ruleText ?? '');
    return value !== null && numbersIn(value).every(isWritten) && !keepsLines ? 'data' : null;
  },
  settings: (about) => (about.subject.form.unicode === 'bare' ? bare(about) : { ascii: true }),
  encode({ gson, jackson, ascii, upper, html, pretty, drops, sorts, unwraps, hash, nulls }, { subject }) {
    if ((gson === true && jackson === true) || (drops === true && hash === true)) return null;
    const built = (start: string, options: readonly string[]) => `${start}${options.map((one) => `.${one}`).join('')}`;
    if (gson === true) {
      const options = [
        ...(html === true ? [] : ['disableHtmlEscaping()']),
        ...(drops !== true && (nulls === true || hash === true || /\bnull\b/.test(subject.ruleText ?? ''))
          ? ['serializeNulls()']
          : []),
        ...(pretty === true ? ['setPrettyPrinting()'] : []),
      ];
      const first = `var gson = ${options.length === 0 ? 'new Gson()' : built('new GsonBuilder()', [...options, 'create()'])};`;
      const escaped = 'unit -> unit < 128 ? Character.toString(unit) : String.format("\\\\u%04x", unit)';
      return {
        first,
        code: `gson.toJson(@)${ascii === true ? `.chars().mapToObj(${escaped}).collect(Collectors.joining())` : ''}`,
      };
    }
    const options = [
      ...(ascii === true ? ['enable(JsonWriteFeature.ESCAPE_NON_ASCII)'] : []),
      ...(upper === true ? [] : ['disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)']),
      ...(pretty === true ? ['enable(SerializationFeature.INDENT_OUTPUT)'] : []),
      ...(drops === true ? ['serializationInclusion(JsonInclude.Include.NON_EMPTY)'] : []),
      ...(sorts === true ? ['enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)'] : []),
      ...(unwraps === true ? ['enable(SerializationFeature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)'] : []),
    ];
    const first = `var mapper = ${options.length === 0 ? 'new ObjectMapper()' : built('JsonMapper.builder()', [...options, 'build()'])};`;
    return { first, code: 'mapper.writeValueAsString(@)' };
  },
  literal: quoted,
  join: (parts) => (parts.length === 1 ? parts.join('') : `(${parts.join(' + ')})`),
  bytes: `@.getBytes(${utf8})`,
  digest: (algorithm, bytes, last) => {
    const digest = `MessageDigest.getInstance("${algorithm.toUpperCase().replace('SHA', 'SHA-')}").digest(${bytes})`;
    return last === 'raw' ? digest : hex(digest);
  },
  hmac(algorithm: Algorithm, key, bytes, last) {
    const name = `"Hmac${algorithm.toUpperCase()}"`;
    return [
      `var mac = Mac.getInstance(${name});`,
      `mac.init(new SecretKeySpec(${key}, ${name}));`,
      last === 'raw' ? `mac.doFinal(${bytes})` : hex(`mac.doFinal(${bytes})`),
    ];
  },
  upper: '@.toUpperCase()',
  code,
};

/** Returns whether Java writes a number as PHP does. */
function isWritten(text: string): boolean {
  return isWhole(text) || javaDouble(Number(text)) === text;
}
