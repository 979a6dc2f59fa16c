import { checkKinds } from '#shared/collections/check-kinds.ts';
import type { z } from '#shared/model/schema.ts';
import type { Entry, MapNode, TreeNode } from './yaml-tree.ts';

const kinds: readonly string[] = checkKinds;

/** The parts of a file that the model does not see, because nobody reads them. */
export type Unread = ReadonlySet<Entry | TreeNode>;

/** Explains a schema issue as a sentence with the offset of the value. */
export function explainIssue(
  issue: z.core.$ZodIssue | undefined,
  root: MapNode,
  unread: Unread,
): { offset: number; message: string } {
  if (issue === undefined) return { offset: 0, message: 'The file has the wrong format.' };
  return explain({ ...issue, path: pathInFile(issue.path, root, unread) }, root);
}

/** Converts a path: the model counts the items of a list that are read, the file and its reader count all. */
function pathInFile(path: readonly PropertyKey[], root: MapNode, unread: Unread): PropertyKey[] {
  const [field, at, ...rest] = path;
  const list = root.entries.find(({ key }) => key === field)?.value;
  if (list?.kind !== 'list' || typeof at !== 'number') return [...path];
  const read = list.items.flatMap(({ value }, index) => (unread.has(value) ? [] : [index]));
  return [field as string, read[at] ?? at, ...rest];
}

function explain(issue: z.core.$ZodIssue, root: MapNode): { offset: number; message: string } {
  if (issue.code === 'invalid_union' && issue.path[0] === 'expect') return explainCheck(issue, root);
  const { entry, node, complete } = find(root, issue.path);
  const name = nameOf(issue.path);
  if (!complete) return { offset: node?.start ?? 0, message: `${name} is missing.` };
  const offset = node?.start ?? 0;
  if (issue.code === 'invalid_type') {
    return { offset, message: `${name} must be ${described[issue.expected] ?? issue.expected}.${dataHint(issue.path, node)}` };
  }
  if (issue.code === 'invalid_value') {
    return { offset, message: `${name} must be one of ${issue.values.map(String).join(', ')}.` };
  }
  if (issue.code === 'invalid_key') {
    const message = `"${String(issue.path.at(-1))}" is not a variable name. ${issue.issues[0]?.message ?? ''}`;
    return { offset: entry?.keyStart ?? offset, message };
  }
  if (issue.code === 'too_big') return { offset, message: `${name} is larger than ${String(issue.maximum)}.` };
  return { offset, message: `${name}: ${issue.message}` };
}

const described: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  object: 'fields, one per line',
  record: 'names and values, one per line',
  array: 'a list with a dash before each item',
};

function dataHint(path: readonly PropertyKey[], node: TreeNode | undefined): string {
  if (path.length !== 1 || path[0] !== 'data' || node === undefined) return '';
  return ' Write `data: |` and the JSON below it, indented by two spaces.';
}

/** Explains an issue of a check, whose kind is known by the field that names it. */
function explainCheck(issue: z.core.$ZodIssueInvalidUnion, root: MapNode): { offset: number; message: string } {
  const { node } = find(root, issue.path);
  const offset = node?.start ?? 0;
  if (node?.kind !== 'map') return { offset, message: 'Write a check as a field, such as `- code: 0`.' };
  const named = node.entries.filter(({ key }) => kinds.includes(key));
  const [kind, second] = named;
  if (kind === undefined) {
    return { offset, message: `A check needs one of ${kinds.join(', ')}.` };
  }
  if (second !== undefined) {
    return {
      offset: second.keyStart,
      message: `These are two checks: ${kind.key} and ${second.key}. Put a dash before each.`,
    };
  }
  const inner = issue.errors[kinds.indexOf(kind.key)]?.[0];
  return inner === undefined
    ? { offset, message: 'This check has the wrong format.' }
    : explain({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, root);
}

/** Follows a path of names and positions as far as it goes; `complete` if to its end. */
export function find(
  root: MapNode,
  path: readonly PropertyKey[],
): { node: TreeNode | undefined; entry: Entry | undefined; complete: boolean } {
  let node: TreeNode | undefined = root;
  let entry: Entry | undefined;
  for (const step of path) {
    let next: TreeNode | undefined;
    if (node?.kind === 'map') {
      entry = node.entries.find(({ key }) => key === step);
      next = entry?.value;
    } else if (node?.kind === 'list' && typeof step === 'number') {
      next = node.items[step]?.value;
    }
    if (next === undefined) return { node, entry, complete: false };
    node = next;
  }
  return { node, entry, complete: true };
}

function nameOf(path: readonly PropertyKey[]): string {
  const names = path.map((step) => (typeof step === 'number' ? `item ${step + 1}` : String(step)));
  return names.length === 0 ? 'The file' : names.join(', ');
}
