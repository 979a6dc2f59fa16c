import { amount } from '../amount.ts';
import { textOfUnits } from '../json/text-pieces.ts';
import { isSecretField, secretPart } from '../secrets/secret-names.ts';
import { tokenPaths } from './recorded-answer-shape.ts';
import { allOpenPoints } from './open-points.ts';
import { valueOf } from './recorded-answers.ts';
import type { Answers } from './model.ts';

/** Replaces a token wherever one would be shown or written. */
export const tokenMark = '[token]';
/** Replaces another secret, such as a password. */
export const secretMark = '[secret]';

/** Number of places that Croupier masked. */
export interface Masked {
  readonly tokens: number;
  readonly secrets: number;
}

/** Counts the marks in texts that Croupier masked; `[hidden]` stands for a session token of a launch. */
export function marksIn(texts: Iterable<string>): Masked {
  let [tokens, secrets] = [0, 0];
  for (const text of texts) {
    for (const [mark] of text.matchAll(/\[(?:token|secret|hidden)\]/g)) {
      if (mark === secretMark) secrets++;
      else tokens++;
    }
  }
  return { tokens, secrets };
}

/** Says what is masked. */
export function maskedText({ tokens, secrets }: Masked): string {
  if (tokens + secrets === 0) return 'Nothing is masked.';
  if (secrets === 0) return `Tokens are masked in ${amount(tokens, 'place')}.`;
  if (tokens === 0) return `Secrets are masked in ${amount(secrets, 'place')}.`;
  return `Tokens are masked in ${amount(tokens, 'place')}, other secrets in ${amount(secrets, 'place')}.`;
}

/** Returns the mark for a name that `isTokenName` accepts; a password gets another one than a token. */
export function markFor(name: string): string {
  return isSecretField(name) && !/token|(?:session|sid)$/i.test(name) ? secretMark : tokenMark;
}

/** Returns whether a name is that of a token; other secrets, such as a password, are none. */
export function namesToken(name: string, answers?: Answers): boolean {
  return isTokenName(name, answers) && markFor(name) === tokenMark;
}

/** Returns the variable of a player's session token for the fields that the spec gives one; null for any other field. */
export function sessionVariable(name: string): string | null {
  return name === 'externalToken' || name === 'token' ? 'externalToken' : null;
}

/** One shared object, so that the cache below holds its names. */
const none: Answers = {};

/**
 * Returns whether a field, a parameter of a URL or a member of a response holds a session or replay token, or another secret. The spec has token in the name
 * of every one of them; a provider's own names are those of the fields that a recorded answer gives the type token.
 */
export function isTokenName(name: string, answers: Answers = none): boolean {
  return isSecretField(name) || recordedNames(answers).has(name);
}

// Cached, because every member of a document needs them.
const namesOf = new WeakMap<Answers, ReadonlySet<string>>();

/** Returns the names of the fields that a recorded answer gives the type token. */
export function recordedNames(answers: Answers): ReadonlySet<string> {
  let names = namesOf.get(answers);
  if (names === undefined) {
    const shapes = allOpenPoints.flatMap(({ id, answer }) =>
      answer.kind === 'shape' ? (valueOf('shape', id, answers)?.shape ?? []) : [],
    );
    names = new Set(shapes.flatMap(tokenPaths).flatMap((steps) => steps.slice(-1)));
    namesOf.set(answers, names);
  }
  return names;
}

/** Returns the path of the new token in the response of /generateNewToken, from the recorded answer; null if none is recorded. */
export function newTokenPath(answers: Answers): readonly string[] | null {
  const recorded = valueOf('shape', 'generateNewToken.response', answers);
  return recorded === null ? null : (tokenPaths(recorded.shape)[0] ?? null);
}

/** A value in the query of a URL, with its offset in the text. */
interface QueryValue {
  readonly value: string;
  readonly start: number;
  /** Its replacement. */
  readonly mark: string;
}

/**
 * Finds the non-empty values in queries whose names indicate a token or another secret, also in a text around URLs. Reads every name once,
 * because a single expression would scan a long text again from each of its characters.
 */
