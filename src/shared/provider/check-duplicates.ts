import type { Finding } from '../model/finding.ts';
import { findDuplicates } from '../json/duplicates.ts';
import type { JsonNode } from '../json/parse.ts';
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
