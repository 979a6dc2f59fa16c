import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { parseJson, type JsonObject } from '#shared/json/parse.ts';
import type { Fidelity } from '#shared/ipc/index.ts';
import { chatMark, copiedLayer, straightenJson, unescapeHtml } from '../formats/read/chat-text.ts';
import { decodeBase64, unescapePercent, unescapeUntil, type Unescaped } from './escapes.ts';
import { readLiteral, type Notation, type ReadTree } from './literals.ts';
import { readGo, readJava, readPrintR, readVarDump } from './printed.ts';
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
  if (found.startsWith('e')) return readBase64(text, at, work) ?? asTree(readJava(text, at, work), at, 'Java toString', 'lossy');
  if (/^7b(?:0[ad]|20|09)*22/i.test(found)) return readDigits(text, at, work);
  if (found.length === 80) return readBase64(text, at, work);
  if (found.startsWith('&')) return readHtml(text, at, work);
  if (found === 'map[') {
    return (
      asTree(readGo(text, at, work), at, 'Go %+v', 'lossy') ??
      asTree(readLiteralWith(text, at, 'python', work), at, 'Go %#v', 'reencoded')
    );
  }
  if (found.startsWith('(') || found.startsWith('[') || found.endsWith('__set_state')) return readPhp(text, at, work);
  if (found === 'Array' || found === 'array' || found === 'object(' || found.endsWith(' Object')) {
    return (
      asTree(readPrintR(text, at, work), at, 'PHP print_r', 'lossy') ??
      asTree(readVarDump(text, at, work), at, 'PHP var_dump', 'reencoded') ??
      readPhp(text, at, work)
    );
  }
  return (
    asTree(readLiteralWith(text, at, 'python', work), at, 'Python repr', 'reencoded') ??
    asTree(readJava(text, at, work), at, 'Java toString', 'lossy')
  );
}

function asTree(read: ReadTree | null, start: number, layer: string, fidelity: Fidelity): Segment | null {
  return read === null ? null : { kind: 'tree', start, end: read.end, tree: read.tree, layer, fidelity };
}

/** A literal with names in it; a word or a number alone is none. */
function readLiteralWith(text: string, at: number, notation: Notation, work: Work): ReadTree | null {
  const read = readLiteral(text, at, notation, work);
  return read?.tree.kind === 'object' && read.tree.entries.length > 0 ? read : null;
}

function readPhp(text: string, at: number, work: Work): Segment | null {
  return asTree(readLiteralWith(text, at, 'php', work), at, 'PHP var_export', 'reencoded');
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
    const isArrow = /^\{\s{0,100}"[^"\n]{0,80}"\s?=>/.test(rest);
    if (isArrow) return asTree(readLiteralWith(text, at, 'ruby', work), at, 'Ruby hash', 'reencoded');
    return readJson(text, at, work) ?? asTree(readLiteralWith(text, at, 'python', work), at, 'Python repr', 'reencoded');
  }
  if (next === '}') return readJson(text, at, work);
  if (chatMark.test(next)) return readChat(text, at, work);
  if (next === "'") {
    const isPerl = /^\{\s{0,100}'[^'\n]{0,80}'\s{0,20}=>/.test(rest);
    if (isPerl) return asTree(readLiteralWith(text, at, 'perl', work), at, 'Perl Data::Dumper', 'lossy');
    return asTree(readLiteralWith(text, at, 'python', work), at, 'Python repr', 'reencoded');
  }
  if (next === ':') return asTree(readLiteralWith(text, at, 'ruby', work), at, 'Ruby hash', 'reencoded');
  const [, mark = ''] = /^[A-Za-z_$][\w$]{0,80}(=>|=|: |:)/.exec(rest.slice(after)) ?? [];
  if (mark === '=') return asTree(readJava(text, at, work), at, 'Java toString', 'lossy');
  if (mark === ': ') {
    return (
      asTree(readLiteralWith(text, at, 'javascript', work), at, 'Node inspect', 'lossy') ??
      asTree(readGo(text, at, work), at, 'Go %+v', 'lossy')
    );
  }
  if (mark === ':') return asTree(readGo(text, at, work), at, 'Go %+v', 'lossy');
  return null;
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
  if (!parsed.ok && /\\x[0-9a-fA-F]{2}/.test(own)) {
    return { kind: 'texts', start: at, end, texts: [below(unescapeAll(own, work), 'Apache log escapes', 'exact')] };
  }
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
    return [{ ...below(unescapeAll(own, work), layer, 'exact'), isLikelier: true }];
  }
  if (!/&(?:amp|lt|gt|#39|#0?39|apos);/.test(own)) return [];
  work.spend(own.length);
  return [{ ...below(unescapeHtml(own), 'HTML escapes', 'exact'), isLikelier: false }];
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
  if (isBytes) return { kind: 'texts', start: at, end: plain.end, texts: [below(read('all').text, 'Python bytes', 'exact')] };
  return { kind: 'texts', start: at, end: plain.end, texts: variants([plain.text, read('wide').text, raw], 'quoted string') };
}

/** Databases double the quotes in a text. Null if none is doubled. */
function readSqlString(text: string, at: number, work: Work): Segment | null {
  let end = text.indexOf("'", at);
  if (end === -1 || text.charAt(end + 1) !== "'" || text.charAt(end - 1) === '\\') return null;
  while (end !== -1 && text.charAt(end + 1) === "'") end = text.indexOf("'", end + 2);
  if (end === -1) return null;
  work.spend(end - at);
  return { kind: 'texts', start: at, end, texts: [below(text.slice(at, end).replaceAll("''", "'"), 'SQL string', 'exact')] };
}

function below(text: string, layer: string, fidelity: Fidelity): Below {
  return { text, layer, fidelity };
}

function variants(texts: readonly string[], layer: string): Below[] {
  return [...new Set(texts)].map((text) => below(text, layer, 'exact'));
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
  const segment = { kind: 'texts', start: at, end: all.end } as const;
  if (isBytes) return { ...segment, texts: [below(all.text, 'nginx log escapes', 'exact')] };
  const layer = /\\x[0-9a-f]{2}/.test(text.slice(at, all.end)) ? 'Apache log escapes' : 'quoted string';
  // A shell and simple loggers escape quotes alone; then `\/` stood in the text.
  const isApache = layer.startsWith('Apache');
  return { ...segment, texts: variants(isApache ? [all.text] : [all.text, read('quotes').text], layer) };
}

/** A field of a row, whose quotes are doubled. It may begin before the object. */
function readCsv(text: string, brace: number, work: Work): Segment {
  work.spend(longestStart);
  const before = text.slice(Math.max(0, brace - longestStart), brace);
  const open = /(?:^|[,;\t\n])"(?:[^"]|"")*$/.exec(before);
  const at = open === null ? brace : brace - before.length + open.index + open[0].indexOf('"') + 1;
  let end = text.indexOf('"', brace);
  while (end !== -1 && text.charAt(end + 1) === '"') end = text.indexOf('"', end + 2);
  if (end === -1) end = text.length;
  work.spend(end - at);
  return { kind: 'texts', start: at, end, texts: [below(text.slice(at, end).replaceAll('""', '"'), 'CSV field', 'exact')] };
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
  percentRun.lastIndex = at;
  let own = percentRun.exec(text)?.[0] ?? '';
  const quote = text.charAt(at - 1) === "'" ? own.indexOf("'") : -1;
  if (quote !== -1) own = own.slice(0, quote);
  work.spend(own.length);
  // Forms write a blank as a plus sign, and then a plus sign as %2B.
  const isForm = !/%20/.test(own) || /%2B/i.test(own);
  const isPlain = own.includes('+') && !/%2B/i.test(own);
  const texts = [...(isForm ? [unescapePercent(own, ' ')] : []), ...(isPlain || !isForm ? [unescapePercent(own, '+')] : [])];
  return { kind: 'texts', start: at, end: at + own.length, texts: variants(texts, 'URL encoding') };
}

