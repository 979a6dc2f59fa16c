import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { parseJson, type JsonObject } from '#shared/json/parse.ts';
import type { Fidelity } from '#shared/ipc/index.ts';
import { chatMark, copiedLayer, straightenJson, unescapeHtml } from '../read/chat-text.ts';
import { decodeBase64, unescapePercent, unescapeUntil, type Unescaped } from './escapes.ts';
import { readLiteral, type Notation, type ReadTree } from './literals.ts';
import { go, java, readPrintR, readUnquoted, readVarDump } from './printed.ts';
import type { Tree } from './tree.ts';
import type { Work } from './work.ts';

/** A text below one layer of the text around it. */
export interface Below {
  readonly text: string;
  readonly layer: string;
  readonly fidelity: Fidelity;
}

/** A part of a text that holds something structured; offsets are UTF-16. */
export type Segment = { readonly start: number; readonly end: number } & (
  | {
      readonly kind: 'json';
      readonly root: JsonObject;
      readonly text: string;
      /** Offset in `text` at which it was truncated. */
      readonly cutAt: number | null;
      /** Texts if a layer more is undone, each likelier or less likely than the one here. */
      readonly below: readonly (Below & { readonly isLikelier: boolean })[];
    }
  | { readonly kind: 'tree'; readonly tree: Tree; readonly layer: string; readonly fidelity: Fidelity }
  /** Several if it can be read in several ways, likeliest first. */
  | { readonly kind: 'texts'; readonly texts: readonly Below[] }
);

/** Digits of an escaped quote do not belong to the text behind it. */
const afterEscape = String.raw`(?<=(?:%|\\x)[0-9A-Fa-f]{2})`;

/** Everything that may begin a segment. */
const opener = new RegExp(
  [
    String.raw`\{`,
    String.raw`%(?:25){0,3}7[Bb]`,
    String.raw`\b7[Bb](?:0[AaDd]|20|09){0,40}22[0-9A-Fa-f]{20}`,
    String.raw`(?:\b|${afterEscape})(?:eyJ|eyA|ewo|ewk|ew0K)[A-Za-z0-9+/_-]{20}`,
    String.raw`(?:(?<![A-Za-z0-9+/_-])|${afterEscape})[A-Za-z0-9+/]{80}`,
    String.raw`\b(?:stdClass::__set_state|Array|array|map\[)`,
    String.raw`\(object\) ?(?:array|\[)`,
    String.raw`\[\s{0,20}'`,
    String.raw`\b[A-Za-z_$][\w$.]{0,60}(?=[([][A-Za-z_]\w{0,60}=)`,
    String.raw`\bobject\(`,
    String.raw`\b[A-Za-z_][\w\\]{0,60} Object(?=\s{1,100}\()`,
    String.raw`&(?:quot|#34|#x22);`,
    String.raw`\\x(?:0[AaDd9]|22|5[Cc])`,
  ].join('|'),
  'g',
);

const mostSegments = 2_000;
/** Characters before an opener that may belong to its segment. */
const longestStart = 2_000;

/** Finds the structured parts of a text from left to right; each begins behind the one before. */
export function segmentsOf(text: string, work: Work): Segment[] {
  const segments: Segment[] = [];
  work.spend(text.length);
  opener.lastIndex = 0;
  let from = 0;
  while (segments.length < mostSegments && !work.over) {
    opener.lastIndex = from;
    const found = opener.exec(text);
    if (found === null) break;
    const segment = readSegment(text, found.index, found[0], work);
    if (segment !== null) segments.push(segment);
    from = segment === null ? found.index + 1 : Math.max(segment.end, found.index + 1);
  }
  return segments;
}

