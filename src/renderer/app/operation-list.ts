import { operationTitle, type Operation } from '#shared/provider/index.ts';

const groupOrder: readonly Operation['group'][] = ['Launch', 'Catalogue', 'Rounds', 'Free rounds', 'Wallet'];

/** Returns the operations that hold every word of the text in their name, summary, group or section. */
export function filterOperations(operations: readonly Operation[], text: string): readonly Operation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((operation) => {
    const { name, summary, group, section } = operation;
    const haystack = `${operationTitle(name)} ${summary} ${group} §${section}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** Returns the operations by group, in the order of the work: launch first. Empty groups are left out. */
export function operationGroups(
  operations: readonly Operation[],
): readonly { readonly title: string; readonly operations: readonly Operation[] }[] {
  return groupOrder
    .map((title) => ({ title, operations: operations.filter((operation) => operation.group === title) }))
    .filter((group) => group.operations.length > 0);
}