/** Base64 in lines, or with the three characters that a URL encodes, perhaps several times. */
const base64Run = /(?:[A-Za-z0-9+/_-]|%(?:25)*2[BbFf])*(?:\r?\n[A-Za-z0-9+/_-]+)*(?:=|%(?:25)*3[Dd]){0,2}/y;

function readBase64(text: string, at: number, work: Work): Segment | null {
  base64Run.lastIndex = at;
  const own = base64Run.exec(text)?.[0] ?? '';
  work.spend(own.length);
  const decoded = decodeBase64(unescapePercent(own.replaceAll(/%(?:25)+/g, '%'), '+'));
  return decoded === null ? null : { kind: 'texts', start: at, end: at + own.length, texts: [below(decoded, 'Base64', 'exact')] };
}

const entity = /&(?:[a-z]{2,5}|#\d{1,4}|#x[0-9A-Fa-f]{1,4});/;

/** HTML escapes a page as a whole, so the text is read from the line of the first character reference on. */
function readHtml(text: string, at: number, work: Work): Segment {
  const from = Math.max(0, at - longestStart);
  const first = from + text.slice(from, at + 10).search(entity);
  const line = text.lastIndexOf('\n', first) + 1;
  const start = Math.max(line, text.lastIndexOf('>', first) + 1, from);
  work.spend(text.length - start);
  return { kind: 'texts', start, end: text.length, texts: [below(unescapeHtml(text.slice(start)), 'HTML escapes', 'exact')] };
}

function readChat(text: string, at: number, work: Work): Segment | null {
  work.spend(text.length - at);
  const own = text.slice(at);
  const straight = straightenJson(own);
  const layer = copiedLayer(straight);
  return layer === null
    ? null
    : { kind: 'texts', start: at, end: text.length, texts: [below(straight.text, layer, 'reencoded')] };
}

const digitRun = /(?:[0-9A-Fa-f]{2})*/y;

/** Bytes as hexadecimal digits, as databases and network tools copy them. */
function readDigits(text: string, at: number, work: Work): Segment {
  digitRun.lastIndex = at;
  const own = digitRun.exec(text)?.[0] ?? '';
  work.spend(own.length);
  const decoded = decodeUtf8Leniently(Buffer.from(own, 'hex')).text;
  return { kind: 'texts', start: at, end: at + own.length, texts: [below(decoded, 'hexadecimal digits', 'exact')] };
}
