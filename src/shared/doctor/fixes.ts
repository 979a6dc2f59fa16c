import { sharedLanguages } from './ranking.ts';
import { languages, type Axis, type Language, type Mistake } from './model.ts';

/** Code that does it right, and the line that it replaces, where one is usual. */
export interface Recipe {
  readonly language: Language;
  readonly replaces: string | null;
  readonly lines: readonly string[];
}

type Part = 'data' | 'time' | 'key' | 'digest';
type Lines = Readonly<Record<Language, readonly string[]>>;

const partOf: Readonly<Record<Axis, Part>> = {
  key: 'key',
  time: 'time',
  clock: 'time',
  order: 'data',
  members: 'data',
  numbers: 'data',
  slash: 'data',
  unicode: 'data',
  html: 'data',
  layout: 'data',
  wrap: 'data',
  composition: 'digest',
  digest: 'digest',
  spelling: 'digest',
};

/** The text of data in the form of the rule, characters beyond ASCII as lowercase escapes. Send that very text, too. */
const escaped: Lines = {
  php: ['$json = json_encode($data, JSON_UNESCAPED_SLASHES);'],
  node: [
    'const json = JSON.stringify(data)',
    "  .replace(/[\\u0080-\\uffff]/g, (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));",
  ],
  python: ["json_text = json.dumps(data, separators=(',', ':'))"],
  java: [
    'String json = new ObjectMapper().writeValueAsString(data); // a LinkedHashMap keeps the order',
    'StringBuilder ascii = new StringBuilder();',
    'for (char c : json.toCharArray()) ascii.append(c < 0x80 ? String.valueOf(c) : String.format("\\\\u%04x", (int) c));',
  ],
  csharp: [
    'var options = new JsonSerializerOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };',
    'var json = JsonSerializer.Serialize(data, options);',
    'var ascii = Regex.Replace(json, "[\\u0080-\\uffff]", m => "\\\\u" + ((int)m.Value[0]).ToString("x4"));',
  ],
  go: [
    'var buffer bytes.Buffer',
    'encoder := json.NewEncoder(&buffer) // a struct keeps the order',
    'encoder.SetEscapeHTML(false)',
    'err := encoder.Encode(data)',
    'text := strings.TrimSuffix(buffer.String(), "\\n") // then write each UTF-16 unit from U+0080 up as \\u%04x',
  ],
  ruby: ['json = JSON.generate(data, ascii_only: true)'],
};

/** The same where the provider keeps characters beyond ASCII as they are. */
const bare: Partial<Lines> = {
  php: ['$json = json_encode($data, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);'],
  node: ['const json = JSON.stringify(data);'],
  python: ["json_text = json.dumps(data, separators=(',', ':'), ensure_ascii=False)"],
  java: ['String json = new ObjectMapper().writeValueAsString(data); // a LinkedHashMap keeps the order'],
  ruby: ['json = JSON.generate(data)'],
};

const time: Lines = {
  php: ["$time = date('d-m-Y H:i:s');"],
  node: [
    "const two = (n) => String(n).padStart(2, '0');",
    'const d = new Date();',
    'const time = `${two(d.getUTCDate())}-${two(d.getUTCMonth() + 1)}-${d.getUTCFullYear()} `',
    '  + `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;',
  ],
  python: ["time_text = datetime.now(timezone.utc).strftime('%d-%m-%Y %H:%M:%S')"],
  java: ['String time = ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("dd-MM-yyyy HH:mm:ss"));'],
  csharp: ['var time = DateTime.UtcNow.ToString("dd-MM-yyyy HH:mm:ss", CultureInfo.InvariantCulture);'],
  go: ['timeText := time.Now().UTC().Format("02-01-2006 15:04:05")'],
  ruby: ["time = Time.now.utc.strftime('%d-%m-%Y %H:%M:%S')"],
};

const key: Lines = {
  php: ['$privateKey = trim(getenv(\'PRIVATE_KEY\'), "\\r\\n"); // the value itself: no quotes, no decoding'],
  node: ["const privateKey = process.env.PRIVATE_KEY.replace(/[\\r\\n]+$/, ''); // the value itself: no quotes, no decoding"],
  python: ["private_key = os.environ['PRIVATE_KEY'].rstrip('\\r\\n')  # the value itself: no quotes, no decoding"],
  java: ['String privateKey = System.getenv("PRIVATE_KEY").stripTrailing(); // the value itself: no quotes, no decoding'],
  csharp: ["var privateKey = Environment.GetEnvironmentVariable(\"PRIVATE_KEY\").TrimEnd('\\r', '\\n'); // the value itself"],
  go: ['privateKey := strings.TrimRight(os.Getenv("PRIVATE_KEY"), "\\r\\n") // the value itself: no quotes, no decoding'],
  ruby: ["private_key = ENV.fetch('PRIVATE_KEY').chomp # the value itself: no quotes, no decoding"],
};

