import type { Finding } from '../model/finding.ts';
import { parseJson, type JsonNode } from '../json/parse.ts';
import { pointerStep } from '../json/pointer.ts';
import { createFindingList, shown } from './findings.ts';
import { isTokenName, maskUrlTokens } from './tokens.ts';
import type { Answers } from './model.ts';
import { listed } from '../listed.ts';

/** Number of values that a sentence names. */
const mostNamed = 4;

/** Members of one name in a response. */
export interface Duplicates {
  /** One finding for each name and place; an error if the values differ, because parsers then read another response. */
  readonly findings: readonly Finding[];
  /** True if `code` stands at the top level with different values. */
  readonly codesDiffer: boolean;
}

/** Finds members of one name in a response. `parsed` is what JSON.parse made of the text. */
export function checkDuplicates(text: string, parsed: unknown, answers: Answers): Duplicates {
  const list = createFindingList();
  let codesDiffer = false;
  findDuplicates(text, parsed, ({ name, at, group, values }) => {
    const differ = values.some(({ start, end }, index) => index > 0 && text.slice(start, end) !== textOf(values[0], text));
    if (differ && at === '' && name === 'code') codesDiffer = true;
    const severity = differ ? 'error' : 'warning';
    list.add('duplicate-key', `${severity} ${group}${pointerStep(name)}`, () => {
      const named = isTokenName(name, answers) ? null : wordsOf(values, text);
      return { severity, path: at + pointerStep(name), message: sentence(name, at, values.length, differ, named) };
    });
  });
  return { findings: list.all(), codesDiffer };
}

function textOf(node: JsonNode | undefined, text: string): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}

function sentence(name: string, at: string, count: number, differ: boolean, named: readonly string[] | null): string {
  const place = at === '' ? '' : ` at ${shown(at)}`;
  const times = count === 2 ? 'twice' : `${count} times`;
  if (!differ) {
    const [value] = named ?? [];
    const same = count === 2 ? 'both times' : 'each time';
    return `${shown(name)}${place} occurs ${times}, ${same} ${value ?? 'with the same value'}.`;
  }
  const values = named === null ? ', with different values' : `: ${listOf(named)}`;
  return `${shown(name)}${place} occurs ${times}${values}. Some JSON parsers take the first, others the last.`;
}

/** Returns the values as they stand in the text; null if one of them is an object or a list. */
function wordsOf(values: readonly JsonNode[], text: string): string[] | null {
  if (values.some(({ kind }) => kind === 'object' || kind === 'array')) return null;
  return values.map((node) => (node.kind === 'string' ? `"${shown(maskUrlTokens(node.value))}"` : shown(textOf(node, text))));
}

function listOf(words: readonly string[]): string {
  const more = words.length - mostNamed;
  const parts = more > 0 ? [...words.slice(0, mostNamed), `${more} more`] : words;
  return listed(parts);
}

/** Members of one name in one object, in the order of the text. */
export interface Duplicate {
  readonly name: string;
  /** JSON Pointer of the object. */
  readonly at: string;
  /** The same without positions in arrays. */
  readonly group: string;
  readonly values: readonly JsonNode[];
}

/**
 * Calls `found` for each name that occurs more than once in an object, with its escapes decoded. `parsed` is what JSON.parse made of the
 * text: it has fewer members than the text has names only then, so that nearly every text is counted and not parsed again.
 */
export function findDuplicates(text: string, parsed: unknown, found: (duplicate: Duplicate) => void): void {
  if (countNames(text) === countMembers(parsed)) return;
  const again = parseJson(text);
  if (again.ok) visit(again.root, null, found);
}

/** Counts the colons outside of strings. */
function countNames(text: string): number {
  let names = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) inString = !inString;
    else if (code === 0x5c) i++;
    else if (code === 0x3a && !inString) names++;
  }
  return names;
}

function countMembers(root: unknown): number {
  let members = 0;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) open.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        members++;
        const member = (value as Record<string, unknown>)[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return members;
}

/** Position of an object or array as a chain, so that a pointer is written only for a duplicate. */
interface Place {
  readonly above: Place | null;
  readonly step: string | number;
}

function visit(node: JsonNode, place: Place | null, found: (duplicate: Duplicate) => void): void {
  if (node.kind === 'array') {
    node.items.forEach((item, step) => visit(item, { above: place, step }, found));
  } else if (node.kind === 'object') {
    const values = new Map<string, JsonNode[]>();
    for (const { key, value } of node.members) {
      const same = values.get(key);
      if (same === undefined) values.set(key, [value]);
      else same.push(value);
    }
    if (values.size < node.members.length) {
      for (const [name, same] of values) {
        if (same.length > 1) found({ name, at: pointerOf(place, String), group: pointerOf(place, () => '*'), values: same });
      }
    }
    for (const { key, value } of node.members) visit(value, { above: place, step: key }, found);
  }
}

function pointerOf(place: Place | null, index: (position: number) => string): string {
  let pointer = '';
  for (let one = place; one !== null; one = one.above) {
    pointer = (typeof one.step === 'number' ? `/${index(one.step)}` : pointerStep(one.step)) + pointer;
  }
  return pointer;
}
