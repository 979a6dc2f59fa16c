/**
 * Where a text that was sent or received names a player, by the fields that the spec gives: `playerId` (Endpoints 4, 5, 10, 11, 13, 14; Wallet
 * player; Game launch URL parameters) and `playerIds` (Endpoints 5, 6). A player's session is named by `externalToken` (What the service does,
 * general rule 5; Endpoints 4, 9 to 14) and by `token` (Endpoints 15).
 */
const playerFields: readonly string[] = ['playerId', 'playerIds'];
const tokenFields: readonly string[] = ['externalToken', 'token'];

/** Whether a text may name the player under one of these fields: to leave out, without reading it, what cannot. */
export function mayName(text: string, player: string): boolean {
  if (text.includes(player) || /\\u|%[0-9a-f]{2}/i.test(text)) return true;
  // Any other character may stand behind a backslash, and a space as a plus.
  return (/[^\w-]/.test(player) && text.includes('\\')) || player.includes(' ');
}

/**
 * The values of `playerId` and `playerIds` in a text: in JSON at any depth, in JSON inside a string, in the query of an address, in a form, and in
 * what was typed or received as broken JSON. Each as it stands in the field, so that 12 is none of 1234; an empty one is none.
 */
export function playersIn(text: string): Set<string> {
  return valuesIn(text, playerFields);
}

/** The values of `externalToken` and `token` in a text, and of the fields that a recorded answer calls tokens. */
export function sessionTokensIn(text: string, more: readonly string[] = []): Set<string> {
  return valuesIn(text, [...tokenFields, ...more]);
}

/** Whether the text holds the ID as a word of its own, under whatever name. */
export function holdsWord(text: string, player: string): boolean {
  for (let at = text.indexOf(player); at >= 0; at = text.indexOf(player, at + 1)) {
    const end = at + player.length;
    if (!inWord.test(text.slice(Math.max(0, at - 2), at)) && !fromWord.test(text.slice(end, end + 2))) return true;
  }
  return false;
}

const inWord = /[\p{L}\p{N}_-]$/u;
const fromWord = /^[\p{L}\p{N}_-]/u;

/** JSON in a string in JSON in a string: what an envelope in a draft in a report may come to. */
const deepest = 4;

function valuesIn(text: string, fields: readonly string[]): Set<string> {
  const found = new Set<string>();
  const wanted = fields.map((name) => name.replaceAll(/[^\w]/g, '\\$&')).join('|');
  // Behind a sign of an address in an address, which is written as %3F, %26 or, deeper, %253F; such an equals sign is %3D.
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
    // The signs around a name are written in either case, the name is not.
    if (!fields.some((field) => match[0].startsWith(field))) continue;
    const at = match.index + match[0].length;
    const sign = match[1] ?? '';
    const value = valueAt(text, at);
    if (text[at] === '[') listAt(text, at, found);
    else if (sign === ':' || value?.quoted === true) {
      if (value !== null) found.add(value.value);
    } else {
      parameterAt(text, at, sign, found);
      // In broken JSON, which may write an equals sign, other signs end a value.
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

/** The value of a parameter: it ends with the next one's sign as that is written at this depth, and is decoded once for each depth. */
function parameterAt(text: string, at: number, sign: string, found: Set<string>): void {
  parameter.lastIndex = at;
  const whole = parameter.exec(text)?.[0];
  if (whole === undefined) return;
  const depth = sign === '=' ? 0 : (sign.length - 3) / 2 + 1;
  const [own = ''] = depth === 0 ? [whole] : whole.split(`%${'25'.repeat(depth - 1)}26`);
  // A form writes a space as a plus; an address may have one.
  for (let value of new Set([own, own.replaceAll('+', ' ')])) {
    for (let turn = 0; turn <= depth; turn += 1) value = decoded(value);
    found.add(value);
  }
}

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;
const bare = /[^\s,\]}&;#"'<>\\[{]+/y;
const behind = /\s*(?:$|[,\]})&;#\\"'<>])/y;

/** The value that begins at a place, without its quotes; null where none does. */
function valueAt(text: string, at: number): { value: string; end: number; quoted: boolean } | null {
  quoted.lastIndex = at;
  const [all, double, single] = quoted.exec(text) ?? [];
  if (all !== undefined) {
    behind.lastIndex = at + all.length;
    // What follows at once is no end of a value: the quote was part of it, at another depth.
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

/** With letters and digits that hide behind escapes, as in a name. Nothing else, so that every text still ends where it did. */
function withPlainWords(text: string): string {
  return text.replace(wordEscape, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** As a query writes it; what is no valid escape stays. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
