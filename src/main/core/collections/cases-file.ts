import { settingsNames } from '#shared/collections/file-names.ts';
import { z } from '#shared/model/schema.ts';
import { WalletCase } from '#shared/wallet/wallet-case.ts';
import { find } from './explain-yaml-issue.ts';
import { faultAt, isQuick, readTree, type TreeNode } from './yaml-tree.ts';

const mostCases = 500;
const CasesFile = z.strictObject({ cases: z.array(WalletCase).check(z.maxLength(mostCases)) });

/** Fields of a case whose value is a number. */
const numbers = new Set(['times', 'lanes', 'player']);

/** Returns a value of the file as the form of a case has it: numbers and `true` where it has them, and null for a member that is left out. */
function plain(node: TreeNode, name: string, within: string): unknown {
  if (node.kind === 'list') return node.items.map(({ value }) => plain(value, '', name));
  if (node.kind === 'map') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value, key, name)]));
  if (!node.plain) return node.value;
  if (numbers.has(name) && /^\d+$/.test(node.value)) return Number(node.value);
  if (within === 'with' && node.value === 'null') return null;
  return name === 'relaid' && node.value === 'true' ? true : node.value;
}

/** Reads the wallet cases of a team. Fails with `invalid_input` and the position. */
export function readCases(source: string): readonly WalletCase[] {
  if (!isQuick(source)) throw faultAt(source, 0, `${settingsNames.cases} is too long. Remove cases from it.`);
  const root = readTree(source);
  const parsed = CasesFile.safeParse(plain(root, '', ''));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const { node, entry } = find(root, path);
    throw faultAt(source, entry?.keyStart ?? node?.start ?? 0, `${path.join(', ')}: ${issue?.message ?? 'This is no case.'}`);
  }
  const known = new Set<string>();
  for (const [index, { id }] of parsed.data.cases.entries()) {
    if (known.has(id))
      throw faultAt(source, find(root, ['cases', index, 'id']).node?.start ?? 0, `Two cases have the ID ${id}. Change one.`);
    known.add(id);
  }
  return parsed.data.cases;
}
