import { firstDifference } from '../json/first-difference.ts';
import { characterName } from '../json/hidden-characters.ts';
import { parseJson, type JsonMember, type JsonNode } from '../json/parse.ts';

/** UTF-16 units of each text to show from the difference. */
const excerpt = 24;

/** Finds the first difference between a JSON text and PHP's re-encoding, and describes PHP's change; null if there is none. */
export function explainDifference(ours: string, theirs: string): Difference | null {
  const first = firstDifference(ours, theirs);
  if (first === null) return null;
  const { byteOffset, charOffset: at } = first;
  return {
    byteOffset,
    charOffset: at,
    ours: cut(ours, at),
    theirs: cut(theirs, at),
    reason: reasonAt(ours, theirs, at),
  };
}

function cut(text: string, at: number): string {
  const end = at + excerpt;
  return text.slice(at, (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end);
}

/** Context of an offset. */
interface Place {
  readonly node: JsonNode;
  /** Start of the string, a value or a name, that holds the offset; null outside strings. */
  readonly string: number | null;
  /** A duplicate name whose members hold the offset. */
  readonly duplicate: string | null;
}

function reasonAt(ours: string, theirs: string, at: number): string {
  const parsed = parseJson(ours);
  if (!parsed.ok) return 'PHP writes the text differently';
  const place = findPlace(parsed.root, at);
  if (place.string === null && /[ \t\n\r]/.test(ours[at] ?? '')) {
    return 'PHP drops the whitespace between values';
  }
  if (place.node.kind === 'object' && place.node.start === at && theirs[at] === '[') {
    return place.node.members.length === 0
      ? "An empty object {} becomes an empty array []: PHP's associative arrays can't tell them apart"
      : "An object with the names 0, 1, 2 and so on in order becomes an array: PHP's associative arrays can't tell them apart";
  }
  if (place.duplicate !== null) {
    return `The name ${JSON.stringify(place.duplicate)} occurs more than once in an object: PHP keeps the first position and the last value`;
  }
  if (place.string !== null) return stringReason(ours, theirs, at, place.string);
  if (place.node.kind === 'number') return numberReason(place.node.text, theirs, place.node.start);
  return 'PHP writes the text differently';
}

function findPlace(root: JsonNode, at: number): Place {
  let node = root;
  let duplicate: string | null = null;
  for (;;) {
    if (node.kind === 'string') return { node, string: at > node.start && at < node.end ? node.start : null, duplicate };
    if (node.kind === 'array') {
      const item: JsonNode | undefined = node.items.find((candidate) => at >= candidate.start && at < candidate.end);
      if (item === undefined) return { node, string: null, duplicate };
      node = item;
      continue;
    }
    if (node.kind !== 'object') return { node, string: null, duplicate };
    const repeated = repeatedNames(node.members);
    const member: JsonMember | undefined = node.members.find(({ keyStart, value }) => at >= keyStart && at < value.end);
    if (member === undefined) return { node, string: null, duplicate: [...repeated][0] ?? duplicate };
    if (repeated.has(member.key)) duplicate ??= member.key;
    if (at < member.value.start) {
      return { node, string: at > member.keyStart && at < member.keyEnd ? member.keyStart : null, duplicate };
    }
    node = member.value;
  }
}

function repeatedNames(members: readonly JsonMember[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { key } of members) (seen.has(key) ? repeated : seen).add(key);
  return repeated;
}

function stringReason(ours: string, theirs: string, at: number, start: number): string {
  const begin = characterStart(ours, at, start);
  if (ours[begin] !== '\\') {
    const codePoint = ours.codePointAt(begin) ?? 0;
    return `${characterName(codePoint)} isn't ASCII: PHP escapes it`;
  }
  const escape = ours.slice(begin, begin + (ours[begin + 1] === 'u' ? 6 : 2));
  if (escape === '\\/') return 'PHP writes an escaped slash \\/ as /, because JSON_UNESCAPED_SLASHES is set';
  if (theirs[begin] !== '\\') {
    return `PHP writes the escape ${escape} as the character itself (${characterName(Number.parseInt(escape.slice(2), 16))})`;
  }
  return theirs[begin + 1] === 'u'
    ? `PHP writes the escape ${escape} with lowercase digits`
    : `PHP writes the escape ${escape} in its short form`;
}

/** Returns the start of the typed character or escape that holds the offset. */
function characterStart(text: string, at: number, start: number): number {
  for (let i = start + 1; ;) {
    const next = text[i] !== '\\' ? i + 1 : text[i + 1] === 'u' ? i + 6 : i + 2;
    if (next > at) return i;
    i = next;
  }
}

function numberReason(typed: string, theirs: string, start: number): string {
  const printed = /^[\d.eE+-]+/.exec(theirs.slice(start))?.[0] ?? '';
  const change = `PHP writes the number ${typed} as ${printed}`;
  if (typed === '-0') return `${change}: without a decimal point, it's the integer 0`;
  if (/^-?\d+$/.test(typed)) return `${change}: it doesn't fit 64 bits, so it becomes a float`;
  if (/[eE]/.test(printed)) return `${change}: floats below 0.0001 and from 1e17 on get an exponent`;
  if (/[eE]/.test(typed)) return `${change}: floats from 0.0001 to below 1e17 get no exponent`;
  return `${change}: a float loses trailing zeros and digits that it can't hold`;
}

/** The first byte at which a text and its re-encoding differ. */
export interface Difference {
  readonly byteOffset: number;
  /** UTF-16 offset, for an editor. */
  readonly charOffset: number;
  /** A few characters of each text from there. */
  readonly ours: string;
  readonly theirs: string;
  /** Describes PHP's change. */
  readonly reason: string;
}