function* tokensInQueries(text: string): Generator<QueryValue, void> {
  // A fast exit for most bodies.
  if (!text.includes('=')) return;
  const names = /(?<![^=&#;\s])([^=&#;\s]*)=/g;
  const values = /[^&#;\s"'<>]+/y;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const name = secretNameIn(found[1] ?? '', text.charAt(found.index - 1));
    if (name === null) continue;
    const start = names.lastIndex;
    values.lastIndex = start;
    const value = values.exec(text)?.[0];
    if (value === undefined) continue;
    yield { value, start, mark: markFor(name) };
    names.lastIndex = start + value.length;
  }
}

/** Returns the name of a query parameter if it indicates a token or another secret; otherwise null. `before` is the character before it. */
function secretNameIn(written: string, before: string): string | null {
  // A fragment may hold parameters, as a query does.
  const isWhole = before === '&' || before === ';' || before === '#';
  const query = written.indexOf('?');
  if (!isWhole && query === -1) return null;
  const name = asRead(isWhole ? written : written.slice(query + 1));
  return isSecretField(name) ? name : null;
}

/** Decodes a name as a browser does: `external%54oken` is the same name. */
function asRead(name: string): string {
  return name.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Levels of encoded URLs: a URL in the query of another is encoded once, and one in its query twice. */
const innerLevels = 2;

/** Finds the secrets of `tokensInQueries` and those of encoded URLs, in order and without overlaps. */
function secretsIn(text: string): QueryValue[] {
  const found = Array.from(tokensInQueries(text));
  let outer: Decoded = { text, at: (index) => index };
  for (let level = 0; level < innerLevels && outer.text.includes('%'); level++) {
    const { at } = outer;
    const inner = decodedOnce(outer.text);
    outer = { text: inner.text, at: (index) => at(inner.at(index)) };
    for (const { value, start, mark } of tokensInQueries(outer.text)) {
      const from = outer.at(start);
      found.push({ value: text.slice(from, outer.at(start + value.length)), start: from, mark });
    }
  }
  // A decoded value never ends later than its encoded form, so the value that begins first is the longest.
  found.sort((one, other) => one.start - other.start || other.value.length - one.value.length);
  let end = 0;
  return found.filter(({ start, value }) => {
    if (start < end) return false;
    end = start + value.length;
    return true;
  });
}

/** A decoded text with its offsets in the original. */
interface Decoded {
  readonly text: string;
  at(index: number): number;
}

/** Decodes percent codes of ASCII characters, which delimit a URL. Skips characters that end a URL in a text but not an encoded one. */
function decodedOnce(text: string): Decoded {
  /** Offsets of the decoded characters. */
  const places: number[] = [];
  // In a text of nothing else, a call for each of them takes ten times as long.
  const units = new Uint16Array(text.length);
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    if (unit === 0x25) {
      const code = asciiCode(text.charCodeAt(at + 1), text.charCodeAt(at + 2));
      if (code !== -1) {
        places.push(used);
        unit = endsUrl(code) ? 0x5f : code;
        at += 2;
      }
    }
    units[used++] = unit;
  }
  const decoded = textOfUnits(units.subarray(0, used));
  return {
    text: decoded,
    at(index) {
      let [low, high] = [0, places.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((places[middle] ?? 0) < index) low = middle + 1;
        else high = middle;
      }
      return index + 2 * low;
    },
  };
}

/** Reads two hexadecimal digits; -1 if they are none, or no ASCII character. */
function asciiCode(high: number, low: number): number {
  if (!(high >= 0x30 && high <= 0x37)) return -1;
  const letter = low | 0x20;
  if (low >= 0x30 && low <= 0x39) return (high - 0x30) * 16 + low - 0x30;
  return letter >= 0x61 && letter <= 0x66 ? (high - 0x30) * 16 + letter - 0x57 : -1;
}

/** White space, quotes and angle brackets. */
function endsUrl(code: number): boolean {
  return (code >= 0x09 && code <= 0x0d) || code === 0x20 || code === 0x22 || code === 0x27 || code === 0x3c || code === 0x3e;
}

/** Masks every query value whose name indicates a token or another secret, also in URLs inside the URL. */
export function maskUrlTokens(url: string): string {
  let masked = '';
  let at = 0;
  for (const { value, start, mark } of secretsIn(url)) {
    masked += url.slice(at, start) + mark;
    at = start + value.length;
  }
  return masked + url.slice(at);
}

/** Returns the secrets in the query of a URL and of URLs inside it, as written and decoded, each with its replacement. */
export function urlTokens(url: string): { readonly value: string; readonly mark: string }[] {
  return secretsIn(url).flatMap(({ value, mark }) => {
    const forms = [value];
    try {
      for (let level = 0, form = value.replaceAll('+', ' '); level <= innerLevels; level++) {
        form = decodeURIComponent(form);
        if (level === 0 || form !== forms.at(-1)) forms.push(form);
      }
    } catch {
      // Stop: the rest is not a valid encoding.
    }
    return forms.map((form) => ({ value: form, mark }));
  });
}

/** A part of a text, by UTF-16 offsets; the end is exclusive. */
interface TokenPlace {
  readonly start: number;
  readonly end: number;
}

/** The name of a member and what begins its value, at any depth of texts within texts; or of a line of YAML or a header, where a sentence has spaces. */
const names =
  /(?<![\w.$ -])(?<quote>\\{0,7}["'])?(?<name>[\w.$ -]{1,120})\k<quote>\s*:\s*(?<open>\\{0,7}["']|(?=-?\d))|^[ \t-]*(?<bare>[\w.$-]{1,120}):[ \t]*(?=[^\s"'\\])/gm;

/** Most characters of a value that are read for a token. */
const longestToken = 8_192;

function endOfValue(rest: string, quote: string): number {
  const end = quote === '' ? /[^\d.eE+-]|$/ : new RegExp(`(?<!\\\\)${quote.replaceAll('\\', '\\\\')}|\\n|$`);
  return rest.search(end);
}

/**
 * Finds the tokens and other secrets of a text by the names before them, in JSON, texts within it, YAML, headers and addresses, and the values in
 * `known` wherever they stand. Where the text breaks off, a value ends with the line. The places may overlap; variables and masks are none.
 */
export function tokenPlaces(text: string, known: Iterable<string> = []): TokenPlace[] {
  const places: TokenPlace[] = [];
  const add = (start: number, value: string) => {
    if (secretPart('token', value) !== null) places.push({ start, end: start + value.length });
  };
  for (const { 0: head, index, groups = {} } of text.matchAll(names)) {
    const { name, open, bare } = groups;
    if (!isSecretField((bare ?? name ?? '').trim())) continue;
    const start = index + head.length;
    const rest = text.slice(start, start + longestToken);
    add(start, bare !== undefined ? (/^.*/.exec(rest)?.[0] ?? '') : rest.slice(0, endOfValue(rest, open ?? '')));
  }
  for (const { value, start } of secretsIn(text)) add(start, value);
  for (const value of known)
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) add(at, value);
  return places;
}