function readSegment(text: string, at: number, found: string, work: Work): Segment | null {
  if (found === '{') return readBrace(text, at, work);
  // What nginx escaped before anything else that is known: a line feed, a quote.
  if (found.startsWith('\\')) return readEscaped(text, at, work);
  if (found.startsWith('%')) return readPercent(text, at, work);
  if (found.startsWith('e')) return readBase64(text, at, work) ?? unquoted(text, at, java, work);
  if (/^7b(?:0[ad]|20|09)*22/i.test(found)) return readDigits(text, at, work);
  if (found.length === 80) return readBase64(text, at, work);
  if (found.startsWith('&')) return readHtml(text, at, work);
  if (found === 'map[') return unquoted(text, at, go, work) ?? literal(text, at, 'python', work, 'Go %#v');
  if (found.startsWith('(') || found.startsWith('[') || found.endsWith('__set_state')) return literal(text, at, 'php', work);
  if (found === 'Array' || found === 'array' || found === 'object(' || found.endsWith(' Object')) {
    return (
      asTree(readPrintR(text, at, work), at, 'PHP print_r', 'lossy') ??
      asTree(readVarDump(text, at, work), at, 'PHP var_dump', 'reencoded') ??
      literal(text, at, 'php', work)
    );
  }
  return literal(text, at, 'python', work) ?? unquoted(text, at, java, work);
}

function asTree(read: ReadTree | null, start: number, layer: string, fidelity: Fidelity): Segment | null {
  return read === null ? null : { kind: 'tree', start, end: read.end, tree: read.tree, layer, fidelity };
}

const notations: Readonly<Record<Notation, readonly [layer: string, fidelity: Fidelity]>> = {
  php: ['PHP var_export', 'reencoded'],
  perl: ['Perl Data::Dumper', 'lossy'],
  python: ['Python repr', 'reencoded'],
  javascript: ['Node inspect', 'lossy'],
  ruby: ['Ruby hash', 'reencoded'],
};

/** A literal with names in it; a word or a number alone is none. */
function literal(text: string, at: number, notation: Notation, work: Work, named?: string): Segment | null {
  const read = readLiteral(text, at, notation, work);
  const [layer, fidelity] = notations[notation];
  return read?.tree.kind === 'object' && read.tree.entries.length > 0 ? asTree(read, at, named ?? layer, fidelity) : null;
}

function unquoted(text: string, at: number, separators: typeof go, work: Work): Segment | null {
  return asTree(readUnquoted(text, at, separators, work), at, separators === go ? 'Go %+v' : 'Java toString', 'lossy');
}

