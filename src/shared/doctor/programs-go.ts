import { goFloat, isWhole } from './number-forms.ts';
import { timeFormats } from './programs-python.ts';
import {
  areFloats,
  hasControls,
  isAmount,
  isBig,
  isEmptyList,
  isEmptyText,
  isFlat,
  isNull,
  isNumber,
  isShort,
  isTextOfNumber,
  namesOf,
  numbersIn,
  type About,
  type Code,
  type Concern,
  type Dialect,
  type Settings,
} from './programs.ts';
import type { Member, Value } from './value.ts';

/** Parts of a layout for those of strftime. */
const parts: Readonly<Record<string, string>> = {
  '%d': '02',
  '%m': '01',
  '%Y': '2006',
  '%y': '06',
  '%H': '15',
  '%I': '03',
  '%M': '04',
  '%S': '05',
  '%p': 'PM',
  '%b': 'Jan',
  '%a': 'Mon',
};
const layouts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(timeFormats)
      .filter(([name]) => name !== 'week-year')
      .map(([name, format]) => [name, format.replaceAll(/%./g, (part) => parts[part] ?? part)]),
  ),
  '12-hour-half-small': '02-01-2006 03:04:05 pm',
  'iso-offset': '2006-01-02T15:04:05-07:00',
  'iso-offset-plain': '2006-01-02T15:04:05-0700',
  'iso-space-offset': '2006-01-02 15:04:05-07:00',
  'iso-micro': '2006-01-02 15:04:05.000000',
  'iso-ms': '2006-01-02 15:04:05.000',
  'iso-ms-z': '2006-01-02T15:04:05.000Z',
  'dmy-ms': '02-01-2006 15:04:05.000',
  'ymd-offset-behind': '2006-01-02 15:04:05 -0700',
  'dmy-offset-behind': '02-01-2006 15:04:05 -0700',
  'no-zeros-date': '2-1-2006 15:04:05',
  'no-zeros-day': '2-01-2006 15:04:05',
  'dots-comma': '2.1.2006, 15:04:05',
  'us-locale': '1/2/2006, 3:04:05 PM',
  'us-locale-plain': '1/2/2006 3:04:05 PM',
};

const now = 'time.Now()';
const formatted = (layout: string) => `${now}.Format("${layout}")`;

/** The helper that the rule demands: Go has no setting for it. */
const asciiHelper = (form: string) => [
  'ascii := func(text string) string {',
  '\tvar escaped strings.Builder',
  '\tfor _, unit := range utf16.Encode([]rune(text)) {',
  '\t\tif unit < 0x80 {',
  '\t\t\tescaped.WriteByte(byte(unit))',
  '\t\t} else {',
  `\t\t\tfmt.Fprintf(&escaped, \`\\u${form}\`, unit)`,
  '\t\t}',
  '\t}',
  '\treturn escaped.String()',
  '}',
];

const fieldOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The type of a field; null for a list of several types, or a name that is none in Go. */
function typeOf(value: Value, settings: Settings = {}): string | null {
  switch (value.kind) {
    case 'string':
      return 'string';
    case 'number':
      return isWhole(value.text) ? 'int64' : 'float64';
    case 'word':
      return value.text === 'null' ? '*string' : 'bool';
    case 'object':
      return structOf(value.members, settings);
    case 'array': {
      const types = new Set(value.items.map((item) => typeOf(item, settings)));
      const [type = 'string'] = types;
      return types.size > 1 || type === null ? null : `[]${type}`;
    }
  }
}

/** Writes a struct in columns. Settings give fields another type or tag. */
function structOf(members: readonly Member[], settings: Settings): string | null {
  const rows = members.map(({ name, value }) => ({
    name,
    type: settings[`type ${name}`] ?? typeOf(value, settings),
    tag: String(settings[`tag ${name}`] ?? name),
  }));
  const isField = ({ name, type }: (typeof rows)[number]) => /^[A-Za-z]\w*$/.test(name) && type !== null;
  if (!rows.every(isField) || new Set(members.map(({ name }) => fieldOf(name))).size < members.length) return null;
  if (rows.length === 0) return 'struct{}';
  return `struct {\n${columns(rows.map((row) => ({ ...row, type: String(row.type) })))}\n}`;
}

