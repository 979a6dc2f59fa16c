import { isSecretField } from '../secrets/secret-names.ts';
import { tokenPaths } from './answer-shape.ts';
import { specGaps } from './gaps.ts';
import { valueOf } from './recorded.ts';
import type { Answers } from './model.ts';

/** Stands for a token wherever one would be shown or written. */
export const tokenMark = '[token]';
/** Stands for another secret, such as a password. */
const secretMark = '[secret]';

/** What stands for a value under that name, which `isTokenName` knows: a password is no token. */
export function markFor(name: string): string {
  return isSecretField(name) && !/token/i.test(name) ? secretMark : tokenMark;
}

/** One for all, so that what follows from it is found once. */
const none: Answers = {};

/**
 * Whether a field, a parameter of a URL or a member of a response holds a session or replay token, or another secret. The spec has token in the name
 * of every one of them; a provider's own names are those of the fields that a recorded answer gives the type token.
 */
export function isTokenName(name: string, answers: Answers = none): boolean {
  return isSecretField(name) || recordedNames(answers).has(name);
}

// Asked for every member of a document.
const namesOf = new WeakMap<Answers, ReadonlySet<string>>();

/** The names of the fields that a recorded answer gives the type token. */
export function recordedNames(answers: Answers): ReadonlySet<string> {
  let names = namesOf.get(answers);
  if (names === undefined) {
    const shapes = specGaps.flatMap(({ id, answer }) =>
      answer.kind === 'shape' ? (valueOf('shape', id, answers)?.shape ?? []) : [],
    );
    names = new Set(shapes.flatMap(tokenPaths).flatMap((steps) => steps.slice(-1)));
    namesOf.set(answers, names);
  }
  return names;
}

/** Where the response of /generateNewToken holds the new token, by the recorded answer; null where none is on record. */
export function newTokenPath(answers: Answers): readonly string[] | null {
  const recorded = valueOf('shape', 'generateNewToken.response', answers);
  return recorded === null ? null : (tokenPaths(recorded.shape)[0] ?? null);
}

/** A value in the query of an address, with its place in the text. */
interface QueryValue {
  readonly value: string;
  readonly start: number;
  /** What is to stand for it. */
  readonly mark: string;
}

/**
 * The values whose names speak of a token or another secret, also in a text around addresses. An empty value is none. Every name is looked at once, from its
 * beginning: one expression for all of it would look through a long text again from each of its characters.
 */
function* tokensInQueries(text: string): Generator<QueryValue, void> {
  // Most bodies.
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

/** A name in a query, of what stands there, if it speaks of a token or another secret; else null. `before` is the character in front of it. */
function secretNameIn(written: string, before: string): string | null {
  // A fragment may hold parameters as a query does.
  const isWhole = before === '&' || before === ';' || before === '#';
  const query = written.indexOf('?');
  if (!isWhole && query === -1) return null;
  const name = asRead(isWhole ? written : written.slice(query + 1));
  return isSecretField(name) ? name : null;
}

/** A browser reads `external%54oken` as the same name. */
function asRead(name: string): string {
  return name.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** An address in the query of another one is encoded, and one in the query of that one twice. */
const innerLevels = 2;

/** The same as `tokensInQueries`, and those of addresses that stand encoded in a text; in order and apart. */
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
  // Decoded, a value ends earlier or at the same place: what begins first is the longest.
  found.sort((one, other) => one.start - other.start || other.value.length - one.value.length);
  let end = 0;
  return found.filter(({ start, value }) => {
    if (start < end) return false;
    end = start + value.length;
    return true;
  });
}

/** A text with its places in the one that it was made of. */
interface Decoded {
  readonly text: string;
  at(index: number): number;
}

/** Decodes what stands for one character of ASCII: that is what parts an address. What would end one in a text ends none that is encoded. */
function decodedOnce(text: string): Decoded {
  /** Where a decoded character stands in the result. */
  const places: number[] = [];
  const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, code: string, at: number) => {
    places.push(at - 2 * places.length);
    const character = String.fromCharCode(parseInt(code, 16));
    return /[\s"'<>]/.test(character) ? '_' : character;
  });
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

/** The address with every query value masked whose name speaks of a token or another secret, those of addresses inside of it, too. */
export function maskUrlTokens(url: string): string {
  let masked = '';
  let at = 0;
  for (const { value, start, mark } of secretsIn(url)) {
    masked += url.slice(at, start) + mark;
    at = start + value.length;
  }
  return masked + url.slice(at);
}

/** The secrets in an address's query and in addresses inside of it, as they stand there and decoded, each with what is to stand for it. */
export function urlTokens(url: string): { readonly value: string; readonly mark: string }[] {
  return secretsIn(url).flatMap(({ value, mark }) => {
    const forms = [value];
    try {
      for (let level = 0, form = value.replaceAll('+', ' '); level <= innerLevels; level++) {
        form = decodeURIComponent(form);
        if (level === 0 || form !== forms.at(-1)) forms.push(form);
      }
    } catch {
      // No further: what is left is no encoding.
    }
    return forms.map((form) => ({ value: form, mark }));
  });
}
