/** Makes texts fit to be shown or logged: every form of a protected secret becomes `[hidden]`. */
export interface Redaction {
  /** Knows the secret from now on; the function given back forgets it. */
  protect(secret: string): () => void;
  redact(text: string): string;
}

const mark = '[hidden]';
/** A secret of fewer UTF-8 bytes would turn half of every text into marks and hide nothing that could not be tried out. */
const shortest = 4;
/** JSON text inside JSON text inside JSON text writes a quote with seven. */
const mostBackslashes = 7;

/** What to look for, one character after the other, each in any of its spellings. */
interface Form {
  readonly characters: readonly string[];
  /** Another character that may stand for this one. */
  readonly otherwise: (character: string) => string | undefined;
}

/**
 * A redaction that knows a secret raw, JSON-escaped (JavaScript's and PHP's ways, also JSON inside JSON), percent-encoded, in base64 and
 * base64url at any place of a longer encoded text, in hexadecimal, and each of these mixed within one text. It does not
 * know forms that nobody here writes, such as base64 broken into lines. Meant for messages, not for megabytes.
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
      const forms = [...known.values()].flat();
      let clean = '';
      let at = 0;
      while (at < text.length) {
        const from = at;
        const end = Math.max(...forms.map((form) => endOf(form, text, from)), -1);
        clean += end === -1 ? text.charAt(at) : mark;
        at = end === -1 ? at + 1 : end;
      }
      return clean;
    },
  };
}

// No regular expression is made of a secret: one that cannot be compiled is quoted whole in the error.
function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms: Form[] = [
    { characters: Array.from(secret), otherwise: () => undefined },
    { characters: Array.from(bytes.toString('hex')), otherwise: (digit) => digit.toUpperCase() },
  ];
  // Inside a longer text the secret starts at any of three places within base64's groups of three bytes. Characters that also carry
  // bits of a neighbour are left: each tells at most four bits.
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const own = whole.toString('base64').slice(offset === 0 ? 0 : offset + 1, Math.floor((whole.length * 8) / 6));
    forms.push({ characters: Array.from(own), otherwise: (character) => ({ '+': '-', '/': '_' })[character] });
  }
  return forms;
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

const shortEscapes: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' };

/** Adds to `ends` where each spelling of the character that begins at `at` ends. */
function addSpellings(character: string, text: string, at: number, ends: Set<number>): void {
  if (text.startsWith(character, at)) ends.add(at + character.length);
  if (character === ' ' && text[at] === '+') ends.add(at + 1);
  if (text[at] === '%') {
    const percent = Array.from(Buffer.from(character, 'utf8'), (byte) => `%${hexadecimal(byte, 2)}`).join('');
    if (text.slice(at, at + percent.length).toLowerCase() === percent) ends.add(at + percent.length);
  }
  for (let after = at + 1; after <= at + mostBackslashes && text[after - 1] === '\\'; after++) {
    if (text.startsWith(character, after)) ends.add(after + character.length);
    const short = shortEscapes[character];
    if (short !== undefined && text[after] === short) ends.add(after + 1);
  }
  const escaped = endOfEscapedUnits(character, text, at);
  if (escaped !== -1) ends.add(escaped);
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

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
