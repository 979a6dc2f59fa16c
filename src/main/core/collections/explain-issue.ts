import { checkKinds } from '#shared/collections/model.ts';
import type { z } from '#shared/ipc/contract.ts';
import { nearestName } from '#shared/suggestion.ts';
import { meantInside } from './unknown-names.ts';
import type { Entry, MapNode, TreeNode } from './yaml-tree.ts';

const kinds: readonly string[] = checkKinds;

/** What the model says against a file's values, as a sentence and the offset of what it is about. */
export function explainIssue(issue: z.core.$ZodIssue | undefined, root: MapNode): { offset: number; message: string } {
  if (issue === undefined) return { offset: 0, message: 'The file has another form.' };
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
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const stranger = node?.kind === 'map' ? node.entries.find((one) => one.key === key) : undefined;
    const what = key.trim() === '' ? 'An empty name' : key;
    const meant = meantInside(issue.path, key);
    const message =
      meant === ''
        ? `${what} is not known in ${name}. Correct it; a newer version of Croupier may have written it.`
        : `${what} is not known in ${name}.${meant}`;
    return { offset: stranger?.keyStart ?? offset, message };
  }
  if (issue.code === 'invalid_key') {
    const message = `"${String(issue.path.at(-1))}" is no name of a variable. ${issue.issues[0]?.message ?? ''}`;
    return { offset: entry?.keyStart ?? offset, message };
  }
  if (issue.code === 'too_big') return { offset, message: `${name} is larger than ${String(issue.maximum)}.` };
  return { offset, message: `${name}: ${issue.message}` };
}

const described: Record<string, string> = {
  string: 'a text',
  boolean: 'true or false',
  object: 'fields, one to a line',
  record: 'names and values, one to a line',
  array: 'a list, each item with a dash',
};

function dataHint(path: readonly PropertyKey[], node: TreeNode | undefined): string {
  if (path.length !== 1 || path[0] !== 'data' || node === undefined) return '';
  return ' Write `data: |` and the JSON below it, indented by two spaces.';
}

/** Which of the checks was meant is told by the member that names its kind. */
function explainCheck(issue: z.core.$ZodIssueInvalidUnion, root: MapNode): { offset: number; message: string } {
  const { node } = find(root, issue.path);
  const offset = node?.start ?? 0;
  if (node?.kind !== 'map') return { offset, message: 'A check is fields, as `- code: 0`.' };
  const named = node.entries.filter(({ key }) => kinds.includes(key));
  const [kind, second] = named;
  if (kind === undefined) {
    const misspelt = node.entries.find(({ key }) => nearestName(key, kinds) !== null);
    if (misspelt !== undefined) {
      const meant = nearestName(misspelt.key, kinds);
      return { offset: misspelt.keyStart, message: `${misspelt.key} is no kind of check. Did you mean ${meant}?` };
    }
    return {
      offset,
      message: `A check has one of ${kinds.join(', ')}, and this one has none. A newer version of Croupier may have written it.`,
    };
  }
  if (second !== undefined) {
    return {
      offset: second.keyStart,
      message: `This is two checks: ${kind.key} and ${second.key}. Write each with a dash of its own.`,
    };
  }
  const inner = issue.errors[kinds.indexOf(kind.key)]?.[0];
  return inner === undefined
    ? { offset, message: 'This check has another form.' }
    : explainIssue({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, root);
}

function find(
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