/** Matches a brace and a quote that are escaped once or several times, in any of the ways. */
const escapedBrace = /^\{(?:[ \t]|\\(?:\\|x5[Cc]|u005[Cc])*(?:[nrt]|x0[AaDd9])){0,60}\\(?:\\|x5[Cc]|u005[Cc])*(?:"|x22|u0022)/;

/** Reads what begins with a brace: the next characters decide who may have written it. */
function readBrace(text: string, at: number, work: Work): Segment | null {
  const rest = text.slice(at, at + 200);
  const after = /^\{(?:[ \t\r\n]){0,100}/.exec(rest)?.[0].length ?? 1;
  const next = rest.slice(after, after + 1);
  if (escapedBrace.test(rest)) return readEscaped(text, at, work);
  if (rest.startsWith('{""') && !/^\{""\s{0,10}:/.test(rest)) return readCsv(text, at, work);
  if (text.charAt(at - 1) === "'") {
    const quoted = readSingleQuoted(text, at, work);
    if (quoted !== null) return quoted;
  }
  if (next === '"') {
    if (/^\{\s{0,100}"[^"\n]{0,80}"\s?=>/.test(rest)) return literal(text, at, 'ruby', work);
    return readJson(text, at, work) ?? literal(text, at, 'python', work);
  }
  if (next === '}') return readJson(text, at, work);
  if (chatMark.test(next)) return readChat(text, at, work);
  if (next === "'") return literal(text, at, /^\{\s{0,100}'[^'\n]{0,80}'\s{0,20}=>/.test(rest) ? 'perl' : 'python', work);
  if (next === ':') return literal(text, at, 'ruby', work);
  const [, mark = ''] = /^[A-Za-z_$][\w$]{0,80}(=>|=|: |:)/.exec(rest.slice(after)) ?? [];
  if (mark === '=') return unquoted(text, at, java, work);
  if (mark === ': ') return literal(text, at, 'javascript', work) ?? unquoted(text, at, go, work);
  return mark === ':' ? unquoted(text, at, go, work) : null;
}

const mostValues = 100_000;

/** Finds the bracket that closes the object at `at`, or where it breaks off: in a text over the line's end, or at the end. */
function bounds(text: string, at: number, work: Work): { end: number; cutAt: number | null } | null {
  let depth = 0;
  let values = 0;
  let inString = false;
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
      else if (code < 0x20) break;
      continue;
    }
    if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x2c) values++;
    else if (code === 0x7d || code === 0x5d) {
      depth--;
      if (depth === 0) {
        i++;
        break;
      }
    }
  }
  work.spend(i - at);
  if (values > mostValues) {
    work.exceed(
      `Croupier did not read an object in this text: it has more than ${mostValues.toLocaleString('en')} values. Paste a shorter request.`,
    );
    return null;
  }
  const end = Math.min(i, text.length);
  return { end, cutAt: depth === 0 ? null : end };
}

function readJson(text: string, at: number, work: Work): Segment | null {
  const found = bounds(text, at, work);
  if (found === null || work.over) return null;
  const { end, cutAt } = found;
  const own = text.slice(at, end);
  if (chatMark.test(own.replaceAll(/"[^"\\\n]*"/g, ''))) return readChat(text, at, work);
  if (cutAt !== null) return readCut(own, at, work);
  work.spend(2 * own.length);
  const parsed = parseJson(own);
  if (!parsed.ok && /\\x[0-9a-fA-F]{2}/.test(own)) return textsAt(at, end, 'Apache log escapes', [unescapeAll(own, work)]);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  return { kind: 'json', start: at, end, root: parsed.root, text: own, cutAt: null, below: belowJson(text, at, own, work) };
}

function unescapeAll(text: string, work: Work): string {
  return unescapeUntil(text, 0, '', 'all', work, true).text;
}

/**
 * Finds what else an object may say. Logs that escape backslashes and not quotes, as Apache's error log, leave JSON that parses and says another
 * text: `\\/` for `\/`. A page of HTML leaves `&amp;`, which a backend may also have hashed.
 */
function belowJson(text: string, at: number, own: string, work: Work): (Below & { isLikelier: boolean })[] {
  if (/\\"|\\u0022/.test(own)) return [];
  if (/\\\\(?:\/|u[0-9a-fA-F]{4})/.test(own)) {
    const isApache = text.slice(Math.max(0, at - 60), at).includes('dumpio');
    const layer = isApache ? 'Apache log escapes' : 'escaped backslashes';
    return [{ text: unescapeAll(own, work), layer, fidelity: 'exact', isLikelier: true }];
  }
  if (!/&(?:amp|lt|gt|#39|#0?39|apos);/.test(own)) return [];
  work.spend(own.length);
  return [{ text: unescapeHtml(own), layer: 'HTML escapes', fidelity: 'exact', isLikelier: false }];
}

/** Reads an object that breaks off, as far as its values are whole. Only an envelope is worth it. */
function readCut(own: string, at: number, work: Work): Segment | null {
  if (!/"(?:action|hash|partnerId)"\s{0,4}:/.test(own)) return null;
  work.spend(2 * own.length);
  const closers: string[] = [];
  let whole: { at: number; closers: string } | null = null;
  let inString = false;
  for (let i = 0; i < own.length; i++) {
    const character = own.charAt(i);
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{') closers.push('}');
    else if (character === '[') closers.push(']');
    else if (character === '}' || character === ']') closers.pop();
    else if (character === ',') whole = { at: i, closers: closers.toReversed().join('') };
  }
  if (whole === null) return null;
  const closed = own.slice(0, whole.at) + whole.closers;
  const parsed = parseJson(closed);
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  return { kind: 'json', start: at, end: at + own.length, root: parsed.root, text: closed, cutAt: whole.at, below: [] };
}

/** `start` is the brace; the quote stands before it. Null if nothing is escaped, so that the text is read as it stands. */
function readSingleQuoted(text: string, at: number, work: Work): Segment | null {
  const isBytes = /[bB]/.test(text.charAt(at - 2));
  const sql = readSqlString(text, at, work);
  if (sql !== null) return sql;
  const read = (escapes: 'quotes' | 'wide' | 'all') => unescapeUntil(text, at, "'", escapes, work, true);
  const plain = read('quotes');
  if (text.charAt(plain.end) !== "'") return null;
  const raw = text.slice(at, plain.end);
  if (!raw.includes('\\')) return null;
  if (isBytes) return textsAt(at, plain.end, 'Python bytes', [read('all').text]);
  return textsAt(at, plain.end, 'quoted string', [plain.text, read('wide').text, raw]);
}

/** Databases double the quotes in a text. Null if none is doubled. */
function readSqlString(text: string, at: number, work: Work): Segment | null {
  const first = text.indexOf("'", at);
  if (first === -1 || text.charAt(first + 1) !== "'" || text.charAt(first - 1) === '\\') return null;
  const end = undoubled(text, at, "'");
  if (end === -1) return null;
  work.spend(end - at);
  return textsAt(at, end, 'SQL string', [text.slice(at, end).replaceAll("''", "'")]);
}

/** Returns the offset of the next quote that is not doubled; -1 if there is none. */
function undoubled(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && text.charAt(at + 1) === quote) at = text.indexOf(quote, at + 2);
  return at;
}

/** Texts below a segment, each once. */
function textsAt(start: number, end: number, layer: string, texts: readonly string[], fidelity: Fidelity = 'exact'): Segment {
  return { kind: 'texts', start, end, texts: [...new Set(texts)].map((text) => ({ text, layer, fidelity })) };
}

/** Returns where the text in quotes around a brace begins, if something in front of the brace is escaped, too; otherwise the brace. */
function quotedStart(text: string, brace: number, work: Work): number {
  for (let at = brace - 1; at >= 0 && brace - at < longestStart && text.charAt(at) !== '\n'; at--) {
    if (text.charAt(at) !== '"' || text.charAt(at - 1) === '\\') continue;
    work.spend(brace - at);
    return text.slice(at, brace + 1).includes('\\') ? at + 1 : brace;
  }
  work.spend(longestStart);
  return brace;
}

/** An object in quotes whose own quotes are escaped: a string of JSON, C, Go or a log of nginx or Apache. */
function readEscaped(text: string, brace: number, work: Work): Segment {
  const at = quotedStart(text, brace, work);
  // With a backslash doubled, something else escaped what nginx wrote.
  const isBytes = /^\{?[ \t]{0,60}\\x/.test(text.slice(brace, brace + 100));
  const read = (escapes: 'all' | 'quotes' | 'bytes'): Unescaped => unescapeUntil(text, at, '"', escapes, work);
  const all = read(isBytes ? 'bytes' : 'all');
  if (isBytes) return textsAt(at, all.end, 'nginx log escapes', [all.text]);
  const layer = /\\x[0-9a-f]{2}/.test(text.slice(at, all.end)) ? 'Apache log escapes' : 'quoted string';
  // A shell and simple loggers escape quotes alone; then `\/` stood in the text.
  return textsAt(at, all.end, layer, [all.text, ...(layer.startsWith('Apache') ? [] : [read('quotes').text])]);
}

/** A field of a row, whose quotes are doubled. It may begin before the object. */
function readCsv(text: string, brace: number, work: Work): Segment {
  work.spend(longestStart);
  const before = text.slice(Math.max(0, brace - longestStart), brace);
  const open = /(?:^|[,;\t\n])"(?:[^"]|"")*$/.exec(before);
  const at = open === null ? brace : brace - before.length + open.index + open[0].indexOf('"') + 1;
  const close = undoubled(text, brace, '"');
  const end = close === -1 ? text.length : close;
  work.spend(end - at);
  return textsAt(at, end, 'CSV field', [text.slice(at, end).replaceAll('""', '"')]);
}

function runAt(text: string, at: number, run: RegExp, work: Work): string {
  run.lastIndex = at;
  const own = run.exec(text)?.[0] ?? '';
  work.spend(own.length);
  return own;
}

const percentRun = /[^\s"<>&;|\\]*/y;

/** Returns where an encoded text begins, if something in front of the brace is encoded, too. */
function percentStart(text: string, brace: number, work: Work): number {
  work.spend(longestStart);
  const before = text.slice(Math.max(0, brace - longestStart), brace);
  let from = before.length;
  while (from > 0 && !/[\s"<>&;|\\=?,]/.test(before.charAt(from - 1))) from--;
  return before.indexOf('%', from) === -1 ? brace : brace - before.length + from;
}

function readPercent(text: string, brace: number, work: Work): Segment {
  const at = percentStart(text, brace, work);
  const run = runAt(text, at, percentRun, work);
  const quote = text.charAt(at - 1) === "'" ? run.indexOf("'") : -1;
  const own = quote === -1 ? run : run.slice(0, quote);
  // Forms write a blank as a plus sign, and then a plus sign as %2B.
  const isForm = !/%20/.test(own) || /%2B/i.test(own);
  const isPlain = own.includes('+') && !/%2B/i.test(own);
  const texts = [...(isForm ? [unescapePercent(own, ' ')] : []), ...(isPlain || !isForm ? [unescapePercent(own, '+')] : [])];
  return textsAt(at, at + own.length, 'URL encoding', texts);
}

/** Base64 in lines, or with the three characters that a URL encodes, perhaps several times. */
const base64Run = /(?:[A-Za-z0-9+/_-]|%(?:25)*2[BbFf])*(?:\r?\n[A-Za-z0-9+/_-]+)*(?:=|%(?:25)*3[Dd]){0,2}/y;

function readBase64(text: string, at: number, work: Work): Segment | null {
  const own = runAt(text, at, base64Run, work);
  const decoded = decodeBase64(unescapePercent(own.replaceAll(/%(?:25)+/g, '%'), '+'));
  return decoded === null ? null : textsAt(at, at + own.length, 'Base64', [decoded]);
}

const entity = /&(?:[a-z]{2,5}|#\d{1,4}|#x[0-9A-Fa-f]{1,4});/;

/** HTML escapes a page as a whole, so the text is read from the line of the first character reference on. */
function readHtml(text: string, at: number, work: Work): Segment {
  const from = Math.max(0, at - longestStart);
  const first = from + text.slice(from, at + 10).search(entity);
  const line = text.lastIndexOf('\n', first) + 1;
  const start = Math.max(line, text.lastIndexOf('>', first) + 1, from);
  work.spend(text.length - start);
  return textsAt(start, text.length, 'HTML escapes', [unescapeHtml(text.slice(start))]);
}

function readChat(text: string, at: number, work: Work): Segment | null {
  work.spend(text.length - at);
  const straight = straightenJson(text.slice(at));
  const layer = copiedLayer(straight);
  return layer === null ? null : textsAt(at, text.length, layer, [straight.text], 'reencoded');
}

const digitRun = /(?:[0-9A-Fa-f]{2})*/y;

/** Bytes as hexadecimal digits, as databases and network tools copy them. */
function readDigits(text: string, at: number, work: Work): Segment {
  const own = runAt(text, at, digitRun, work);
  return textsAt(at, at + own.length, 'hexadecimal digits', [decodeUtf8Leniently(Buffer.from(own, 'hex')).text]);
}