function columns(rows: readonly { readonly name: string; readonly type: string; readonly tag: string }[]): string {
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => (text.includes('\n') ? 0 : text.length)));
  const [names, types] = [widthOf(rows.map(({ name }) => name)), widthOf(rows.map(({ type }) => type))];
  return rows
    .map(({ name, type, tag }) =>
      `${fieldOf(name).padEnd(names)} ${tag === '' ? type : `${type.padEnd(types)} \`json:"${tag}"\``}`.replaceAll(/^/gm, '\t'),
    )
    .join('\n');
}

/** Returns the outermost members, of which each is a field of a struct; none if they cannot be, or are too many to read. */
function fieldsIn({ value }: Omit<About, 'detail'>): readonly Member[] {
  const members = value?.members ?? [];
  const inside = new Set(members.flatMap((one) => membersIn(one.value)).map(({ name }) => name));
  const canBe = structOf(members, {})?.split('\n').length ?? 99;
  // A field is told by its name.
  return canBe < 40 && !members.some(({ name }) => inside.has(name)) ? members : [];
}

/** Returns all members of a value, and of those inside. */
function membersIn(value: Value): readonly Member[] {
  if (value.kind === 'array') return value.items.flatMap(membersIn);
  return value.kind === 'object' ? value.members.flatMap((one) => [one, ...membersIn(one.value)]) : [];
}

/** Writes the type of the values, and how they come if that matters. */
function typeLines(settings: Settings, about: About): string[] {
  const type = settings['map'] === true ? 'map[string]any' : structOf(fieldsIn(about), settings);
  const decoded = settings['decoded'] === true ? ['var data Data', 'json.Unmarshal(body, &data)'] : [];
  return [...`type Data ${type}`.split('\n'), ...decoded, ...String(settings['made']).split('\n').filter(Boolean)];
}

/** A mistake in how the values are declared. */
const declared =
  (before: (about: About) => Settings | null, right: (about: About) => Settings = () => ({}), gets?: 'data'): Code =>
  (about) => {
    const own = fieldsIn(about).length === 0 ? null : before(about);
    return (
      own && {
        ...(gets && { gets }),
        settings: { typed: true, ...own },
        right: { settings: { typed: true, ...right(about) } },
      }
    );
  };
const each = (names: readonly string[], what: 'type' | 'tag', write: (name: string) => string): Settings =>
  Object.fromEntries(names.map((name) => [`${what} ${name}`, write(name)]));
/** Fields of another type. */
const typed = (concerns: Concern, type: (value: Value) => string): Code =>
  declared((about) => {
    const names = namesOf(about, concerns);
    const valueOf = (name: string) =>
      about.value?.members.find((one) => one.name === name)?.value ?? { kind: 'string', text: '' };
    return names && each(names, 'type', (name) => type(valueOf(name)));
  });
/** Fields with another tag. */
const tagged = (write: (member: Member) => string): Code =>
  declared(({ value }) => value && Object.fromEntries(membersIn(value).map((one) => [`tag ${one.name}`, write(one)])));
const dropped = (concerns: Concern) => tagged(({ name, value }) => (concerns(value, name) ? `${name},omitempty` : name));
const renamed = (rename: (name: string) => string) => tagged(({ name }) => rename(name));
const asText = typed(isNumber, () => 'string');
const fromText = typed(isTextOfNumber, (value) => (value.kind === 'string' && isWhole(value.text) ? 'int64' : 'float64'));
/** Numbers that keep their digits, and floats in their place. */
const asTyped: Code = (about) => {
  const names = namesOf({ ...about, detail: '' }, isNumber);
  if (names === null || !areFloats(about)) return null;
  const types = (type: string) => () => each(names, 'type', () => type);
  const code = declared(types('json.Number'), types('float64'), 'data');
  return typeof code === 'function' ? code(about) : code;
};
/** Returns whether fmt prints the numbers as the rule writes them. */
const isPrinted = ({ value }: About) =>
  value !== null && numbersIn(value).every((text) => isWhole(text) || goFloat(Number(text)) === text);
/** Values that are printed where an encoder belongs. */
const printed = (print: (names: readonly string[]) => string, isSo: (about: About) => boolean): Code =>
  declared((about) => (isSo(about) && isPrinted(about) ? { print: print(fieldsIn(about).map(({ name }) => name)) } : null));
const asForm = (isSo: (about: About) => boolean) =>
  printed(
    (names) => `url.Values{${names.map((name) => `"${name}": {fmt.Sprint(data.${fieldOf(name)})}`).join(', ')}}.Encode()`,
    (about) => isShort(about) && !(about.subject.ruleText ?? '').includes('~') && isSo(about),
  );
const isSorted = (about: About) => {
  const names = fieldsIn(about).map(({ name }) => name);
  return names.join() === names.toSorted().join();
};
const absent =
  (value: string): Code =>
  (about) =>
    about.value === null ? { value } : null;
const hasLines = ({ subject }: About) => /\\u202[89]/.test(subject.ruleText ?? '');
/** Returns whether %q quotes the text of the values as JSON does. */
const isQuoted = ({ subject }: About) =>
  /^[ -~]*$/.test(subject.ruleText ?? '') && !hasLines({ subject, value: null, detail: '' });
const joinBytes = (names: readonly string[]) =>
  names.map((part) => (part === 'privateKey' ? `string(${part})` : part)).join(' + ');
const decoded = (key: string) => ({
  key,
  assign: '#, _ := @',
  join: (names: readonly string[]) => `[]byte(${joinBytes(names)})`,
});
const html = { settings: { html: true } };

const code: Readonly<Record<string, Code>> = {
  'key.from-hex': decoded('hex.DecodeString(@)'),
  'key.from-base64': decoded('base64.StdEncoding.DecodeString(@)'),
  'key.to-hex': { key: 'hex.EncodeToString([]byte(@))' },
  'key.to-base64': { key: 'base64.StdEncoding.EncodeToString([]byte(@))' },
  'key.upper': { key: 'strings.ToUpper(@)' },
  'key.lower': { key: 'strings.ToLower(@)' },
  'key.plus-to-space': decoded('url.QueryUnescape(@)'),
  'key.url-decoded': decoded('url.PathUnescape(@)'),
  ...Object.fromEntries(Object.entries(layouts).map(([name, layout]) => [`time.${name}`, { time: formatted(layout) }])),
  'time.order': ({ subject }) => ({
    time: formatted(`${/^\d{4}/.test(subject.time) ? '02-01-2006' : '2006-01-02'} 15:04:05`),
  }),
  'time.iso-z': { time: `${now}.UTC().Format(time.RFC3339)` },
  'time.go-string': { time: `${now}.UTC().Round(time.Second).String()` },
  'time.epoch-s': { time: `strconv.FormatInt(${now}.Unix(), 10)` },
  'time.epoch-ms': { time: `strconv.FormatInt(${now}.UnixMilli(), 10)` },
  'time.quoted': { time: 'strconv.Quote(@)' },
  'time.plus': { time: 'url.QueryEscape(@)' },
  'time.space-escaped': { time: 'url.PathEscape(@)' },
  'time.line-feed': { time: '@ + "\\n"' },
  'time.space-behind': { time: '@ + " "' },
  'time.space-before': { time: '" " + @' },
  'time.literal:': ({ detail }) => (detail === '02-01-2006 15:04:05' ? { time: `"${detail}"` } : null),

  'slash.escaped': { text: 'strings.ReplaceAll(@, "/", `\\/`)' },
  'slash.first-escaped': { text: 'strings.Replace(@, "/", `\\/`, 1)' },
  // Go escapes U+2028 and U+2029 in any case.
  'unicode.bare': (about) => (hasLines(about) ? null : { settings: { ascii: '' } }),
  'unicode.bare-but-lines': { settings: { ascii: '' } },
  'unicode.escaped': { settings: { ascii: '%04x' } },
  'unicode.upper': (about) => (hasControls(about) ? null : { settings: { ascii: '%04X' } }),
  'html.lower': html,
  'html.lower-bare': { settings: { html: true, ascii: '' } },
  'layout.pretty-2': { settings: { indent: '  ' } },
  'layout.pretty-4': { settings: { indent: '    ' } },
  'layout.pretty-tab': { settings: { indent: '\\t' } },

  'numbers.double': typed(isBig, () => 'float64'),
  'numbers.as-typed': asTyped,
  'numbers.whole-with-fraction': asTyped,
  'numbers.amounts-with-fraction': asTyped,
  'numbers.fraction:': asTyped,
  'numbers.amounts-text': typed(isAmount, () => 'string'),
  'numbers.as-text': asText,
  'numbers.as-text:': asText,
  'numbers.from-text': fromText,
  'numbers.from-text:': fromText,

  'members.omitempty': dropped(() => true),
  'members.empty-text-dropped': dropped(({ kind }) => kind === 'string'),
  'members.zero-dropped': dropped(isNumber),
  'members.null-dropped': dropped(isNull),
  'members.empty-to-null': declared(
    (about) => namesOf(about, isEmptyList) && {},
    (about) => ({
      made: (namesOf(about, isEmptyList) ?? [])
        .map((name) => `if data.${fieldOf(name)} == nil {\n\tdata.${fieldOf(name)} = []string{}\n}`)
        .join('\n'),
    }),
    'data',
  ),
  'members.empty-text-to-null': typed(isEmptyText, () => '*string'),
  'members.null-to-empty-text': typed(isNull, () => 'string'),
  'members.pascal-case': renamed(() => ''),
  'members.camel-case': renamed((name) => name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase())),
  'members.lower-case': renamed((name) => name.toLowerCase()),
  'members.snake-case': renamed((name) =>
    name.replace(/(?<=[a-z\d])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, (letter) => `_${letter}`).toLowerCase(),
  ),
  'members.without:': (about) => {
    const without = tagged(({ name }) => (name === about.detail ? '-' : name));
    return typeof without === 'function' ? without(about) : without;
  },
  'order.sorted': declared(() => ({ map: true })),
  'order.any': (about) => (fieldsIn(about).length === 0 ? null : { gets: 'data', right: { settings: { typed: true } } }),

  'wrap.line-feed': { settings: { line: true } },
  'wrap.carriage-return': { text: '@ + "\\r\\n"' },
  'wrap.space-behind': { text: '@ + " "' },
  'wrap.space-before': { text: '" " + @' },
  'wrap.byte-order-mark': { text: '"\\ufeff" + @' },
  'wrap.twice': (about) => (isQuoted(about) ? { text: 'fmt.Sprintf("%q", @)' } : null),
  'wrap.quoted': { text: '`"` + @ + `"`' },
  'wrap.base64': { text: 'base64.StdEncoding.EncodeToString([]byte(@))' },
  'wrap.hex': { text: 'hex.EncodeToString([]byte(@))' },
  'wrap.form-encoded': ({ subject }) => ((subject.ruleText ?? '').includes('~') ? null : { text: 'url.QueryEscape(@)' }),
  'wrap.envelope': { settings: { request: '-' } },
  'wrap.envelope-with-hash': { settings: { request: 'string' } },
  'wrap.envelope-null-hash': { settings: { request: '*string' } },
  'wrap.named': { text: '`{"data":` + @ + `}`' },
  'wrap.named-part': { text: '`"data":` + @' },
  'wrap.assigned': { text: '"data=" + @' },
  'wrap.is:null': absent('nil'),
  'wrap.is:[]': absent('[]string{}'),
  'wrap.is:{}': absent('struct{}{}'),
  'wrap.is:""': absent('""'),
  'wrap.is:false': absent('false'),
  'wrap.is:0': absent('0'),
  'wrap.go-map': declared(
    () => ({ map: true, decoded: true, print: 'fmt.Sprint(@)' }),
    () => ({ decoded: true }),
  ),
  'wrap.query': printed(
    (names) =>
      `fmt.Sprintf("${names.map((name) => `${name}=%v`).join('&')}", ${names.map((name) => `data.${fieldOf(name)}`).join(', ')})`,
    isShort,
  ),
  'wrap.query-encoded': asForm(isSorted),
  'wrap.query-encoded-sorted': asForm(() => true),
  'wrap.values:': (about) => {
    const values = printed(
      (names) =>
        `fmt.Sprintf("${names.map(() => '%v').join(about.detail)}", ${names.map((name) => `data.${fieldOf(name)}`).join(', ')})`,
      isFlat,
    );
    return typeof values === 'function' ? values(about) : values;
  },

  'digest.upper': { input: 'strings.ToUpper(@)' },
  'digest.lower': { input: 'strings.ToLower(@)' },
  'spelling.upper': { spell: 'strings.ToUpper(@)' },
  'spelling.spaces': { spell: '@ + "\\n"' },
  'spelling.decorated': { spell: '"sha256=" + @' },
  'spelling.separated': { spell: 'fmt.Sprintf("% x", @raw)' },
  'spelling.base64': { spell: 'base64.StdEncoding.EncodeToString(@raw)' },
  'spelling.base64-of-hex': { spell: 'base64.StdEncoding.EncodeToString([]byte(@))' },
  'spelling.hex-of-hex': { spell: 'hex.EncodeToString([]byte(@))' },
  'spelling.numbers': { spell: 'fmt.Sprint(@raw)' },
  'spelling.zeros-lost': { spell: 'new(big.Int).SetBytes(@raw).Text(16)' },
  'spelling.raw': { spell: 'string(@raw)' },
};

const sums = {
  md5: 'md5.Sum',
  sha1: 'sha1.Sum',
  sha224: 'sha256.Sum224',
  sha256: 'sha256.Sum256',
  sha384: 'sha512.Sum384',
  sha512: 'sha512.Sum512',
} as const;

/** Usual code in Go. Data is a struct whose fields stand in the order of the request, whole numbers as int64. */
export const go: Dialect = {
  language: 'go',
  assign: '# := @',
  names: { key: 'privateKey', time: 'timeText', signed: 'signedTime', json: 'dataText', hash: 'hashText' },
  key: 'os.Getenv("PRIVATE_KEY")',
  time: { dmy: formatted('02-01-2006 15:04:05'), ymd: formatted('2006-01-02 15:04:05') },
  utc: (text) => text.replaceAll(now, `${now}.UTC()`),
  clean: {
    breaks: 'strings.TrimRight(@, "\\r\\n")',
    blanks: 'strings.TrimSpace(@)',
    quotes: 'strings.Trim(@, `"\'`)',
    mark: 'strings.TrimPrefix(@, "\\ufeff")',
  },
  data: ({ value, subject: { form, ruleText } }) => {
    // Go has escapes of other forms for these two, until Go 1.22.
    const hasShort = /\\[bf]/.test((ruleText ?? '').replaceAll('\\\\', ''));
    const isWritten = (text: string) => isWhole(text) || String(Number(text)) === text;
    return value !== null && numbersIn(value).every(isWritten) && !hasShort && form.objects === 'kept' ? 'data' : null;
  },
  settings: ({ subject }) => ({
    typed: false,
    map: false,
    decoded: false,
    made: '',
    print: '',
    request: '',
    html: false,
    line: false,
    indent: '',
    ascii: subject.form.unicode === 'bare' ? '' : '%04x',
  }),
  encode(settings, about) {
    const { typed: isTyped, print, request, html: isHtml, line, indent, ascii } = settings;
    const types = isTyped === true && about.value !== null ? typeLines(settings, about) : [];
    if (print !== '') return { first: types, code: String(print) };
    const [envelope, value] = request === '' ? [[], '@'] : envelopeOf(String(request), about);
    const first = [...types, ...envelope, ...(ascii === '' ? [] : asciiHelper(String(ascii)))];
    const inAscii = (text: string) => (ascii === '' ? text : `ascii(${text})`);
    if (isHtml === true && indent === '' && line === false)
      return { first, steps: [`encoded, _ := json.Marshal(${value})`], code: inAscii('string(encoded)') };
    const steps = [
      'var buffer bytes.Buffer',
      'encoder := json.NewEncoder(&buffer)',
      ...(isHtml === true ? [] : ['encoder.SetEscapeHTML(false)']),
      ...(indent === '' ? [] : [`encoder.SetIndent("", "${String(indent)}")`]),
      `encoder.Encode(${value})`,
    ];
    return { first, steps, code: inAscii(line === true ? 'buffer.String()' : 'strings.TrimSuffix(buffer.String(), "\\n")') };
  },
  literal: (text) => JSON.stringify(text),
  join: (names) => (names.length === 0 ? '""' : names.join(' + ')),
  bytes: '[]byte(@)',
  digest: (algorithm, bytes, form) => {
    const sum = `${sums[algorithm]}(${bytes})`;
    if (form === 'hex') return `fmt.Sprintf("%x", ${sum})`;
    return [bytes === 'sum[:]' ? `sum = ${sum}` : `sum := ${sum}`, 'sum[:]'];
  },
  hmac: (algorithm, key, bytes, form) => [
    `mac := hmac.New(${algorithm === 'sha256' ? 'sha256.New' : `${algorithm}.New`}, ${key})`,
    `mac.Write(${bytes})`,
    form === 'hex' ? 'hex.EncodeToString(mac.Sum(nil))' : 'mac.Sum(nil)',
  ],
  upper: 'strings.ToUpper(@)',
  code,
};

/** The envelope that holds the values, with its type; `hash` is the type of its hash, if it has one. */
function envelopeOf(hash: string, { value }: About): [readonly string[], string] {
  const rows = [
    ['action', 'string'],
    ['platform', 'int'],
    ['partnerId', 'int'],
    ['time', 'string'],
    ...(value === null ? [] : [['data', 'any']]),
    ...(hash === '-' ? [] : [['hash', hash]]),
  ].map(([name = '', type = '']) => ({ name, type, tag: name }));
  const own = ['action', 'platform', 'partnerID', 'timeText', ...(value === null ? [] : ['@'])];
  const ends = hash === '-' ? [] : [hash === 'string' ? '""' : 'nil'];
  return [['type Request struct {', ...columns(rows).split('\n'), '}'], `Request{${[...own, ...ends].join(', ')}}`];
}
