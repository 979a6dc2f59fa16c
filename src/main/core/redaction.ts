/** Makes texts fit to be shown or logged: every form of a protected secret becomes `[hidden]`. */
export interface Redaction {
  /** Knows the secret from now on; the function given back forgets it. */
  protect(secret: string): () => void;
  redact(text: string): string;
  /** Whether the text holds a protected secret in any of its forms. Made for megabytes. */
  holds(text: string): boolean;
}

const mark = '[hidden]';
/** A secret of fewer UTF-8 bytes would turn half of every text into marks and hide nothing that could not be tried out. */
const shortest = 4;
/** JSON text inside JSON text, six deep, writes a quote with 63. */
const mostBackslashes = 63;

/** What to look for, one character after the other, each in any of its spellings. */
interface Form {
  readonly characters: readonly string[];
  /** Another character that may stand for this one. */
  readonly otherwise: (character: string) => string | undefined;
  /** UTF-16 units with which a spelling of the first character may begin. */
  readonly starts: ReadonlySet<number>;
  /** UTF-16 units that may follow the backslashes of such a spelling; null for any, where the secret itself begins with one. */
  readonly escapes: ReadonlySet<number> | null;
}

const backslash = 0x5c;
const letterU = 0x75;
const openBrace = 0x7b;

/** What the backslashes that begin at `at` escape, as far as they belong to one escape: a UTF-16 unit, that of `\u00e9` too. */
function escapedUnit(text: string, at: number): number {
  let end = at;
  while (end - at < mostBackslashes && text.charCodeAt(end) === backslash) end++;
  const unit = text.charCodeAt(end);
  if (unit !== letterU || text.charCodeAt(end + 1) === openBrace) return unit;
  const code = Number.parseInt(text.slice(end + 1, end + 5), 16);
  return Number.isNaN(code) ? unit : code;
}

/**
 * A redaction that knows a secret raw, JSON-escaped (JavaScript's and PHP's ways, also JSON inside JSON), percent-encoded, in base64 and
 * base64url at any place of a longer encoded text, in hexadecimal, in the quotes of JavaScript, PHP, Python and the shell, as HTML, and each
 * of these mixed within one text. It does not know forms that nobody here writes, such as base64 broken into lines.
 *
 * It protects only where the secret is: a process that holds a key, for as long as it holds it. The main process therefore
 * has nothing to redact with after a key was handed to the key agent; it logs no inputs, and errors that come from the agent
 * were redacted there.
 */
export function createRedaction(): Redaction {
  const known = new Map<symbol, readonly Form[]>();
  return {
    protect(secret) {
      const id = Symbol();
      if (Buffer.byteLength(secret, 'utf8') >= shortest) known.set(id, formsOf(secret));
      return () => void known.delete(id);
    },
    redact(text) {
      let clean = '';
      let at = 0;
      for (;;) {
        const found = findFrom(text, at);
        if (found === null) return clean + text.slice(at);
        clean += text.slice(at, found.start) + mark;
        at = found.end;
      }
    },
    holds: (text) => findFrom(text, 0) !== null,
  };

  /** The first place from `at` on where a form stands, as long as the longest that stands there. */
  function findFrom(text: string, at: number): { start: number; end: number } | null {
    const forms = [...known.values()].flat();
    const starts = new Set(forms.flatMap((form) => [...form.starts]));
    for (let start = at; start < text.length; start++) {
      const unit = text.charCodeAt(start);
      if (!starts.has(unit)) continue;
      let end = -1;
      // Most backslashes of a text begin nothing: they are let go before anything is tried.
      const escaped = unit === backslash ? escapedUnit(text, start) : null;
      for (const form of forms) {
        if (!form.starts.has(unit) || (escaped !== null && form.escapes?.has(escaped) === false)) continue;
        end = Math.max(end, endOf(form, text, start));
      }
      if (end !== -1) return { start, end };
    }
    return null;
  }
}

// No regular expression is made of a secret: one that cannot be compiled is quoted whole in the error.
function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms: Form[] = [
    formOf(Array.from(secret), () => undefined),
    formOf(Array.from(bytes.toString('hex')), (digit) => digit.toUpperCase()),
  ];
  // Inside a longer text the secret starts at any of three places within base64's groups of three bytes. Characters that also carry
  // bits of a neighbour are left: each tells at most four bits.
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const own = whole.toString('base64').slice(offset === 0 ? 0 : offset + 1, Math.floor((whole.length * 8) / 6));
    forms.push(formOf(Array.from(own), (character) => ({ '+': '-', '/': '_' })[character]));
  }
  return forms;
}

function formOf(characters: readonly string[], otherwise: Form['otherwise']): Form {
  const first = characters[0] ?? '';
  const own = [first, otherwise(first) ?? ''];
  const units = (texts: readonly string[]) => new Set(texts.filter((text) => text !== '').map((text) => text.charCodeAt(0)));
  return {
    characters,
    otherwise,
    starts: units([...own, '%', '\\', '&', first === ' ' ? '+' : '']),
    escapes: first === '\\' ? null : units([...own, 'u', 'U', 'x', 'X', '0', '1', '2', '3', shortEscapes[first] ?? '']),
  };
}

