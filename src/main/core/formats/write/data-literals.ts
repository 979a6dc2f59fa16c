import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { phpJson } from '#shared/json/php.ts';
import { unprintable } from './program.ts';

/** Longest `data` that is written as a literal, in UTF-16 units: nobody reads a longer one. */
const longest = 8_192;

/** The syntax of a language's values. */
interface Syntax {
  /** Returns what stands around the members of an object with these names. */
  readonly object: (names: readonly string[]) => readonly [open: string, close: string];
  readonly member: (name: string) => string;
  readonly string: (text: string) => string;
  /** One level of nesting. */
  readonly indent: string;
}

/**
 * Returns `data` as a PHP developer writes it, `json_encode([…], JSON_UNESCAPED_SLASHES)`; null where the bytes that PHP 8 makes of it are other
 * ones, as of 1.0 or of a number beyond 64 bits.
 */
export function phpData(data: string, string: Syntax['string']): string | null {
  const root = literalRoot(data);
  if (root === null) return null;
  const flags = ['JSON_UNESCAPED_SLASHES', 'JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE'].find((_, at) => {
    const encoded = phpJson(data, { unicode: at === 1, assoc: false });
    return encoded.ok && encoded.json === data;
  });
  // PHP reads its digits without the sign, as a float.
  if (flags === undefined || data.includes('-9223372036854775808')) return null;
  const written = literal(root, {
    // PHP takes names of digits for the positions of a list.
    object: (names) =>
      names.length === 0 ? ['new stdClass()', ''] : [names.some((name) => /^-?\d+$/.test(name)) ? '(object) [' : '[', ']'],
    member: (name) => `${string(name)} => `,
    string,
    indent: '    ',
  });
  return `json_encode(${written}, ${flags})`;
}

/** Returns `data` as a Node developer writes it, `JSON.stringify({…})`, if need be with its non-ASCII escaped; null where Node makes other bytes of it. */
export function nodeData(data: string, string: Syntax['string']): string | null {
  const root = literalRoot(data);
  // In a literal that name sets the prototype.
  if (root === null || data.includes('__proto__')) return null;
  const plain = JSON.stringify(JSON.parse(data));
  const escaped = plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (plain !== data && escaped !== data) return null;
  const end =
    plain === data
      ? ''
      : String.raw`.replace(/[\u0080-\uffff]/g, (unit) => '\\u' + unit.charCodeAt(0).toString(16).padStart(4, '0'))`;
  const written = literal(root, {
    object: () => ['{', '}'],
    member: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : string(name)}: `,
    string,
    indent: '  ',
  });
  return `JSON.stringify(${written})${end}`;
}

/**
 * Returns the value, if it is an object that is short enough to be read. Characters that show nothing keep it a text: there they are escaped as JSON does,
 * which the search for keys in an export knows.
 */
function literalRoot(data: string): JsonNode | null {
  if (data.length > longest) return null;
  const parsed = parseJson(data);
  return parsed.ok && parsed.root.kind === 'object' && isPlain(parsed.root) ? parsed.root : null;
}

function isPlain(node: JsonNode): boolean {
  if (node.kind === 'string') return node.value.search(unprintable) === -1;
  if (node.kind === 'array') return node.items.every(isPlain);
  return node.kind !== 'object' || node.members.every(({ key, value }) => key.search(unprintable) === -1 && isPlain(value));
}

function literal(node: JsonNode, syntax: Syntax, margin = ''): string {
  const inner = margin + syntax.indent;
  const listed = ([open, close]: readonly [string, string], items: readonly string[]) =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${margin}${close}`;
  switch (node.kind) {
    case 'object': {
      const items = node.members.map(({ key, value }) => syntax.member(key) + literal(value, syntax, inner));
      return listed(syntax.object(node.members.map(({ key }) => key)), items);
    }
    case 'array':
      return listed(
        ['[', ']'],
        node.items.map((item) => literal(item, syntax, inner)),
      );
    case 'string':
      return syntax.string(node.value);
    case 'number':
      return node.text;
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}