const digest: Lines = {
  php: ["$hash = hash('sha256', $privateKey . $time . $json);"],
  node: ["const hash = crypto.createHash('sha256').update(privateKey + time + json, 'utf8').digest('hex');"],
  python: ["hash_text = hashlib.sha256((private_key + time_text + json_text).encode('utf-8')).hexdigest()"],
  java: [
    'byte[] bytes = (privateKey + time + json).getBytes(StandardCharsets.UTF_8);',
    'String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));',
  ],
  csharp: [
    'var bytes = SHA256.HashData(Encoding.UTF8.GetBytes(privateKey + time + json));',
    'var hash = Convert.ToHexString(bytes).ToLowerInvariant();',
  ],
  go: ['sum := sha256.Sum256([]byte(privateKey + timeText + text))', 'hash := hex.EncodeToString(sum[:])'],
  ruby: ['hash = Digest::SHA256.hexdigest(private_key + time + json)'],
};

/** The usual lines that make a mistake. */
const usual: Readonly<Record<string, Partial<Record<Language, string>>>> = {
  'slash.escaped': { php: '$json = json_encode($data);' },
  'layout.spaced': { python: 'json_text = json.dumps(data)' },
  'layout.python': { python: 'json_text = json.dumps(data)' },
  'layout.python-bare': { python: 'json_text = json.dumps(data, ensure_ascii=False)' },
  'unicode.bare': {
    node: 'const json = JSON.stringify(data);',
    java: 'String json = new ObjectMapper().writeValueAsString(data);',
  },
  'unicode.bare-but-lines': { php: '$json = json_encode($data, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);' },
  'layout.pretty-4': { php: '$json = json_encode($data, JSON_UNESCAPED_SLASHES | JSON_PRETTY_PRINT);' },
  'layout.pretty-2': { node: 'const json = JSON.stringify(data, null, 2);' },
  'html.lower': { go: 'text, err := json.Marshal(data)', ruby: 'json = data.to_json' },
  'html.lower-bare': { go: 'text, err := json.Marshal(data)', ruby: 'json = data.to_json' },
  'html.gson-bare': { java: 'String json = new Gson().toJson(data);' },
  'html.gson': { java: 'String json = new Gson().toJson(data);' },
  'html.dotnet': { csharp: 'var json = JsonSerializer.Serialize(data);' },
  'html.dotnet-all': { csharp: 'var json = JsonSerializer.Serialize(data);' },
  'time.12-hour': {
    php: "$time = date('d-m-Y h:i:s');",
    java: '… .ofPattern("dd-MM-yyyy hh:mm:ss")',
    go: '… .Format("02-01-2006 03:04:05")',
  },
  'time.java-letters': { java: '… .ofPattern("dd-mm-yyyy hh:mm:ss")', csharp: '… .ToString("dd-mm-yyyy hh:mm:ss")' },
  'time.week-year': { java: '… .ofPattern("dd-MM-YYYY HH:mm:ss")' },
  'time.order': { php: "$time = date('Y-m-d H:i:s');" },
  'time.month-for-minutes': { php: "$time = date('d-m-Y H:m:s');", python: "… .strftime('%d-%m-%Y %H:%m:%S')" },
  'digest.hmac': { php: "$hash = hash_hmac('sha256', $time . $json, $privateKey);" },
  'spelling.upper': { csharp: 'var hash = Convert.ToHexString(bytes);' },
  'spelling.separated': { csharp: 'var hash = BitConverter.ToString(bytes);' },
  'wrap.line-feed': { go: 'text := buffer.String()' },
};

/** Returns the code that does right what an explanation does wrong: the languages that usually make its mistakes first. */
export function recipesFor(way: readonly Mistake[], unicode: 'escaped' | 'bare'): Recipe[] {
  const parts = new Set(way.map(({ axis }) => partOf[axis]));
  const likely = way.flatMap((mistake) => mistake.languages);
  const ordered = [...new Set([...sharedLanguages(way), ...likely, ...languages])];
  return parts.size === 0 ? [] : ordered.map((language) => recipe(language, way, parts, unicode));
}

function recipe(language: Language, way: readonly Mistake[], parts: ReadonlySet<Part>, unicode: 'escaped' | 'bare'): Recipe {
  const data = (unicode === 'bare' ? bare[language] : undefined) ?? escaped[language];
  const lines: Readonly<Record<Part, readonly string[]>> = {
    key: key[language],
    time: time[language],
    data,
    digest: digest[language],
  };
  const replaced = way.flatMap(({ id }) => usual[id]?.[language] ?? []);
  return {
    language,
    replaces: parts.size === 1 ? (replaced[0] ?? null) : null,
    lines: (['key', 'time', 'data', 'digest'] as const).filter((part) => parts.has(part)).flatMap((part) => lines[part]),
  };
}