/** Where the longest occurrence of the form that begins at `at` ends; -1 where none does. */
function endOf(form: Form, text: string, at: number): number {
  // Several ends at once: of four backslashes in the text, one or all four may stand for one in the secret.
  let ends = new Set([at]);
  for (const character of form.characters) {
    const next = new Set<number>();
    const other = form.otherwise(character);
    for (const end of ends) {
      addSpellings(character, text, end, next);
      if (other !== undefined && text.startsWith(other, end)) next.add(end + other.length);
    }
    if (next.size === 0) return -1;
    ends = next;
  }
  return Math.max(...ends);
}

const shortEscapes: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v' };
/** How a single quote is written inside the single quotes of a shell. */
const shellQuotes = ["'\\''", `'"'"'`];
const namedEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Adds to `ends` where each spelling of the character that begins at `at` ends. */
function addSpellings(character: string, text: string, at: number, ends: Set<number>): void {
  if (text.startsWith(character, at)) ends.add(at + character.length);
  if (character === ' ' && text[at] === '+') ends.add(at + 1);
  if (character === "'") for (const quote of shellQuotes) if (text.startsWith(quote, at)) ends.add(at + quote.length);
  if (text[at] === '%') {
    const percent = Array.from(Buffer.from(character, 'utf8'), (byte) => `%${hexadecimal(byte, 2)}`).join('');
    if (text.slice(at, at + percent.length).toLowerCase() === percent) ends.add(at + percent.length);
  }
  if (text[at] === '&') addEntities(character, text, at, ends);
  if (text[at] !== '\\') return;
  for (let after = at + 1; after <= at + mostBackslashes && text[after - 1] === '\\'; after++) {
    if (text.startsWith(character, after)) ends.add(after + character.length);
    const short = shortEscapes[character];
    if (short !== undefined && text[after] === short) ends.add(after + 1);
    const mayBe = text[after] === 'U' || (text[after] === 'u' && text[after + 1] === '{');
    const codePoint = mayBe ? codePointEscape.exec(text.slice(after, after + 12)) : null;
    if (codePoint !== null && Number.parseInt(codePoint[1] ?? codePoint[2] ?? '', 16) === character.codePointAt(0))
      ends.add(after + codePoint[0].length);
  }
  if (byteEscape.test(text.slice(at, at + mostBackslashes + 1))) addEscapedBytes(character, text, at, ends);
  const escaped = endOfEscapedUnits(character, text, at);
  if (escaped !== -1) ends.add(escaped);
}

const byteEscape = /^\\+[xX0-3]/;
/** After the backslash: `u{e9}` (PHP, JavaScript) or `U000000e9` (Python). */
const codePointEscape = /^(?:u\{([0-9a-f]{1,6})\}|U([0-9a-f]{8}))/i;

function addEntities(character: string, text: string, at: number, ends: Set<number>): void {
  const named = namedEntities[character];
  if (named !== undefined && text.startsWith(named, at)) ends.add(at + named.length);
  const numbered = /^&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/i.exec(text.slice(at, at + 12));
  if (numbered === null) return;
  const [whole, hexDigits, digits = ''] = numbered;
  const code = hexDigits === undefined ? Number(digits) : Number.parseInt(hexDigits, 16);
  if (code === character.codePointAt(0)) ends.add(at + whole.length);
}

/** For `\u00e9`, two of them for a character outside the basic plane; -1 where the text has something else. */
function endOfEscapedUnits(character: string, text: string, at: number): number {
  let end = at;
  for (let unit = 0; unit < character.length; unit++) {
    const from = end;
    while (text[end] === '\\' && end - from < mostBackslashes) end++;
    if (end === from || text[end] !== 'u') return -1;
    if (text.slice(end + 1, end + 5).toLowerCase() !== hexadecimal(character.charCodeAt(unit), 4)) return -1;
    end += 5;
  }
  return end;
}

/** Adds where `\xc3\xa9`, `\303\251` or `\0303\0251` ends: one escape for each byte of the character. */
function addEscapedBytes(character: string, text: string, at: number, ends: Set<number>): void {
  let reached = [at];
  for (const byte of Buffer.from(character, 'utf8')) {
    const octal = byte.toString(8).padStart(3, '0');
    // Several: `\0000` is a NUL in four digits, or in three before a zero.
    const next: number[] = [];
    for (const from of reached) {
      let end = from;
      while (text[end] === '\\' && end - from < mostBackslashes) end++;
      if (end === from) continue;
      for (const spelling of [`x${hexadecimal(byte, 2)}`, octal, `0${octal}`])
        if (text.slice(end, end + spelling.length).toLowerCase() === spelling) next.push(end + spelling.length);
    }
    reached = next;
  }
  for (const end of reached) ends.add(end);
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
