import { AppError } from '#shared/errors.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { readTree, type MapNode, type Place, type TreeNode } from '../../collections/yaml-tree.ts';
import type { NamedFile } from './bruno.ts';
import { membersOf, type Members } from './members.ts';

/**
 * Reads YAML by the rules of our own files: no tags, no references. Every scalar is its text, so that no number loses a digit; if `typed`, a plain
 * one is the number, the boolean or the null that JSON would have. Fails with `invalid_input`.
 */
export function readYaml({ name, text }: NamedFile, typed = false): Members {
  let tree: MapNode;
  try {
    tree = readTree(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { line, column } = error.details as Place;
    throw new AppError('invalid_input', `${name}, line ${line}, column ${column}: ${error.message}`, { line, column });
  }
  const node = jsonOf(tree, typed);
  const members = node.kind === 'object' && node.members.length > 0 ? membersOf({ node, at: '' }) : null;
  if (members === null) throw new AppError('invalid_input', `${name} is not a collection file: it has no fields.`);
  return members;
}

function jsonOf(node: TreeNode, typed: boolean): JsonNode {
  const { start, end } = node;
  if (node.kind === 'text') {
    const { value } = node;
    if (typed && node.plain) {
      if (value === 'true' || value === 'false') return { kind: value, start, end };
      if (/^(?:null|~|)$/.test(value)) return { kind: 'null', start, end };
      if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return { kind: 'number', text: value, start, end };
    }
    return { kind: 'string', value, start, end };
  }
  if (node.kind === 'list') return { kind: 'array', items: node.items.map(({ value }) => jsonOf(value, typed)), start, end };
  const members = node.entries.map(({ key, keyStart, afterColon, value }) => ({
    key,
    keyStart,
    keyEnd: afterColon,
    value: jsonOf(value, typed),
  }));
  return { kind: 'object', members, start, end };
}

/** Returns the JSON text of a node that was read from YAML, with every digit of its numbers. */
export function jsonText(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return JSON.stringify(node.value);
    case 'number':
      return node.text;
    case 'array':
      return `[${node.items.map(jsonText).join(',')}]`;
    case 'object':
      return `{${node.members.map(({ key, value }) => `${JSON.stringify(key)}:${jsonText(value)}`).join(',')}}`;
    case 'true':
    case 'false':
    case 'null':
      return node.kind;
  }
}
