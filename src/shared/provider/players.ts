/**
 * Fields that name a player in a sent or received text: `playerId` (Endpoints 4, 5, 10, 11, 13, 14; Wallet
 * player; Game launch URL parameters) and `playerIds` (Endpoints 5, 6). A player's session is named by `externalToken` (What the service does,
 * general rule 5; Endpoints 4, 9 to 14) and by `token` (Endpoints 15).
 */
const playerFields: readonly string[] = ['playerId', 'playerIds'];
const tokenFields: readonly string[] = ['externalToken', 'token'];

/** Returns whether a text may name the player in one of these fields, as a fast test before it is read. */
export function mayName(text: string, player: string): boolean {
  if (text.includes(player) || /\\u|%[0-9a-f]{2}/i.test(text)) return true;
  // Any other character may be escaped with a backslash, and a space may be a plus.
  return (/[^\w-]/.test(player) && text.includes('\\')) || player.includes(' ');
}

/**
 * Finds the values of `playerId` and `playerIds` in a text: in JSON at any depth, in JSON inside a string, in the query of a URL, in a form,
 * and in broken JSON. Whole values, so that 1234 does not contain 12; empty values are left out.
 */
export function playersIn(text: string): Set<string> {
  return valuesIn(text, playerFields);
}

/** Returns the values of `externalToken` and `token` in a text, and of the fields that a recorded answer marks as tokens. */
export function sessionTokensIn(text: string, more: readonly string[] = []): Set<string> {
  return valuesIn(text, [...tokenFields, ...more]);
}

/** Returns whether the text holds the ID as a whole word, in any field. */
export function holdsWord(text: string, player: string): boolean {
  for (let at = text.indexOf(player); at >= 0; at = text.indexOf(player, at + 1)) {
    const end = at + player.length;
    if (!inWord.test(text.slice(Math.max(0, at - 2), at)) && !fromWord.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

const inWord = /[\p{L}\p{N}_-]$/u;
const fromWord = /^[\p{L}\p{N}_-]/u;

/** Deepest nesting of JSON inside a string: a report holds a draft that holds an envelope. */
const deepest = 4;

function valuesIn(text: string, fields: readonly string[]): Set<string> {
  const found = new Set<string>();
  const wanted = fields.map((name) => name.replaceAll(/[^\w]/g, '\\$&')).join('|');
  // Matches after a `?` or `&` of a URL inside a URL, written as %3F, %26 or, deeper, %253F; the equals sign is then %3D.
  const names = new RegExp(
    `(?:(?<![\\w$.-])|(?<=%(?:25){0,4}(?:3f|26)))(?:${wanted})(?:\\[\\])?["']?\\s{0,100}(:|=|%(?:25){0,4}3d)\\s{0,100}`,
    'gi',
  );
  let now = withPlainWords(text);
  for (let depth = 0; depth < deepest; depth += 1) {
    collect(now, names, fields, found);
    if (/%[0-9a-f]{2}/i.test(now)) collect(decoded(now), names, fields, found);
    if (!now.includes('\\')) break;
    now = unescapedOnce(now);
  }
  found.delete('');
  return found;
}

function collect(text: string, names: RegExp, fields: readonly string[], found: Set<string>): void {
  for (const match of text.matchAll(names)) {
    // Percent codes may be in either case, names may not.
    if (!fields.some((field) => match[0].startsWith(field))) continue;
    const at = match.index + match[0].length;
    const sign = match[1] ?? '';
    const value = valueAt(text, at);
    if (text[at] === '[') listAt(text, at, found);
    else if (sign === ':' || value?.quoted === true) {
      if (value !== null) found.add(value.value);
    } else {
      parameterAt(text, at, sign, found);
      // In broken JSON with an equals sign, other characters end a value.
      if (sign === '=' && value !== null && !/[%+]/.test(value.value)) found.add(value.value);
    }
  }
}

function listAt(text: string, at: number, found: Set<string>): void {
  for (let next = afterSpace(text, at + 1); next < text.length && text[next] !== ']';) {
    const value = valueAt(text, next);
    if (value === null) return;
    found.add(value.value);
    next = afterSpace(text, value.end);
    if (text[next] !== ',') return;
    next = afterSpace(text, next + 1);
  }
}

const parameter = /[^\s&#"<>\\]+/y;

/** Reads the value of a parameter, up to the next `&` as written at this depth, and decodes it once for each depth. */
function parameterAt(text: string, at: number, sign: string, found: Set<string>): void {
  parameter.lastIndex = at;
  const whole = parameter.exec(text)?.[0];
  if (whole === undefined) return;
  const depth = sign === '=' ? 0 : (sign.length - 3) / 2 + 1;
  const [own = ''] = depth === 0 ? [whole] : whole.split(`%${'25'.repeat(depth - 1)}26`);
  // A form writes a space as a plus; a URL may hold a real plus.
  for (let value of new Set([own, own.replaceAll('+', ' ')])) {
    for (let turn = 0; turn <= depth; turn += 1) value = decoded(value);
    found.add(value);
  }
}

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;
const bare = /[^\s,\]}&;#"'<>\\[{]+/y;
const behind = /\s*(?:$|[,\]})&;#\\"'<>])/y;

/** Returns the value that begins at an offset, without its quotes; null if there is none. */
function valueAt(text: string, at: number): { value: string; end: number; quoted: boolean } | null {
  quoted.lastIndex = at;
  const [all, double, single] = quoted.exec(text) ?? [];
  if (all !== undefined) {
    behind.lastIndex = at + all.length;
    // If the next character cannot follow a value, the quote belongs to it, at another depth.
    return behind.test(text) ? { value: unquoted(double ?? single ?? ''), end: at + all.length, quoted: true } : null;
  }
  bare.lastIndex = at;
  const value = bare.exec(text)?.[0];
  return value === undefined || value === 'null' ? null : { value, end: at + value.length, quoted: false };
}

function afterSpace(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? '')) next += 1;
  return next;
}

function unquoted(inner: string): string {
  return inner.includes('\\') ? unescapedOnce(inner) : inner;
}

const escape = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescapedOnce(text: string): string {
  return text.replace(escape, (_, hex: string | undefined, simple: string | undefined) =>
    hex === undefined ? (controls[simple ?? ''] ?? simple ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const wordEscape = /\\u00(3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi;

/** Decodes escaped letters and digits, as in a name, and nothing else, so that every value still ends at the same character. */
function withPlainWords(text: string): string {
  return text.replace(wordEscape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Decodes a query value; keeps invalid escapes. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
