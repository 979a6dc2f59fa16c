/** Largest response of any environment, in bytes: Croupier holds it whole, writes it in one step, and reads it. */
export const mostBytes = 20_971_520;
/** Deepest nesting of arrays and objects that Croupier reads. The JSON parser has the same limit. */
export const mostDepth = 1_000;
/** Most values of one JSON text: room for 20,000 games with 50 bets each. A parsed value takes up to 300 bytes of memory. */
export const mostValues = 1_200_000;

/** Nesting of brackets, and an upper bound of the number of values. */
export interface JsonMeasure {
  readonly depth: number;
  readonly values: number;
}

/** Measures JSON as its bytes arrive, before parsing. */
export interface JsonMeter {
  add(bytes: Uint8Array): void;
  readonly measure: JsonMeasure;
}

const quote = 0x22;
const backslash = 0x5c;
/** Meaning of each byte outside strings. */
const kinds = new Uint8Array(256);
const [opens, closes, separates] = [1, 2, 3];
for (const byte of [0x5b, 0x7b]) kinds[byte] = opens;
for (const byte of [0x5d, 0x7d]) kinds[byte] = closes;
kinds[0x2c] = separates;

/** Looks at each byte once and skips strings. For a text that is not JSON the measure has no meaning. */
export function createJsonMeter(): JsonMeter {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inString = false;
  let escaped = false;
  return {
    add(bytes) {
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inString = false;
          continue;
        }
        if (byte === quote) {
          inString = true;
          continue;
        }
        const kind = kinds[byte];
        if (kind === 0) continue;
        if (kind === opens) {
          depth++;
          values++;
          if (depth > deepest) deepest = depth;
        } else if (kind === closes) depth--;
        else values++;
      }
    },
    get measure() {
      return { depth: deepest, values };
    },
  };
}

export function measureJson(bytes: Uint8Array): JsonMeasure {
  const meter = createJsonMeter();
  meter.add(bytes);
  return meter.measure;
}

/** Most of each measure of a text, and what to do about one beyond it. `line`: bytes of one line; `characters`: UTF-16 units. */
export interface Limits extends Measured {
  readonly advice: string;
}
export type Measured = { readonly [Name in keyof typeof units | 'depth']?: number };

const units = { bytes: 'bytes', line: 'bytes', lines: 'lines', characters: 'characters', values: 'values' } as const;

/**
 * Says which measure of a text is beyond its limit, as what follows the text's name; null if none is. Infinity is a measure that was taken
 * only up to the limit.
 */
export function overLimit(limits: Limits, measured: Measured): string | null {
  for (const name of ['bytes', 'line', 'lines', 'characters', 'depth', 'values'] as const) {
    const [has, most] = [measured[name] ?? 0, limits[name] ?? Number.POSITIVE_INFINITY];
    // Git has no size of an object that is missing.
    if (has <= most || Number.isNaN(has)) continue;
    const isCounted = Number.isFinite(has);
    const compared = isCounted ? `; Croupier reads at most ${counted(most)}` : '';
    const about = name === 'values' && isCounted ? 'about ' : '';
    const what =
      name === 'depth'
        ? isCounted
          ? `is nested ${counted(has)} levels deep`
          : `is nested deeper than ${counted(most)} levels`
        : `has ${isCounted ? about + counted(has) : `more than ${counted(most)}`} ${units[name]}`;
    return `${what}${compared}. ${limits.advice}`.trimEnd();
  }
  return null;
}

/** Says that a text of so many bytes is too long to read, as `excessOf` does; null if it is not. */
export function lengthExcess(bytes: number, subject: string, advice: string): string | null {
  return notRead(subject, { bytes }, advice);
}

/**
 * Says why a text is too large to read, for a `subject` such as "The response"; null if it is within the limits. `advice` says what to do.
 * If the text does not begin as an array or an object, only its length counts: it is one value, or not JSON.
 */
export function excessOf(bytes: Uint8Array, subject: string, advice: string): string | null {
  // Too short for so many brackets or commas.
  if (bytes.length <= mostDepth) return null;
  const tooLong = lengthExcess(bytes.length, subject, advice);
  return tooLong ?? (beginsNested(bytes) ? notRead(subject, measureJson(bytes), advice) : null);
}

function notRead(subject: string, measured: Measured, advice: string): string | null {
  const excess = overLimit({ bytes: mostBytes, depth: mostDepth, values: mostValues, advice }, measured);
  return excess === null ? null : `${subject} was not read: it ${excess}`;
}

function counted(value: number): string {
  return value.toLocaleString('en');
}

function beginsNested(bytes: Uint8Array): boolean {
  // A byte order mark may come first.
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return kinds[bytes[at] ?? 0] === opens;
}

/** Subject and advice for a response that is not read. */
export const responseSubject = 'The response';
export const unreadAdvice = 'Save it to a file and read it there.';
